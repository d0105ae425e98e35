package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import java.util.Optional;

/**
 * Traces the operators with which ONNX's {@code Loop} and {@code Scan} collect one piece per
 * iteration. The loop must be repeated in the trace, so that the number of pieces is known.
 */
final class CollectTrace {

  private CollectTrace() {}

  /** Keeps the piece of one iteration. */
  static void add(Operation operation, TraceState state) {
    Optional<Long> iteration = state.variables().number(operation, "I");
    TracedValue piece = state.variables().value(TracedVariables.input(operation, "X"));
    if (iteration.isEmpty()) {
      state.refuse(operation, "collects a number of pieces that depends on data");
    } else if (piece == null) {
      state.refuseMissing(operation);
    } else {
      int whole = TracedVariables.output(operation, "Out");
      if (iteration.get() == 0) {
        state.arrays().clear(whole);
      }
      state.arrays().set(whole, Math.toIntExact(iteration.get()), piece);
    }
  }

  /** Joins the pieces that the body of a loop has collected. */
  static void finish(Block body, TraceState state, OperatorTrace operators) {
    for (Operation operation : body.operations()) {
      boolean isScan = operation.type().equals("onnx.Scan.collect");
      if (!isScan && !operation.type().equals("onnx.Loop.collect")) {
        continue;
      }
      int whole = TracedVariables.output(operation, "Out");
      ImmutableList<TracedValue> pieces = state.arrays().elements(whole);
      state.arrays().clear(whole);
      if (pieces.isEmpty()) {
        state.refuse(operation, "collects nothing, since its loop runs no iteration");
        continue;
      }
      if (isScan && number(operation, "direction") == 1) {
        pieces = pieces.reverse();
      }
      int axis = isScan ? Math.toIntExact(number(operation, "axis")) : 0;
      new TracedPieces(pieces, /* stacks= */ true, axis).join(operation, whole, state, operators);
    }
  }

  private static long number(Operation operation, String attribute) {
    return operation.attribute(attribute).map(a -> a.asLong(0)).orElse(0L);
  }
}
