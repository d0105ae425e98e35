package dev.sublet.operator.paddle.elementwise;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.shape.CreationShapes;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Shape rules for functions of each element. They also compute the elements of small tensors,
 * because programs compute extents with these elements.
 */
public final class ElementShapes {

  private ElementShapes() {}

  private static void map(ShapeCall call, UnaryOperator<SymbolicExtent> function) {
    AbstractShape x = call.in("X");
    if (!x.hasElements()) {
      call.out("Out", x);
      return;
    }
    ImmutableList.Builder<SymbolicExtent> elements = ImmutableList.builder();
    for (SymbolicExtent element : x.elements()) {
      elements.add(function.apply(element));
    }
    call.out("Out", x.withElements(elements.build()));
  }

  /** Returns a rule that applies a function to each element that is known exactly. */
  public static ShapeRule map(String name, DoubleUnaryOperator function) {
    return call -> map(call, x -> x.map(name, function.applyAsDouble(x.value())));
  }

  /** {@code cast}: to whole numbers, rounded towards zero; of whole numbers to booleans, 0 or 1. */
  public static void cast(ShapeCall call) {
    switch (call.outputType("Out")) {
      case BOOL -> ofWholeNumbers(map("bool", x -> x != 0 ? 1 : 0), "X", "Out").infer(call);
      case INT16, INT32, INT64, INT8, UINT8 -> {
        if (CreationShapes.isWhole(call.dataType("X"))) {
          call.out("Out", call.in("X"));
        } else {
          truncate(call);
        }
      }
      default -> call.out("Out", call.in("X"));
    }
  }

  /**
   * The whole numbers that floating-point numbers are truncated to. A number that is only bounded
   * gets a formula of its own: a fraction, and the number without it, are not equal.
   */
  private static void truncate(ShapeCall call) {
    AbstractShape x = call.in("X");
    if (!x.hasElements()) {
      call.out("Out", x);
      return;
    }
    ImmutableList.Builder<SymbolicExtent> elements = ImmutableList.builder();
    for (int i = 0; i < x.elements().size(); i++) {
      SymbolicExtent element = x.elements().get(i);
      double value = element.value();
      boolean isWhole = element.isExact() && value == Math.rint(value);
      if (isWhole) {
        elements.add(element);
      } else if (element.isExact()) {
        elements.add(element.map("truncate", value < 0 ? Math.ceil(value) : Math.floor(value)));
      } else if (element.isKnown() && value >= 0) {
        elements.add(call.atMost("truncated " + i, SymbolicExtent.of(Math.floor(value))));
      } else {
        elements.add(call.unknown("truncated " + i, "it is computed from a floating-point number"));
      }
    }
    call.out("Out", x.withElements(elements.build()));
  }

  /** Returns the nearest whole number; NaN between two of them, where versions differ. */
  public static double round(double x) {
    return x - Math.floor(x) == 0.5 ? Double.NaN : Math.rint(x);
  }

  /** {@code scale}: {@code X * scale + bias}, or {@code (X + bias) * scale}. */
  public static void scale(ShapeCall call) {
    if (call.has("ScaleTensor")) {
      call.out("Out", call.in("X").withElements(null));
      return;
    }
    double scale = call.real("scale", 1);
    double bias = call.real("bias", 0);
    boolean isRounded =
        CreationShapes.isWhole(call.outputType("Out"))
            && (scale != Math.rint(scale) || bias != Math.rint(bias));
    if (isRounded) {
      call.out("Out", call.in("X").withElements(null));
      return;
    }
    boolean after = call.flag("bias_after_scale", true);
    map(call, x -> after ? x.times(scale).plus(bias) : x.plus(bias).times(scale));
  }

  /** {@code increment}: {@code X + step}. */
  public static void increment(ShapeCall call) {
    double step = call.real("step", 1);
    boolean isRounded = CreationShapes.isWhole(call.outputType("Out")) && step != Math.rint(step);
    map(call, x -> isRounded ? SymbolicExtent.of(Double.NaN) : x.plus(step));
  }

