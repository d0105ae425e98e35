package dev.sublet.runtime.kernel.recurrent;

import static com.google.common.base.Preconditions.checkArgument;

import dev.sublet.runtime.kernel.OperatorException;

/**
 * One cell of a recurrent layer: it computes gates from an input and a state, and updates the
 * state. The order of the gates is that of Paddle's {@code rnn}.
 */
abstract class RecurrentCell {

  private final int gates;
  private final Weights weights;

  /** The number of elements of a state. */
  final int hidden;

  /** The contributions of the input and of the state to each gate, including the biases. */
  final float[] fromInput;

  final float[] fromState;

  /** The weights and biases of a cell. */
  static final class Weights {

    private final int width;
    private final int hidden;
    private final float[] ofInput;
    private final float[] ofState;
    private final float[] inputBias;
    private final float[] stateBias;

    /**
     * Creates the weights of a cell.
     *
     * @param width the number of elements of an input
     * @param hidden the number of elements of a state
     * @param ofInput a row of {@code width} weights for each gate of each element
     * @param ofState a row of {@code hidden} weights for each gate of each element
     * @param inputBias a number for each gate of each element; {@code stateBias} is the same for
     *     the state
     */
    Weights(
        int width,
        int hidden,
        float[] ofInput,
        float[] ofState,
        float[] inputBias,
        float[] stateBias) {
      this.width = width;
      this.hidden = hidden;
      this.ofInput = ofInput;
      this.ofState = ofState;
      this.inputBias = inputBias;
      this.stateBias = stateBias;
    }
  }

  private RecurrentCell(int gates, Weights weights) {
    this.gates = gates;
    this.weights = weights;
    this.hidden = weights.hidden;
    checkArgument(
        weights.ofInput.length == (long) gates * hidden * weights.width
            && weights.ofState.length == (long) gates * hidden * hidden
            && weights.inputBias.length >= gates * hidden
            && weights.stateBias.length >= gates * hidden,
        "%s and %s weights, %s and %s biases for %s gates of %s elements and inputs of %s",
        weights.ofInput.length,
        weights.ofState.length,
        weights.inputBias.length,
        weights.stateBias.length,
        gates,
        hidden,
        weights.width);
    this.fromInput = new float[gates * hidden];
    this.fromState = new float[gates * hidden];
  }

  /** Creates the cell of a mode. */
  static RecurrentCell of(String mode, Weights weights) {
    return switch (mode) {
      case "LSTM" -> new LongShortTerm(weights);
      case "GRU" -> new GatedUnit(weights);
      case "RNN_TANH", "RNN_RELU" -> new Plain(mode, weights);
      default -> throw new OperatorException("mode " + mode);
    };
  }

  /**
   * Computes one step of one sequence.
   *
   * @param input the array that contains the input, from {@code at} on
   * @param states the states of all sequences, the output first; the states of this sequence start
   *     at {@code own} and change
   */
  final void step(float[] input, int at, float[][] states, int own) {
    for (int gate = 0; gate < gates * hidden; gate++) {
      fromInput[gate] =
          weights.inputBias[gate]
              + dot(weights.ofInput, gate * weights.width, input, at, weights.width);
      fromState[gate] =
          weights.stateBias[gate] + dot(weights.ofState, gate * hidden, states[0], own, hidden);
    }
    for (int i = 0; i < hidden; i++) {
      update(i, states, own + i);
    }
  }

  /** Updates one element of the states. */
  abstract void update(int element, float[][] states, int at);

  private static float dot(float[] left, int atLeft, float[] right, int atRight, int length) {
    float sum = 0;
    for (int i = 0; i < length; i++) {
      sum += left[atLeft + i] * right[atRight + i];
    }
    return sum;
  }

  static float sigmoid(float x) {
    return (float) (1 / (1 + StrictMath.exp(-x)));
  }

  static float tanh(float x) {
    return (float) StrictMath.tanh(x);
  }

  /** Gates: input, forget, candidate, output. States: output, cell. */
  private static final class LongShortTerm extends RecurrentCell {

    LongShortTerm(Weights weights) {
      super(4, weights);
    }

    private float gate(int number, int element) {
      int at = number * hidden + element;
      return fromInput[at] + fromState[at];
    }

    @Override
    void update(int element, float[][] states, int at) {
      float candidate = sigmoid(gate(0, element)) * tanh(gate(2, element));
      states[1][at] = sigmoid(gate(1, element)) * states[1][at] + candidate;
      states[0][at] = sigmoid(gate(3, element)) * tanh(states[1][at]);
    }
  }

  /**
   * Gates: reset, update, candidate. The reset gate scales the state's contribution to the
   * candidate.
   */
  private static final class GatedUnit extends RecurrentCell {

    GatedUnit(Weights weights) {
      super(3, weights);
    }

    @Override
    void update(int element, float[][] states, int at) {
      int update = hidden + element;
      int candidate = 2 * hidden + element;
      float reset = sigmoid(fromInput[element] + fromState[element]);
      float kept = sigmoid(fromInput[update] + fromState[update]);
      float fresh = tanh(fromInput[candidate] + reset * fromState[candidate]);
      states[0][at] = (1 - kept) * fresh + kept * states[0][at];
    }
  }

  /** One gate, which is the new state. */
  private static final class Plain extends RecurrentCell {

    private final boolean rectifies;

    Plain(String mode, Weights weights) {
      super(1, weights);
      this.rectifies = mode.equals("RNN_RELU");
    }

    @Override
    void update(int element, float[][] states, int at) {
      float sum = fromInput[element] + fromState[element];
      states[0][at] = rectifies ? Math.max(sum, 0) : tanh(sum);
    }
  }
}
