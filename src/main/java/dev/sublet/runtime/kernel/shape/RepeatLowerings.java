package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.modulo;
import static dev.sublet.runtime.kernel.Indices.number;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.Arrays;

/** Operators that repeat tensors along their axes, and along new leading axes. */
public final class RepeatLowerings {

  private RepeatLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("expand", RepeatLowerings::expand);
    kernels.differentiated("expand_as", RepeatLowerings::expandAs);
    kernels.differentiated("expand_as_v2", RepeatLowerings::expandAsV2);
    kernels.differentiated("expand_v2", RepeatLowerings::expandV2);
    kernels.differentiated("tile", RepeatLowerings::tile);
  }

  private static void expand(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] times =
        IntegerArguments.of(lowering.call(), "expand_times", "ExpandTimes", "expand_times_tensor");
    lowering.out("Out", repeated(f, x, times));
  }

  private static void tile(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] times =
        IntegerArguments.of(lowering.call(), "repeat_times", "RepeatTimes", "repeat_times_tensor");
    lowering.out("Out", repeated(f, x, times));
  }

  /**
   * Returns x repeated along its axes. If there are fewer axes than repeat counts, or the reverse,
   * ones are prepended.
   */
  public static MicroValue repeated(Formula f, MicroValue x, long[] times) {
    long[] own = f.shape(x);
    int rank = Math.max(own.length, times.length);
    long[] shape = new long[rank];
    Arrays.fill(shape, 1);
    System.arraycopy(own, 0, shape, rank - own.length, own.length);
    for (int i = 0; i < times.length; i++) {
      shape[rank - times.length + i] *= times[i];
    }
    return modular(f, x, shape);
  }

  /** Returns a tensor of a shape, filled with copies of x side by side. */
  private static MicroValue modular(Formula f, MicroValue x, long[] shape) {
    long[] own = f.shape(x);
    if (Arrays.equals(own, shape)) {
      return x;
    }
    Shapes.ofRankFrom(own.length, shape, "the target");
    IndexExpression[] at = new IndexExpression[own.length];
    for (int i = 0; i < own.length; i++) {
      int axis = shape.length - own.length + i;
      at[i] = own[i] == shape[axis] ? loop(axis) : modulo(loop(axis), own[i]);
    }
    return f.reindex(x, shape, at);
  }

  private static void expandAs(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    String target = lowering.call().has("target_tensor") ? "target_tensor" : "Y";
    long[] shape = lowering.call().shape(target).toArray();
    lowering.out("Out", modular(f, lowering.in("X"), shape));
  }

  private static void expandV2(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long[] shape = IntegerArguments.of(call, "shape", "Shape", "expand_shapes_tensor");
    lowering.out("Out", expanded(f, lowering.in("X"), shape));
  }

  private static void expandAsV2(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long[] shape =
        call.has("Y")
            ? call.shape("Y").toArray()
            : IntegerArguments.attribute(call, "target_shape");
    lowering.out("Out", expanded(f, lowering.in("X"), shape));
  }

  /** Returns x with extents of 1 repeated to a target shape; -1 keeps an extent. */
  private static MicroValue expanded(Formula f, MicroValue x, long[] target) {
    long[] own = f.shape(x);
    int added = target.length - own.length;
    if (added < 0) {
      throw new OperatorException(own.length + " axes cannot become " + target.length);
    }
    long[] shape = target.clone();
    IndexExpression[] at = new IndexExpression[own.length];
    for (int i = 0; i < own.length; i++) {
      shape[added + i] = target[added + i] == -1 ? own[i] : target[added + i];
      if (own[i] != 1 && own[i] != shape[added + i]) {
        throw new OperatorException(
            Arrays.toString(own) + " cannot become " + Arrays.toString(target));
      }
      at[i] = own[i] == 1 ? number(0) : loop(added + i);
    }
    return Arrays.equals(own, shape) ? x : f.reindex(x, shape, at);
  }
}
