/**
 * The control-flow graph over all nested blocks of a program, with the reads and writes of every
 * variable.
 *
 * <p>The input is a program and the operator catalog; the output is a {@link
 * dev.sublet.cfg.ControlFlowGraph}, which consists of
 *
 * <ul>
 *   <li>the nodes in nesting order,
 *   <li>a {@link dev.sublet.cfg.Region} for each block that a control operator runs,
 *   <li>the {@link dev.sublet.cfg.AccessTable} with the explicit and implicit accesses,
 *   <li>the {@link dev.sublet.cfg.PinnedVariables}, which must keep their names or get no offset,
 *   <li>the {@link dev.sublet.cfg.ExclusiveBranches}, of which only one runs.
 * </ul>
 *
 * <p>Invariant: every path that an executor can take through the program is a path of the graph. An
 * operator whose blocks are not followed is one node, which accesses every variable that these
 * blocks access.
 *
 * <p>Source: Paddle's {@code memory_optimization} design (control-flow graph over all operators)
 * and the run functions of its control operators.
 */
@NullMarked
package dev.sublet.cfg;

import org.jspecify.annotations.NullMarked;
