package dev.sublet.compile.kernel;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sublet.compile.kernel.CRoutine.CArgument;
import dev.sublet.compile.kernel.CRoutine.Literal;
import dev.sublet.compile.kernel.CRoutine.Place;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Builds a {@link CRoutine}, argument by argument.
 *
 * <pre>{@code
 * routine.out("Out", FLOAT32, shape);
 * routine.call("copy").number(n).in("X").toOut("Out");
 * }</pre>
 */
final class RoutineBuilder {

  private final OperatorCall operator;
  private final ImmutableList.Builder<CRoutine.Call> calls = ImmutableList.builder();
  private final ImmutableMap.Builder<String, Tensor> outputs = ImmutableMap.builder();
  private final ImmutableSet.Builder<String> dynamic = ImmutableSet.builder();
  private final ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> lods =
      ImmutableMap.builder();
  private long scratch;

  private String function = "";
  private ImmutableList.Builder<CArgument> arguments = ImmutableList.builder();

  RoutineBuilder(OperatorCall operator) {
    this.operator = operator;
  }

  /** Declares an output. */
  @CanIgnoreReturnValue
  RoutineBuilder declare(String slot, int argument, ElementType type, long... shape) {
    outputs.put(
        LoweringCall.outputName(slot, argument),
        Tensor.withoutElements(type, ImmutableLongArray.copyOf(shape)));
    return this;
  }

  /** Declares the first output of a slot, if the operator wants it. */
  @CanIgnoreReturnValue
  RoutineBuilder declare(String slot, ElementType type, long... shape) {
    return operator.wants(slot) ? declare(slot, 0, type, shape) : this;
  }

  /** Declares an output whose shape depends on data, by its largest shape. */
  @CanIgnoreReturnValue
  RoutineBuilder declareDynamic(String slot, ElementType type, long... largest) {
    if (operator.wants(slot)) {
      declare(slot, 0, type, largest);
      String name = LoweringCall.outputName(slot, 0);
      outputs.put(
          name + CRoutine.SHAPE,
          Tensor.withoutElements(ElementType.INT64, ImmutableLongArray.of(largest.length)));
      dynamic.add(name);
    }
    return this;
  }

  /** Sets the sequences of an output. */
  @CanIgnoreReturnValue
  RoutineBuilder withLod(String slot, ImmutableList<ImmutableLongArray> lod) {
    lods.put(LoweringCall.outputName(slot, 0), lod);
    return this;
  }

  /** Reserves scratch memory, and returns its place. */
  Place reserve(long bytes) {
    Place place = new Place(Place.Kind.SCRATCH, "", scratch);
    scratch += CRoutine.aligned(bytes);
    return place;
  }

  /** Begins a call of a function. */
  @CanIgnoreReturnValue
  RoutineBuilder call(String name) {
    endCall();
    function = name;
    return this;
  }

  private void endCall() {
    if (!function.isEmpty()) {
      calls.add(new CRoutine.Call(function, arguments.build()));
      arguments = ImmutableList.builder();
    }
  }

  /** Passes integers. */
  @CanIgnoreReturnValue
  RoutineBuilder numbers(long... numbers) {
    for (long number : numbers) {
      arguments.add(new Literal(literal(number)));
    }
    return this;
  }

  /** Passes a list of integers of 64 bits. */
  @CanIgnoreReturnValue
  RoutineBuilder list(ImmutableLongArray numbers) {
    arguments.add(new CRoutine.Numbers(numbers));
    return this;
  }

  static String literal(long number) {
    return number == (int) number
        ? Long.toString(number)
        : number == Long.MIN_VALUE ? "INT64_MIN" : "INT64_C(" + number + ")";
  }

  /** Passes a flag. */
  @CanIgnoreReturnValue
  RoutineBuilder flag(boolean flag) {
    return numbers(flag ? 1 : 0);
  }

  /** Passes a float. */
  @CanIgnoreReturnValue
  RoutineBuilder real(float number) {
    arguments.add(new Literal(real(number, Float.toHexString(number) + "f")));
    return this;
  }

  /** Passes a double. */
  @CanIgnoreReturnValue
  RoutineBuilder real(double number) {
    arguments.add(new Literal(real(number, Double.toHexString(number))));
    return this;
  }

  private static String real(double number, String text) {
    return Double.isNaN(number)
        ? "NAN"
        : Double.isInfinite(number) ? (number > 0 ? "INFINITY" : "-INFINITY") : text;
  }

  /** Passes the first input of a slot; {@code NULL} if it has none. */
  @CanIgnoreReturnValue
  RoutineBuilder in(String slot) {
    return in(slot, 0, 0);
  }

  /**
   * Passes an input.
   *
   * @param offset in bytes
   */
  @CanIgnoreReturnValue
  RoutineBuilder in(String slot, int argument, long offset) {
    arguments.add(
        argument < operator.arguments(slot).size()
            ? new Place(Place.Kind.INPUT, LoweringCall.argumentName(slot, argument), offset)
            : new Literal("NULL"));
    return this;
  }

  /** Passes the first output of a slot; {@code NULL} if nothing reads it. */
  @CanIgnoreReturnValue
  RoutineBuilder toOut(String slot) {
    return toOut(slot, 0, 0);
  }

  /**
   * Passes an output.
   *
   * @param offset in bytes
   */
  @CanIgnoreReturnValue
  RoutineBuilder toOut(String slot, int argument, long offset) {
    String name = LoweringCall.outputName(slot, argument);
    arguments.add(new Place(Place.Kind.OUTPUT, name, offset));
    return this;
  }

  /** Passes the place of an output's extents. */
  @CanIgnoreReturnValue
  RoutineBuilder toShape(String slot) {
    String name = LoweringCall.outputName(slot, 0) + CRoutine.SHAPE;
    arguments.add(new Place(Place.Kind.OUTPUT, name, 0));
    return this;
  }

  /** Passes scratch memory. */
  @CanIgnoreReturnValue
  RoutineBuilder scratch(Place place) {
    checkState(place.kind() == Place.Kind.SCRATCH, "no scratch memory");
    arguments.add(place);
    return this;
  }

  /** Passes a pointer to a C function. */
  @CanIgnoreReturnValue
  RoutineBuilder function(String name) {
    arguments.add(new CRoutine.FunctionName(name));
    return this;
  }

  /** Passes {@code NULL}. */
  @CanIgnoreReturnValue
  RoutineBuilder none() {
    arguments.add(new Literal("NULL"));
    return this;
  }

  /** Returns the routine. */
  CRoutine build() {
    endCall();
    return new CRoutine(
        calls.build(), outputs.buildOrThrow(), dynamic.build(), lods.buildOrThrow(), scratch);
  }
}
