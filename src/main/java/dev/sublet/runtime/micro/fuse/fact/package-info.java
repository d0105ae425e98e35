/**
 * The facts about loop nests that the passes of {@code micro.fuse} ask for.
 *
 * <p>{@code Extents} and {@code Polynomial} compare extents, {@code BoundsProver} proves that an
 * index stays inside its tensor, {@code BlockUse} and {@code BlockIndex} list who reads and writes
 * a tensor, {@code Rewriter} copies a nest with changes.
 *
 * <p>Invariant: a fact holds for all values of the unknown extents that the program admits.
 */
@NullMarked
package dev.sublet.runtime.micro.fuse.fact;

import org.jspecify.annotations.NullMarked;
