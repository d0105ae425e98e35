package dev.sublet.paddle.oracle;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import org.jspecify.annotations.Nullable;

/** Compares what shape rules say with the shapes that the real Paddle makes. */
public final class ShapeRuleCheck {

  private final Operation operation;
  private final Sizes sizes;

  /** Infers the outputs of a call. */
  ShapeRuleCheck(OracleCase call) {
    Program program = Program.of(call.program(""));
    this.sizes = infer(program);
    this.operation =
        program.block(0).operations().stream()
            .filter(each -> each.type().equals(call.type()))
            .findFirst()
            .orElseThrow();
  }

  static Sizes infer(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    return ShapeInference.infer(
        program, catalog, LodCarriers.find(program, catalog), ShapeOptions.defaults());
  }

  /** What the rule says that is not so of an output; empty if nothing. */
  public String difference(String slot, int argument, ImmutableLongArray dims) {
    return difference(sizes.written(operation, operation.firstOutput(slot) + argument), dims);
  }

  /** What is wrong; what is not known is not wrong. */
  public static String difference(@Nullable AbstractShape inferred, ImmutableLongArray dims) {
    if (inferred == null) {
      return "was never looked at, but is " + dims;
    }
    if (!inferred.hasRank()) {
      return "";
    }
    boolean fits = inferred.rank() == dims.length();
    for (int i = 0; fits && i < inferred.rank(); i++) {
      SymbolicExtent extent = inferred.dim(i);
      long actual = dims.get(i);
      fits =
          switch (extent.precision()) {
            case EXACT -> extent.value() == actual;
            case AT_MOST -> actual <= extent.value();
            case UNKNOWN -> true;
          };
    }
    return fits ? "" : "inferred " + inferred + ", but is " + dims;
  }
}
