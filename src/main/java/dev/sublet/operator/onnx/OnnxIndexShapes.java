package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.StridedElements;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.operator.paddle.shape.JoinShapes;
import dev.sublet.operator.paddle.shape.SliceShapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shapes of ONNX's operators that join tensors, cut them, or select elements by index. */
final class OnnxIndexShapes {

  private OnnxIndexShapes() {}

  /** {@code Concat}: before opset 4 the axis is 1 by default. */
  static void concat(ShapeCall call) {
    join(call, 0);
  }

  /** {@code QLinearConcat}: after the output's scale and zero point, each part has three inputs. */
  static void concatQuantized(ShapeCall call) {
    ImmutableList.Builder<AbstractShape> parts = ImmutableList.builder();
    for (int i = 2; call.has(String.valueOf(i)); i += 3) {
      parts.add(AbstractShape.of(call.in(String.valueOf(i)).dims()));
    }
    join(call, parts.build());
  }

  private static void join(ShapeCall call, int first) {
    join(call, OnnxInputs.from(call, first));
  }

  private static void join(ShapeCall call, List<AbstractShape> parts) {
    if (parts.isEmpty()) {
      throw new UnknownShapeException("op '" + call.operation().type() + "' joins nothing");
    }
    try {
      int axis = OnnxInputs.axis(call.integer("axis", 1), parts.get(0).rank());
      call.out("0", JoinShapes.concatenated(parts, axis).withLod(ImmutableList.of()));
    } catch (ShapeMismatchException e) {
      throw isOneEmpty(parts) ? new UnknownShapeException(e.contradiction()) : e;
    }
  }

  /** Whether a part has no elements: ONNX Runtime does not check the extents of such parts. */
  private static boolean isOneEmpty(List<AbstractShape> parts) {
    return parts.stream().anyMatch(part -> part.dims().stream().anyMatch(extent -> extent.is(0)));
  }

  /**
   * {@code Split}: the given parts, or equal parts, one per output. If {@code num_outputs} is
   * given, the last part takes the rest.
   */
  static void split(ShapeCall call) {
    AbstractShape x = call.in("0");
    int axis = OnnxInputs.axis(call.integer("axis", 0), x.rank());
    int count = call.operation().outputSlots().size();
    ImmutableList<SymbolicExtent> listed = OnnxInputs.extents(call, "1", "split");
    ImmutableList<SymbolicExtent> sizes =
        listed.isEmpty() ? equalParts(call, x.dim(axis), count) : listed;
    if (sizes.size() != count) {
      throw new ShapeMismatchException(count + " outputs for " + sizes.size() + " parts");
    }
    int start = 0;
    for (int i = 0; i < count; i++) {
      SymbolicExtent size = sizes.get(i);
      SymbolicExtent extent = size.isKnown() ? size : call.atMost("part " + i, x.dim(axis));
      AbstractShape part = AbstractShape.of(DimLists.with(x.dims(), axis, extent));
      boolean follows = x.hasElements() && x.rank() == 1 && start >= 0 && isCount(sizes.get(i));
      if (follows) {
        int end = start + (int) sizes.get(i).asLong();
        boolean fits = end <= x.elements().size();
        part = fits ? part.withElements(x.elements().subList(start, end)) : part;
        start = fits ? end : -1;
      } else {
        start = -1;
      }
      call.out(String.valueOf(i), part);
    }
  }

  private static boolean isCount(SymbolicExtent size) {
    return size.isExact() && size.value() >= 0 && size.value() <= AbstractShape.MAX_ELEMENTS;
  }

  private static ImmutableList<SymbolicExtent> equalParts(
      ShapeCall call, SymbolicExtent whole, int count) {
    if (count == 0) {
      return ImmutableList.of();
    }
    if (!call.hasAttribute("num_outputs")) {
      return ImmutableList.copyOf(Collections.nCopies(count, whole.floorDividedBy(count)));
    }
    SymbolicExtent part = whole.ceilDividedBy(count);
    List<SymbolicExtent> parts = new ArrayList<>(Collections.nCopies(count, part));
    parts.set(count - 1, whole.minus(part.times(count - 1)));
    return ImmutableList.copyOf(parts);
  }

  /** {@code Slice}: from {@code starts} to before {@code ends} along {@code axes}, in steps. */
  static void slice(ShapeCall call) {
    AbstractShape x = call.in("0");
    if (call.has("3") && !call.in("3").hasElements()) {
      call.out("0", slicedSomewhere(call, x));
      return;
    }
    ImmutableList<SymbolicExtent> starts = OnnxInputs.extents(call, "1", "starts");
    ImmutableList<SymbolicExtent> ends = OnnxInputs.extents(call, "2", "ends");
    ImmutableList<SymbolicExtent> steps = OnnxInputs.extents(call, "4", "steps");
    int[] axes = sliceAxes(call, x, starts.size(), ends.size());
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    for (int i = 0; i < axes.length; i++) {
      SymbolicExtent step = i < steps.size() ? steps.get(i) : SymbolicExtent.of(1);
      dims.set(axes[i], left(call, i, dims.get(axes[i]), starts.get(i), ends.get(i), step));
    }
    AbstractShape result = AbstractShape.of(dims);
    call.out("0", result.withElements(sliced(x, result, axes, starts, steps)));
  }

