package dev.sublet.verify.order;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Ordering;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import java.util.Optional;

/**
 * Checks that a rewritten program may run the operators of its original in another order: the entry
 * point for moved operators.
 *
 * <pre>
 *   original    a = relu(x)   b = tanh(a)
 *   rewritten   b = tanh(a)   a = relu(x)     a violation: tanh reads the value that relu writes
 * </pre>
 *
 * <p>Operators may move in the first block, and in blocks that loops and branches in such a block
 * run. O(accesses × log × nesting depth). Not checked: whether the rewritten program equals the
 * original in that order; that is for {@code RewriteValidator}.
 */
public final class OrderValidator {

  private OrderValidator() {}

  /**
   * The order in which a rewritten program runs the operators of its original.
   *
   * @param operators by block whose operators are in another order: the operators, by their index
   *     in the original
   * @param keepsForms whether both programs have operators of the same forms in the same order, so
   *     that the difference may also be one of names
   * @param result the dependences that the order breaks
   */
  public record Order(
      ImmutableMap<Integer, ImmutableIntArray> operators,
      boolean keepsForms,
      ValidationResult result) {}

  /**
   * Finds the order of a rewritten program and checks it.
   *
   * @param graph the graph of the original
   * @return the order; empty if it is that of the original, or if operators were added, removed or
   *     changed
   */
  public static Optional<Order> validate(
      ProgramGraph graph, Program rewritten, OperatorCatalog catalog) {
    Program original = graph.program();
    OperatorMatch match = OperatorMatch.of(original, rewritten, catalog);
    if (!match.firstBlock().isComplete()) {
      return Optional.empty();
    }
    DependenceFinder finder = new DependenceFinder(graph, catalog);
    ImmutableMap.Builder<Integer, ImmutableIntArray> orders = ImmutableMap.builder();
    Violations violations = new Violations();
    for (BlockMatch block : match.blocks()) {
      if (block.isComplete()) {
        ImmutableList<Dependence> dependences = finder.find(block.block());
        ImmutableIntArray order = CopyPlaces.order(block, dependences, graph.neverRenamed());
        if (!Ordering.natural().isOrdered(order.asList())) {
          orders.put(block.block(), order);
          check(original, order, dependences, violations);
        }
      }
    }
    ImmutableMap<Integer, ImmutableIntArray> moved = orders.buildOrThrow();
    return moved.isEmpty()
        ? Optional.empty()
        : Optional.of(new Order(moved, match.keepsForms(), violations.result()));
  }

  private static void check(
      Program original,
      ImmutableIntArray order,
      ImmutableList<Dependence> dependences,
      Violations violations) {
    int[] position = new int[order.length()];
    for (int i = 0; i < position.length; i++) {
      position[order.get(i)] = i;
    }
    for (Dependence each : dependences) {
      if (position[each.after()] < position[each.before()]) {
        each.report(original, violations);
      }
    }
  }

  /**
   * Finds operators that a rewritten program may not exchange, because the check could not tell
   * which is which: operators of one form that read the same values.
   *
   * @return by block in which operators may move, then by operator: the last earlier operator that
   *     it cannot be told from; -1 if there is none
   */
  public static ImmutableMap<Integer, ImmutableIntArray> lookAlikes(
      Program program, OperatorCatalog catalog) {
    return OperatorMatch.lookAlikes(program, catalog);
  }

  /**
   * Whether a rewritten program has the operators of its original in another order, be it right or
   * wrong. Copies do not count.
   */
  public static boolean isMoved(Program original, Program rewritten, OperatorCatalog catalog) {
    return OperatorMatch.of(original, rewritten, catalog).isMoved();
  }
}
