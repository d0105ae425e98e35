package dev.sublet.verify.order;

import com.google.common.collect.ImmutableList;
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
 * <p>O(accesses × log). Not checked: whether the rewritten program equals the original in that
 * order; that is for {@code RewriteValidator}.
 */
public final class OrderValidator {

  private OrderValidator() {}

  /**
   * The order in which a rewritten program runs the operators of its original's first block.
   *
   * @param operators the operators, by their index in the original
   * @param keepsForms whether both programs have operators of the same forms in the same order, so
   *     that the difference may also be one of names
   * @param result the dependences that the order breaks
   */
  public record Order(ImmutableIntArray operators, boolean keepsForms, ValidationResult result) {}

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
    ImmutableList<Dependence> dependences = DependenceFinder.find(graph, catalog);
    OperatorMatch match = OperatorMatch.of(original, rewritten, catalog);
    if (!match.isComplete()) {
      return Optional.empty();
    }
    ImmutableIntArray order = CopyPlaces.order(match, dependences, graph.neverRenamed());
    int[] position = new int[order.length()];
    boolean isMoved = false;
    for (int i = 0; i < position.length; i++) {
      position[order.get(i)] = i;
      isMoved |= order.get(i) != i;
    }
    if (!isMoved) {
      return Optional.empty();
    }
    Violations violations = new Violations();
    for (Dependence each : dependences) {
      if (position[each.after()] < position[each.before()]) {
        each.report(original, violations);
      }
    }
    return Optional.of(new Order(order, match.keepsForms(), violations.result()));
  }

  /**
   * Finds operators of the first block that a rewritten program may not exchange, because the check
   * could not tell which is which: operators of one form that read the same values.
   *
   * @return by operator, the last earlier operator that it cannot be told from; -1 if there is none
   */
  public static ImmutableIntArray lookAlikes(Program program, OperatorCatalog catalog) {
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
