/**
 * Loop nests bound to known extents: accesses as affine forms, and the choice of how each nest
 * runs.
 *
 * <p>The input is a block and the values of its extents and parameters. The results are a {@link
 * dev.sublet.runtime.micro.run.bind.BoundNest} and the choice of loops that run in lanes or as a
 * matrix product.
 */
@NullMarked
package dev.sublet.runtime.micro.run.bind;

import org.jspecify.annotations.NullMarked;
