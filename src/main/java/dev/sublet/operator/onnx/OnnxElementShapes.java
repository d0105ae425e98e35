package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ElementwiseShapes.Function;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.elementwise.ElementShapes;
import dev.sublet.operator.paddle.shape.CreationShapes;
import dev.sublet.operator.paddle.shape.RepeatShapes;
import dev.sublet.program.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Shapes of ONNX's elementwise operators. The elements of small tensors are followed in the
 * precision of their type, because models compute extents in floats too.
 */
final class OnnxElementShapes {

  /** The bound up to which every whole number is a float. */
  private static final double MAX_WHOLE = 1 << 24;

  private OnnxElementShapes() {}

  /** All outputs have the shape of input 0. */
  static void like(ShapeCall call) {
    call.outAll(call.in("0").extentsAlone());
  }

  /** Output 0 has the shape of input 0. */
  static void firstLike(ShapeCall call) {
    call.out("0", call.in("0").extentsAlone());
  }

  /** Output 0 is input 0, elements included. */
  static void copy(ShapeCall call) {
    call.out("0", plain(call.in("0")));
  }

  private static AbstractShape plain(AbstractShape tensor) {
    AbstractShape copy = tensor.extentsAlone();
    return tensor.hasElements() ? copy.withElements(tensor.elements()) : copy;
  }

  /**
   * Output 0 has the extents of the inputs, broadcast. Before opset 7 the second input starts at
   * axis {@code axis}.
   */
  public static void broadcast(ShapeCall call) {
    call.out("0", folded(call, null));
  }

  /**
   * Returns a rule for two or more inputs that broadcast. The rule computes the elements of the
   * output if those of the inputs are followed.
   */
  public static ShapeRule broadcast(Function function) {
    return call -> call.out("0", folded(call, typed(call, function)));
  }

  private static AbstractShape folded(ShapeCall call, @Nullable Function function) {
    ImmutableList<AbstractShape> inputs = OnnxInputs.from(call, 0);
    AbstractShape result = plain(call.in("0"));
    int axis = call.integer("axis", -1);
    for (AbstractShape input : inputs.subList(1, inputs.size())) {
      result = ElementwiseShapes.broadcast(call, result, input, axis, function);
    }
    return result;
  }

  /** {@code Mean}: the elements are not followed. */
  static void mean(ShapeCall call) {
    call.out("0", folded(call, null).withElements(null));
  }

  private static Function typed(ShapeCall call, Function function) {
    DataType type = call.outputType("0");
    return (left, right) -> {
      SymbolicExtent result = function.apply(left, right);
      return result == null ? null : representable(type, result);
    };
  }

