package dev.sublet.runtime.kernel.sequence;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Rows;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/** Gradients of pooling, softmax and convolution within sequences of rows. FLOAT32 only. */
public final class SequenceGradients {

  private SequenceGradients() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("sequence_conv_grad", SequenceGradients::convolve);
    kernels.kernel("sequence_pool_grad", SequenceGradients::pool);
    kernels.kernel("sequence_softmax_grad", SequenceGradients::softmax);
  }

  /**
   * Computes the gradient of pooling: it goes to the selected row, or equally to all rows of the
   * sequence.
   */
  private static OperatorResult pool(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableLongArray offsets = Rows.offsets(x);
    float[] gradient = SequenceSumKernels.floats(call.input("Out@GRAD"));
    int width = Slices.width(x.tensor());
    Rows.checkLike(call, "Out@GRAD", offsets.length() - 1L, width);
    float[] out = new float[x.tensor().length()];
    String kind = call.text("pooltype", "AVERAGE");
    for (int i = 0; i < offsets.length() - 1; i++) {
      int begin = (int) offsets.get(i);
      int end = (int) offsets.get(i + 1);
      for (int column = 0; column < width && begin < end; column++) {
        int from = i * width + column;
        switch (kind) {
          case "FIRST" -> out[begin * width + column] = gradient[from];
          case "LAST" -> out[(end - 1) * width + column] = gradient[from];
          case "MAX" -> {
            int row = maximum(call.input("MaxIndex"), from, begin, end);
            out[row * width + column] = gradient[from];
          }
          default -> {
            float each = gradient[from] / (float) divisor(kind, end - begin);
            for (int row = begin; row < end; row++) {
              out[row * width + column] = each;
            }
          }
        }
      }
    }
    return result(x, out);
  }

  /** Returns the row of a maximum, which must be in its sequence. */
  private static int maximum(Tensor rows, int place, int begin, int end) {
    if (place >= rows.length() || rows.getLong(place) < begin || rows.getLong(place) >= end) {
      throw new OperatorException("MaxIndex does not name rows of the sequences");
    }
    return (int) rows.getLong(place);
  }

  private static double divisor(String kind, int rows) {
    return switch (kind) {
      case "SUM" -> 1;
      case "AVERAGE" -> rows;
      case "SQRT" -> Math.sqrt(rows);
      default -> throw new OperatorException("pooling of type " + kind);
    };
  }

  private static OperatorResult result(LodTensor x, float[] gradient) {
    LodTensor result = new LodTensor(Tensor.of(x.tensor().shape(), gradient), x.lod());
    return OperatorResult.builder().put("X@GRAD", result).build();
  }

  /**
   * Computes the gradient of softmax: out · (gradient - the sum of out · gradient over the
   * sequence).
   */
  private static OperatorResult softmax(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableLongArray offsets = Rows.offsets(x);
    float[] out = SequenceSumKernels.floats(call.input("Out"));
    float[] gradient = SequenceSumKernels.floats(call.input("Out@GRAD"));
    Rows.checkLike(call, "Out", x.tensor().size(0), 1);
    Rows.checkLike(call, "Out@GRAD", x.tensor().size(0), 1);
    float[] result = new float[out.length];
    for (int i = 0; i < offsets.length() - 1; i++) {
      int begin = (int) offsets.get(i);
      int end = (int) offsets.get(i + 1);
      float sum = 0;
      for (int row = begin; row < end; row++) {
        sum += out[row] * gradient[row];
      }
      for (int row = begin; row < end; row++) {
        result[row] = out[row] * (gradient[row] - sum);
      }
    }
    return result(x, result);
  }

  private static OperatorResult convolve(OperatorCall call) {
    SequenceSumKernels.checkPlainConvolution(call);
    LodTensor x = call.lodInput("X");
    Tensor filter = call.input("Filter");
    float[] ofX = new float[x.tensor().length()];
    float[] ofFilter = new float[filter.length()];
    ImmutableLongArray offsets = Rows.offsets(x);
    int outputs = SequenceSumKernels.outputs(call);
    Rows.checkLike(call, "Out@GRAD", x.tensor().size(0), outputs);
    for (int i = 0; i < offsets.length() - 1; i++) {
      convolve(call, (int) offsets.get(i), (int) offsets.get(i + 1), ofX, ofFilter);
    }
    OperatorResult.Builder result = OperatorResult.builder();
    if (call.wants("X@GRAD")) {
      result.put("X@GRAD", new LodTensor(Tensor.of(x.tensor().shape(), ofX), x.lod()));
    }
    if (call.wants("Filter@GRAD")) {
      result.put("Filter@GRAD", Tensor.of(filter.shape(), ofFilter));
    }
    return result.build();
  }

  /** Adds the contributions of the rows of one sequence to the gradients of X and of the filter. */
  private static void convolve(
      OperatorCall call, int begin, int end, float[] ofX, float[] ofFilter) {
    float[] x = SequenceSumKernels.floats(call.input("X"));
    float[] filter = SequenceSumKernels.floats(call.input("Filter"));
    float[] gradient = SequenceSumKernels.floats(call.input("Out@GRAD"));
    int width = Slices.width(call.input("X"));
    int outputs = SequenceSumKernels.outputs(call);
    int length = (int) call.integer("contextLength", 3);
    int start = (int) call.integer("contextStart", 0);
    for (int row = begin; row < end; row++) {
      float[] own = Arrays.copyOfRange(gradient, row * outputs, (row + 1) * outputs);
      for (int k = 0; k < length; k++) {
        int from = row + start + k;
        for (int c = 0; c < width && from >= begin && from < end; c++) {
          for (int o = 0; o < outputs; o++) {
            int weight = (k * width + c) * outputs + o;
            ofX[from * width + c] += own[o] * filter[weight];
            ofFilter[weight] += own[o] * x[from * width + c];
          }
        }
      }
    }
  }
}
