package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.operator.paddle.shape.CreationShapes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Shapes of the tensors that ONNX's operators make from numbers: constants, ranges, random numbers.
 */
final class OnnxCreationShapes {

  private OnnxCreationShapes() {}

  /** {@code ConstantOfShape}: every element is {@code value}, or 0 by default. */
  static void constant(ShapeCall call) {
    AbstractShape result = AbstractShape.of(OnnxInputs.extents(call, "0", "shape"));
    List<Double> given = call.reals("value");
    boolean isZero = !call.hasAttribute("value") && !call.hasAttribute("value.type");
    boolean isNumber = isZero || given.size() == 1;
    SymbolicExtent count = result.count();
    if (isNumber
        && count.isExact()
        && count.value() >= 0
        && count.value() <= AbstractShape.MAX_ELEMENTS) {
      double value = given.isEmpty() ? 0 : given.get(0);
      result =
          result.withElements(Collections.nCopies((int) count.value(), SymbolicExtent.of(value)));
    }
    call.out("0", result);
  }

  /** {@code Range}: from input 0 to before input 1, in steps of input 2. */
  static void range(ShapeCall call) {
    SymbolicExtent start = OnnxInputs.number(call, "0", "start", 0);
    SymbolicExtent limit = OnnxInputs.number(call, "1", "limit", 0);
    SymbolicExtent delta = OnnxInputs.number(call, "2", "delta", 1);
    if (!delta.isExact() || delta.value() == 0) {
      call.out("0", AbstractShape.of(call.unknown("count", "the step of a range is not known")));
      return;
    }
    AbstractShape range = CreationShapes.range(call, start, limit, delta);
    boolean isWhole = CreationShapes.isWhole(call.dataType("0"));
    call.out("0", isWhole ? range : range.withElements(null));
  }

  /** {@code RandomNormal}, {@code RandomUniform}: the extents are the attribute {@code shape}. */
  static void ofShape(ShapeCall call) {
    List<SymbolicExtent> dims = new ArrayList<>();
    call.required("shape").forEach(extent -> dims.add(SymbolicExtent.of((long) extent)));
    call.out("0", AbstractShape.of(dims));
  }

  /** {@code Multinomial}: {@code sample_size} samples per distribution. */
  static void multinomial(ShapeCall call) {
    SymbolicExtent count = SymbolicExtent.of(call.integer("sample_size", 1));
    call.out("0", AbstractShape.of(call.in("0").dim(0), count));
  }

  /** {@code HannWindow} and similar operators: input 0 is the number of elements. */
  static void window(ShapeCall call) {
    call.out("0", AbstractShape.of(OnnxInputs.number(call, "0", "size", 0)));
  }

  /**
   * {@code MelWeightMatrix}: the extents are half of the transform's length plus 1, and the number
   * of mel bins.
   */
  static void melWeights(ShapeCall call) {
    SymbolicExtent bins = OnnxInputs.number(call, "0", "num_mel_bins", 0);
    SymbolicExtent length = OnnxInputs.number(call, "1", "dft_length", 0);
    call.out("0", AbstractShape.of(length.floorDividedBy(2).plus(1), bins));
  }

  /** All outputs are scalars. */
  static void scalar(ShapeCall call) {
    call.outAll(AbstractShape.of(ImmutableList.of()));
  }

  /**
   * {@code DynamicQuantizeLinear}: output 0 is like input 0; its scale and zero point are scalars.
   */
  static void dynamicQuantization(ShapeCall call) {
    scalar(call);
    call.out("0", AbstractShape.of(call.in("0").dims()));
  }

  /** {@code TfIdfVectorizer}: the last extent is the largest of {@code ngram_indexes} plus 1. */
  static void tfIdf(ShapeCall call) {
    if (call.integers("ngram_indexes").isEmpty()) {
      throw new UnknownShapeException("there are no n-grams");
    }
    long largest = Collections.max(call.integers("ngram_indexes"));
    AbstractShape x = call.in("0");
    call.out("0", AbstractShape.of(replacedLast(x, SymbolicExtent.of(largest + 1))));
  }

  private static List<SymbolicExtent> replacedLast(AbstractShape x, SymbolicExtent last) {
    List<SymbolicExtent> dims = new ArrayList<>(x.rank() == 0 ? x.dims() : DimLists.dropLast(x, 1));
    dims.add(last);
    return dims;
  }
}
