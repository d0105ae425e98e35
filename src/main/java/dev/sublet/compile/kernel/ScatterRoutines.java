package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.List;

/**
 * Scattering in C: a copy of a tensor, whose elements at computed indices are replaced or combined
 * with others, in the order of the indices.
 */
final class ScatterRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "scatter",
          ScatterRoutines::rows,
          "scatter_nd_add",
          call -> {
            Tensor index = call.input("Index");
            long depth = call.shapeFrom("Index", 1).get(index.rank() - 1);
            return parts(call, new Slots("X", "Index", "Updates", "Out"), depth, 1, false);
          },
          "ScatterND",
          call -> {
            long depth = call.shapeFrom("1", 1).get(call.input("1").rank() - 1);
            Slots slots = new Slots("0", "1", "2", "0");
            return parts(call, slots, depth, reduction(call), /* wraps= */ true);
          },
          "ScatterElements",
          ScatterRoutines::elements,
          "Scatter",
          ScatterRoutines::elements);

  private static final List<String> REDUCTIONS = List.of("none", "add", "mul", "max", "min");

  private ScatterRoutines() {}

  private record Slots(String x, String index, String updates, String out) {}

  /**
   * How rows are scattered.
   *
   * @param depth the axes that an index has
   * @param kind the position in {@link #REDUCTIONS}; -1 to fill with zeros
   * @param wraps whether a negative index counts from the end
   */
  private record ScatteredRows(long rows, int depth, int kind, boolean wraps) {}

  private static int reduction(OperatorCall call) {
    int kind = REDUCTIONS.indexOf(call.text("reduction", "none"));
    if (kind < 0) {
      throw new OperatorException("a reduction '" + call.text("reduction", "") + "'");
    }
    return kind;
  }

  /** Begins a routine with a copy of the tensor. */
  private static RoutineBuilder copy(OperatorCall call, Slots slots, int kind) {
    Tensor x = call.input(slots.x());
    ElementType indices = call.input(slots.index()).type();
    boolean isWhole = indices == ElementType.INT32 || indices == ElementType.INT64;
    if (!isWhole || call.input(slots.updates()).type() != x.type()) {
      throw new OperatorException("updates or indices of another type than " + x.type());
    }
    if (kind != 0 && x.type() == ElementType.BOOL) {
      throw new UncompiledException("computes with " + x.type());
    }
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare(slots.out(), x.type(), x.shape().toArray());
    routine.call("copy_bytes").numbers((long) x.length() * x.type().bytes());
    return routine.in(slots.x()).toOut(slots.out());
  }

  /** Replaces rows by updates; without {@code overwrite}, by the sum of all their updates. */
  private static CRoutine rows(OperatorCall call) {
    Slots slots = new Slots("X", "Ids", "Updates", "Out");
    boolean overwrites = call.flag("overwrite", true);
    call.shapeFrom("X", 1);
    RoutineBuilder routine = copy(call, slots, overwrites ? 0 : 1);
    if (!overwrites) {
      scatter(call, routine, slots, new ScatteredRows(call.input("Ids").length(), 1, -1, false));
    }
    int kind = overwrites ? 0 : 1;
    scatter(call, routine, slots, new ScatteredRows(call.input("Ids").length(), 1, kind, false));
    return routine.build();
  }

  /** Combines the parts of a tensor that the rows of an index denote with updates. */
  private static CRoutine parts(
      OperatorCall call, Slots slots, long depth, int kind, boolean wraps) {
    long[] shape = call.shape(slots.x()).toArray();
    if (depth > shape.length) {
      throw new OperatorException("an index of " + depth + " columns for " + call.shape(slots.x()));
    }
    long width = Shapes.count(shape, (int) depth, shape.length);
    long rows = width == 0 ? 0 : call.input(slots.updates()).length() / width;
    if (call.input(slots.index()).length() < rows * depth) {
      throw new OperatorException(
          "index of shape " + call.shape(slots.index()) + " for " + rows + " updates");
    }
    RoutineBuilder routine = copy(call, slots, kind);
    scatter(call, routine, slots, new ScatteredRows(rows, (int) depth, kind, wraps));
    return routine.build();
  }

  private static void scatter(
      OperatorCall call, RoutineBuilder routine, Slots slots, ScatteredRows how) {
    Tensor x = call.input(slots.x());
    long[] shape = x.shape().toArray();
    long width = Shapes.count(shape, how.depth(), shape.length);
    if (call.input(slots.updates()).length() < how.rows() * width) {
      throw new OperatorException(
          "updates " + call.shape(slots.updates()) + " for " + how.rows() + " rows of " + width);
    }
    routine.call("scatter_" + CLibrary.suffix(x.type())).numbers(how.rows(), how.depth(), width);
    routine.list(x.shape()).flag(how.wraps()).numbers(how.kind()).in(slots.index());
    routine.numbers(call.input(slots.index()).type().bytes());
    routine.in(slots.updates()).toOut(slots.out());
  }

  private static CRoutine elements(OperatorCall call) {
    Slots slots = new Slots("0", "1", "2", "0");
    Tensor x = call.input("0");
    ImmutableLongArray own = call.shape("1");
    int axis = Shapes.axis(call.integer("axis", 0), x.rank());
    boolean fits = own.length() == x.rank() && own.equals(call.shape("2"));
    for (int i = 0; fits && i < own.length(); i++) {
      fits = i == axis || own.get(i) <= x.size(i);
    }
    if (!fits) {
      throw new OperatorException("indices " + own + " for a tensor " + x.shape());
    }
    int kind = reduction(call);
    RoutineBuilder routine = copy(call, slots, kind);
    routine.call("scatter_elements_" + CLibrary.suffix(x.type()));
    routine.numbers(call.input("2").length(), x.rank(), axis).list(own).list(x.shape());
    routine.numbers(kind).in("1").numbers(call.input("1").type().bytes());
    return routine.in("2").toOut("0").build();
  }
}
