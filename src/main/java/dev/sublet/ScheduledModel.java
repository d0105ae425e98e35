package dev.sublet;

import dev.sublet.diag.ByteText;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.plan.Arena;
import java.util.function.Consumer;

/**
 * An ONNX model with its nodes in an order that needs little memory, and a plan of it.
 *
 * @param model the model, in that order
 * @param result the plan of its program; the validator has accepted it
 */
public record ScheduledModel(OnnxModel model, PlanResult result) {

  /**
   * Looks for an order of the nodes of a model, and plans the model in it. If the plan is not
   * better than in the order of the file, that order stays. A note in the result compares the two
   * orders.
   *
   * <p>Nodes move within the main graph and within the graphs that it runs. Each value of a model
   * has one name and one writer, so every topological order computes the same.
   *
   * @param options the options of the run
   * @param stages gets each stage when it begins
   * @throws ProgramException as {@link Transpiler#plan(dev.sublet.program.Program,
   *     TranspileOptions)} does, about the order that was chosen
   */
  public static ScheduledModel of(
      OnnxModel model, TranspileOptions options, Consumer<Stage> stages) {
    return Fallback.toCopies(options, (used, log) -> of(model, used, stages, log));
  }

  private static ScheduledModel of(
      OnnxModel model, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    // The order of the file may need more than the capacities although another order does not.
    DiagnosticLog ofGiven = new DiagnosticLog();
    PlanCandidate given = Transpiler.draft(model.program(), options, stages, ofGiven);
    FoundOrders<String> found = FoundOrders.ofNodes(model, given.facts(), options.offsets());
    String limit =
        found.isLeast() ? "no order has fewer live bytes" : "the search found no better one";
    OnnxModel chosen = model;
    PlanCandidate planned = given;
    DiagnosticLog ofChosen = ofGiven;
    String note = "the nodes keep their order: " + limit;
    if (found.isBetter()) {
      OnnxModel moved = model.reordered(found.orders());
      DiagnosticLog ofMoved = new DiagnosticLog();
      PlanCandidate other = Transpiler.draft(moved.program(), options, stages, ofMoved);
      note =
          "the nodes keep their order: a better order has fewer live bytes, but no smaller arena";
      if (Arena.compare(other.plan().arenas(), given.plan().arenas()) < 0) {
        chosen = moved;
        planned = other;
        ofChosen = ofMoved;
        note = "the nodes are in another order: " + gain(given, other) + "; " + limit;
      }
    }
    log.note(Location.nowhere(), note);
    log.addAll(ofChosen);
    return new ScheduledModel(chosen, Transpiler.proved(planned, options, stages, log));
  }

  private static String gain(PlanCandidate before, PlanCandidate after) {
    return after.bytes() < before.bytes()
        ? "the arena falls from "
            + ByteText.exact(before.bytes())
            + " to "
            + ByteText.exact(after.bytes())
        : "more of the buffers that are used most are in the fast memories";
  }
}
