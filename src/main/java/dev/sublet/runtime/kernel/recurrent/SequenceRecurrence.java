package dev.sublet.runtime.kernel.recurrent;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Rows;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.function.DoubleUnaryOperator;

/**
 * {@code lstm} and {@code gru}: recurrent layers over sequences of rows. A matrix product has
 * computed the rows from the inputs. FLOAT32 only. The outputs that only the gradient operators
 * read, ordered by steps, are not computed.
 */
public final class SequenceRecurrence {

  private final OperatorCall call;
  private final int width;
  private final float[] input;
  private final float[] weight;
  private final float[] bias;

  private SequenceRecurrence(OperatorCall call, int gates) {
    this.call = call;
    this.width = (int) call.shape("Weight", 2).get(0);
    this.input = floats(call.input("Input"));
    this.weight = floats(call.input("Weight"));
    this.bias = call.has("Bias") ? floats(call.input("Bias")) : new float[gates * width];
    if (call.shape("Input", 2).get(1) != (long) gates * width
        || weight.length != (long) gates * width * width
        || bias.length < gates * width) {
      throw new OperatorException(
          "an input of "
              + call.shape("Input")
              + " for a weight of "
              + call.shape("Weight")
              + " and "
              + bias.length
              + " biases");
    }
    long sequences = Rows.offsets(call.lodInput("Input")).length() - 1L;
    for (String slot : new String[] {"H0", "C0"}) {
      if (call.has(slot)) {
        Rows.checkLike(call, slot, sequences, width);
      }
    }
  }

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("gru", call -> new SequenceRecurrence(call, /* gates= */ 3).gru());
    kernels.kernel("lstm", call -> new SequenceRecurrence(call, /* gates= */ 4).lstm());
  }

  private static float[] floats(Tensor tensor) {
    if (tensor.type() != ElementType.FLOAT32) {
      throw new OperatorException("a tensor of " + tensor.type() + ", not float32");
    }
    return tensor.floats();
  }

  /** One step, which reads a row of the input and changes the state. */
  private interface CellStep {
    void take(int row, float[] hidden, float[] cell);
  }

  /** Runs all steps of all sequences and collects the hidden states and cells of all rows. */
  private OperatorResult run(CellStep step, boolean hasCell) {
    LodTensor x = call.lodInput("Input");
    ImmutableLongArray offsets = Rows.offsets(x);
    int rows = (int) x.tensor().size(0);
    float[] hiddens = new float[Shapes.length(rows, width)];
    float[] cells = new float[hiddens.length];
    boolean backwards = call.flag("is_reverse", false);
    for (int i = 0; i < offsets.length() - 1; i++) {
      float[] hidden = initial("H0", i);
      float[] cell = initial("C0", i);
      int begin = (int) offsets.get(i);
      int end = (int) offsets.get(i + 1);
      for (int k = begin; k < end; k++) {
        int row = backwards ? begin + end - 1 - k : k;
        step.take(row, hidden, cell);
        System.arraycopy(hidden, 0, hiddens, row * width, width);
        System.arraycopy(cell, 0, cells, row * width, width);
      }
    }
    ImmutableLongArray shape = ImmutableLongArray.of(rows, width);
    OperatorResult.Builder result =
        OperatorResult.builder().put("Hidden", new LodTensor(Tensor.of(shape, hiddens), x.lod()));
    if (hasCell) {
      result.put("Cell", new LodTensor(Tensor.of(shape, cells), x.lod()));
    }
    return result.build();
  }

  private float[] initial(String slot, int sequence) {
    float[] state = new float[width];
    if (call.has(slot)) {
      System.arraycopy(floats(call.input(slot)), sequence * width, state, 0, width);
    }
    return state;
  }

  private DoubleUnaryOperator activation(String attribute, String absent) {
    String name = call.text(attribute, absent);
    return switch (name) {
      case "sigmoid" -> x -> 1 / (1 + StrictMath.exp(-x));
      case "tanh" -> StrictMath::tanh;
      case "relu" -> x -> Math.max(0, x);
      case "identity" -> x -> x;
      default -> throw new OperatorException("activation " + name);
    };
  }

  /** Returns {@code first} plus the product of a state and a column of the weights. */
  private float product(float[] state, int firstWeight, int columns, int column, float first) {
    float sum = first;
    for (int k = 0; k < width; k++) {
      sum += state[k] * weight[firstWeight + k * columns + column];
    }
    return sum;
  }

  /**
   * Runs {@code gru}. The weights are two consecutive matrices: for the update and the reset gate,
   * and for the candidate.
   */
  private OperatorResult gru() {
    DoubleUnaryOperator gate = activation("gate_activation", "sigmoid");
    DoubleUnaryOperator candidate = activation("activation", "tanh");
    boolean original = call.flag("origin_mode", false);
    float[] gates = new float[2 * width];
    float[] reset = new float[width];
    float[] next = new float[width];
    return run(
        (row, hidden, cell) -> {
          int at = row * 3 * width;
          for (int k = 0; k < 2 * width; k++) {
            float sum = product(hidden, 0, 2 * width, k, input[at + k] + bias[k]);
            gates[k] = (float) gate.applyAsDouble(sum);
          }
          for (int k = 0; k < width; k++) {
            reset[k] = gates[width + k] * hidden[k];
          }
          for (int k = 0; k < width; k++) {
            float first = input[at + 2 * width + k] + bias[2 * width + k];
            float sum = product(reset, 2 * width * width, width, k, first);
            float value = (float) candidate.applyAsDouble(sum);
            float update = original ? 1 - gates[k] : gates[k];
            next[k] = (1 - update) * hidden[k] + update * value;
          }
          System.arraycopy(next, 0, hidden, 0, width);
        },
        /* hasCell= */ false);
  }

  /**
   * Runs {@code lstm}. The columns belong to the candidate, the input, the forget and the output
   * gate, in this order.
   */
  private OperatorResult lstm() {
    DoubleUnaryOperator gate = activation("gate_activation", "sigmoid");
    DoubleUnaryOperator ofCell = activation("cell_activation", "tanh");
    DoubleUnaryOperator candidate = activation("candidate_activation", "tanh");
    boolean peeks = call.flag("use_peepholes", true) && bias.length == 7 * width;
    float[] sums = new float[4 * width];
    return run(
        (row, hidden, cell) -> {
          for (int k = 0; k < 4 * width; k++) {
            float first = input[row * 4 * width + k] + bias[k];
            sums[k] = product(hidden, 0, 4 * width, k, first);
          }
          for (int k = 0; k < width; k++) {
            float in = sums[width + k] + (peeks ? cell[k] * bias[4 * width + k] : 0);
            float forget = sums[2 * width + k] + (peeks ? cell[k] * bias[5 * width + k] : 0);
            cell[k] =
                (float) candidate.applyAsDouble(sums[k]) * (float) gate.applyAsDouble(in)
                    + cell[k] * (float) gate.applyAsDouble(forget);
            float out = sums[3 * width + k] + (peeks ? cell[k] * bias[6 * width + k] : 0);
            hidden[k] = (float) gate.applyAsDouble(out) * (float) ofCell.applyAsDouble(cell[k]);
          }
        },
        /* hasCell= */ true);
  }
}
