package dev.sublet;

import dev.sublet.diag.ByteText;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Arena;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.sharing.SharingOptions.Goal;
import dev.sublet.verify.graph.ValidationResult;
import java.util.function.Consumer;

/**
 * Rewrites Paddle programs whose operators may move, so that they need less memory. Stateless.
 *
 * <p>Operators move within their block, and only as far as variables, and what else they use, allow
 * it: see {@link MoveLimits}. {@code verify.order} proves the new order with code of its own.
 */
public final class ScheduledProgram {

  private static final String KEPT = "the operators keep their order";
  private static final String MOVED = "the operators are in another order: ";

  private ScheduledProgram() {}

  /**
   * Looks for an order of a program's operators, and rewrites and plans the program in it. If that
   * is not better than in the order of the file, that order stays. Better is a smaller arena, or
   * with {@link Goal#NAMES} fewer bytes of names. A note in the result compares the two orders.
   *
   * <p>The result says about the original what {@link Transpiler#transpile(Program,
   * TranspileOptions)} does; the operators of the rewritten program may be in another order.
   *
   * @param original the program; it is not changed
   * @param options the options of the run, for runtimes without graph passes, since these put
   *     operators in an order of their own
   * @param stages gets each stage when it begins
   * @throws ProgramException as {@code transpile} does, about the order that was chosen; and if the
   *     options are for graph passes
   */
  public static TranspileResult transpile(
      Program original, TranspileOptions options, Consumer<Stage> stages) {
    if (options.isForGraphPasses()) {
      throw ProgramException.usage(
          "another order of operators is for runtimes without graph passes (--fusion off), since"
              + " graph passes put operators in an order of their own");
    }
    return Fallback.toCopies(options, (used, log) -> transpile(original, used, stages, log));
  }

  /**
   * A rewritten program that is chosen.
   *
   * @param draft the program
   * @param log the diagnostics about it
   * @param note why it was chosen
   */
  private record OrderChoice(RewriteDraft draft, DiagnosticLog log, String note) {}

  private static TranspileResult transpile(
      Program original, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    DiagnosticLog ofGiven = new DiagnosticLog();
    RewriteDraft given = RewriteDraft.of(original, options, stages, ofGiven);
    MoveLimits limits = MoveLimits.of(given.before());
    FoundOrders<Integer> found = FoundOrders.ofOperators(given.before(), limits, options.offsets());
    String limit =
        found.isLeast()
            ? "no order that can be proved has fewer live bytes"
            : "the search found no better one";
    OrderChoice choice = new OrderChoice(given, ofGiven, KEPT + ": " + limit);
    if (found.isBetter()) {
      Program moved = ProgramEditor.of(original).reorder(found.orders()).build();
      DiagnosticLog ofMoved = new DiagnosticLog();
      RewriteDraft other = RewriteDraft.of(moved, options, stages, ofMoved);
      OrderChoice better =
          new OrderChoice(other, ofMoved, gain(given, other, options) + "; " + limit);
      choice = better(choice, better, options);
    }
    log.note(Location.nowhere(), choice.note());
    limits.report(log);
    log.addAll(choice.log());
    return choice.draft().proved(given.before(), options, stages, log);
  }

  /** Returns the program in another order if it is better and that order is proved. */
  private static OrderChoice better(
      OrderChoice given, OrderChoice moved, TranspileOptions options) {
    if (compare(moved.draft(), given.draft(), options) >= 0) {
      String what = isForNames(options) ? "names" : "arena";
      return new OrderChoice(
          given.draft(),
          given.log(),
          KEPT + ": a better order has fewer live bytes, but no smaller " + what);
    }
    ValidationResult proof =
        Proofs.ofRewrite(given.draft().before(), moved.draft().chosen().rewritten(), options);
    return proof.isValid()
        ? moved
        : new OrderChoice(
            given.draft(),
            given.log(),
            KEPT
                + ", since a better one could not be proved; please report it: "
                + proof.violations().get(0));
  }

  private static boolean isForNames(TranspileOptions options) {
    return options.sharing().goal() == Goal.NAMES;
  }

  private static int compare(RewriteDraft some, RewriteDraft other, TranspileOptions options) {
    return isForNames(options)
        ? Long.compare(some.chosen().sharing().bytesAfter(), other.chosen().sharing().bytesAfter())
        : Arena.compare(
            some.chosen().planned().plan().arenas(), other.chosen().planned().plan().arenas());
  }

  private static String gain(RewriteDraft before, RewriteDraft after, TranspileOptions options) {
    if (isForNames(options)) {
      return change(
          MOVED + "the names take ",
          before.chosen().sharing().bytesAfter(),
          after.chosen().sharing().bytesAfter());
    }
    long arenaBefore = before.chosen().planned().bytes();
    long arenaAfter = after.chosen().planned().bytes();
    return arenaAfter < arenaBefore
        ? change(MOVED + "the arena takes ", arenaBefore, arenaAfter)
        : MOVED + "more of the buffers that are used most are in the fast memories";
  }

  private static String change(String what, long before, long after) {
    return what + ByteText.exact(after) + " instead of " + ByteText.exact(before);
  }
}