  /** Returns a function of two numbers that is evaluated if both numbers are known exactly. */
  public static ElementwiseShapes.Function exact(String name, DoubleBinaryOperator function) {
    return (left, right) -> {
      if (!left.isExact() || !right.isExact()) {
        return null;
      }
      double value = function.applyAsDouble(left.value(), right.value());
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        return null;
      }
      return left.combined(name, right, value);
    };
  }

  /**
   * Returns a function of two whole numbers: 1 if the test holds, else 0, with the bounds that the
   * numbers have if it holds. Not evaluated for numbers that doubles cannot tell apart.
   *
   * @param name the operator of Paddle that is this test, or {@code and}; see {@link
   *     SymbolicExtent#test}
   */
  public static ElementwiseShapes.Function test(String name, Test test) {
    return (x, y) -> {
      boolean isDecided = x.isExact() && y.isExact();
      boolean isVague = isDecided && Math.max(Math.abs(x.value()), Math.abs(y.value())) >= 0x1p53;
      return isVague ? null : x.test(name, y, isDecided && test.holds(x.value(), y.value()));
    };
  }

  /**
   * Returns the quotient of two numbers, rounded down; null if one is negative: some versions round
   * toward zero.
   */
  public static @Nullable SymbolicExtent floorQuotient(SymbolicExtent x, SymbolicExtent y) {
    boolean isNegative = (x.isKnown() && x.value() < 0) || (y.isKnown() && y.value() < 0);
    return isNegative ? null : x.floorDividedBy(y);
  }

  /**
   * Returns the remainder of two numbers; NaN if one is negative, as for {@link #floorQuotient}.
   */
  static double remainder(double x, double y) {
    return x < 0 || y < 0 ? Double.NaN : x - y * Math.floor(x / y);
  }

  /**
   * Returns a rule that does not follow the elements of the output unless the input holds whole
   * numbers: a runtime rounds floating-point numbers in its own way, and the smallest difference
   * decides a comparison.
   */
  public static ShapeRule ofWholeNumbers(ShapeRule rule, String input, String output) {
    return call -> {
      rule.infer(call);
      AbstractShape result = call.out(output);
      if (result != null && result.hasElements() && !CreationShapes.isWhole(call.dataType(input))) {
        call.out(output, result.withElements(null));
      }
    };
  }

  /** A test of two numbers. */
  @FunctionalInterface
  public interface Test {
    /** Whether the test holds. */
    boolean holds(double x, double y);
  }

  /**
   * Returns the quotient if it is whole, else null, because it is not known whether the operator
   * rounds.
   */
  public static @Nullable SymbolicExtent quotient(SymbolicExtent x, SymbolicExtent y) {
    boolean whole = x.isExact() && y.isExact() && y.value() != 0 && x.value() % y.value() == 0;
    return whole ? x.floorDividedBy(y) : null;
  }

  /** {@code lerp}: {@code X}, {@code Y} and {@code Weight} broadcast. */
  static void lerp(ShapeCall call) {
    AbstractShape x = call.in("X");
    ImmutableList<SymbolicExtent> ends =
        ElementwiseShapes.broadcastDims(call, x.dims(), call.in("Y").dims(), -1);
    ImmutableList<SymbolicExtent> all =
        ElementwiseShapes.broadcastDims(call, ends, call.in("Weight").dims(), -1);
    call.out("Out", AbstractShape.of(all).withLod(x.lod()));
  }

  /** {@code sum}: the shape of {@code X}, with the elements of small tensors added. */
  static void sum(ShapeCall call) {
    AbstractShape result = call.in("X");
    for (AbstractShape x : call.all("X").subList(1, call.all("X").size())) {
      if (!result.hasElements()
          || !x.hasElements()
          || x.elements().size() != result.elements().size()) {
        result = result.withElements(null);
        continue;
      }
      ImmutableList.Builder<SymbolicExtent> sums = ImmutableList.builder();
      for (int i = 0; i < x.elements().size(); i++) {
        sums.add(result.elements().get(i).plus(x.elements().get(i)));
      }
      result = result.withElements(sums.build());
    }
    call.out("Out", result);
  }
}
