package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.compile.kernel.CRoutine.Place;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Locale;

/** {@code rnn} in C: a call for each layer and direction. */
final class RecurrentRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of("rnn", call -> new RecurrentRoutines(call).routine());

  private static final long FLOAT_BYTES = 4;

  private final OperatorCall call;
  private final RoutineBuilder routine;
  private final String mode;
  private final int gates;
  private final long steps;
  private final long batch;
  private final long hidden;
  private final int directions;
  private final int layers;

  private RecurrentRoutines(OperatorCall call) {
    this.call = call;
    this.routine = new RoutineBuilder(call);
    this.mode = call.text("mode", "LSTM");
    this.gates =
        switch (mode) {
          case "LSTM" -> 4;
          case "GRU" -> 3;
          case "RNN_TANH", "RNN_RELU" -> 1;
          default -> throw new OperatorException("mode " + mode);
        };
    ImmutableLongArray input = call.shape("Input", 3);
    this.steps = input.get(0);
    this.batch = input.get(1);
    this.hidden = call.integer("hidden_size", 100);
    this.directions = call.flag("is_bidirec", false) ? 2 : 1;
    this.layers = (int) call.integer("num_layers", 1);
  }

  private CRoutine routine() {
    check();
    int states = mode.equals("LSTM") ? 2 : 1;
    routine.declare("Out", ElementType.FLOAT32, steps, batch, hidden * directions);
    for (int i = 0; i < states && call.wants("State"); i++) {
      long number = (long) layers * directions;
      routine.declare("State", i, ElementType.FLOAT32, number, batch, hidden);
    }
    Place gateSums = routine.reserve(2L * gates * hidden * FLOAT_BYTES);
    Place state = routine.reserve(2 * hidden * FLOAT_BYTES);
    long between = steps * batch * hidden * directions * FLOAT_BYTES;
    Place[] values = {null, null};
    for (int i = 0; i < 2; i++) {
      values[i] = layers > i + 1 ? routine.reserve(between) : gateSums;
    }
    long width = call.shape("Input").get(2);
    for (int layer = 0; layer < layers; layer++) {
      for (int direction = 0; direction < directions; direction++) {
        int cell = layer * directions + direction;
        int weights = 2 * cell;
        int biases = 2 * (layers * directions + cell);
        checkWeights(cell, width);
        routine.call("rnn_" + mode.toLowerCase(Locale.ROOT));
        routine.numbers(steps, batch, width, hidden, directions, direction);
        if (layer == 0) {
          routine.in("Input");
        } else {
          routine.scratch(values[(layer - 1) % 2]);
        }
        for (int i = 0; i < 2; i++) {
          routine.in("WeightList", weights + i, 0);
        }
        for (int i = 0; i < 2; i++) {
          routine.in("WeightList", biases + i, 0);
        }
        long at = cell * batch * hidden * FLOAT_BYTES;
        for (int i = 0; i < 2; i++) {
          routine.in("PreState", i, i < states ? at : 0);
        }
        routine.in("SequenceLength");
        routine.numbers(
            call.has("SequenceLength") ? call.input("SequenceLength").type().bytes() : 0);
        if (layer == layers - 1) {
          routine.toOut("Out");
        } else {
          routine.scratch(values[layer % 2]);
        }
        for (int i = 0; i < 2; i++) {
          if (i < states && call.wants("State")) {
            routine.toOut("State", i, at);
          } else {
            routine.none();
          }
        }
        routine.scratch(gateSums).scratch(state);
      }
      width = hidden * directions;
    }
    return routine.build();
  }

  private void check() {
    if (call.real("dropout_prob", 0) > 0 && !call.flag("is_test", false)) {
      throw new OperatorException("dropout between layers is random");
    }
    if (layers < 1 || hidden < 1) {
      throw new OperatorException("num_layers is " + layers + ", hidden_size " + hidden);
    }
    ImmutableLongArray shape = ImmutableLongArray.of((long) layers * directions, batch, hidden);
    boolean fits = call.arguments("PreState").size() == (mode.equals("LSTM") ? 2 : 1);
    for (LodTensor state : call.arguments("PreState")) {
      fits &= isFloat(state.tensor()) && state.tensor().shape().equals(shape);
    }
    if (!fits || !isFloat(call.input("Input"))) {
      throw new OperatorException("PreState has not the states of " + mode + ", of shape " + shape);
    }
    if (call.arguments("WeightList").size() != 4 * layers * directions) {
      throw new OperatorException(
          call.arguments("WeightList").size() + " weights for " + layers * directions + " cells");
    }
    if (call.has("SequenceLength")) {
      Tensor lengths = call.input("SequenceLength");
      boolean isWhole = lengths.type() == ElementType.INT32 || lengths.type() == ElementType.INT64;
      if (!isWhole || lengths.length() != batch) {
        throw new OperatorException(
            "SequenceLength " + lengths.type() + lengths.shape() + " for a batch of " + batch);
      }
    }
  }

  private void checkWeights(int cell, long width) {
    int cells = layers * directions;
    long[] least = {gates * hidden * width, gates * hidden * hidden, gates * hidden};
    for (int i = 0; i < 4; i++) {
      Tensor weight =
          call.arguments("WeightList").get(2 * (i < 2 ? cell : cells + cell) + i % 2).tensor();
      if (!isFloat(weight) || weight.length() < least[Math.min(i, 2)]) {
        throw new OperatorException(
            "weights " + weight.type() + weight.shape() + " for a state of " + hidden);
      }
    }
  }

  private static boolean isFloat(Tensor tensor) {
    return tensor.type() == ElementType.FLOAT32;
  }
}
