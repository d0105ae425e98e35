package dev.sublet;

import static java.util.Objects.requireNonNull;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
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
   * Looks for an order of the operators of a Paddle program, and proves it.
   *
   * @param facts the facts about the program
   */
  public static BetterOrder of(ProgramFacts facts, TranspileOptions options) {
    FoundOrders<Integer> found =
        FoundOrders.ofOperators(facts, MoveLimits.of(facts), options.offsets());
    if (!found.isBetter()) {
      return new BetterOrder(Optional.empty(), found.isLeast());
    }
    Program moved = ProgramEditor.of(facts.program()).reorder(found.orders()).build();
    ProgramFacts after = ProgramFacts.of(moved, options.analysis(), new DiagnosticLog());
    return Proofs.ofRewrite(facts, after, options).isValid()
        ? new BetterOrder(Optional.of(moved), found.isLeast())
        : new BetterOrder(Optional.empty(), /* isLeast= */ false);
  }

  /**
   * Looks for an order of the nodes of an ONNX model's graphs: every topological order computes the
   * same.
   *
   * @param facts the facts about the model's program
   */
  public static BetterOrder of(OnnxModel model, ProgramFacts facts, TranspileOptions options) {
    FoundOrders<String> found = FoundOrders.ofNodes(model, facts, options.offsets());
    return new BetterOrder(
        found.isBetter()
            ? Optional.of(model.reordered(found.orders()).program())
            : Optional.empty(),
        found.isLeast());
  }
}
