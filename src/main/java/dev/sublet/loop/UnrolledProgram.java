package dev.sublet.loop;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.ExitNeeds;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import java.util.Optional;

/**
 * A program in which the bodies of loops are repeated so that no carry needs a copy.
 *
 * <p>A loop that repeats its body R times runs copy 0 of it, then, in conditional blocks one inside
 * the other, each the last operator of its block and on the loop's own condition, copies 1 to R −
 * 1.
 *
 * @param program the unrolled program
 * @param map which of its operators and variables stand for which of the original
 * @param notes the names of variables in which loops note how they are left
 * @param readersOfMoved of a program to plan: operators that read, behind a loop, what the loop has
 *     left in one of several places. What they copy may not stay in the place that their input is
 *     named after, since its value may be in another one
 */
public record UnrolledProgram(
    Program program,
    UnrolledMap map,
    ImmutableSet<String> notes,
    ImmutableSet<Operation> readersOfMoved) {

  public UnrolledProgram {
    requireNonNull(program, "program");
    requireNonNull(map, "map");
    requireNonNull(notes, "notes");
    requireNonNull(readersOfMoved, "readersOfMoved");
  }

  /**
   * The names of the variables of the program to plan that are seen outside: what is not done to
   * those of the original may not be done to them.
   */
  public ImmutableSet<String> seenOutside() {
    return map.seenOutside(program);
  }

  /**
   * What is needed where loops are left, for the liveness of the program to plan.
   *
   * @param graph of the unrolled program
   */
  public ExitNeeds exitNeeds(ControlFlowGraph graph) {
    return map.exitNeeds(graph);
  }

  /**
   * The graph of the program to plan, in which a variable is a result of exclusive branches only if
   * it is one of the same branches in the original: what only a copy reads beside them is not read
   * here, but a plan of the original is to come of it. O(results).
   *
   * @param graph of the unrolled program
   */
  public ControlFlowGraph withOriginalBranches(ControlFlowGraph graph) {
    return map.withOriginalBranches(graph);
  }

  /**
   * The sizes to plan with: those of the original, since a plan of the original is to come of it.
   * O(arguments).
   *
   * @param inferred for the unrolled program, for what stands for nothing in the original
   * @param original for the original program
   * @param bytesOfWebs of the webs of the original: what a copy writes, others may have written
   */
  public Sizes sizes(Sizes inferred, Sizes original, long[] bytesOfWebs) {
    return inferred.withThoseOf(original, program, new OriginalSizes(this, original, bytesOfWebs));
  }

  /**
   * Turns a plan of the unrolled program into one of the original, in which what loops move has
   * views; into none if the unrolled program has no place for something, whose size is then known
   * only in the original. O(allocations × copies that they are in).
   *
   * @param graph of the unrolled program
   * @param plan of the unrolled program, for the sequential order
   * @param plain a plan of the original program, for what no loop touches
   */
  public Optional<MemoryPlan> fold(ControlFlowGraph graph, MemoryPlan plan, MemoryPlan plain) {
    return RollUpPlan.fold(map, graph, plan, plain);
  }
}
