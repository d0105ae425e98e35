package dev.sublet.loop.unroll;

import com.google.common.collect.ImmutableSet;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.ExitNeeds;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import java.util.Optional;

/**
 * A program in which the bodies of loops are repeated so that no loop-carried copy is needed.
 *
 * <p>A loop that repeats its body R times runs copy 0 of it, and then copies 1 to R − 1 in
 * conditional blocks. Each conditional block is the last operator of the block of the copy before
 * it, and depends on the loop's own condition.
 *
 * <pre>{@code
 * while (c) { copy 0; if (c) { copy 1; if (c) { copy 2 } } }     R = 3
 * }</pre>
 *
 * @param program the unrolled program
 * @param map the originals of its operators and variables
 * @param notes the names of variables in which loops write how they are left
 * @param readersOfMoved of a program to plan: the operators that read, after a loop, a value that
 *     the loop has left in one of several slots. If such an operator only copies its input, the
 *     copy may not share the slot that the input is named after, because the value may be in
 *     another slot
 */
public record UnrolledProgram(
    Program program,
    UnrolledMap map,
    ImmutableSet<String> notes,
    ImmutableSet<Operation> readersOfMoved) {

  /**
   * Returns the program in a form that any runtime can run. O(size of the result).
   *
   * @param carries of the original
   */
  public static UnrolledProgram toRun(LoopCarriedValues carries) {
    return UnrollLoops.unroll(carries, ExecutionForm::new);
  }

  /**
   * Returns the program in the form for a planner. It is not to be run: after a loop, an operator
   * reads every slot that a value may be in. O(size of the result).
   *
   * @param carries of the original
   */
  public static UnrolledProgram toPlan(LoopCarriedValues carries) {
    return UnrollLoops.unroll(carries, PlanningForm::new);
  }

  /**
   * The names of the observed variables of the program to plan. The planner treats them as it
   * treats the observed variables of the original.
   */
  public ImmutableSet<String> seenOutside() {
    return map.seenOutside(program);
  }

  /**
   * Returns which variables are live where loops are left, for the liveness of the program to plan.
   *
   * @param graph of the unrolled program
   */
  public ExitNeeds exitNeeds(ControlFlowGraph graph) {
    return map.exitNeeds(graph);
  }

  /**
   * Returns the graph of the program to plan. Its plan becomes a plan of the original, so the
   * original decides in two questions:
   *
   * <ul>
   *   <li>A variable is a result of exclusive branches only if it is one of the same branches in
   *       the original. The unrolled program lacks the reads of removed copies.
   *   <li>An operator may get tensors without elements, and then keep an output's old value, if its
   *       original may. A shape that changes from iteration to iteration is unknown in the original
   *       and may be known in each copy of the body.
   * </ul>
   *
   * <p>O(arguments × nesting depth + results).
   *
   * @param inferred the sizes of the unrolled program
   * @param original the sizes of the original program
   */
  public ControlFlowGraph graph(OperatorCatalog catalog, Sizes inferred, Sizes original) {
    return map.graph(program, catalog, inferred::mayBeEmpty, original::mayBeEmpty);
  }

  /**
   * Returns the sizes to plan with. They are the sizes of the original, because the plan becomes a
   * plan of the original. O(arguments).
   *
   * @param inferred for the unrolled program; used for the variables without an original
   * @param original for the original program
   * @param bytesOfWebs the bytes of each web of the original: other operators may have written the
   *     value that a copy writes
   */
  public Sizes sizes(Sizes inferred, Sizes original, long[] bytesOfWebs) {
    return inferred.withThoseOf(original, program, new OriginalSizes(this, original, bytesOfWebs));
  }

  /**
   * Rolls up a plan of the unrolled program into a plan of the original, in which the variables
   * that loops move have views. The result is empty if the unrolled program has no location for a
   * variable, whose size is then known only in the original. O(allocations × copies that they are
   * in).
   *
   * @param graph of the unrolled program
   * @param plan of the unrolled program, for the sequential order
   * @param plain a plan of the original program, for the variables that no loop moves
   */
  public Optional<MemoryPlan> rollUp(ControlFlowGraph graph, MemoryPlan plan, MemoryPlan plain) {
    return RollUpPlan.rollUp(map, graph, plan, plain);
  }
}