  /**
   * Returns a number as the type represents it, rounded to nearest; null if the type cannot
   * represent the number, or if its rounding is not known.
   */
  static @Nullable SymbolicExtent representable(DataType type, SymbolicExtent number) {
    if (!number.isExact()) {
      return number;
    }
    double value = number.value();
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return null;
    }
    boolean whole = value == Math.rint(value);
    return switch (type) {
      case FP32 -> {
        double rounded = (float) value;
        yield rounded == value ? number : number.map("rounded to float", rounded);
      }
      case FP16 -> whole && Math.abs(value) <= 2048 ? number : null;
      case BF16 -> whole && Math.abs(value) <= 256 ? number : null;
      default -> number;
    };
  }

  /** {@code Div}: the quotient of whole numbers is rounded toward zero. */
  static void divide(ShapeCall call) {
    DataType type = call.outputType("0");
    boolean isReal = type == DataType.FP32 || type == DataType.FP64;
    Function quotient =
        CreationShapes.isWhole(type)
            ? OnnxElementShapes::truncatedQuotient
            : isReal ? OnnxElementShapes::realQuotient : ElementShapes::quotient;
    call.out("0", folded(call, typed(call, quotient)));
  }

  private static @Nullable SymbolicExtent truncatedQuotient(SymbolicExtent x, SymbolicExtent y) {
    if (!y.isExact() || y.value() == 0 || !x.isKnown()) {
      return null;
    }
    if (y.value() > 0 && (!x.isExact() || x.value() >= 0)) {
      return x.floorDividedBy(y);
    }
    double quotient = x.value() / y.value();
    return x.combined("towards zero", y, quotient < 0 ? Math.ceil(quotient) : Math.floor(quotient));
  }

  private static @Nullable SymbolicExtent realQuotient(SymbolicExtent x, SymbolicExtent y) {
    if (!x.isExact() || !y.isExact() || y.value() == 0) {
      return null;
    }
    SymbolicExtent whole = x.floorDividedBy(y);
    // The rounded quotient is the quotient only if the division is exact in every run, not just in
    // this one.
    boolean dividesInEveryRun = whole.times(y).isSame(x);
    return dividesInEveryRun ? whole : x.combined("/", y, x.value() / y.value());
  }

  /**
   * {@code Mod}: the result has the sign of the divisor, or with {@code fmod} that of the dividend.
   */
  static void remainder(ShapeCall call) {
    boolean ofDividend = call.flag("fmod", false);
    Function function =
        ofDividend
            ? ElementShapes.exact("fmod", (x, y) -> x % y)
            : ElementShapes.exact("mod", (x, y) -> x - y * Math.floor(x / y));
    call.out("0", folded(call, typed(call, function)));
  }

  /** Returns a rule that applies a function to each element that is followed. */
  static ShapeRule map(String name, DoubleUnaryOperator function) {
    return call -> {
      AbstractShape x = call.in("0");
      AbstractShape result = AbstractShape.of(x.dims());
      call.out(
          "0", x.hasElements() ? result.withElements(mapped(call, x, name, function)) : result);
    };
  }

  private static @Nullable List<SymbolicExtent> mapped(
      ShapeCall call, AbstractShape x, String name, DoubleUnaryOperator function) {
    DataType type = call.outputType("0");
    List<SymbolicExtent> results = new ArrayList<>();
    for (SymbolicExtent element : x.elements()) {
      SymbolicExtent result = element.map(name, function.applyAsDouble(element.value()));
      SymbolicExtent kept = representable(type, result);
      if (kept == null) {
        return null;
      }
      results.add(kept);
    }
    return results;
  }

  /**
   * Returns the result if it is a whole number of at most {@link #MAX_WHOLE}, else NaN: runtimes
   * differ in the last bit of other results.
   */
  static double ifWhole(double result) {
    return result == Math.rint(result) && Math.abs(result) <= MAX_WHOLE ? result : Double.NaN;
  }

  /** {@code Neg}. */
  static void negate(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape result = AbstractShape.of(x.dims());
    if (x.hasElements()) {
      List<SymbolicExtent> elements = new ArrayList<>();
      x.elements().forEach(element -> elements.add(element.times(-1)));
      result = result.withElements(elements);
    }
    call.out("0", result);
  }

  /**
   * {@code Cast}, {@code CastLike}: a cast to whole numbers rounds toward zero; a cast of whole
   * numbers to booleans compares with 0.
   */
  static void cast(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape result = AbstractShape.of(x.dims());
    DataType from = call.dataType("0");
    DataType to = call.outputType("0");
    boolean isKnown = from != DataType.UNKNOWN && to != DataType.UNKNOWN;
    boolean isTest = to == DataType.BOOL && !CreationShapes.isWhole(from);
    if (x.hasElements() && isKnown && !isTest) {
      result = result.withElements(cast(x.elements(), from, to));
    }
    call.out("0", result);
  }

  private static @Nullable List<SymbolicExtent> cast(
      ImmutableList<SymbolicExtent> elements, DataType from, DataType to) {
    List<SymbolicExtent> results = new ArrayList<>();
    for (SymbolicExtent element : elements) {
      SymbolicExtent result;
      if (to == DataType.BOOL) {
        result = element.map("bool", element.value() != 0 ? 1 : 0);
      } else if (!CreationShapes.isWhole(to)) {
        result = representable(to, element);
      } else if (CreationShapes.isWhole(from)) {
        result = element;
      } else {
        double value = element.value();
        result = element.map("towards zero", value < 0 ? Math.ceil(value) : Math.floor(value));
      }
      if (result == null) {
        return null;
      }
      results.add(result);
    }
    return results;
  }

  /** {@code Clip}: the limits are inputs, or attributes before opset 11. */
  static void clip(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape result = AbstractShape.of(x.dims());
    boolean hasLimits = hasNumberOrNone(call, "1") && hasNumberOrNone(call, "2");
    if (!x.hasElements() || !hasLimits) {
      call.out("0", result);
      return;
    }
    List<SymbolicExtent> elements = new ArrayList<>();
    for (SymbolicExtent element : x.elements()) {
      SymbolicExtent clipped = element;
      if (OnnxInputs.has(call, "1", "min")) {
        clipped = clipped.max(OnnxInputs.number(call, "1", "min", 0));
      }
      if (OnnxInputs.has(call, "2", "max")) {
        clipped = clipped.min(OnnxInputs.number(call, "2", "max", 0));
      }
      elements.add(clipped);
    }
    call.out("0", result.withElements(elements));
  }

  private static boolean hasNumberOrNone(ShapeCall call, String slot) {
    return !call.has(slot) || call.in(slot).hasElements();
  }

  /** {@code Where}: the three inputs broadcast; each element is one of input 1 or of input 2. */
  static void where(ShapeCall call) {
    AbstractShape condition = call.in("0");
    AbstractShape x = call.in("1");
    AbstractShape y = call.in("2");
    ImmutableList<SymbolicExtent> dims =
        ElementwiseShapes.broadcastDims(
            call,
            ElementwiseShapes.broadcastDims(call, condition.dims(), x.dims(), -1),
            y.dims(),
            -1);
    AbstractShape result = AbstractShape.of(dims);
    call.out("0", result.withElements(chosen(condition, x, y, result)));
  }

  private static @Nullable List<SymbolicExtent> chosen(
      AbstractShape condition, AbstractShape x, AbstractShape y, AbstractShape result) {
    List<SymbolicExtent> tests = repeated(condition, result);
    List<SymbolicExtent> left = repeated(x, result);
    List<SymbolicExtent> right = repeated(y, result);
    if (tests == null || left == null || right == null) {
      return null;
    }
    List<SymbolicExtent> elements = new ArrayList<>();
    for (int i = 0; i < tests.size(); i++) {
      SymbolicExtent test = tests.get(i);
      boolean same = left.get(i).isSame(right.get(i));
      if (!test.isExact() && !same) {
        return null;
      }
      SymbolicExtent taken = same || !test.is(0) ? left.get(i) : right.get(i);
      boolean always = same || test.isConstant();
      elements.add(always ? taken : taken.combined("where", test, taken.value()));
    }
    return elements;
  }

  /**
   * Returns the elements, broadcast to a result; null if they are not followed, or if the tensor
   * has neither the shape of the result nor a single element.
   */
  private static @Nullable List<SymbolicExtent> repeated(AbstractShape x, AbstractShape result) {
    if (x.hasElements() && x.dims().equals(result.dims())) {
      return x.elements();
    }
    return x.hasElements() && x.elements().size() == 1 ? RepeatShapes.repeated(x, result) : null;
  }
}
