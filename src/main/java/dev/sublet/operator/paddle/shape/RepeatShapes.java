package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shape rules for operators that repeat elements: expand and tile. */
public final class RepeatShapes {

  private RepeatShapes() {}

  /** {@code expand}: each extent times {@code expand_times}. */
  static void expand(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<SymbolicExtent> times =
        CreationShapes.numbers(call, "ExpandTimes", "expand_times_tensor", "expand_times");
    multiply(call, x, times);
  }

  /**
   * {@code tile}: each extent times {@code repeat_times}; the shorter of the two lists gets ones in
   * front.
   */
  static void tile(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<SymbolicExtent> times =
        CreationShapes.numbers(call, "RepeatTimes", "repeat_times_tensor", "repeat_times");
    multiply(call, x, times);
  }

  private static void multiply(ShapeCall call, AbstractShape x, List<SymbolicExtent> times) {
    call.out("Out", multiplied(x, times));
  }

  /** Returns the shape of a tensor that is repeated the given number of times along each axis. */
  public static AbstractShape multiplied(AbstractShape x, List<SymbolicExtent> times) {
    int rank = Math.max(x.rank(), times.size());
    List<SymbolicExtent> dims = padded(x.dims(), rank);
    List<SymbolicExtent> factors = padded(times, rank);
    List<SymbolicExtent> products = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      products.add(dims.get(i).times(factors.get(i)));
    }
    AbstractShape result = AbstractShape.of(products);
    return result.withElements(repeated(x, result));
  }

  private static List<SymbolicExtent> padded(List<SymbolicExtent> numbers, int length) {
    List<SymbolicExtent> result =
        new ArrayList<>(Collections.nCopies(length - numbers.size(), SymbolicExtent.of(1)));
    result.addAll(numbers);
    return result;
  }

  /**
   * Returns the elements of a repeated tensor: the elements of a vector, or a single element, are
   * repeated as a whole. Null for other tensors, whose elements are not tracked.
   */
  public static @Nullable List<SymbolicExtent> repeated(AbstractShape x, AbstractShape result) {
    SymbolicExtent count = result.count();
    boolean simple =
        x.hasElements()
            && count.isExact()
            && count.value() <= AbstractShape.MAX_ELEMENTS
            && (x.rank() <= 1 || x.elements().size() == 1);
    if (!simple || x.elements().isEmpty()) {
      return null;
    }
    List<SymbolicExtent> elements = new ArrayList<>();
    while (elements.size() < count.value()) {
      elements.addAll(x.elements());
    }
    return elements;
  }

  /** {@code expand_v2}: extents of 1 become those of {@code shape}; -1 keeps an extent. */
  static void expandV2(ShapeCall call) {
    AbstractShape x = call.in("X");
    expandTo(call, x, CreationShapes.numbers(call, "Shape", "expand_shapes_tensor", "shape"));
  }

  /** {@code expand_as}, {@code expand_as_v2}: expands to the shape of another tensor. */
  static void expandAs(ShapeCall call) {
    AbstractShape x = call.in("X");
    String other = call.has("Y") ? "Y" : "target_tensor";
    if (call.has(other)) {
      expandTo(call, x, call.in(other).dims());
      return;
    }
    ImmutableList.Builder<SymbolicExtent> target = ImmutableList.builder();
    call.integers("target_shape").forEach(extent -> target.add(SymbolicExtent.of(extent)));
    expandTo(call, x, target.build());
  }

  /** {@code expand_as}: repeats {@code X} as often as it fits into the shape of another tensor. */
  static void tileAs(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape target = call.in(call.has("Y") ? "Y" : "target_tensor");
    DimLists.checkRank(target, "the target", x.rank());
    for (int i = 0; i < x.rank(); i++) {
      SymbolicExtent own = x.dim(i);
      SymbolicExtent wanted = target.dim(i);
      if (own.isExact()
          && wanted.isExact()
          && own.value() != 0
          && wanted.value() % own.value() != 0) {
        throw new ShapeMismatchException(
            "X " + x + " does not fit into " + target + " a whole number of times");
      }
    }
    AbstractShape result = AbstractShape.of(target.dims());
    call.out("Out", result.withElements(repeated(x, result)));
  }

  private static void expandTo(ShapeCall call, AbstractShape x, List<SymbolicExtent> wanted) {
    if (wanted.size() < x.rank()) {
      throw new ShapeMismatchException("X " + x + " cannot be expanded to " + wanted);
    }
    List<SymbolicExtent> dims = padded(x.dims(), wanted.size());
    for (int i = 0; i < wanted.size(); i++) {
      SymbolicExtent extent = wanted.get(i);
      boolean stays = extent.is(-1) && extent.isConstant();
      SymbolicExtent own = dims.get(i);
      if (!stays && own.isExact() && extent.isExact() && !own.is(1) && !own.is(extent.value())) {
        throw new ShapeMismatchException("X " + x + " cannot be expanded to " + wanted);
      }
      dims.set(i, stays || own.isSame(extent) ? own : extent);
    }
    AbstractShape result = AbstractShape.of(dims);
    call.out("Out", result.withElements(repeated(x, result)));
  }
}
