package dev.sublet.runtime.kernel.onnx.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.loops;
import static dev.sublet.runtime.kernel.Indices.number;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.CheckedKernel;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.shape.GatherLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/** Operators that read elements at the indices in another tensor. Negative indices count back. */
public final class OnnxGathers {

  private OnnxGathers() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.checked("Gather", OnnxGathers::checkAxis, OnnxGathers::gather);
    family.checked("GatherElements", OnnxGathers::checkAxis, OnnxGathers::gatherElements);
    family.checked("GatherND", OnnxGathers::checkRows, OnnxGathers::gatherNd);
    family.checked("com.microsoft.GatherND", OnnxGathers::checkRows, OnnxGathers::gatherNd);
    family.lowered("OneHot", Use.MOVES, OutputTypes.like(2), OnnxGathers::oneHot);
  }

  private static void checkAxis(OperatorCall call) {
    int axis = Shapes.axis(call.integer("axis", 0), call.input("0").rank());
    CheckedKernel.requireInside(call.input("1"), call.input("0").size(axis));
  }

  private static void gather(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    MicroValue index = lowering.in("1");
    long[] shape = f.shape(x);
    int axis = Shapes.axis(lowering.call().integer("axis", 0), shape.length);
    MicroValue slices = GatherLowerings.selected(f, x, counted(f, index, shape[axis]), axis);
    long[] inner = Arrays.copyOfRange(shape, axis + 1, shape.length);
    long[] gathered = Shapes.concat(Arrays.copyOf(shape, axis), f.shape(index), inner);
    lowering.out("0", f.reshape(slices, gathered));
  }

  /** Returns indices counted from the start of an axis. */
  private static MicroValue counted(Formula f, MicroValue index, long extent) {
    MicroValue isBackwards = f.apply(BinaryOperator.LESS, index, 0L);
    return f.graph().choose(isBackwards, f.plus(index, extent), index);
  }

  private static void gatherElements(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    MicroValue index = lowering.in("1");
    long[] shape = f.shape(x);
    int axis = Shapes.axis(lowering.call().integer("axis", 0), shape.length);
    long[] read = Shapes.with(Shapes.ofRank(shape.length, f.shape(index), "1"), axis, shape[axis]);
    for (int i = 0; i < shape.length; i++) {
      if (read[i] > shape[i]) {
        throw new OperatorException(
            "indices " + Arrays.toString(f.shape(index)) + " for " + Arrays.toString(shape));
      }
    }
    MicroValue part = Arrays.equals(read, shape) ? x : f.reindex(x, read, loops(shape.length));
    lowering.out("0", f.graph().select(axis, part, counted(f, index, shape[axis])));
  }

  /** The extents that the rows of an index of {@code GatherND} denote. */
  private static long[] indexed(OperatorCall call) {
    long[] shape = call.shape("0").toArray();
    long[] rows = call.shapeFrom("1", 1).toArray();
    int batch = (int) call.integer("batch_dims", 0);
    long end = batch + rows[rows.length - 1];
    if (batch < 0 || batch >= rows.length || end > shape.length) {
      throw new OperatorException(
          "indices " + Arrays.toString(rows) + " for " + Arrays.toString(shape));
    }
    if (!Arrays.equals(shape, 0, batch, rows, 0, batch)) {
      throw new OperatorException("the first " + batch + " extents differ");
    }
    return Arrays.copyOfRange(shape, batch, (int) end);
  }

  private static void checkRows(OperatorCall call) {
    long[] extents = indexed(call);
    if (extents.length > 0) {
      CheckedKernel.requireInside(call.input("1"), extents);
    }
  }

  /**
   * Lowers {@code GatherND}. The first {@code batch_dims} axes are common to data and indices; the
   * last axis of the indices contains indices along the next axes of the data.
   */
  private static void gatherNd(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    MicroValue index = lowering.in("1");
    long[] own = f.shape(x);
    long[] rows = f.shape(index);
    long[] outer = Arrays.copyOf(rows, rows.length - 1);
    long[] extents = indexed(lowering.call());
    int batch = (int) lowering.call().integer("batch_dims", 0);
    long[] inner = Arrays.copyOfRange(own, batch + extents.length, own.length);
    long batches = Shapes.count(own, 0, batch);
    long each = Shapes.count(outer, batch, outer.length);
    MicroValue table = f.reshape(index, batches, each, extents.length);
    long[] list = {batches, each};
    MicroValue flat = f.position(list, loop(0));
    for (int axis = 0; axis < extents.length; axis++) {
      MicroValue column = f.reindex(table, list, loop(0), loop(1), number(axis));
      MicroValue place = f.as(ElementType.INT64, counted(f, column, extents[axis]));
      flat = f.plus(f.times(flat, extents[axis]), place);
    }
    MicroValue places = f.reshape(x, batches * Shapes.count(extents), Shapes.count(inner));
    MicroValue gathered = GatherLowerings.selected(f, places, flat, 0);
    lowering.out("0", f.reshape(gathered, Shapes.concat(outer, inner)));
  }

  /** Lowers {@code OneHot}. An index outside of the new axis selects nothing. */
  private static void oneHot(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue index = f.widened(lowering.in("0"));
    MicroValue values = lowering.in("2");
    long depth = IntegerArguments.first(call.input("1"));
    long[] own = f.shape(index);
    int axis = Shapes.axis(call.integer("axis", -1), own.length + 1);
    long[] before = Arrays.copyOf(own, axis);
    long[] after = Arrays.copyOfRange(own, axis, own.length);
    long[] shape = Shapes.concat(before, new long[] {depth}, after);
    MicroValue column = f.reshape(index, Shapes.concat(before, new long[] {1}, after));
    MicroValue stretched = f.stretch(counted(f, column, depth), shape);
    MicroValue place = f.as(f.type(index), f.position(shape, loop(axis)));
    MicroValue isHot = f.apply(BinaryOperator.EQUAL, stretched, place);
    MicroValue off = f.reindex(values, shape, number(0));
    MicroValue on = f.reindex(values, shape, number(1));
    lowering.out("0", f.graph().choose(isHot, on, off));
  }
}
