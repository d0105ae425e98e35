package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shape rules for elementwise functions of one and of two tensors. */
public final class ElementwiseShapes {

  /** A function of two elements. */
  @FunctionalInterface
  public interface Function {
    /** Returns the function's value; null if it is not defined for these numbers. */
    @Nullable SymbolicExtent apply(SymbolicExtent left, SymbolicExtent right);
  }

  private ElementwiseShapes() {}

  /** Gives {@code Out} the shape of {@code X}; both names may be in lower case. */
  public static void likeX(ShapeCall call) {
    AbstractShape result = call.in(call.has("X") ? "X" : "x").withElements(null);
    call.out("Out", result);
    call.out("out", result);
  }

  /** Returns a rule that gives the named outputs the shape of an input. */
  public static ShapeRule like(String input, String... outputs) {
    return call -> {
      for (String output : outputs) {
        call.out(output, call.in(input).withElements(null));
      }
    };
  }

  /** Gives {@code Out} the abstract shape of {@code X}, including its elements. */
  public static void copyOfX(ShapeCall call) {
    call.out("Out", call.in("X"));
  }

  /**
   * Gives {@code Out} the shape to which {@code X} and {@code Y} broadcast; {@code Y} is aligned
   * with the axis {@code axis} of {@code X}.
   */
  public static void broadcast(ShapeCall call) {
    call.out("Out", broadcast(call, null));
  }

  /**
   * Returns the rule {@link #broadcast(ShapeCall)} that also computes the elements if those of the
   * inputs are tracked.
   */
  public static ShapeRule broadcast(Function function) {
    return call -> call.out("Out", broadcast(call, function));
  }

  /**
   * Returns the same rule for comparisons. Paddle aligns the shorter tensor with the last axes of
   * the longer one, whatever {@code axis} is.
   */
  public static ShapeRule comparison(Function function) {
    return call -> {
      int x = call.in("X").rank();
      int y = call.in("Y").rank();
      int axis = call.integer("axis", -1);
      if (x != y && axis != -1 && axis != Math.abs(x - y)) {
        throw new UnknownShapeException("a comparison along axis " + axis);
      }
      call.out("Out", broadcast(call, function));
    };
  }

  /**
   * Returns the same rule for operators that ignore {@code axis} and always align the last axes.
   *
   * @param function the value of an element; null if elements are not tracked
   */
  public static ShapeRule aligned(@Nullable Function function) {
    return call ->
        call.out("Out", broadcast(call, call.in("X"), call.in("Y"), /* axis= */ -1, function));
  }

  private static AbstractShape broadcast(ShapeCall call, @Nullable Function function) {
    return broadcast(call, call.in("X"), call.in("Y"), call.integer("axis", -1), function);
  }

  /**
   * Returns the shape to which two tensors broadcast, with the function's values as elements if the
   * elements of both tensors are tracked.
   */
  public static AbstractShape broadcast(
      ShapeCall call, AbstractShape x, AbstractShape y, int axis, @Nullable Function function) {
    ImmutableList<SymbolicExtent> dims = broadcastDims(call, x.dims(), y.dims(), axis);
    AbstractShape result = AbstractShape.of(dims).withLod(x.lod());
    return function == null ? result : result.withElements(elements(x, y, dims, function));
  }

  /**
   * An input that is a condition. If the condition is a single number that is not followed, it
   * becomes an unknown element, so that the other part of a conjunction still counts.
   */
  public static AbstractShape condition(ShapeCall call, String slot) {
    AbstractShape tensor = call.in(slot);
    boolean isNumber = tensor.hasRank() && tensor.count().isConstant() && tensor.count().is(1);
    return tensor.hasElements() || !isNumber
        ? tensor
        : tensor.withElements(ImmutableList.of(call.unknown(slot, "it depends on the data")));
  }

  /**
   * Returns the extents to which two tensors broadcast. The first axis of the shorter tensor is
   * aligned with an axis of the longer one; -1 aligns their last axes. Trailing extents of 1 may
   * reach past the end of the longer tensor.
   */
  public static ImmutableList<SymbolicExtent> broadcastDims(
      ShapeCall call, ImmutableList<SymbolicExtent> x, ImmutableList<SymbolicExtent> y, int axis) {
    boolean xIsLonger = x.size() >= y.size();
    ImmutableList<SymbolicExtent> longer = xIsLonger ? x : y;
    ImmutableList<SymbolicExtent> shorter = xIsLonger ? y : x;
    if (axis > longer.size()) {
      throw new ShapeMismatchException(
          "there is no axis " + axis + " to lay " + shorter + " along " + longer + " from");
    }
    int offset = axis < 0 ? longer.size() - shorter.size() : axis;
    List<SymbolicExtent> dims = new ArrayList<>(longer);
    for (int i = 0; i < shorter.size(); i++) {
      int target = offset + i;
      if (target < longer.size()) {
        dims.set(target, call.broadcast(longer.get(target), shorter.get(i), x, y));
      } else if (!shorter.get(i).is(1)) {
        throw new ShapeMismatchException("the shapes " + x + " and " + y + " do not broadcast");
      }
    }
    return ImmutableList.copyOf(dims);
  }

  /**
   * The elements of the result; null unless the tensors have one shape or one of them has a single
   * element.
   */
  private static @Nullable ImmutableList<SymbolicExtent> elements(
      AbstractShape x, AbstractShape y, ImmutableList<SymbolicExtent> dims, Function function) {
    if (!x.hasElements() || !y.hasElements()) {
      return null;
    }
    ImmutableList<SymbolicExtent> left = x.elements();
    ImmutableList<SymbolicExtent> right = y.elements();
    int count = left.size() == 1 ? right.size() : left.size();
    boolean simple = dims.size() <= 1 || x.dims().equals(y.dims());
    if (!(left.size() == right.size() || left.size() == 1 || right.size() == 1)
        || !(simple || left.size() == 1 || right.size() == 1)) {
      return null;
    }
    ImmutableList.Builder<SymbolicExtent> results = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      SymbolicExtent result =
          function.apply(left.get(left.size() == 1 ? 0 : i), right.get(right.size() == 1 ? 0 : i));
      if (result == null) {
        return null;
      }
      results.add(result);
    }
    return results.build();
  }
}
