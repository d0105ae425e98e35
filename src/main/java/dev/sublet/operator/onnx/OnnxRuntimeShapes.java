package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.operator.paddle.reduction.ReductionShapes;
import java.util.ArrayList;
import java.util.List;

/** Shapes of further operators of com.microsoft and ai.onnx.ml. */
final class OnnxRuntimeShapes {

  private OnnxRuntimeShapes() {}

  /** {@code TorchEmbedding}: one row of the weights in input 0 per index. */
  static void lookup(ShapeCall call) {
    SymbolicExtent width = call.in("0").dim(1);
    call.out("0", AbstractShape.of(DimLists.append(call.in("1").dims(), width)));
  }

  /** {@code CDist}: one number per pair of a row of input 0 and a row of input 1. */
  static void distances(ShapeCall call) {
    call.out("0", AbstractShape.of(call.in("0").dim(0), call.in("1").dim(0)));
  }

  /** {@code ExpandDims}: inserts an extent of 1 at the axis in input 1. */
  static void expandDims(ShapeCall call) {
    AbstractShape x = call.in("0");
    int axis = OnnxInputs.axis(call.number("1").asLong(), x.rank() + 1);
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    dims.add(axis, SymbolicExtent.of(1));
    AbstractShape result = AbstractShape.of(dims);
    call.out("0", x.hasElements() ? result.withElements(x.elements()) : result);
  }

  /** {@code CropAndResize}: regions of the size in input 3. */
  static void crop(ShapeCall call) {
    ImmutableList<SymbolicExtent> size = OnnxInputs.extents(call, "3", "crop_size");
    if (size.size() != 2) {
      throw new UnknownShapeException("a crop of " + size.size() + " extents");
    }
    SymbolicExtent regions = call.in("1").dim(0);
    call.out("0", AbstractShape.of(regions, call.in("0").dim(1), size.get(0), size.get(1)));
  }

  /**
   * Returns the rule of {@code QLinearAdd} and similar operators: the inputs in two slots
   * broadcast.
   */
  static ShapeRule broadcast(String left, String right) {
    return call ->
        call.out(
            "0",
            AbstractShape.of(
                ElementwiseShapes.broadcastDims(
                    call, call.in(left).dims(), call.in(right).dims(), -1)));
  }

  /**
   * {@code QLinearWhere}: the condition and the two choices broadcast. A scale and a zero point
   * follow each choice.
   */
  static void chosen(ShapeCall call) {
    ImmutableList<SymbolicExtent> dims =
        ElementwiseShapes.broadcastDims(call, call.in("0").dims(), call.in("1").dims(), -1);
    call.out(
        "0",
        AbstractShape.of(ElementwiseShapes.broadcastDims(call, dims, call.in("4").dims(), -1)));
  }

  /** {@code QLinearReduceMean}: the axes are an attribute; input 1 is a scale. */
  static void reduce(ShapeCall call) {
    AbstractShape x = call.in("0");
    boolean[] taken = new boolean[x.rank()];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = call.integers("axes").isEmpty();
    }
    for (long axis : call.integers("axes")) {
      taken[OnnxInputs.axis(axis, x.rank())] = true;
    }
    boolean keep = call.flag("keepdims", true);
    call.out("0", AbstractShape.of(ReductionShapes.remaining(x, taken, keep)));
  }

  /** {@code DynamicQuantizeLSTM}: the weights are transposed, [directions, hidden, 4 * hidden]. */
  static void recurrentQuantized(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape weights = call.in("2");
    DimLists.checkRank(x, "input", 3);
    AbstractShape last = AbstractShape.of(weights.dim(0), x.dim(1), weights.dim(1));
    call.outAll(last);
    call.out("0", AbstractShape.of(x.dim(0), weights.dim(0), x.dim(1), weights.dim(1)));
  }

  /** {@code Rfft}: the number of complex numbers is half of the transform's length plus 1. */
  static void realTransform(ShapeCall call) {
    AbstractShape x = call.in("0");
    SymbolicExtent bins = x.dim(-1).floorDividedBy(2).plus(1);
    List<SymbolicExtent> dims = new ArrayList<>(DimLists.with(x.dims(), x.rank() - 1, bins));
    dims.add(SymbolicExtent.of(2));
    call.out("0", AbstractShape.of(dims));
  }

  /**
   * {@code ai.onnx.ml.FeatureVectorizer}: the width of a row is the sum of {@code inputdimensions}.
   */
  static void features(ShapeCall call) {
    long width = 0;
    for (long each : call.required("inputdimensions")) {
      width += each;
    }
    AbstractShape first = call.in("0");
    SymbolicExtent rows = first.rank() < 2 ? SymbolicExtent.of(1) : first.dim(0);
    call.out("0", AbstractShape.of(rows, SymbolicExtent.of(width)));
  }

  /** Returns the number of rows of input 0; a list is one row. */
  private static SymbolicExtent examples(ShapeCall call) {
    AbstractShape x = call.in("0");
    return x.rank() < 2 ? SymbolicExtent.of(1) : x.dim(0);
  }

  /** Returns the rule of regressors: the attribute is the number of results per row. */
  static ShapeRule regressor(String attribute) {
    return call ->
        call.out(
            "0", AbstractShape.of(examples(call), SymbolicExtent.of(call.integer(attribute, 1))));
  }

  /** Classifiers: one label per row, and one score per row and class. */
  static void classifier(ShapeCall call) {
    SymbolicExtent rows = examples(call);
    call.out("0", AbstractShape.of(rows));
    int classes = 0;
    for (String labels :
        new String[] {"classlabels_ints", "classlabels_int64s", "classlabels_strings"}) {
      classes = Math.max(classes, count(call, labels));
    }
    SymbolicExtent scores =
        classes > 0 ? SymbolicExtent.of(classes) : call.unknown("classes", "there are no labels");
    call.out("1", AbstractShape.of(rows, scores));
  }

  private static int count(ShapeCall call, String attribute) {
    return call.operation()
        .attribute(attribute)
        .map(given -> Math.max(given.longs().size(), given.strings().size()))
        .orElse(0);
  }

  /** {@code OneHotEncoder}: a new last axis has one number per category. */
  static void categories(ShapeCall call) {
    int count = Math.max(count(call, "cats_int64s"), count(call, "cats_strings"));
    AbstractShape x = call.in("0");
    call.out("0", AbstractShape.of(DimLists.append(x.dims(), SymbolicExtent.of(count))));
  }
}
