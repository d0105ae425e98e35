package dev.sublet.paddle.oracle;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Compares what shape rules say with the shapes that the real Paddle makes. */
public final class ShapeRuleCheck {

  /** The begin of a difference if the rule does not accept what Paddle runs. */
  public static final String REFUSED = "refused by the rule: ";

  private final Operation operation;
  private final AbstractShape[] outputs;
  private String refusal = "";

  private ShapeRuleCheck(OracleCase call, Consumer<ShapeCall> rule) {
    Program program = Program.of(call.program(""));
    this.operation =
        program.block(0).operations().stream()
            .filter(each -> each.type().equals(call.type()))
            .findFirst()
            .orElseThrow();
    AbstractShape[] inputs =
        call.inputs().values().stream().map(ShapeRuleCheck::shape).toArray(AbstractShape[]::new);
    this.outputs = new AbstractShape[operation.outputCount()];
    ShapeCall applied =
        new ShapeCall(program, operation, inputs, outputs.clone(), new ExtentExpressions());
    try {
      rule.accept(applied);
    } catch (UnknownShapeException e) {
      // The outputs that the rule has set are known.
    } catch (ShapeMismatchException e) {
      refusal = e.contradiction();
    }
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = applied.result(i);
    }
  }

  /**
   * Applies what the catalog says of a call to the shapes and offsets of its inputs, and to whole
   * numbers.
   */
  static ShapeRuleCheck of(OracleCase call) {
    return new ShapeRuleCheck(call, OperatorCatalog.standard().lookup(call.type())::inferShapes);
  }

  /** Applies the shape rule of a call; also offsets that are not confirmed count. */
  static ShapeRuleCheck ofRule(OracleCase call) {
    ShapeRule rule = OperatorCatalog.standard().lookup(call.type()).shapeRule();
    return new ShapeRuleCheck(call, rule == null ? applied -> {} : rule::infer);
  }

  private static AbstractShape shape(LodTensor input) {
    Tensor tensor = input.tensor();
    AbstractShape shape = AbstractShape.of(tensor.shape().toArray()).withLod(input.lod());
    boolean isWhole = tensor.type() == ElementType.INT32 || tensor.type() == ElementType.INT64;
    return isWhole && tensor.length() <= AbstractShape.MAX_ELEMENTS
        ? shape.withElements(
            LongStream.range(0, tensor.length())
                .mapToObj(i -> SymbolicExtent.of(tensor.getLong((int) i)))
                .collect(toImmutableList()))
        : shape;
  }

  static Sizes infer(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    return ShapeInference.infer(
        program, catalog, LodCarriers.find(program, catalog), ShapeOptions.defaults());
  }

  /** What the rule says that is not so of an output; empty if nothing. */
  public String difference(
      String slot,
      int argument,
      ImmutableLongArray dims,
      ImmutableList<ImmutableLongArray> offsets) {
    if (!refusal.isEmpty()) {
      return REFUSED + refusal + ", but is " + dims;
    }
    AbstractShape inferred = outputs[operation.firstOutput(slot) + argument];
    if (inferred == null) {
      return "";
    }
    ImmutableList<ImmutableLongArray> lod = inferred.lod();
    return lod == null || lod.equals(offsets)
        ? difference(inferred, dims)
        : "inferred offsets " + lod + ", but they are " + offsets;
  }

  /** Whether the offsets of an output are stated. */
  boolean statesOffsets(String slot, int argument) {
    AbstractShape inferred = outputs[operation.firstOutput(slot) + argument];
    return inferred != null && inferred.lod() != null;
  }

  /** What is wrong; what is not known is not wrong. */
  public static String difference(@Nullable AbstractShape inferred, ImmutableLongArray dims) {
    if (inferred == null) {
      return "was never looked at, but is " + dims;
    }
    if (!inferred.hasRank()) {
      return "";
    }
    // In early versions of Paddle, a single number has one extent, or none.
    if (inferred.rank() == 0 || dims.isEmpty()) {
      boolean isNumber = dims.stream().allMatch(extent -> extent == 1);
      return isNumber && inferred.count().is(1) ? "" : "inferred " + inferred + ", but is " + dims;
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
