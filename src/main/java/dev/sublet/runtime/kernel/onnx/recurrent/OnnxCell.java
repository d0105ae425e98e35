package dev.sublet.runtime.kernel.onnx.recurrent;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;

/**
 * One step of a recurrent operator for one sequence, in one direction. A step is O(gates · hidden ·
 * (width + hidden)).
 *
 * <p>Source: the equations of RNN, GRU and LSTM in ONNX's specification.
 */
abstract class OnnxCell {

  /**
   * The parameters of one direction.
   *
   * @param input the weights of the input, one row per element of each gate
   * @param recurrent the weights of the hidden state
   * @param bias the bias of the input, then that of the hidden state
   * @param peephole the LSTM's weights of the cell state, of the gates i, o, f
   * @param functions the functions of the gates
   * @param clip the limit on the absolute value of arguments of the functions
   * @param variant the LSTM's input_forget, or the GRU's linear_before_reset
   */
  record Parameters(
      int width,
      int hidden,
      ImmutableDoubleArray input,
      ImmutableDoubleArray recurrent,
      ImmutableDoubleArray bias,
      ImmutableDoubleArray peephole,
      ImmutableList<GateFunction> functions,
      double clip,
      boolean variant) {}

  final Parameters p;
  final int hidden;
  private final int gates;

  OnnxCell(Parameters p, int gates) {
    this.p = p;
    this.hidden = p.hidden();
    this.gates = gates;
  }

  /** Returns the cell of an operator type. */
  static OnnxCell of(String type, Parameters p) {
    return switch (type) {
      case "LSTM" -> new Lstm(p);
      case "GRU" -> new Gru(p);
      default -> new Plain(p);
    };
  }

  /** Returns the number of gates of an operator type. */
  static int gates(String type) {
    return type.equals("LSTM") ? 4 : type.equals("GRU") ? 3 : 1;
  }

  /**
   * Computes the next states in place.
   *
   * @param x the elements of all inputs
   * @param at the index at which this step's input begins
   * @param before the hidden state before the step, which products use
   * @param h the hidden state
   * @param c the LSTM's cell state
   */
  abstract void step(double[] x, int at, double[] before, double[] h, double[] c);

  /** Returns input weights times the input, plus the bias, for all gates. */
  double[] ofInput(double[] x, int at) {
    double[] sums = new double[gates * hidden];
    for (int row = 0; row < sums.length; row++) {
      sums[row] = p.bias().get(row) + dot(p.input(), row * p.width(), x, at, p.width());
    }
    return sums;
  }

  /** Returns recurrent weights times a hidden state, plus the bias, for one element of a gate. */
  double ofState(int gate, int i, double[] h) {
    int row = gate * hidden + i;
    return p.bias().get(gates * hidden + row) + dot(p.recurrent(), row * hidden, h, 0, hidden);
  }

  private static double dot(ImmutableDoubleArray a, int aAt, double[] b, int bAt, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
      sum += a.get(aAt + k) * b[bAt + k];
    }
    return sum;
  }

  /** Applies one of the functions. */
  double apply(int function, double x) {
    return p.functions().get(function).of(Math.min(Math.max(x, -p.clip()), p.clip()));
  }

  private static final class Plain extends OnnxCell {

    Plain(Parameters p) {
      super(p, 1);
    }

    @Override
    void step(double[] x, int at, double[] before, double[] h, double[] c) {
      double[] sums = ofInput(x, at);
      for (int i = 0; i < hidden; i++) {
        h[i] = apply(0, sums[i] + ofState(0, i, before));
      }
    }
  }

  private static final class Gru extends OnnxCell {

    Gru(Parameters p) {
      super(p, 3);
    }

    @Override
    void step(double[] x, int at, double[] before, double[] h, double[] c) {
      double[] sums = ofInput(x, at);
      double[] update = new double[hidden];
      double[] reset = new double[hidden];
      double[] kept = new double[hidden];
      for (int i = 0; i < hidden; i++) {
        update[i] = apply(0, sums[i] + ofState(0, i, before));
        reset[i] = apply(0, sums[hidden + i] + ofState(1, i, before));
        kept[i] = reset[i] * before[i];
      }
      for (int i = 0; i < hidden; i++) {
        double state = p.variant() ? reset[i] * ofState(2, i, before) : ofState(2, i, kept);
        double candidate = apply(1, sums[2 * hidden + i] + state);
        h[i] = (1 - update[i]) * candidate + update[i] * before[i];
      }
    }
  }

  private static final class Lstm extends OnnxCell {

    Lstm(Parameters p) {
      super(p, 4);
    }

    @Override
    void step(double[] x, int at, double[] before, double[] h, double[] c) {
      double[] sums = ofInput(x, at);
      for (int i = 0; i < hidden; i++) {
        double in = apply(0, sum(sums, before, 0, i) + p.peephole().get(i) * c[i]);
        double forget =
            p.variant()
                ? 1 - in
                : apply(0, sum(sums, before, 2, i) + p.peephole().get(2 * hidden + i) * c[i]);
        c[i] = forget * c[i] + in * apply(1, sum(sums, before, 3, i));
        double out = apply(0, sum(sums, before, 1, i) + p.peephole().get(hidden + i) * c[i]);
        h[i] = out * p.functions().get(2).of(c[i]);
      }
    }

    private double sum(double[] sums, double[] before, int gate, int i) {
      return sums[gate * hidden + i] + ofState(gate, i, before);
    }
  }
}
