package dev.sublet.runtime.kernel.onnx.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.loops;
import static dev.sublet.runtime.kernel.Indices.number;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.shape.PaddingLowerings;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/** Operators that extract a part of a tensor, or add a border. */
public final class OnnxSlices {

  private OnnxSlices() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.moves("CenterCropPad", OnnxSlices::centerCropPad);
    family.moves("Pad", OnnxSlices::pad);
    family.moves("Slice", OnnxSlices::slice);
    family.moves("com.microsoft.Pad", OnnxSlices::pad);
  }

  private static void slice(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    long[] shape = f.shape(x).clone();
    long[] starts = IntegerArguments.of(call, "starts", "1");
    long[] ends = IntegerArguments.exactly(starts.length, given(call, "ends", "2"), "ends");
    int[] axes = axes(call, "3", starts.length, shape.length);
    long[] steps = given(call, "", "4");
    IndexExpression[] at = loops(shape.length);
    for (int i = 0; i < axes.length; i++) {
      long step = steps.length == 0 ? 1 : IntegerArguments.exactly(axes.length, steps, "steps")[i];
      if (step == 0) {
        throw new OperatorException("a step of 0");
      }
      long extent = shape[axes[i]];
      long first = limit(starts[i], extent, 0, step > 0 ? extent : extent - 1);
      // For ONNX Runtime the greatest integers are the end of the axis in both directions.
      boolean isWhole = ends[i] == Integer.MAX_VALUE || ends[i] == Long.MAX_VALUE;
      long end =
          step > 0
              ? limit(ends[i], extent, 0, extent)
              : isWhole ? -1 : limit(ends[i], extent, -1, extent - 1);
      long count = extent == 0 ? 0 : Math.max(0, -Math.floorDiv(first - end, step));
      shape[axes[i]] = count;
      at[axes[i]] = count > 1 ? plus(times(loop(axes[i]), step), first) : number(first);
    }
    lowering.out("0", f.reindex(x, shape, at));
  }

  private static long[] given(OperatorCall call, String attribute, String slot) {
    return IntegerArguments.of(call, attribute, slot);
  }

  /** Returns the named axes; the first axes if none is named. */
  private static int[] axes(OperatorCall call, String slot, int count, int rank) {
    long[] named = given(call, "axes", slot);
    return named.length == 0
        ? Shapes.axes(Arrays.stream(Shapes.range(0, count)).asLongStream().toArray(), rank)
        : Shapes.axes(IntegerArguments.exactly(count, named, "axes"), rank);
  }

  private static long limit(long limit, long extent, long least, long greatest) {
    return Math.max(least, Math.min(limit < 0 ? limit + extent : limit, greatest));
  }

  /** Lowers {@code Pad}. Negative pads first remove elements, which the border does not see. */
  private static void pad(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    int rank = f.rank(x);
    boolean isOld = call.operation().attribute("paddings").isPresent();
    long[] pads = IntegerArguments.of(call, isOld ? "paddings" : "pads", "1");
    int[] axes = axes(call, "3", call.has("3") ? call.input("3").length() : rank, rank);
    IntegerArguments.exactly(2 * axes.length, pads, "pads");
    long[] before = new long[rank];
    long[] after = new long[rank];
    for (int i = 0; i < axes.length; i++) {
      before[axes[i]] = pads[i];
      after[axes[i]] = pads[axes.length + i];
    }
    MicroValue inner = cropped(f, x, before, after);
    long[] padded = f.shape(inner).clone();
    for (int axis = 0; axis < rank; axis++) {
      before[axis] = Math.max(before[axis], 0);
      after[axis] = Math.max(after[axis], 0);
      padded[axis] += before[axis] + after[axis];
    }
    boolean isEmpty = Shapes.length(padded) == 0;
    String mode = isEmpty ? "constant" : call.text("mode", "constant").replace("wrap", "circular");
    lowering.out("0", PaddingLowerings.padded(f, inner, before, after, mode, value(call)));
  }

  private static MicroValue cropped(Formula f, MicroValue x, long[] before, long[] after) {
    long[] shape = f.shape(x).clone();
    IndexExpression[] at = loops(shape.length);
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] += Math.min(before[axis], 0) + Math.min(after[axis], 0);
      at[axis] = plus(loop(axis), Math.max(-before[axis], 0));
    }
    Shapes.length(shape);
    return Arrays.equals(shape, f.shape(x)) ? x : f.reindex(x, shape, at);
  }

  private static double value(OperatorCall call) {
    if (!call.has("2")) {
      return call.real("value", 0);
    }
    Tensor value = call.scalarInput("2");
    double number = value.getDouble(0);
    if (!value.type().isFloating() && (long) number != value.getLong(0)) {
      throw new OperatorException("a border of " + value.getLong(0) + ", which is too large");
    }
    return number;
  }

  /** Lowers {@code CenterCropPad}: the middle of a tensor, or a border of zeros around it. */
  private static void centerCropPad(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    long[] shape = f.shape(x).clone();
    long[] wanted = IntegerArguments.elements(call.input("1"));
    int[] axes = axes(call, "", wanted.length, shape.length);
    IndexExpression[] at = loops(shape.length);
    for (int i = 0; i < axes.length; i++) {
      long less = shape[axes[i]] - wanted[i];
      at[axes[i]] = plus(loop(axes[i]), less >= 0 ? less / 2 : -(-less / 2));
      shape[axes[i]] = wanted[i];
    }
    lowering.out("0", f.reindex(x, shape, at));
  }
}
