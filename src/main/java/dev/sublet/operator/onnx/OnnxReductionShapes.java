package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.operator.paddle.reduction.ReductionShapes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Shapes of ONNX's reductions, searches and selections. */
final class OnnxReductionShapes {

  private OnnxReductionShapes() {}

  /**
   * Removes the given axes, or all axes if none are given. With {@code keepdims}, the default,
   * their extents become 1 instead.
   */
  static void reduce(ShapeCall call) {
    call.out("0", reduced(call));
  }

  /**
   * Returns the rule of {@link #reduce} that also computes the element, if all elements of a small
   * tensor are reduced to one.
   */
  static ShapeRule fold(BinaryOperator<SymbolicExtent> function) {
    return call -> {
      AbstractShape x = call.in("0");
      AbstractShape result = reduced(call);
      boolean toOne = result.dims().stream().allMatch(extent -> extent.is(1));
      if (toOne && x.hasElements() && !x.elements().isEmpty()) {
        SymbolicExtent total = x.elements().stream().reduce(function).orElseThrow();
        // A sum that is not whole depends on the order in which it is computed.
        boolean isSure = !total.isExact() || total.is(OnnxElementShapes.ifWhole(total.value()));
        SymbolicExtent kept =
            isSure ? OnnxElementShapes.representable(call.outputType("0"), total) : null;
        result = kept == null ? result : result.withElements(ImmutableList.of(kept));
      }
      call.out("0", result);
    };
  }

