package dev.sublet;

import dev.sublet.diag.ByteText;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Arena;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.schedule.LeastPeak;
import dev.sublet.schedule.OperatorGraph;
import dev.sublet.schedule.ScheduledOrder;
import dev.sublet.sharing.SharingOptions.Goal;
import java.util.function.Consumer;

/**
 * Rewrites Paddle programs whose operators may move, so that they need less memory. Stateless.
 *
 * <p>Only operators of the first block move, and only as far as variables, and what else they use,
 * allow it: see {@link MoveLimits}. {@code verify.order} proves the new order with code of its own.
 */
public final class ScheduledProgram {

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

  private static TranspileResult transpile(
      Program original, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    DiagnosticLog ofGiven = new DiagnosticLog();
    RewriteDraft given = RewriteDraft.of(original, options, stages, ofGiven);
    MoveLimits limits = MoveLimits.of(given.before());
    OperationGraph operations = OperationGraph.of(given.before(), limits, options.offsets());
    OperatorGraph graph = operations.operators();
    ScheduledOrder before = LeastPeak.given(graph);
    ScheduledOrder after = LeastPeak.find(graph, ScheduledModel.BUDGET);
    String limit =
        after.isLeast() && operations.isComplete()
            ? "no order that can be proved has fewer live bytes"
            : "the search found no better one";
    RewriteDraft chosen = given;
    DiagnosticLog ofChosen = ofGiven;
    String note = "the operators keep their order: " + limit;
    if (after.peak() < before.peak()) {
      Program moved = ProgramEditor.of(original).reorder(after.operators()).build();
      DiagnosticLog ofMoved = new DiagnosticLog();
      RewriteDraft other = RewriteDraft.of(moved, options, stages, ofMoved);
      note =
          "the operators keep their order: a better order has fewer live bytes, but no smaller "
              + (isForNames(options) ? "names" : "arena");
      if (compare(other, given, options) < 0) {
        chosen = other;
        ofChosen = ofMoved;
        note = "the operators are in another order: " + gain(given, other, options) + "; " + limit;
      }
    }
    log.note(Location.nowhere(), note);
    limits.report(log);
    log.addAll(ofChosen);
    return chosen.proved(given.before(), options, stages, log);
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
          "the names take ",
          before.chosen().sharing().bytesAfter(),
          after.chosen().sharing().bytesAfter());
    }
    long arenaBefore = before.chosen().planned().bytes();
    long arenaAfter = after.chosen().planned().bytes();
    return arenaAfter < arenaBefore
        ? change("the arena takes ", arenaBefore, arenaAfter)
        : "more of the buffers that are used most are in the fast memories";
  }

  private static String change(String what, long before, long after) {
    return what + ByteText.exact(after) + " instead of " + ByteText.exact(before);
  }
}
