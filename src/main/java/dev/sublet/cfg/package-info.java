/**
 * The control-flow graph over all nested blocks of a program, and who accesses what where.
 *
 * <p>In go a program and the operator catalog; out comes a {@link dev.sublet.cfg.ControlFlowGraph}:
 * nodes in nesting order, {@link dev.sublet.cfg.Region}s for the blocks that control operators run,
 * the {@link dev.sublet.cfg.AccessTable} with the reads and writes of every variable, implicit ones
 * included, the {@link dev.sublet.cfg.PinnedVariables} that must stay as they are, and the {@link
 * dev.sublet.cfg.ExclusiveBranches}.
 *
 * <p>Invariant: every path that an executor can take through the program is a path of the graph. An
 * operator whose blocks are not followed is one node that accesses all that they touch.
 *
 * <p>Source: Paddle's {@code memory_optimization} design (control-flow graph over all operators)
 * and the run functions of its control operators.
 */
@NullMarked
package dev.sublet.cfg;

import org.jspecify.annotations.NullMarked;
