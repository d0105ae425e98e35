package dev.sublet;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.offset.Capacity;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.schedule.LeastPeak;
import dev.sublet.schedule.OperatorGraph;
import dev.sublet.schedule.ScheduledOrder;
import java.util.function.Consumer;

/**
 * An ONNX model with its nodes in an order that needs little memory, and a plan of it.
 *
 * @param model the model, in that order
 * @param result the plan of its program; the validator has accepted it
 */
public record ScheduledModel(OnnxModel model, PlanResult result) {

  /** The number of nodes that the search may try after sets of others. */
  private static final long BUDGET = 4_000_000;

  /**
   * Looks for an order of the nodes of a model, and plans the model in it. If the arena is not
   * smaller than in the order of the file, that order stays.
   *
   * <p>The nodes of inner graphs keep their order. Each value of a model has one name and one
   * writer, so every topological order computes the same.
   *
   * @param options the options of the run
   * @param stages gets each stage when it begins
   * @param log gets a note that compares the two orders
   * @throws ProgramException as {@link Transpiler#plan(dev.sublet.program.Program,
   *     TranspileOptions)} does
   */
  public static ScheduledModel of(
      OnnxModel model, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    // The order of the file may need more than the capacity although another order does not.
    TranspileOptions unlimited =
        options.withOffsets(options.offsets().withCapacity(OffsetOptions.NO_CAPACITY));
    ScheduledModel chosen = choose(model, unlimited, stages, log);
    PlanResult result = chosen.result();
    Capacity.check(result.facts().liveness().graph(), result.plan(), options.offsets().capacity());
    return chosen;
  }

  private static ScheduledModel choose(
      OnnxModel model, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    PlanResult given = Transpiler.plan(model.program(), options, stages);
    ProgramFacts facts = given.facts();
    NodeGraph nodes = NodeGraph.of(model, facts, options.offsets());
    OperatorGraph graph = nodes.operators();
    ScheduledOrder before = LeastPeak.given(graph);
    ScheduledOrder after = LeastPeak.find(graph, BUDGET);
    String limit =
        after.isLeast() && nodes.isComplete()
            ? "no order has fewer live bytes"
            : "the search found no better one";
    if (after.peak() == before.peak()) {
      log.note(Location.nowhere(), "the nodes keep their order: " + limit);
      return new ScheduledModel(model, given);
    }
    OnnxModel moved = model.reordered(nodes.nodes(after.operators()));
    PlanResult planned = Transpiler.plan(moved.program(), options, stages);
    if (planned.plan().arenaBytes() >= given.plan().arenaBytes()) {
      log.note(
          Location.nowhere(),
          "the nodes keep their order: a better order has fewer live bytes, but no smaller arena");
      return new ScheduledModel(model, given);
    }
    log.note(
        Location.nowhere(),
        "the nodes are in another order: the arena falls from "
            + ByteText.exact(given.plan().arenaBytes())
            + " to "
            + ByteText.exact(planned.plan().arenaBytes())
            + "; "
            + limit);
    return new ScheduledModel(moved, planned);
  }
}
