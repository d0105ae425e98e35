package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.compile.kernel.CRoutine.Place;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Sorting and running sums in C. */
final class OrderRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "argsort",
          call -> {
            Tensor x = call.input("X");
            int axis = Shapes.axis(call.integer("axis", -1), x.rank());
            Sorted sorted = new Sorted("X", "Out", "Indices", axis, x.size(axis));
            return top(call, sorted, call.flag("descending", false));
          },
          "top_k",
          call -> {
            long k = IntegerArguments.single(call, "k", 1, "K");
            int axis = Shapes.axis(-1, call.input("X").rank());
            return top(call, new Sorted("X", "Out", "Indices", axis, k), /* descending= */ true);
          },
          "top_k_v2",
          call -> {
            long k = IntegerArguments.single(call, "k", 1, "K");
            int axis = Shapes.axis(call.integer("axis", -1), call.input("X").rank());
            Sorted sorted = new Sorted("X", "Out", "Indices", axis, k);
            return top(call, sorted, call.flag("largest", true));
          },
          "TopK",
          call -> {
            long k = IntegerArguments.single(call, "k", 0, "1");
            int axis = Shapes.axis(call.integer("axis", -1), call.input("0").rank());
            return top(call, new Sorted("0", "0", "1", axis, k), call.flag("largest", true));
          },
          "cumsum",
          call -> {
            boolean flat = call.flag("flatten", false);
            int rank = call.input("X").rank();
            int axis = flat ? 0 : Shapes.axis(call.integer("axis", -1), rank);
            return sums(call, "X", "Out", flat, axis);
          },
          "CumSum",
          call -> {
            int axis = Shapes.axis(call.scalarInput("1").getLong(0), call.input("0").rank());
            return sums(call, "0", "0", /* flat= */ false, axis);
          });

  private OrderRoutines() {}

  /**
   * The first k elements along an axis.
   *
   * @param x the slot of the input
   * @param elements the slot of the elements
   * @param indices the slot of their indices
   */
  private record Sorted(String x, String elements, String indices, int axis, long k) {}

  private static CRoutine top(OperatorCall call, Sorted sorted, boolean descending) {
    Tensor x = call.input(sorted.x());
    long[] shape = x.shape().toArray();
    long extent = shape[sorted.axis()];
    long inner = Shapes.count(shape, sorted.axis() + 1, shape.length);
    if (sorted.k() < 0 || sorted.k() > extent) {
      throw new OperatorException("the first " + sorted.k() + " of " + extent);
    }
    long[] top = Shapes.with(shape, sorted.axis(), sorted.k());
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare(sorted.elements(), x.type(), top);
    routine.declare(sorted.indices(), ElementType.INT64, top);
    Place heap = routine.reserve(4 * sorted.k());
    long lines = extent == 0 ? 0 : x.length() / extent;
    return routine
        .call("top_" + CLibrary.suffix(x.type()))
        .numbers(lines, inner, extent, sorted.k())
        .flag(descending)
        .in(sorted.x())
        .toOut(sorted.elements())
        .toOut(sorted.indices())
        .scratch(heap)
        .build();
  }

  private static CRoutine sums(OperatorCall call, String in, String out, boolean flat, int axis) {
    Tensor x = call.input(in);
    if (x.type() == ElementType.BOOL) {
      throw new UncompiledException("computes with " + x.type());
    }
    ImmutableLongArray shape = flat ? ImmutableLongArray.of(x.length()) : x.shape();
    long[] extents = shape.toArray();
    long extent = extents[axis];
    return new RoutineBuilder(call)
        .declare(out, x.type(), extents)
        .call("cumsum_" + CLibrary.suffix(x.type()))
        .numbers(extent == 0 ? 0 : x.length() / extent)
        .numbers(Shapes.count(extents, axis + 1, extents.length), extent)
        .flag(call.flag("exclusive", false))
        .flag(call.flag("reverse", false))
        .in(in)
        .toOut(out)
        .build();
  }
}
