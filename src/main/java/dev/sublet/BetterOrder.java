package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.schedule.LeastPeak;
import dev.sublet.schedule.OperatorGraph;
import dev.sublet.schedule.ScheduledOrder;
import java.util.Optional;

/**
 * An order of a program's operators in which fewer bytes are live. The bounded search is that of
 * {@code --schedule memory}; the program is not planned.
 *
 * @param program the program in that order; empty if the search finds none, or the order could not
 *     be proved
 * @param isLeast whether no order that can be proved has fewer live bytes than the one found, or
 *     than that of the file if none was found
 */
public record BetterOrder(Optional<Program> program, boolean isLeast) {

  public BetterOrder {
    requireNonNull(program, "program");
  }

  /**
   * Looks for an order of the operators of a Paddle program's first block, and proves it.
   *
   * @param facts the facts about the program
   */
  public static BetterOrder of(ProgramFacts facts, TranspileOptions options) {
    OperationGraph graph = OperationGraph.of(facts, MoveLimits.of(facts), options.offsets());
    OperatorGraph operators = graph.operators();
    ScheduledOrder found = LeastPeak.find(operators, ScheduledModel.BUDGET);
    boolean isLeast = found.isLeast() && graph.isComplete();
    if (found.peak() >= LeastPeak.given(operators).peak()) {
      return new BetterOrder(Optional.empty(), isLeast);
    }
    Program moved = ProgramEditor.of(facts.program()).reorder(found.operators()).build();
    ProgramFacts after = ProgramFacts.of(moved, options.analysis(), new DiagnosticLog());
    return Proofs.ofRewrite(facts, after, options).isValid()
        ? new BetterOrder(Optional.of(moved), isLeast)
        : new BetterOrder(Optional.empty(), /* isLeast= */ false);
  }

  /**
   * Looks for an order of the nodes of an ONNX model's main graph: every topological order computes
   * the same.
   *
   * @param facts the facts about the model's program
   */
  public static BetterOrder of(OnnxModel model, ProgramFacts facts, TranspileOptions options) {
    NodeGraph nodes = NodeGraph.of(model, facts, options.offsets());
    OperatorGraph operators = nodes.operators();
    ScheduledOrder found = LeastPeak.find(operators, ScheduledModel.BUDGET);
    boolean isLeast = found.isLeast() && nodes.isComplete();
    if (found.peak() >= LeastPeak.given(operators).peak()) {
      return new BetterOrder(Optional.empty(), isLeast);
    }
    ImmutableIntArray moved = nodes.nodes(found.operators());
    return new BetterOrder(Optional.of(model.reordered(moved).program()), isLeast);
  }
}
