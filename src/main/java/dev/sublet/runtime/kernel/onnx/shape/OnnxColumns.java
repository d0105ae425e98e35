package dev.sublet.runtime.kernel.onnx.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.minus;
import static dev.sublet.runtime.kernel.Indices.over;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import java.util.Arrays;

/** {@code Col2Im}: sums the elements of overlapping blocks to an image. */
public final class OnnxColumns {

  private OnnxColumns() {}

  /** Registers the kernel. */
  public static void register(OnnxFamily family) {
    family.numbers("Col2Im", OnnxColumns::image);
  }

  /**
   * Lowers {@code Col2Im}. The input has the shape [batch, channels × elements of a block, blocks];
   * each pixel is the sum over the elements of a block, each in the block that has it at this
   * pixel, if there is one.
   */
  private static void image(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue columns = lowering.in("0");
    long[] own = Shapes.ofRank(3, f.shape(columns), "input 0");
    long[] image = IntegerArguments.elements(call.input("1"));
    int axes = image.length;
    long[] block = IntegerArguments.exactly(axes, IntegerArguments.elements(call.input("2")), "2");
    long[] dilations = each(call, "dilations", axes, 1);
    long[] strides = each(call, "strides", axes, 1);
    long[] pads = each(call, "pads", 2 * axes, 0);
    long[] blocks = new long[axes];
    IndexExpression[] at = new IndexExpression[2 + 2 * axes];
    at[0] = loop(0);
    at[1] = loop(1);
    for (int i = 0; i < axes; i++) {
      if (strides[i] < 1 || dilations[i] < 1) {
        throw new OperatorException("strides " + strides[i] + " and dilations " + dilations[i]);
      }
      long padded = image[i] + pads[i] + pads[axes + i];
      blocks[i] = Math.floorDiv(padded - dilations[i] * (block[i] - 1) - 1, strides[i]) + 1;
      at[2 + i] = loop(2 + axes + i);
      IndexExpression offset = times(loop(2 + axes + i), dilations[i]);
      IndexExpression start = plus(minus(loop(2 + i), offset), pads[i]);
      at[2 + axes + i] = exactQuotient(start, strides[i], padded);
    }
    long channels = own[1] / Math.max(1, Shapes.count(block));
    if (own[1] != channels * Shapes.count(block) || own[2] != Shapes.count(blocks)) {
      throw new OperatorException(
          "input 0 has the shape "
              + Arrays.toString(own)
              + " for blocks "
              + Arrays.toString(block)
              + " of an image "
              + Arrays.toString(image));
    }
    long[] outer = {own[0], channels};
    MicroValue parts = f.reshape(columns, Shapes.concat(outer, block, blocks));
    MicroValue moved = f.reindex(parts, Shapes.concat(outer, image, block), at);
    MicroValue sum = f.reduce(Reduction.SUM, moved, Shapes.range(2 + axes, 2 + 2 * axes));
    lowering.out("0", f.reshape(sum, Shapes.concat(outer, image)));
  }

  private static long[] each(OperatorCall call, String attribute, int count, long absent) {
    long[] given = IntegerArguments.attribute(call, attribute);
    if (given.length > 0) {
      return IntegerArguments.exactly(count, given, attribute);
    }
    long[] numbers = new long[count];
    Arrays.fill(numbers, absent);
    return numbers;
  }

  /** Returns the quotient of an index and a number; out of bounds if there is a remainder. */
  private static IndexExpression exactQuotient(IndexExpression index, long divisor, long bound) {
    IndexExpression quotient = over(index, divisor);
    return divisor == 1
        ? quotient
        : plus(quotient, times(minus(index, times(quotient, divisor)), 2 * bound + 2));
  }
}
