package dev.sublet.runtime.kernel.onnx.recurrent;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * RNN, GRU and LSTM: recurrences over batches of padded sequences, in one or both directions.
 *
 * <p>The kernel is native because a step depends on the step before it, which loop nests without
 * state between iterations cannot express. It computes in FLOAT64.
 */
public final class OnnxRecurrences {

  private final OperatorCall call;
  private final Tensor x;
  private final boolean isBatchFirst;
  private final int steps;
  private final int batch;
  private final int width;
  private final int hidden;
  private final RecurrenceFactors factors;
  private final String direction;
  private final int directions;

  private OnnxRecurrences(OperatorCall call) {
    this.call = call;
    x = call.input("0");
    call.shape("0", 3);
    isBatchFirst = call.integer("layout", 0) == 1;
    steps = (int) x.size(isBatchFirst ? 1 : 0);
    batch = (int) x.size(isBatchFirst ? 0 : 1);
    width = (int) x.size(2);
    call.shape("2", 3);
    factors = new RecurrenceFactors(call.type().equals(RecurrenceFactors.QUANTIZED));
    hidden = (int) call.integer("hidden_size", call.input("2").size(factors.isQuantized() ? 1 : 2));
    direction = call.text("direction", "forward");
    directions = direction.equals("bidirectional") ? 2 : 1;
  }

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    for (String type : List.of("GRU", "LSTM", "RNN", RecurrenceFactors.QUANTIZED)) {
      family.kernel(
          type, Use.NUMBERS, OutputTypes.like(0), call -> new OnnxRecurrences(call).run());
    }
  }

  private boolean isLstm() {
    return factors.isQuantized() || call.type().equals("LSTM");
  }

  private OperatorResult run() {
    if (hidden < 1) {
      throw new OperatorException("a hidden_size of " + hidden);
    }
    int states = batch * hidden;
    double[] elements = factors.ofInput(elements(x));
    double[] y = new double[steps * directions * states];
    double[] h = states("5");
    double[] c = isLstm() ? states("6") : new double[h.length];
    int[] lengths = lengths();
    OnnxCell.Parameters[] parameters = parameters();
    for (int d = 0; d < directions; d++) {
      OnnxCell cell = OnnxCell.of(isLstm() ? "LSTM" : call.type(), parameters[d]);
      boolean isReverse = direction.equals("reverse") || d == 1;
      double[][] own = parts(h, d);
      double[][] ownCells = parts(c, d);
      for (int i = 0; i < steps; i++) {
        double[][] before = factors.ofStates(active(own, lengths, i));
        for (int b = 0; b < batch; b++) {
          if (i < lengths[b]) {
            int step = isReverse ? lengths[b] - 1 - i : i;
            int at = (isBatchFirst ? b * steps + step : step * batch + b) * width;
            cell.step(elements, at, before[b], own[b], ownCells[b]);
            System.arraycopy(own[b], 0, y, outputAt(step, d, b), hidden);
          }
        }
      }
      for (int b = 0; b < batch; b++) {
        // As in ONNX Runtime, the last states of an empty sequence are zeros.
        if (lengths[b] > 0) {
          System.arraycopy(own[b], 0, h, stateAt(d, b), hidden);
          System.arraycopy(ownCells[b], 0, c, stateAt(d, b), hidden);
        } else {
          Arrays.fill(h, stateAt(d, b), stateAt(d, b) + hidden, 0);
          Arrays.fill(c, stateAt(d, b), stateAt(d, b) + hidden, 0);
        }
      }
    }
    return result(y, h, c);
  }

  /** Returns the states of all sequences of the batch in one direction. */
  private double[][] parts(double[] states, int d) {
    double[][] parts = new double[batch][];
    for (int b = 0; b < batch; b++) {
      parts[b] = Arrays.copyOfRange(states, stateAt(d, b), stateAt(d, b) + hidden);
    }
    return parts;
  }

  /** Returns the states of the sequences that are longer than a step; zeros for the others. */
  private static double[][] active(double[][] states, int[] lengths, int step) {
    double[][] active = new double[states.length][];
    for (int b = 0; b < active.length; b++) {
      active[b] = step < lengths[b] ? states[b] : new double[states[b].length];
    }
    return active;
  }

  private int stateAt(int d, int b) {
    return (isBatchFirst ? b * directions + d : d * batch + b) * hidden;
  }

  private int outputAt(int step, int d, int b) {
    return isBatchFirst
        ? ((b * steps + step) * directions + d) * hidden
        : ((step * directions + d) * batch + b) * hidden;
  }

  private OperatorResult result(double[] y, double[] h, double[] c) {
    ImmutableLongArray all =
        isBatchFirst
            ? ImmutableLongArray.of(batch, steps, directions, hidden)
            : ImmutableLongArray.of(steps, directions, batch, hidden);
    ImmutableLongArray last =
        isBatchFirst
            ? ImmutableLongArray.of(batch, directions, hidden)
            : ImmutableLongArray.of(directions, batch, hidden);
    OperatorResult.Builder result = OperatorResult.builder();
    put(result, "0", all, y);
    put(result, "1", last, h);
    put(result, "2", last, c);
    return result.build();
  }

  private void put(
      OperatorResult.Builder result, String slot, ImmutableLongArray shape, double[] elements) {
    if (!call.wants(slot)) {
      return;
    }
    Tensor tensor = Tensor.zeros(x.type(), shape);
    for (int i = 0; i < elements.length; i++) {
      ElementWriter.put(tensor, i, elements[i]);
    }
    result.put(slot, tensor);
  }

  /** Returns initial states; zeros if they are not given. */
  private double[] states(String slot) {
    int count = directions * batch * hidden;
    return call.has(slot) ? parameter(slot, count) : new double[count];
  }

  private double[] parameter(String slot, int count) {
    if (!call.has(slot)) {
      return new double[count];
    }
    Tensor tensor = call.input(slot);
    if (tensor.length() != count) {
      throw new OperatorException(
          "input " + slot + " has the shape " + tensor.shape() + ", not " + count + " elements");
    }
    return elements(tensor);
  }

  private static double[] elements(Tensor tensor) {
    if (tensor.type() == ElementType.FLOAT64) {
      return tensor.doubles().clone();
    }
    double[] elements = new double[tensor.length()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = tensor.getDouble(i);
    }
    return elements;
  }

  private int[] lengths() {
    int[] lengths = new int[batch];
    Arrays.fill(lengths, steps);
    if (call.has("4")) {
      Tensor given = call.input("4");
      for (int b = 0; b < batch; b++) {
        long length = given.length() == batch ? given.getLong(b) : -1;
        if (length < 0 || length > steps) {
          throw new OperatorException("sequence_lens " + given + " for " + steps + " steps");
        }
        lengths[b] = (int) length;
      }
    }
    return lengths;
  }

  private OnnxCell.Parameters[] parameters() {
    String type = isLstm() ? "LSTM" : call.type();
    int rows = OnnxCell.gates(type) * hidden;
    double[] input =
        factors.weights(call, "1", parameter("1", directions * rows * width), directions, rows);
    double[] recurrent =
        factors.weights(call, "2", parameter("2", directions * rows * hidden), directions, rows);
    double[] bias = parameter("3", directions * 2 * rows);
    double[] peephole = parameter(isLstm() ? "7" : "none", directions * 3 * hidden);
    List<String> names =
        switch (type) {
          case "LSTM" -> List.of("Sigmoid", "Tanh", "Tanh");
          case "GRU" -> List.of("Sigmoid", "Tanh");
          default -> List.of("Tanh");
        };
    ImmutableList<GateFunction> functions = GateFunction.of(call, names, directions);
    double clip = call.real("clip", Double.POSITIVE_INFINITY);
    boolean variant = call.flag(isLstm() ? "input_forget" : "linear_before_reset", false);
    OnnxCell.Parameters[] parameters = new OnnxCell.Parameters[directions];
    for (int d = 0; d < directions; d++) {
      parameters[d] =
          new OnnxCell.Parameters(
              width,
              hidden,
              part(input, d),
              part(recurrent, d),
              part(bias, d),
              part(peephole, d),
              functions.subList(d * names.size(), (d + 1) * names.size()),
              clip,
              variant);
    }
    return parameters;
  }

  private ImmutableDoubleArray part(double[] all, int d) {
    int count = all.length / directions;
    return ImmutableDoubleArray.copyOf(Arrays.copyOfRange(all, d * count, (d + 1) * count));
  }
}
