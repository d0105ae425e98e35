package dev.sublet.runtime.kernel.recurrent;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * {@code rnn}: layers of LSTM, GRU or plain cells over batches of padded sequences, in one or both
 * directions, in inference.
 *
 * <p>The kernel is native because a step depends on the step before it, which loop nests without
 * state between iterations cannot express. FLOAT32 only.
 */
public final class RecurrentKernels {

  private RecurrentKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("rnn", RecurrentKernels::rnn);
  }

  private static OperatorResult rnn(OperatorCall call) {
    float dropout = (float) call.real("dropout_prob", 0);
    if (dropout > 0 && !call.flag("is_test", false)) {
      throw new OperatorException("dropout between layers is random");
    }
    Tensor input = floats(call.input("Input"), 3);
    int steps = (int) input.size(0);
    int batch = (int) input.size(1);
    int directions = call.flag("is_bidirec", false) ? 2 : 1;
    int layers = (int) call.integer("num_layers", 1);
    int hidden = (int) call.integer("hidden_size", 100);
    String mode = call.text("mode", "LSTM");
    if (layers < 1 || hidden < 1) {
      throw new OperatorException("num_layers is " + layers + ", hidden_size " + hidden);
    }
    int[] lengths = lengths(call, steps, batch);
    ImmutableList<LodTensor> previous = call.arguments("PreState");
    checkStates(previous, mode, ImmutableLongArray.of((long) layers * directions, batch, hidden));
    float[][] states = new float[previous.size()][];
    for (int i = 0; i < states.length; i++) {
      states[i] = floats(previous.get(i).tensor(), 3).floats().clone();
    }
    float[] values = input.floats();
    int width = (int) input.size(2);
    for (int layer = 0; layer < layers; layer++) {
      float[] out = new float[Shapes.length(steps, batch, hidden, directions)];
      for (int direction = 0; direction < directions; direction++) {
        int number = layer * directions + direction;
        RecurrentCell cell = cell(call, mode, width, hidden, number, layers * directions);
        float[][] own = slices(states, number, batch * hidden);
        for (int i = 0; i < steps; i++) {
          int step = direction == 1 ? steps - 1 - i : i;
          for (int b = 0; b < batch; b++) {
            if (step < lengths[b]) {
              cell.step(values, (step * batch + b) * width, own, b * hidden);
              int at = ((step * batch + b) * directions + direction) * hidden;
              System.arraycopy(own[0], b * hidden, out, at, hidden);
            }
          }
        }
        for (int i = 0; i < states.length; i++) {
          System.arraycopy(own[i], 0, states[i], number * batch * hidden, batch * hidden);
        }
      }
      values = out;
      width = hidden * directions;
    }
    OperatorResult.Builder result = OperatorResult.builder();
    result.put("Out", Tensor.of(ImmutableLongArray.of(steps, batch, width), values));
    for (int i = 0; i < states.length; i++) {
      result.put("State", Tensor.of(previous.get(i).tensor().shape(), states[i]));
    }
    return result.build();
  }

  /**
   * Creates the cell of one layer in one direction. In the list of weights, all biases come after
   * all weights.
   */
  private static RecurrentCell cell(
      OperatorCall call, String mode, int width, int hidden, int number, int cells) {
    ImmutableList<LodTensor> weights = call.arguments("WeightList");
    if (weights.size() != 4 * cells) {
      throw new OperatorException(weights.size() + " weights for " + cells + " cells");
    }
    float[] ofInput = floats(weights.get(2 * number).tensor(), 2).floats();
    float[] ofState = floats(weights.get(2 * number + 1).tensor(), 2).floats();
    float[] inputBias = floats(weights.get(2 * (cells + number)).tensor(), 1).floats();
    float[] stateBias = floats(weights.get(2 * (cells + number) + 1).tensor(), 1).floats();
    return RecurrentCell.of(
        mode, new RecurrentCell.Weights(width, hidden, ofInput, ofState, inputBias, stateBias));
  }

  private static float[][] slices(float[][] states, int number, int length) {
    float[][] slices = new float[states.length][length];
    for (int i = 0; i < states.length; i++) {
      System.arraycopy(states[i], number * length, slices[i], 0, length);
    }
    return slices;
  }

  private static void checkStates(
      ImmutableList<LodTensor> states, String mode, ImmutableLongArray shape) {
    boolean fits = states.size() == (mode.equals("LSTM") ? 2 : 1);
    for (LodTensor state : states) {
      fits &= state.tensor().shape().equals(shape);
    }
    if (!fits) {
      throw new OperatorException("PreState has not the states of " + mode + ", of shape " + shape);
    }
  }

  /**
   * Returns the number of steps of each sequence. After the end of a sequence, outputs are 0 and
   * states do not change.
   */
  private static int[] lengths(OperatorCall call, int steps, int batch) {
    int[] lengths = new int[batch];
    if (call.has("SequenceLength")) {
      long[] given = IntegerArguments.elements(call.input("SequenceLength"));
      IntegerArguments.exactly(batch, given, "SequenceLength");
    }
    for (int b = 0; b < batch; b++) {
      lengths[b] =
          call.has("SequenceLength") ? (int) call.input("SequenceLength").getLong(b) : steps;
    }
    return lengths;
  }

  private static Tensor floats(Tensor tensor, int rank) {
    if (tensor.type() != ElementType.FLOAT32 || tensor.rank() != rank) {
      throw new OperatorException(
          "a tensor "
              + tensor.type()
              + " "
              + tensor.shape()
              + ", not float32 with "
              + rank
              + " axes");
    }
    return tensor;
  }
}
