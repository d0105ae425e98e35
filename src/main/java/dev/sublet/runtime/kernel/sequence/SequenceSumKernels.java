package dev.sublet.runtime.kernel.sequence;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Rows;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/** Pooling, softmax and convolution within sequences of rows. FLOAT32 only. */
public final class SequenceSumKernels {

  private SequenceSumKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("sequence_conv", SequenceSumKernels::convolve);
    kernels.kernel("sequence_pool", SequenceSumKernels::pool);
    kernels.kernel("sequence_softmax", SequenceSumKernels::softmax);
  }

  static float[] floats(Tensor tensor) {
    if (tensor.type() != ElementType.FLOAT32) {
      throw new OperatorException("a tensor of " + tensor.type() + ", not float32");
    }
    return tensor.floats();
  }

  /** Reduces each sequence to one row. An empty sequence becomes the padding value. */
  private static OperatorResult pool(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableLongArray offsets = Rows.offsets(x);
    int count = offsets.length() - 1;
    int width = Slices.width(x.tensor());
    float[] out = new float[count * width];
    int[] places = new int[count * width];
    Arrays.fill(out, (float) call.real("pad_value", 0));
    Arrays.fill(places, -1);
    String kind = call.text("pooltype", "AVERAGE");
    for (int i = 0; i < count; i++) {
      int begin = (int) offsets.get(i);
      int end = (int) offsets.get(i + 1);
      for (int column = 0; column < width && begin < end; column++) {
        int to = i * width + column;
        places[to] = row(kind, floats(x.tensor()), width, begin, end, column);
        out[to] =
            places[to] >= 0
                ? floats(x.tensor())[places[to] * width + column]
                : sum(kind, floats(x.tensor()), width, begin, end, column);
      }
    }
    ImmutableLongArray shape =
        ImmutableLongArray.copyOf(Shapes.with(x.tensor().shape().toArray(), 0, count));
    ImmutableList<ImmutableLongArray> outer = x.lod().subList(0, x.lod().size() - 1);
    OperatorResult.Builder result =
        OperatorResult.builder().put("Out", new LodTensor(Tensor.of(shape, out), outer));
    if (kind.equals("MAX")) {
      result.put("MaxIndex", Tensor.of(shape, places));
    }
    return result.build();
  }

  /** Returns the row that a kind of pooling selects for a column; -1 if the pooling sums. */
  private static int row(String kind, float[] x, int width, int begin, int end, int column) {
    return switch (kind) {
      case "FIRST" -> begin;
      case "LAST" -> end - 1;
      case "MAX" -> {
        int best = begin;
        for (int row = begin + 1; row < end; row++) {
          best = x[row * width + column] > x[best * width + column] ? row : best;
        }
        yield best;
      }
      default -> -1;
    };
  }

  private static float sum(String kind, float[] x, int width, int begin, int end, int column) {
    float sum = 0;
    for (int row = begin; row < end; row++) {
      sum += x[row * width + column];
    }
    return switch (kind) {
      case "SUM" -> sum;
      case "AVERAGE" -> sum / (end - begin);
      case "SQRT" -> sum / (float) Math.sqrt(end - begin);
      default -> throw new OperatorException("pooling of type " + kind);
    };
  }

  /** Computes the softmax over the elements of each sequence. */
  private static OperatorResult softmax(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableLongArray offsets = Rows.offsets(x);
    float[] values = floats(x.tensor());
    if (offsets.get(offsets.length() - 1) != values.length) {
      throw new OperatorException("a softmax over sequences of rows that are not one number each");
    }
    float[] out = new float[values.length];
    for (int i = 0; i < offsets.length() - 1; i++) {
      int begin = (int) offsets.get(i);
      int end = (int) offsets.get(i + 1);
      float largest = Float.NEGATIVE_INFINITY;
      for (int row = begin; row < end; row++) {
        largest = Math.max(largest, values[row]);
      }
      float sum = 0;
      for (int row = begin; row < end; row++) {
        out[row] = (float) StrictMath.exp(values[row] - largest);
        sum += out[row];
      }
      for (int row = begin; row < end; row++) {
        out[row] /= sum;
      }
    }
    LodTensor result = new LodTensor(Tensor.of(x.tensor().shape(), out), x.lod());
    return OperatorResult.builder().put("Out", result).build();
  }

  static void checkPlainConvolution(OperatorCall call) {
    if (call.flag("paddingTrainable", false) || call.integer("contextStride", 1) != 1) {
      throw new OperatorException("a sequence convolution with trained padding or a stride");
    }
  }

  /**
   * Returns the number of output columns of a convolution, after a check that the filter fits the
   * input.
   */
  static int outputs(OperatorCall call) {
    ImmutableLongArray filter = call.shape("Filter", 2);
    long rows = call.integer("contextLength", 3) * Slices.width(call.input("X"));
    if (filter.get(0) != rows) {
      throw new OperatorException(
          "Filter has the shape " + filter + ", but " + rows + " rows are due");
    }
    return (int) filter.get(1);
  }

  /**
   * Convolves: multiplies the rows around each row by the filter. Rows outside of the sequence are
   * zero.
   */
  private static OperatorResult convolve(OperatorCall call) {
    checkPlainConvolution(call);
    LodTensor x = call.lodInput("X");
    ImmutableLongArray offsets = Rows.offsets(x);
    float[] values = floats(x.tensor());
    float[] filter = floats(call.input("Filter"));
    int width = Slices.width(x.tensor());
    int outputs = outputs(call);
    int length = (int) call.integer("contextLength", 3);
    int start = (int) call.integer("contextStart", 0);
    float[] out = new float[Shapes.length(x.tensor().size(0), outputs)];
    for (int i = 0; i < offsets.length() - 1; i++) {
      int begin = (int) offsets.get(i);
      int end = (int) offsets.get(i + 1);
      for (int row = begin; row < end; row++) {
        for (int k = 0; k < length; k++) {
          int from = row + start + k;
          for (int c = 0; c < width && from >= begin && from < end; c++) {
            float factor = values[from * width + c];
            for (int o = 0; o < outputs; o++) {
              out[row * outputs + o] += factor * filter[(k * width + c) * outputs + o];
            }
          }
        }
      }
    }
    ImmutableLongArray shape = ImmutableLongArray.of(x.tensor().size(0), outputs);
    LodTensor result = new LodTensor(Tensor.of(shape, out), x.lod());
    return OperatorResult.builder().put("Out", result).build();
  }
}
