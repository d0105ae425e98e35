package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.GivenList;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.program.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shape rules for operators that create tensors from attributes and the elements of other tensors.
 */
public final class CreationShapes {

  /**
   * The maximum number of elements of a constant whose elements are tracked. No program computes
   * extents with larger constants.
   */
  private static final int MAX_CONSTANTS = 64;

  private CreationShapes() {}

  /**
   * Returns the extents in {@code ShapeTensor}, in {@code ShapeTensorList}, or in {@code shape}.
   */
  static List<SymbolicExtent> shape(ShapeCall call) {
    return numbers(call, "ShapeTensor", "ShapeTensorList", "shape");
  }

  /**
   * Returns the numbers from the first of these sources that is given: a tensor, a list of tensors
   * of one element each, an attribute.
   */
  static List<SymbolicExtent> numbers(
      ShapeCall call, String tensor, String tensors, String attribute) {
    return new GivenList<>(attribute, listed(call, tensor, tensors, attribute));
  }

  private static ImmutableList<SymbolicExtent> listed(
      ShapeCall call, String tensor, String tensors, String attribute) {
    if (call.has(tensor) && !tensor.equals(tensors)) {
      return call.in(tensor).elements();
    }
    ImmutableList.Builder<SymbolicExtent> numbers = ImmutableList.builder();
    if (call.has(tensors)) {
      for (AbstractShape one : call.all(tensors)) {
        if (one.hasElements() && one.elements().size() == 1) {
          numbers.add(one.elements().get(0));
        } else {
          String cause = "it depends on the elements of a tensor in " + tensors;
          numbers.add(call.unknown(tensors + numbers.build().size(), cause));
        }
      }
      return numbers.build();
    }
    for (long number : call.required(attribute)) {
      numbers.add(SymbolicExtent.of(number));
    }
    return numbers.build();
  }

  /**
   * Gives {@code Out} the extents in {@code ShapeTensor} or in {@code shape}. If both are given,
   * Paddle 2.3 takes {@code shape}, and another version may take {@code ShapeTensor}.
   */
  static void ofShape(ShapeCall call) {
    AbstractShape given = AbstractShape.of(shape(call));
    boolean hasBoth = call.has("ShapeTensor") && !call.integers("shape").isEmpty();
    call.out("Out", hasBoth ? call.either(given, ofAttribute(call)) : given);
  }

  private static AbstractShape ofAttribute(ShapeCall call) {
    List<SymbolicExtent> extents = new ArrayList<>();
    call.integers("shape").forEach(extent -> extents.add(SymbolicExtent.of(extent)));
    return AbstractShape.of(extents);
  }

  /** {@code fill_constant}: the elements are tracked too. */
  static void fillConstant(ShapeCall call) {
    AbstractShape result = AbstractShape.of(shape(call));
    call.out("Out", result.withElements(constants(call, result)));
  }

  private static @Nullable List<SymbolicExtent> constants(ShapeCall call, AbstractShape result) {
    SymbolicExtent count = result.count();
    if (!count.isExact() || count.value() < 0 || count.value() > MAX_CONSTANTS) {
      return null; // no tensor has a negative extent
    }
    SymbolicExtent value;
    if (call.has("ValueTensor")) {
      AbstractShape given = call.in("ValueTensor");
      if (!given.hasElements() || given.elements().isEmpty()) {
        return null;
      }
      value = given.elements().get(0);
    } else {
      Double number = value(call);
      if (number == null) {
        return null;
      }
      value = SymbolicExtent.of(converted(number, call.outputType("Out")));
    }
    return Collections.nCopies((int) count.value(), value);
  }

  /** Returns the number as an element of the given type; whole types cut fractions off. */
  private static double converted(double number, DataType type) {
    double whole = number < 0 ? Math.ceil(number) : Math.floor(number);
    return !isWhole(type) ? number : type == DataType.BOOL ? (number == 0 ? 0 : 1) : whole;
  }