  /** Returns the bounds of a slice along unknown axes: each extent is at most that of the input. */
  private static AbstractShape slicedSomewhere(ShapeCall call, AbstractShape x) {
    List<SymbolicExtent> dims = new ArrayList<>();
    for (int i = 0; i < x.rank(); i++) {
      dims.add(call.atMost("axis " + i, x.dim(i)));
    }
    return AbstractShape.of(dims);
  }

  /**
   * Returns the axes of a slice with the given numbers of limits; the first axes if no axes are
   * given.
   *
   * @throws ShapeMismatchException if an axis does not exist or occurs twice, or if the number of
   *     axes differs from the number of limits
   */
  static int[] sliceAxes(ShapeCall call, AbstractShape x, int starts, int ends) {
    int[] axes;
    if (OnnxInputs.has(call, "3", "axes")) {
      axes = OnnxInputs.axes(call, "3", "axes", x.rank());
    } else {
      axes = new int[starts];
      for (int i = 0; i < starts; i++) {
        axes[i] = OnnxInputs.axis(i, x.rank());
      }
    }
    if (starts != axes.length || ends != axes.length) {
      throw new ShapeMismatchException(
          starts + " starts and " + ends + " ends along " + axes.length + " axes");
    }
    if (Arrays.stream(axes).distinct().count() != axes.length) {
      throw new ShapeMismatchException("an axis of " + Arrays.toString(axes) + " is there twice");
    }
    return axes;
  }

  private static SymbolicExtent left(
      ShapeCall call,
      int number,
      SymbolicExtent whole,
      SymbolicExtent start,
      SymbolicExtent end,
      SymbolicExtent step) {
    if (!step.is(1) || !step.isConstant()) {
      return whole.is(0) && whole.isConstant()
          ? whole
          : strided(call, number, whole, start, end, step);
    }
    // A slice from a negative start to 0 is empty. With Paddle's rule, -1 to 0 has one element.
    boolean isNothing = start.isConstant() && start.value() < 0 && end.isConstant() && end.is(0);
    return isNothing ? SymbolicExtent.of(0) : SliceShapes.extent(call, number, whole, start, end);
  }

  /** Returns the extent of a slice with a step, or the extent of the axis as a bound. */
  private static SymbolicExtent strided(
      ShapeCall call,
      int number,
      SymbolicExtent whole,
      SymbolicExtent start,
      SymbolicExtent end,
      SymbolicExtent step) {
    if (step.is(0) && step.isExact()) {
      throw new ShapeMismatchException("a slice in steps of 0");
    }
    if (!start.isExact() || !end.isExact() || !step.isExact() || !whole.isExact()) {
      return call.atMost("slice" + number, whole);
    }
    double extent = whole.value();
    double first = start.value() < 0 ? start.value() + extent : start.value();
    double last = end.value() < 0 ? end.value() + extent : end.value();
    // With a negative step, an end before the first element stays before it.
    first = Math.max(0, Math.min(first, step.value() < 0 ? extent - 1 : extent));
    last = Math.max(-1, step.value() < 0 ? last : Math.min(last, extent));
    if (step.value() < 0
        && (end.value() == Integer.MAX_VALUE || end.value() == (double) Long.MAX_VALUE)) {
      // For ONNX Runtime the greatest integers are the end of the axis in both directions.
      last = -1;
    }
    double count = Math.max(0, Math.ceil((last - first) / step.value()));
    boolean constant = whole.isConstant() && start.isConstant() && end.isConstant();
    return constant
        ? SymbolicExtent.of(count)
        : whole.map("slice " + start + ":" + end + ":" + step, count);
  }

  private static @Nullable List<SymbolicExtent> sliced(
      AbstractShape x,
      AbstractShape result,
      int[] axes,
      ImmutableList<SymbolicExtent> starts,
      ImmutableList<SymbolicExtent> steps) {
    boolean isKnown =
        x.hasElements()
            && result.dims().stream().allMatch(SymbolicExtent::isExact)
            && starts.stream().allMatch(SymbolicExtent::isExact)
            && steps.stream().allMatch(SymbolicExtent::isExact);
    if (!isKnown) {
      return null;
    }
    long[] from = new long[x.rank()];
    long[] counts = new long[x.rank()];
    long[] by = new long[x.rank()];
    for (int i = 0; i < x.rank(); i++) {
      counts[i] = result.dim(i).asLong();
      by[i] = 1;
    }
    for (int i = 0; i < axes.length; i++) {
      double whole = x.dim(axes[i]).value();
      double start = starts.get(i).value();
      by[axes[i]] = i < steps.size() ? steps.get(i).asLong() : 1;
      double last = by[axes[i]] < 0 ? whole - 1 : whole;
      from[axes[i]] = (long) Math.max(0, Math.min(start < 0 ? start + whole : start, last));
    }
    return StridedElements.sliced(x, from, counts, by);
  }

