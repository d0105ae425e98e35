package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shape rules for slices. Negative limits count from the end; limits of {@code slice} are clamped
 * to the extent.
 */
public final class SliceShapes {

  private SliceShapes() {}

  /**
   * {@code slice}: {@code starts} to {@code ends} along {@code axes}; the axes {@code
   * decrease_axis} are removed.
   */
  static void slice(ShapeCall call) {
    AbstractShape input = call.in("Input");
    List<Long> axes = call.required("axes");
    List<SymbolicExtent> starts = limits(call, "Starts", "starts", axes.size());
    List<SymbolicExtent> ends = limits(call, "Ends", "ends", axes.size());
    checkHasAxes(input, axes);
    List<SymbolicExtent> dims = new ArrayList<>(input.dims());
    for (int i = 0; i < axes.size(); i++) {
      if (axes.get(i) < 0) {
        throw new UnknownShapeException("slice does not count axes from the last one");
      }
      int axis = call.axis(axes.get(i), input.rank());
      dims.set(axis, extent(call, i, dims.get(axis), starts.get(i), ends.get(i)));
    }
    AbstractShape result = AbstractShape.of(withoutAxes(call, dims));
    boolean rowsStay = !axes.contains(0L);
    call.out(
        "Out",
        result
            .withLod(rowsStay ? input.lod() : ImmutableList.of())
            .withElements(elements(input, axes, starts, ends)));
  }

  private static void checkHasAxes(AbstractShape input, List<Long> axes) {
    if (input.rank() == 0 && !axes.isEmpty()) {
      throw new ShapeMismatchException("there is no axis " + axes.get(0) + " in a single number");
    }
  }

  private static List<SymbolicExtent> limits(
      ShapeCall call, String name, String attribute, int count) {
    List<SymbolicExtent> limits =
        CreationShapes.numbers(call, name + "Tensor", name + "TensorList", attribute);
    if (limits.size() != count) {
      throw new ShapeMismatchException(
          attribute + " has " + limits.size() + " numbers for " + count + " axes");
    }
    return limits;
  }

  private static List<SymbolicExtent> withoutAxes(ShapeCall call, List<SymbolicExtent> dims) {
    List<Long> decreased = call.integers("decrease_axis");
    if (decreased.isEmpty()) {
      return dims;
    }
    List<SymbolicExtent> rest = new ArrayList<>();
    for (int i = 0; i < dims.size(); i++) {
      if (!decreased.contains((long) i) && !decreased.contains((long) i - dims.size())) {
        rest.add(dims.get(i));
      }
    }
    return rest.isEmpty() ? List.of(SymbolicExtent.of(1)) : rest;
  }

  /**
   * Returns the extent after a slice: exact if the whole extent and the limits are, else a bound,
   * or unknown if the whole extent is.
   */
  public static SymbolicExtent extent(
      ShapeCall call, int number, SymbolicExtent whole, SymbolicExtent start, SymbolicExtent end) {
    boolean takesAll = start.is(0) && start.isConstant() && end.isExact() && reaches(end, whole);
    if (takesAll) {
      return whole;
    }
    // One element at a constant index, the usual form of indexing.
    if (start.isConstant()
        && end.isConstant()
        && end.value() - start.value() == 1
        && (start.value() >= 0 || end.value() < 0)
        && !(whole.isExact() && isOutside(start.value(), whole.value()))) {
      return whole.isExact() || whole.precision() == SymbolicExtent.Precision.UNKNOWN
          ? SymbolicExtent.of(1)
          : call.atMost("slice" + number, SymbolicExtent.of(1));
    }
    if (!start.isExact() || !end.isExact()) {
      return call.atMost("slice" + number, whole);
    }
    if (!whole.isKnown()) {
      return call.unknown("slice" + number, whole.cause());
    }
    long length = clamped(end, whole) - clamped(start, whole);
    SymbolicExtent result = SymbolicExtent.of(Math.max(0, length));
    if (!whole.isExact()) {
      // If the start counts from the end and the end does not, a greater extent leaves a smaller
      // slice.
      boolean crosses = start.value() < 0 && end.value() >= 0;
      return call.atMost("slice" + number, crosses ? whole.min(end) : result);
    }
    boolean constant = whole.isConstant() && start.isConstant() && end.isConstant();
    if (constant) {
      return result;
    }
    boolean inside =
        start.value() >= 0 && end.value() >= 0 && end.value() <= whole.value() && length >= 0;
    return inside && !end.isConstant()
        ? end.minus(start)
        : whole.plus(start.times(0)).map("slice " + start + ":" + end, result.value());
  }

  /** Whether no element has this index, which is counted from the end if it is negative. */
  private static boolean isOutside(double index, double extent) {
    return index >= extent || index < -extent;
  }

  private static boolean reaches(SymbolicExtent end, SymbolicExtent whole) {
    return end.value() >= Integer.MAX_VALUE
        || (whole.isKnown()
            && end.value() >= whole.value()
            && (whole.isConstant() || end.isSame(whole)));
  }

  private static long clamped(SymbolicExtent limit, SymbolicExtent whole) {
    double place = limit.value() < 0 ? limit.value() + whole.value() : limit.value();
    return (long) Math.max(0, Math.min(place, whole.value()));
  }

