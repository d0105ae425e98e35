package dev.sublet.runtime.kernel.onnx.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.number;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.shape.JoinLowerings;
import dev.sublet.runtime.kernel.shape.OrderLowerings;
import dev.sublet.runtime.kernel.shape.RepeatLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators that put elements in another order, repeat them, join tensors, and split them. */
public final class OnnxMoves {

  private OnnxMoves() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.moves("Concat", OnnxMoves::concat);
    family.moves("DepthToSpace", OnnxMoves::depthToSpace);
    family.moves("Expand", OnnxMoves::expand);
    family.moves("ReverseSequence", OnnxMoves::reverseSequence);
    family.moves("SpaceToDepth", OnnxMoves::spaceToDepth);
    family.moves("Split", OnnxMoves::split);
    family.moves("Tile", OnnxMoves::tile);
    family.moves("Transpose", OnnxMoves::transpose);
    family.moves("Trilu", OnnxMoves::triangle);
    family.moves("com.microsoft.Trilu", OnnxMoves::triangle);
  }

  private static void transpose(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    long[] axes = IntegerArguments.attribute(lowering.call(), "perm");
    int rank = f.rank(x);
    int[] order = OrderLowerings.order(axes.length == 0 ? reversed(rank) : axes, rank);
    lowering.out("0", f.transpose(x, order));
  }

  private static long[] reversed(int rank) {
    long[] axes = new long[rank];
    Arrays.setAll(axes, axis -> rank - 1 - axis);
    return axes;
  }

  /** Lowers {@code Expand}: extents of 1 repeat, in the target as well as in the input. */
  private static void expand(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    long[] own = f.shape(x);
    long[] target = IntegerArguments.elements(lowering.call().input("1"));
    long[] shape = new long[Math.max(own.length, target.length)];
    Arrays.fill(shape, 1);
    System.arraycopy(target, 0, shape, shape.length - target.length, target.length);
    IndexExpression[] at = new IndexExpression[own.length];
    for (int i = 0; i < own.length; i++) {
      int axis = shape.length - own.length + i;
      if (own[i] != 1 && shape[axis] != 1 && own[i] != shape[axis]) {
        throw new OperatorException(
            Arrays.toString(own) + " cannot become " + Arrays.toString(target));
      }
      at[i] = own[i] == 1 ? number(0) : loop(axis);
      shape[axis] = own[i] == 1 ? shape[axis] : own[i];
    }
    lowering.out("0", f.reindex(x, shape, at));
  }

  private static void tile(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    long[] times = IntegerArguments.elements(lowering.call().input("1"));
    IntegerArguments.exactly(f.rank(x), times, "repeats");
    lowering.out("0", RepeatLowerings.repeated(f, x, times));
  }

  private static void concat(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    List<MicroValue> parts = new ArrayList<>();
    for (int i = 0; lowering.call().has(Integer.toString(i)); i++) {
      parts.add(lowering.in(Integer.toString(i)));
    }
    MicroValue first = lowering.in("0");
    for (MicroValue part : parts) {
      Shapes.ofRank(f.rank(first), f.shape(part), "an input");
    }
    // Before opset 4 the axis is 1 by default.
    int axis = Shapes.axis(lowering.call().integer("axis", 1), f.rank(first));
    lowering.out("0", JoinLowerings.joined(f, parts, axis));
  }

  private static void split(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    int axis = Shapes.axis(lowering.call().integer("axis", 0), f.rank(x));
    long[] extents = parts(lowering.call(), f.shape(x)[axis]);
    long offset = 0;
    for (int i = 0; i < extents.length; i++) {
      lowering.out(Integer.toString(i), JoinLowerings.part(f, x, axis, offset, extents[i]));
      offset += extents[i];
    }
    if (offset != f.shape(x)[axis]) {
      throw new OperatorException(
          "parts of " + Arrays.toString(extents) + " are not " + f.shape(x)[axis] + " together");
    }
  }

  /** Returns the extents of the parts. Without extents all parts but the last are equal. */
  private static long[] parts(OperatorCall call, long extent) {
    long[] given = IntegerArguments.of(call, "split", "1");
    if (given.length > 0) {
      return given;
    }
    int count = (int) call.integer("num_outputs", call.operation().outputSlots().size());
    if (count < 1) {
      throw new OperatorException("a split into " + count);
    }
    long each = Math.floorDiv(extent + count - 1, (long) count);
    long[] parts = new long[count];
    for (int i = 0; i < count; i++) {
      parts[i] = Math.max(0, Math.min(each, extent - each * i));
    }
    return parts;
  }

  /** Lowers {@code DepthToSpace}: channels become blocks of pixels. */
  private static void depthToSpace(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    long[] shape = Shapes.ofRank(4, f.shape(x), "input 0");
    long n = blockSize(lowering.call());
    long rest = shape[1] / (n * n);
    if (shape[1] % (n * n) != 0) {
      throw new OperatorException(shape[1] + " channels in blocks of " + n + " times " + n);
    }
    boolean isChannelFirst = lowering.call().text("mode", "DCR").equals("CRD");
    MicroValue moved =
        isChannelFirst
            ? f.transpose(f.reshape(x, shape[0], rest, n, n, shape[2], shape[3]), 0, 1, 4, 2, 5, 3)
            : f.transpose(f.reshape(x, shape[0], n, n, rest, shape[2], shape[3]), 0, 3, 4, 1, 5, 2);
    lowering.out("0", f.reshape(moved, shape[0], rest, shape[2] * n, shape[3] * n));
  }

  /** Lowers {@code SpaceToDepth}: blocks of pixels become channels. */
  private static void spaceToDepth(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    long[] shape = Shapes.ofRank(4, f.shape(x), "input 0");
    long n = blockSize(lowering.call());
    if (shape[2] % n != 0 || shape[3] % n != 0) {
      throw new OperatorException("blocks of " + n + " in " + Arrays.toString(shape));
    }
    MicroValue blocks = f.reshape(x, shape[0], shape[1], shape[2] / n, n, shape[3] / n, n);
    MicroValue moved = f.transpose(blocks, 0, 3, 5, 1, 2, 4);
    lowering.out("0", f.reshape(moved, shape[0], shape[1] * n * n, shape[2] / n, shape[3] / n));
  }

  private static long blockSize(OperatorCall call) {
    long size = call.integer("blocksize", 0);
    if (size < 1) {
      throw new OperatorException("blocksize is " + size);
    }
    return size;
  }

  /** Lowers {@code ReverseSequence}: of each row, the first elements are reversed. */
  private static void reverseSequence(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    long[] shape = Shapes.ofRankFrom(2, f.shape(x), "input 0");
    int batch = Shapes.axis(lowering.call().integer("batch_axis", 1), shape.length);
    int time = Shapes.axis(lowering.call().integer("time_axis", 0), shape.length);
    MicroValue lengths = f.along(lowering.in("1"), shape, batch);
    MicroValue place = f.position(shape, loop(time));
    MicroValue mirrored = f.minus(f.plus(lengths, -1L), place);
    MicroValue isInside = f.apply(BinaryOperator.LESS, place, lengths);
    lowering.out("0", f.graph().select(time, x, f.graph().choose(isInside, mirrored, place)));
  }

  /** Lowers {@code Trilu}: the elements on one side of a diagonal; the others become 0. */
  private static void triangle(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    long[] shape = Shapes.ofRankFrom(2, f.shape(x), "input 0");
    long diagonal = call.has("1") ? IntegerArguments.first(call.input("1")) : 0;
    MicroValue distance =
        f.position(shape, Indices.minus(loop(shape.length - 1), loop(shape.length - 2)));
    boolean isUpper = call.flag("upper", true);
    MicroValue kept =
        f.apply(
            isUpper ? BinaryOperator.GREATER_EQUAL : BinaryOperator.LESS_EQUAL, distance, diagonal);
    lowering.out("0", f.graph().choose(kept, x, f.number(x, 0)));
  }
}
