/** Tests of the facts in the operator catalog, some of them against the real Paddle. */
@NullMarked
package dev.sublet.operator;

import org.jspecify.annotations.NullMarked;
