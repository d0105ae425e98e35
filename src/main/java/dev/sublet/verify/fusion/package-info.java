/**
 * The check that a program with shared names is still right after Paddle's graph passes: {@link
 * dev.sublet.verify.fusion.FusionValidator}.
 *
 * <p>In go a program as saved and its rewritten form; out comes a {@link
 * dev.sublet.verify.graph.ValidationResult}. The check knows nothing of the original's names: it
 * asks of the rewritten program alone whether an operator that a pass moves can meet another write
 * of a name that it reads or writes, and compares the declared shapes that passes read.
 *
 * <p>Invariant: nothing here is shared with {@code fusion}, which restricts the sharing: the paths
 * of the passes are listed and followed anew, from their first operator along the readers.
 *
 * <p>Source: as {@code fusion}; see docs/fusion.md.
 */
@NullMarked
package dev.sublet.verify.fusion;

import org.jspecify.annotations.NullMarked;
