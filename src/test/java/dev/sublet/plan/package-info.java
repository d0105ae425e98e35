/** Tests of what a plan consists of. */
@NullMarked
package dev.sublet.plan;

import org.jspecify.annotations.NullMarked;