  private static @Nullable Double value(ShapeCall call) {
    String text = call.text("str_value", "");
    if (text.isEmpty()) {
      return call.real("value", 0);
    }
    try {
      double value = Double.parseDouble(text);
      return Double.isNaN(value) || Double.isInfinite(value) ? null : value;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * Gives {@code Out} the extents in {@code shape}, with one extent taken from {@code Input}: the
   * number of sequences for the first axis of an input with sequences.
   */
  static void batchSizeLike(ShapeCall call) {
    extentLike(call, /* countsSequences= */ true);
  }

  /** Gives {@code Out} the extents in {@code shape}, with one extent taken from {@code Input}. */
  static void rowsLike(ShapeCall call) {
    extentLike(call, /* countsSequences= */ false);
  }

  private static void extentLike(ShapeCall call, boolean countsSequences) {
    List<SymbolicExtent> dims = new ArrayList<>();
    for (long extent : call.required("shape")) {
      dims.add(SymbolicExtent.of(extent));
    }
    AbstractShape input = call.in("Input");
    int from = call.axis(call.integer("input_dim_idx", 0), input.rank());
    int to = call.axis(call.integer("output_dim_idx", 0), dims.size());
    SymbolicExtent batch =
        countsSequences && from == 0 && Offsets.mayExist(input)
            ? Offsets.count(call, input, -1)
            : input.dim(from);
    call.out("Out", AbstractShape.of(DimLists.with(dims, to, batch)));
  }

  /** {@code fill_any_like}: the shape of {@code X}, with one value everywhere. */
  static void fillLike(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent count = x.count();
    boolean small = count.isExact() && count.value() >= 0 && count.value() <= MAX_CONSTANTS;
    double value = call.real("value", 0);
    call.out(
        "Out",
        x.withElements(
            small ? Collections.nCopies((int) count.value(), SymbolicExtent.of(value)) : null));
  }

  /**
   * {@code assign_value}: the elements are in an attribute whose name depends on the element type.
   */
  static void assignValue(ShapeCall call) {
    List<SymbolicExtent> elements = new ArrayList<>();
    for (String name :
        new String[] {"values", "int32_values", "int64_values", "fp32_values", "bool_values"}) {
      if (elements.isEmpty()) {
        call.reals(name).forEach(value -> elements.add(SymbolicExtent.of(value.doubleValue())));
      }
    }
    for (long extent : call.integers("shape")) {
      if (extent < 0) {
        throw new ShapeMismatchException("attribute shape has an extent of " + extent);
      }
    }
    AbstractShape result = AbstractShape.of(shape(call));
    boolean complete = result.count().is(elements.size());
    call.out("Out", result.withElements(complete ? elements : null));
  }

  /** {@code eye}: {@code [num_rows, num_columns]}. */
  static void eye(ShapeCall call) {
    int rows = call.integer("num_rows", 0);
    int columns = call.integer("num_columns", -1);
    call.out("Out", AbstractShape.of(rows, columns < 0 ? rows : columns));
  }

  /** {@code linspace}: {@code Num} elements. */
  static void linspace(ShapeCall call) {
    call.out("Out", AbstractShape.of(call.number("Num")));
  }

  /** {@code range}: from {@code Start} to before {@code End}, in steps of {@code Step}. */
  public static void range(ShapeCall call) {
    call.out("Out", range(call, call.number("Start"), call.number("End"), call.number("Step")));
  }

  /**
   * Returns the shape of the numbers from {@code start} to before {@code end}, in steps of {@code
   * step}.
   */
  public static AbstractShape range(
      ShapeCall call, SymbolicExtent start, SymbolicExtent end, SymbolicExtent step) {
    if (!step.isExact() || step.value() == 0) {
      throw new UnknownShapeException("the step of a range is not known");
    }
    SymbolicExtent span = end.minus(start);
    SymbolicExtent count =
        step.value() > 0 && step.isConstant() && step.value() == Math.rint(step.value())
            ? span.ceilDividedBy(step.value())
            : span.isExact()
                ? call.computed("count", (long) Math.ceil(span.value() / step.value()))
                : call.unknown("count", span.isKnown() ? "it is a range of data" : span.cause());
    if (count.isExact() && count.value() < 0) {
      count = SymbolicExtent.of(0);
    }
    return AbstractShape.of(count).withElements(rangeElements(start, step, count));
  }

  private static @Nullable List<SymbolicExtent> rangeElements(
      SymbolicExtent start, SymbolicExtent step, SymbolicExtent count) {
    if (!count.isExact() || count.value() > AbstractShape.MAX_ELEMENTS) {
      return null;
    }
    List<SymbolicExtent> elements = new ArrayList<>();
    for (int i = 0; i < count.value(); i++) {
      elements.add(start.plus(step.times(i)));
    }
    return elements;
  }

  /** {@code randperm}: {@code n} numbers. */
  static void permutation(ShapeCall call) {
    call.out("Out", AbstractShape.of(call.integer("n", 0)));
  }

  /** {@code multinomial}: {@code num_samples} numbers per distribution. */
  static void multinomial(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent samples = SymbolicExtent.of(call.integer("num_samples", 1));
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), x.rank() - 1, samples)));
  }

  /** {@code sampling_id}: one number per row. */
  static void samplingId(ShapeCall call) {
    call.out("Out", AbstractShape.of(call.in("X").dim(0)));
  }

  /**
   * {@code tril_indices}, {@code triu_indices}: row and column of at most all positions of a
   * matrix.
   */
  static void triangleIndices(ShapeCall call) {
    long rows = call.integer("rows", call.integer("row", 0));
    long columns = call.integer("cols", call.integer("col", 0));
    SymbolicExtent count = call.atMost("count", SymbolicExtent.of(rows * columns));
    AbstractShape result = AbstractShape.of(SymbolicExtent.of(2), count);
    call.out("Out", result);
    call.out("out", result);
  }

  /** Gives {@code Out} one number, {@code [1]}, that is not tracked. */
  static void one(ShapeCall call) {
    call.out("Out", AbstractShape.of(1));
  }

  /** Whether the elements of a type are whole numbers or booleans. */
  public static boolean isWhole(DataType type) {
    return switch (type) {
      case BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, SIZE_T -> true;
      default -> false;
    };
  }
}
