package dev.sublet.cfg;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.List;

/**
 * Recognizes exit conditionals, which unrolled loops consist of.
 *
 * <pre>
 *   while(c) { …; conditional_block(c) { …; conditional_block(c) { … } } }
 * </pre>
 *
 * <p>Each is the last operator of the loop's body, or of another exit conditional's, and its only
 * condition is the variable that the loop looks at. So if it is skipped, nothing more happens until
 * the loop looks at the same value and ends. Without that fact there would be paths that skip a
 * conditional and run another iteration, and no value of one copy would be dead in the next.
 *
 * <p>Where a gradient operator walks the scopes of the loop or of the conditional, neither is
 * touched: what a runtime does there at the end of a run is not only to look at the condition.
 */
final class ExitConditionals {

  private ExitConditionals() {}

  /** Notes in each exit conditional's region which loop it leaves. O(regions). */
  static void mark(Program program, List<Operation> operations, List<Region> regions) {
    for (int index = 1; index < regions.size(); index++) {
      Region region = regions.get(index);
      Region around = regions.get(region.parent());
      boolean isLoop = around.kind() == ControlKind.WHILE && !around.kept();
      // A region comes behind the one around it, whose own mark is there by now.
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
