package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.number;

import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/** Operators that read elements at the indices in another tensor, and one-hot vectors. */
public final class GatherLowerings {

  private GatherLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("gather", GatherLowerings::gather);
    kernels.differentiated("gather_nd", GatherLowerings::gatherNd);
    kernels.differentiated("index_sample", GatherLowerings::indexSample);
    kernels.differentiated("index_select", GatherLowerings::indexSelect);
    kernels.lowered("one_hot", lowering -> oneHot(lowering, /* column= */ true));
    kernels.lowered("one_hot_v2", lowering -> oneHot(lowering, /* column= */ false));
    kernels.differentiated("take_along_axis", GatherLowerings::takeAlongAxis);
  }

  private static void gather(LoweringCall lowering) {
    OperatorCall call = lowering.call();
    long axis = IntegerArguments.single(call, "axis", 0, "Axis");
    MicroValue x = lowering.in("X");
    Formula f = new Formula(lowering.graph());
    lowering.out("Out", checked(lowering, f, x, Shapes.axis(axis, f.rank(x))));
  }

  private static void indexSelect(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    int axis = Shapes.axis(lowering.call().integer("dim", 0), f.rank(x));
    lowering.out("Out", checked(lowering, f, x, axis));
  }

  private static MicroValue checked(LoweringCall lowering, Formula f, MicroValue x, int axis) {
    MicroValue slices = selected(f, x, lowering.in("Index"), axis);
    requireInside(lowering.call().input("Index"), f.shape(x)[axis]);
    return slices;
  }

  /** Returns slices of x along an axis, in the order of a list of indices. */
  public static MicroValue selected(Formula f, MicroValue x, MicroValue index, int axis) {
    MicroValue list = f.reshape(index, Shapes.count(f.shape(index)));
    Shapes.ofRankFrom(axis + 1, f.shape(x), "X");
    requireElements(f.shape(x)[axis], f.shape(list)[0]);
    long[] shape = Shapes.with(f.shape(x), axis, f.shape(list)[0]);
    return f.graph().select(axis, x, f.along(list, shape, axis));
  }

  /** Refuses indices along an axis that has no elements. Paddle reads other memory there. */
  private static void requireElements(long extent, long indices) {
    if (extent == 0 && indices > 0) {
      throw new OperatorException("indices along an axis without elements");
    }
  }

  /**
   * Refuses a known index outside of its axis. Paddle 2.3.2 refuses it, too, except one after the
   * end for {@code gather}, for which it reads other memory.
   *
   * @param extents the extent for each position in the last axis of the index; a single extent
   *     holds for all indices
   */
  private static void requireInside(Tensor index, long... extents) {
    for (int i = 0; i < index.length() && index.hasElements(); i++) {
      long place = index.getLong(i);
      long extent = extents[i % extents.length];
      if (place < 0 || place >= extent) {
        throw new OperatorException("index " + place + " outside of an axis of " + extent);
      }
    }
  }

  /**
   * Lowers {@code gather_nd}. The last axis of the index contains the indices along the first axes
   * of x.
   */
  private static void gatherNd(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue index = lowering.in("Index");
    long[] own = f.shape(x);
    long[] rows = f.shape(index);
    Shapes.ofRankFrom(1, rows, "Index");
    Shapes.ofRankFrom((int) Math.min(rows[rows.length - 1], Integer.MAX_VALUE), own, "X");
    int depth = (int) rows[rows.length - 1];
    requireInside(lowering.call().input("Index"), Arrays.copyOf(own, depth));
    long[] outer = Arrays.copyOf(rows, rows.length - 1);
    long[] inner = Arrays.copyOfRange(own, depth, own.length);
    MicroValue flat = f.filled(f.type(index), 0, Shapes.count(outer));
    MicroValue table = f.reshape(index, Shapes.count(outer), depth);
    for (int axis = 0; axis < depth; axis++) {
      MicroValue column = f.reindex(table, new long[] {Shapes.count(outer)}, loop(0), number(axis));
      flat = f.plus(f.times(flat, own[axis]), column);
    }
    MicroValue places =
        f.reshape(x, Shapes.count(own, 0, depth), Shapes.count(own, depth, own.length));
    MicroValue gathered = selected(f, places, flat, 0);
    lowering.out("Out", f.reshape(gathered, Shapes.concat(outer, inner)));
  }

  private static void indexSample(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue index = lowering.in("Index");
    Shapes.ofRank(2, f.shape(x), "X");
    requireInside(lowering.call().input("Index"), f.shape(x)[1]);
    lowering.out("Out", f.graph().select(1, x, index));
  }

  private static void takeAlongAxis(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue input = lowering.in("Input");
    MicroValue index = lowering.in("Index");
    long given = lowering.call().integer("Axis", 0);
    if (given < 0) {
      throw new OperatorException("Axis " + given + ", for which Paddle writes nothing");
    }
    int axis = Shapes.axis(given, f.rank(input));
    Shapes.ofRank(f.rank(input), f.shape(index), "Index");
    long[] shape = Shapes.with(f.shape(index), axis, f.shape(input)[axis]);
    if (!Arrays.equals(shape, f.shape(input))) {
      // Paddle computes positions in the input with the extents of the index.
      throw new OperatorException(
          "Index "
              + Arrays.toString(f.shape(index))
              + " for Input "
              + Arrays.toString(f.shape(input)));
    }
    requireInside(lowering.call().input("Index"), f.shape(input)[axis]);
    lowering.out("Result", f.graph().select(axis, input, index));
  }

  private static void oneHot(LoweringCall lowering, boolean column) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    long depth = IntegerArguments.single(call, "depth", -1, "depth_tensor");
    long[] outer = column ? Shapes.without(f.shape(x), f.rank(x) - 1) : f.shape(x);
    long[] shape = Shapes.concat(outer, new long[] {depth});
    MicroValue index = f.along(f.reshape(x, outer), shape, Shapes.range(0, outer.length));
    MicroValue place = f.graph().cast(f.type(x), f.position(shape, loop(outer.length)));
    MicroValue hot = f.apply(BinaryOperator.EQUAL, index, place);
    lowering.out(
        "Out",
        f.graph().cast(ElementTypes.ofNumber(call.integer("dtype", -1), ElementType.FLOAT32), hot));
  }
}
