/**
 * A loop nest with numbers for its extents: accesses as affine functions, and the plan of its
 * loops.
 *
 * <p>In go a block and the values of its parameters; out come a {@link
 * dev.sublet.runtime.micro.run.bind.BoundNest} and the choice of loops that run in lanes or as a
 * matrix product.
 */
@NullMarked
package dev.sublet.runtime.micro.run.bind;

import org.jspecify.annotations.NullMarked;
