package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Selections in C: as many elements as a condition is true for. */
final class SelectionRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "where_index",
          call -> indices(call, "Condition", "Out", /* byAxis= */ false),
          "NonZero",
          call -> indices(call, "0", "0", /* byAxis= */ true),
          "masked_select",
          SelectionRoutines::maskedSelect,
          "Compress",
          SelectionRoutines::compress);

  private SelectionRoutines() {}

  /** Returns the indices of nonzero elements: a row for each element, or for each axis. */
  private static CRoutine indices(OperatorCall call, String in, String out, boolean byAxis) {
    Tensor x = call.input(in);
    long[] shape = x.rank() == 0 && byAxis ? new long[] {1} : x.shape().toArray();
    int rank = shape.length;
    if (rank == 0) {
      throw new UncompiledException("a condition without axes");
    }
    int counted = byAxis ? 1 : 0;
    long[] largest = {x.length(), x.length()};
    largest[1 - counted] = rank;
    String suffix = CLibrary.suffix(x.type());
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declareDynamic(out, ElementType.INT64, largest);
    routine.call("put_extent").numbers(1 - counted, rank).toShape(out);
    routine.call("nonzero_count_" + suffix).numbers(x.length());
    routine.in(in).numbers(counted).toShape(out);
    for (int axis = 0; axis < rank; axis++) {
      routine.call("nonzero_axis_" + suffix);
      routine.numbers(x.length(), Shapes.count(shape, axis + 1, rank), shape[axis], axis, rank);
      routine.flag(byAxis).in(in).toShape(out).toOut(out);
    }
    return routine.build();
  }

  private static CRoutine maskedSelect(OperatorCall call) {
    Tensor x = call.input("X");
    Tensor mask = call.input("Mask");
    if (!mask.shape().equals(x.shape())) {
      throw new OperatorException("a mask " + mask.shape() + " for " + x.shape());
    }
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declareDynamic("Y", x.type(), x.length());
    routine.call("compress_" + CLibrary.suffix(mask.type()));
    routine.numbers(1, x.length(), x.type().bytes(), mask.length(), 0);
    return routine.in("X").in("Mask").toOut("Y").toShape("Y").build();
  }

  /** Keeps the slices along an axis, or the elements, for which a condition is true. */
  private static CRoutine compress(OperatorCall call) {
    Tensor x = call.input("0");
    Tensor condition = call.input("1");
    boolean flat = call.operation().attribute("axis").isEmpty();
    int axis = flat ? 0 : Shapes.axis(call.integer("axis", 0), x.rank());
    long[] shape = flat ? new long[] {x.length()} : x.shape().toArray();
    CLibrary.suffix(x.type());
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declareDynamic("0", x.type(), shape);
    for (int i = 0; i < shape.length; i++) {
      if (i != axis) {
        routine.call("put_extent").numbers(i, shape[i]).toShape("0");
      }
    }
    routine.call("compress_" + CLibrary.suffix(condition.type()));
    routine.numbers(Shapes.count(shape, 0, axis), shape[axis]);
    routine.numbers(Shapes.count(shape, axis + 1, shape.length) * x.type().bytes());
    routine.numbers(condition.length(), axis);
    return routine.in("0").in("1").toOut("0").toShape("0").build();
  }
}