  /** {@code Gather}: the extents of the indices replace the extent of {@code axis}. */
  static void gather(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape indices = call.in("1");
    int axis = OnnxInputs.axis(call.integer("axis", 0), x.rank());
    List<SymbolicExtent> dims = new ArrayList<>(x.dims().subList(0, axis));
    dims.addAll(indices.dims());
    dims.addAll(x.dims().subList(axis + 1, x.rank()));
    AbstractShape result = AbstractShape.of(dims);
    call.out("0", x.rank() == 1 ? result.withElements(picked(x, indices)) : result);
  }

  private static @Nullable List<SymbolicExtent> picked(AbstractShape list, AbstractShape indices) {
    if (!list.hasElements() || !indices.hasElements()) {
      return null;
    }
    List<SymbolicExtent> elements = new ArrayList<>();
    int count = list.elements().size();
    for (SymbolicExtent index : indices.elements()) {
      int place = placeOf(index, count);
      if (place < 0) {
        return null;
      }
      elements.add(list.elements().get(place));
    }
    return elements;
  }

  /**
   * Returns the position that a constant index denotes in a list, counted from the end if the index
   * is negative; -1 if the index is not constant or is out of bounds.
   */
  private static int placeOf(SymbolicExtent index, int count) {
    if (!index.isConstant()) {
      return -1;
    }
    double place = index.value() < 0 ? index.value() + count : index.value();
    return place >= 0 && place < count ? (int) place : -1;
  }

  /** {@code GatherElements}: one element per index. */
  static void gatherElements(ShapeCall call) {
    call.out("0", AbstractShape.of(call.in("1").dims()));
  }

  /** {@code GatherND}: each list of indices selects a slice after the batch axes. */
  static void gatherNd(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape indices = call.in("1");
    long picked = call.integer("batch_dims", 0) + indices.dim(-1).asLong();
    if (picked < 0 || picked > x.rank()) {
      throw new ShapeMismatchException("indices " + indices + " pick more axes than " + x + " has");
    }
    List<SymbolicExtent> dims = new ArrayList<>(DimLists.dropLast(indices, 1));
    dims.addAll(x.dims().subList((int) picked, x.rank()));
    call.out("0", AbstractShape.of(dims));
  }

  /**
   * {@code ScatterElements}, {@code ScatterND}: the output has the shape of the data; for rank 1
   * its elements are followed too.
   */
  static void scatter(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape result = AbstractShape.of(x.dims());
    boolean replaces = call.text("reduction", "none").equals("none");
    call.out("0", x.rank() == 1 && replaces ? result.withElements(scattered(call, x)) : result);
  }

  private static @Nullable List<SymbolicExtent> scattered(ShapeCall call, AbstractShape x) {
    AbstractShape indices = call.in("1");
    AbstractShape updates = call.in("2");
    boolean isKnown =
        x.hasElements()
            && indices.hasElements()
            && updates.hasElements()
            && indices.elements().size() == updates.elements().size();
    if (!isKnown) {
      return null;
    }
    List<SymbolicExtent> elements = new ArrayList<>(x.elements());
    for (int i = 0; i < indices.elements().size(); i++) {
      int place = placeOf(indices.elements().get(i), elements.size());
      if (place < 0) {
        return null;
      }
      elements.set(place, updates.elements().get(i));
    }
    return elements;
  }

  /**
   * {@code OneHot}: {@code depth} becomes a new extent at {@code axis}, by default the last one.
   */
  static void oneHot(ShapeCall call) {
    AbstractShape x = call.in("0");
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    dims.add(
        OnnxInputs.axis(call.integer("axis", -1), x.rank() + 1),
        OnnxInputs.number(call, "1", "depth", 1));
    call.out("0", AbstractShape.of(dims));
  }

  /** {@code ArrayFeatureExtractor}: the last extent is the number of indices. */
  static void extract(ShapeCall call) {
    AbstractShape x = call.in("0");
    SymbolicExtent picked = call.in("1").count();
    call.out(
        "0",
        x.rank() == 1
            ? AbstractShape.of(SymbolicExtent.of(1), picked)
            : AbstractShape.of(DimLists.with(x.dims(), x.rank() - 1, picked)));
  }
}
