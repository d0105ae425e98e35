package dev.sublet.cfg;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.List;

/**
 * Recognizes exit conditionals: the conditional blocks that surround the second and later copies of
 * the body in an unrolled loop.
 *
 * <pre>
 *   while(c) { …; conditional_block(c) { …; conditional_block(c) { … } } }
 * </pre>
 *
 * <p>An exit conditional is the last operator of the body of the loop or of another exit
 * conditional, and its only condition is the condition variable of the loop. If it is skipped, no
 * other operator runs before the loop reads the same condition and ends. Without this fact, the
 * graph would have paths that skip a conditional and then run another iteration, and no value of
 * one copy of the body would be dead in the next copy.
 *
 * <p>A conditional is not recognized if a gradient operator walks its scopes or the scopes of the
 * loop, because there the runtime does more at the end of a run than read the condition.
 */
final class ExitConditionals {

  private ExitConditionals() {}

  /** Records in the region of each exit conditional the loop that it leaves. O(regions). */
  static void mark(Program program, List<Operation> operations, List<Region> regions) {
    for (int index = 1; index < regions.size(); index++) {
      Region region = regions.get(index);
      Region around = regions.get(region.parent());
      boolean isLoop = around.kind() == ControlKind.WHILE && !around.kept();
      // The region around this one comes first in the list, so it is already marked.
      int loop = isLoop ? around.index() : around.leaves();
      if (loop < 0 || region.kind() != ControlKind.CONDITIONAL || region.kept()) {
        continue;
      }
      Operation operation = operations.get(region.head());
      Operation whileOperation = operations.get(regions.get(loop).head());
      Block body = program.block(around.block());
      if (isLast(operation, body) && isOnConditionOf(operation, whileOperation)) {
        regions.set(index, region.withLeaves(loop));
      }
    }
  }

  /** Whether the last operator of a loop's body may be an exit conditional of the loop. */
  static boolean endsWithOne(Block body, Operation operation, ControlKind kind) {
    ImmutableList<Operation> inside = body.operations();
    return kind == ControlKind.WHILE
        && !inside.isEmpty()
        && isOnConditionOf(inside.get(inside.size() - 1), operation);
  }

  private static boolean isLast(Operation operation, Block body) {
    return operation.index() == body.operations().size() - 1;
  }

  private static boolean isOnConditionOf(Operation conditional, Operation whileOperation) {
    int condition = ConditionIndex.onlyInput(conditional, "Cond");
    return condition != Program.NO_VARIABLE
        && condition == ConditionIndex.onlyInput(whileOperation, "Condition")
        && conditional.flag("is_scalar_condition");
  }
}