  private static @Nullable List<SymbolicExtent> elements(
      AbstractShape input,
      List<Long> axes,
      List<SymbolicExtent> starts,
      List<SymbolicExtent> ends) {
    boolean oneAxis = input.hasElements() && input.rank() == 1 && axes.size() == 1;
    if (!oneAxis || !starts.get(0).isExact() || !ends.get(0).isExact()) {
      return null;
    }
    SymbolicExtent whole = SymbolicExtent.of(input.elements().size());
    int from = (int) clamped(starts.get(0), whole);
    // Paddle writes the last element as the slice from -1 to 0.
    boolean last = starts.get(0).is(-1) && ends.get(0).is(0);
    int to = last ? input.elements().size() : (int) clamped(ends.get(0), whole);
    return input.elements().subList(from, Math.max(from, to));
  }

  /**
   * {@code strided_slice}: every {@code strides}-th element from {@code starts} to {@code ends}.
   */
  static void stridedSlice(ShapeCall call) {
    AbstractShape input = call.in("Input");
    List<Long> axes = call.required("axes");
    List<SymbolicExtent> starts = limits(call, "Starts", "starts", axes.size());
    List<SymbolicExtent> ends = limits(call, "Ends", "ends", axes.size());
    List<SymbolicExtent> strides = limits(call, "Strides", "strides", axes.size());
    checkHasAxes(input, axes);
    List<SymbolicExtent> dims = new ArrayList<>(input.dims());
    for (int i = 0; i < axes.size(); i++) {
      int axis = call.axis(axes.get(i), input.rank());
      dims.set(
          axis, stridedExtent(call, i, dims.get(axis), starts.get(i), ends.get(i), strides.get(i)));
    }
    call.out("Out", AbstractShape.of(withoutAxes(call, dims)));
  }

  /**
   * Returns the extent of a slice with a step, or the extent of the axis as a bound. The formula is
   * {@code StridedSliceOutDims} of Paddle 2.3: limits after the end of the axis count, although
   * there are no elements.
   *
   * @throws ShapeMismatchException if the slice is empty or the step is 0, which Paddle refuses
   */
  private static SymbolicExtent stridedExtent(
      ShapeCall call,
      int number,
      SymbolicExtent whole,
      SymbolicExtent start,
      SymbolicExtent end,
      SymbolicExtent stride) {
    if (!start.isExact() || !end.isExact() || !stride.isExact() || !whole.isExact()) {
      return call.atMost("slice" + number, whole);
    }
    double step = stride.value();
    double first = fromStart(start.value(), whole.value());
    boolean isBeforeStart = step < 0 && end.is(-1);
    double last = isBeforeStart ? -1 : fromStart(end.value(), whole.value());
    if (step == 0) {
      throw new ShapeMismatchException(
          "the slice from " + start + " to " + end + " has steps of 0");
    }
    boolean isEmpty = step > 0 ? first >= last : first <= last;
    double left = step > 0 ? first : last + 1;
    double right = Math.min(whole.value(), step > 0 ? last : first + 1);
    double count = isEmpty ? 0 : Math.ceil(Math.abs(right - left) / Math.abs(step));
    boolean constant = whole.isConstant() && start.isConstant() && end.isConstant();
    return constant
        ? SymbolicExtent.of(count)
        : whole.map("slice " + start + ":" + end + ":" + stride, count);
  }

  private static double fromStart(double limit, double whole) {
    return limit < 0 ? Math.max(0, limit + whole) : limit;
  }

  private static void checkIsInside(
      AbstractShape x, int axis, SymbolicExtent offset, SymbolicExtent extent) {
    boolean isExact = offset.isExact() && extent.isExact() && x.dim(axis).isExact();
    if (isExact && (offset.value() < 0 || offset.value() + extent.value() > x.dim(axis).value())) {
      throw new ShapeMismatchException(
          extent + " elements from " + offset + " are not all in axis " + axis + " of " + x);
    }
  }

  /** {@code crop}: the extents in {@code shape}; -1 stands for the rest of the axis. */
  static void crop(ShapeCall call) {
    crop(call, /* isZeroTheRest= */ false);
  }

  /** {@code crop_tensor}: the extents in {@code shape}; -1 and 0 stand for the rest of the axis. */
  static void cropTensor(ShapeCall call) {
    crop(call, /* isZeroTheRest= */ true);
  }

  private static void crop(ShapeCall call, boolean isZeroTheRest) {
    AbstractShape x = call.in("X");
    if (call.has("Y")) {
      call.out("Out", AbstractShape.of(call.in("Y").dims()));
      return;
    }
    List<SymbolicExtent> wanted = CreationShapes.numbers(call, "Shape", "ShapeTensor", "shape");
    boolean shifts =
        call.hasAttribute("offsets") || call.has("Offsets") || call.has("OffsetsTensor");
    List<SymbolicExtent> offsets =
        shifts
            ? CreationShapes.numbers(call, "Offsets", "OffsetsTensor", "offsets")
            : ImmutableList.of();
    List<SymbolicExtent> dims = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      boolean rest = wanted.get(i).is(-1) || (isZeroTheRest && wanted.get(i).is(0));
      SymbolicExtent offset = i < offsets.size() ? offsets.get(i) : SymbolicExtent.of(0);
      dims.add(rest ? x.dim(i).minus(offset) : wanted.get(i));
      checkIsInside(x, i, offset, dims.get(i));
    }
    call.out("Out", AbstractShape.of(dims));
  }
}
