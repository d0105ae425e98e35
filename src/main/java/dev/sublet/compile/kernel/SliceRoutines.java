package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.compile.kernel.CRoutine.Place;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.shape.AttributeValues;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code set_value} in C, for the calls that are no nest of loops: those with a list of numbers as
 * the value, and those whose slice is known only when the model runs.
 */
final class SliceRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of("set_value", SliceRoutines::setValue);

  /** The numbers of a range in C: start, stride and extent. */
  private static final int RANGE = 3;

  private static final int BYTES = 8;

  private SliceRoutines() {}

  private static CRoutine setValue(OperatorCall call) {
    Tensor input = call.input("Input");
    ElementType type = input.type();
    long[] shape = input.shape().toArray();
    if (shape.length == 0) {
      throw new OperatorException("a slice of a tensor without axes");
    }
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare("Out", type, shape);
    routine.call("copy_bytes").numbers((long) input.length() * type.bytes());
    routine.in("Input").toOut("Out");
    Place ranges = routine.reserve((long) shape.length * RANGE * BYTES);
    ranges(call, routine, shape, ranges);
    Tensor value = call.has("ValueTensor") ? call.input("ValueTensor") : listed(call, type);
    if (value.type() != type) {
      throw new OperatorException("values of " + value.type() + " for a tensor of " + type);
    }
    if (call.has("ValueTensor")) {
      slice(call, routine, value, ranges);
      return routine.in("ValueTensor").toOut("Out").build();
    }
    Place numbers = routine.reserve((long) value.length() * type.bytes());
    if (value.length() > 0) {
      routine.call("put_numbers_" + CLibrary.suffix(type)).numbers(value.length());
      routine.list(bits(value)).scratch(numbers);
    }
    slice(call, routine, value, ranges);
    return routine.scratch(numbers).toOut("Out").build();
  }

  /** Begins the call that replaces the slice. */
  private static void slice(OperatorCall call, RoutineBuilder routine, Tensor value, Place ranges) {
    ImmutableLongArray shape = call.shape("Input");
    routine.call("set_slice_" + CLibrary.suffix(value.type())).numbers(shape.length());
    routine.list(shape).list(extents(call, value, shape.length())).scratch(ranges);
  }

  private static Tensor listed(OperatorCall call, ElementType type) {
    ElementType given = ElementTypes.ofNumber(call.integer("dtype", -1), type);
    return AttributeValues.of(call, given, ImmutableLongArray.copyOf(call.integers("shape")));
  }

  /** Returns a list of integers, or the bits of numbers in float64. */
  private static ImmutableLongArray bits(Tensor value) {
    ImmutableLongArray.Builder bits = ImmutableLongArray.builder();
    for (int i = 0; i < value.length(); i++) {
      bits.add(
          value.type().isFloating()
              ? Double.doubleToRawLongBits(value.getDouble(i))
              : value.getLong(i));
    }
    return bits.build();
  }

  /** Writes the range of the slice along each axis to scratch memory. */
  private static void ranges(
      OperatorCall call, RoutineBuilder routine, long[] shape, Place ranges) {
    for (int axis = 0; axis < shape.length; axis++) {
      routine.call("whole_range").numbers(axis, shape[axis]).scratch(ranges);
    }
    long[] axes = IntegerArguments.attribute(call, "axes");
    for (int i = 0; i < axes.length; i++) {
      if (axes[i] < 0) {
        throw new OperatorException("a negative axis");
      }
      int axis = Shapes.axis(axes[i], shape.length);
      routine.call("slice_range").numbers(axis, shape[axis]);
      limit(call, routine, new Limit("starts", "StartsTensorList", i, axes.length));
      limit(call, routine, new Limit("ends", "EndsTensorList", i, axes.length));
      limit(call, routine, new Limit("steps", "StepsTensorList", i, axes.length));
      routine.scratch(ranges);
    }
  }

  /** One of {@code count} integers, in an attribute or a slot. */
  private record Limit(String attribute, String slot, int i, int count) {}

  private static void limit(OperatorCall call, RoutineBuilder routine, Limit limit) {
    ImmutableList<LodTensor> tensors = call.arguments(limit.slot());
    long[] numbers = IntegerArguments.attribute(call, limit.attribute());
    if (tensors.isEmpty() && numbers.length == 0 && limit.attribute().equals("steps")) {
      routine.list(ImmutableLongArray.of(1)).numbers(BYTES);
      return;
    }
    int count = tensors.isEmpty() ? numbers.length : tensors.size();
    if (count != limit.count()) {
      throw new OperatorException(count + " " + limit.attribute() + " for other axes");
    }
    if (tensors.isEmpty()) {
      routine.list(ImmutableLongArray.of(numbers[limit.i()])).numbers(BYTES);
      return;
    }
    Tensor tensor = tensors.get(limit.i()).tensor();
    boolean isWhole = tensor.type() == ElementType.INT32 || tensor.type() == ElementType.INT64;
    if (!isWhole || tensor.length() == 0) {
      throw new OperatorException(limit.slot() + " is " + tensor.type() + tensor.shape());
    }
    routine.in(limit.slot(), limit.i(), 0).numbers(tensor.type().bytes());
  }

  /**
   * Returns the extent of the value along each axis of the tensor: 1 where it repeats, -1 where the
   * slice has one element and loses the axis.
   */
  private static ImmutableLongArray extents(OperatorCall call, Tensor value, int rank) {
    List<Integer> axes = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      axes.add(axis);
    }
    for (long gone : IntegerArguments.attribute(call, "decrease_axes")) {
      axes.remove((Integer) Shapes.axis(gone, rank));
    }
    if (axes.isEmpty()) {
      axes.add(-1);
    }
    for (long added : IntegerArguments.attribute(call, "none_axes")) {
      axes.add(Shapes.axis(added, axes.size() + 1), -1);
    }
    if (value.rank() > axes.size()) {
      throw new OperatorException("a value of " + value.shape() + " for " + axes.size() + " axes");
    }
    long[] extents = new long[rank];
    Arrays.fill(extents, -1);
    for (int i = 0; i < axes.size(); i++) {
      int own = i - (axes.size() - value.rank());
      long extent = own < 0 ? 1 : value.size(own);
      if (axes.get(i) >= 0) {
        extents[axes.get(i)] = extent;
      } else if (extent != 1) {
        throw new OperatorException("a value of " + value.shape() + " for an axis of extent 1");
      }
    }
    return ImmutableLongArray.copyOf(extents);
  }
}
