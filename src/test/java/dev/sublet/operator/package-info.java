/** Tests of what the catalog says of operators, some of them with the real Paddle. */
@NullMarked
package dev.sublet.operator;

import org.jspecify.annotations.NullMarked;
