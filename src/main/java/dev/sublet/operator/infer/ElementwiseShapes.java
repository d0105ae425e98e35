package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shapes of functions of each element, of one value and of two. */
public final class ElementwiseShapes {

  /** A function of two numbers; null if it has no value there. */
  @FunctionalInterface
  public interface Function {
    /** Returns the function of two numbers, or null. */
    @Nullable SymbolicExtent apply(SymbolicExtent left, SymbolicExtent right);
  }

  private ElementwiseShapes() {}

  /** {@code Out} has the shape of {@code X}. */
  public static void likeX(ShapeCall call) {
    AbstractShape result = call.in(call.has("X") ? "X" : "x").withElements(null);
    call.out("Out", result);
    call.out("out", result);
  }

  /** Outputs have the shape of an input, whatever they are called. */
  public static ShapeRule like(String input, String... outputs) {
    return call -> {
      for (String output : outputs) {
        call.out(output, call.in(input).withElements(null));
      }
    };
  }

  /** {@code Out} is {@code X}, elements included. */
  public static void copyOfX(ShapeCall call) {
    call.out("Out", call.in("X"));
  }

  /** {@code X} and {@code Y} broadcast to {@code Out}, {@code Y} from {@code axis} on. */
  public static void broadcast(ShapeCall call) {
    call.out("Out", broadcast(call, null));
  }

  /** The same, with the elements computed if they are followed. */
  public static ShapeRule broadcast(Function function) {
    return call -> call.out("Out", broadcast(call, function));
  }

  /** The same for comparisons: Paddle lays the shorter tensor along the end, whatever axis says. */
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

  private static AbstractShape broadcast(ShapeCall call, @Nullable Function function) {
    return broadcast(call, call.in("X"), call.in("Y"), call.integer("axis", -1), function);
  }

  /** Two tensors broadcast together, and a function of their elements if they are followed. */
  public static AbstractShape broadcast(
      ShapeCall call, AbstractShape x, AbstractShape y, int axis, @Nullable Function function) {
    ImmutableList<SymbolicExtent> dims = broadcastDims(call, x.dims(), y.dims(), axis);
    AbstractShape result = AbstractShape.of(dims).withLod(x.lod());
    return function == null ? result : result.withElements(elements(x, y, dims, function));
  }

  /**
   * The extents of two tensors broadcast together. The shorter one is laid along the longer one
   * from an axis on, without its trailing ones; -1 lays it along the end.
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

  /** Only of tensors of one shape, or where one has a single element. */
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
