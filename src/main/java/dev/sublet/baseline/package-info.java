/**
 * The memory that programs need under the runtimes' own passes, computed without running them: the
 * figures that a rewritten program has to beat.
 *
 * <p>{@link dev.sublet.baseline.PaddleMemoryPass} computes the bytes that a program needs under
 * Paddle Inference's own memory pass, the one that {@code enable_memory_optim} switches on.
 */
@NullMarked
package dev.sublet.baseline;

import org.jspecify.annotations.NullMarked;