  private static AbstractShape reduced(ShapeCall call) {
    AbstractShape x = call.in("0");
    boolean keep = call.flag("keepdims", true);
    if (call.has("1") && !call.in("1").hasElements()) {
      return reducedSomewhere(call, x, keep);
    }
    // A scalar stays a scalar, whatever axes the operator states.
    int[] axes = x.rank() == 0 ? new int[0] : axes(x, OnnxInputs.numbers(call, "1", "axes"));
    if (axes.length == 0 && call.flag("noop_with_empty_axes", false)) {
      return AbstractShape.of(x.dims());
    }
    boolean[] taken = new boolean[x.rank()];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = axes.length == 0;
    }
    for (int axis : axes) {
      taken[axis] = true;
    }
    return AbstractShape.of(ReductionShapes.remaining(x, taken, keep));
  }

  private static int[] axes(AbstractShape x, ImmutableList<SymbolicExtent> given) {
    int[] axes = new int[given.size()];
    for (int i = 0; i < axes.length; i++) {
      axes[i] = axis(x, given.get(i).asLong());
    }
    return axes;
  }

  /**
   * Returns an axis, counted from the front.
   *
   * @throws ShapeMismatchException if there is no such axis
   * @throws UnknownShapeException if there is no such axis of a tensor without elements, which ONNX
   *     Runtime does not check
   */
  private static int axis(AbstractShape x, long axis) {
    boolean isEmpty = x.dims().stream().anyMatch(extent -> extent.is(0));
    if (isEmpty && (axis < -x.rank() || axis >= x.rank())) {
      throw new UnknownShapeException("there is no axis " + axis + " in the empty " + x);
    }
    return OnnxInputs.axis(axis, x.rank());
  }

  /** Returns the bounds of a reduction along unknown axes: every extent stays or becomes 1. */
  private static AbstractShape reducedSomewhere(ShapeCall call, AbstractShape x, boolean keep) {
    if (!keep) {
      throw new UnknownShapeException("it depends on the axes in a tensor");
    }
    List<SymbolicExtent> dims = new ArrayList<>();
    for (int i = 0; i < x.rank(); i++) {
      dims.add(
          x.dim(i).is(1) ? x.dim(i) : call.atMost("axis " + i, x.dim(i).max(SymbolicExtent.of(1))));
    }
    return AbstractShape.of(dims);
  }

  /**
   * {@code ArgMax}, {@code ArgMin}: the extent at {@code axis}, 0 by default, becomes 1; without
   * {@code keepdims} it is removed.
   */
  static void search(ShapeCall call) {
    AbstractShape x = call.in("0");
    boolean[] taken = new boolean[x.rank()];
    if (x.rank() > 0) {
      taken[axis(x, call.integer("axis", 0))] = true;
    }
    boolean keep = call.flag("keepdims", true);
    call.out("0", AbstractShape.of(ReductionShapes.remaining(x, taken, keep)));
  }

  /** {@code TopK}: the extent along {@code axis}, by default the last one, becomes {@code k}. */
  static void topK(ShapeCall call) {
    AbstractShape x = call.in("0");
    int axis = OnnxInputs.axis(call.integer("axis", -1), x.rank());
    SymbolicExtent k = OnnxInputs.number(call, "1", "k", 1);
    SymbolicExtent count = k.isKnown() ? k : call.atMost("k", x.dim(axis));
    call.outAll(ReductionShapes.best(call, x, axis, count));
  }

  /** {@code NonZero}: one column per nonzero element, which contains the element's position. */
  static void nonZero(ShapeCall call) {
    AbstractShape x = call.in("0");
    int rows = Math.max(1, x.rank());
    AbstractShape places = AbstractShape.of(SymbolicExtent.of(rows), nonZeroCount(call, x));
    call.out("0", x.rank() == 1 ? places.withElements(nonZeroPlaces(x)) : places);
  }

  private static SymbolicExtent nonZeroCount(ShapeCall call, AbstractShape x) {
    if (x.hasElements() && x.elements().stream().allMatch(SymbolicExtent::isExact)) {
      long count = x.elements().stream().filter(element -> !element.is(0)).count();
      boolean constant = x.elements().stream().allMatch(SymbolicExtent::isConstant);
      return constant ? SymbolicExtent.of(count) : call.computed("places", count);
    }
    return call.atMost("places", x.count());
  }

  private static @Nullable List<SymbolicExtent> nonZeroPlaces(AbstractShape x) {
    if (!x.hasElements() || !x.elements().stream().allMatch(SymbolicExtent::isConstant)) {
      return null;
    }
    List<SymbolicExtent> places = new ArrayList<>();
    for (int i = 0; i < x.elements().size(); i++) {
      if (!x.elements().get(i).is(0)) {
        places.add(SymbolicExtent.of(i));
      }
    }
    return places;
  }

  /**
   * {@code Unique}: the distinct elements, or the distinct slices along {@code axis}; at most all
   * of them. The other outputs are their first positions, the number of the distinct element for
   * each input element, and the numbers of occurrences.
   */
  static void unique(ShapeCall call) {
    AbstractShape x = call.in("0");
    boolean flat = !call.hasAttribute("axis");
    int axis = flat ? 0 : OnnxInputs.axis(call.integer("axis", 0), x.rank());
    SymbolicExtent all = flat ? x.count() : x.dim(axis);
    SymbolicExtent distinct = call.atMost("distinct", all);
    List<SymbolicExtent> dims = new ArrayList<>(flat ? ImmutableList.of(all) : x.dims());
    dims.set(axis, distinct);
    call.out("0", AbstractShape.of(dims));
    call.out("1", AbstractShape.of(distinct));
    call.out("2", AbstractShape.of(all));
    call.out("3", AbstractShape.of(distinct));
  }

  /**
   * {@code Unique} of com.microsoft: the distinct elements of a list, the number of the distinct
   * element for each input element, and the numbers of occurrences.
   */
  static void uniqueOfList(ShapeCall call) {
    SymbolicExtent all = call.in("0").count();
    AbstractShape distinct = AbstractShape.of(call.atMost("distinct", all));
    call.out("0", distinct);
    call.out("1", AbstractShape.of(all));
    call.out("2", distinct);
  }

  /** {@code Compress}: the slices along {@code axis}, or the elements, that a condition selects. */
  static void compress(ShapeCall call) {
    AbstractShape x = call.in("0");
    SymbolicExtent tests = call.in("1").count();
    boolean flat = !call.hasAttribute("axis");
    int axis = flat ? 0 : OnnxInputs.axis(call.integer("axis", 0), x.rank());
    SymbolicExtent all = flat ? x.count() : x.dim(axis);
    List<SymbolicExtent> dims = new ArrayList<>(flat ? ImmutableList.of(all) : x.dims());
    dims.set(axis, selected(call, call.in("1"), all.min(tests)));
    call.out("0", AbstractShape.of(dims));
  }

  /**
   * Returns the number of true tests among the first {@code bound}; at most {@code bound} if the
   * tests are not known.
   */
  private static SymbolicExtent selected(
      ShapeCall call, AbstractShape tests, SymbolicExtent bound) {
    boolean isKnown = tests.hasElements() && bound.isExact();
    if (!isKnown || !tests.elements().stream().allMatch(SymbolicExtent::isConstant)) {
      return call.atMost("selected", bound);
    }
    long count =
        tests.elements().stream().limit((long) bound.value()).filter(test -> !test.is(0)).count();
    return bound.isConstant() ? SymbolicExtent.of(count) : call.computed("selected", count);
  }

  /**
   * {@code NonMaxSuppression}: three numbers per remaining box. At most {@code
   * max_output_boxes_per_class} boxes remain for each class of each image, and at most all boxes.
   */
  static void suppress(ShapeCall call) {
    AbstractShape scores = call.in("1");
    DimLists.checkRank(scores, "scores", 3);
    SymbolicExtent limit = OnnxInputs.number(call, "2", "max_output_boxes_per_class", 0);
    SymbolicExtent each = limit.min(scores.dim(2)).max(SymbolicExtent.of(0));
    SymbolicExtent boxes = scores.dim(0).times(scores.dim(1)).times(each);
    call.out("0", AbstractShape.of(call.atMost("boxes", boxes), SymbolicExtent.of(3)));
  }
}
