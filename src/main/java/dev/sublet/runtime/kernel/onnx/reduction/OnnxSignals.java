package dev.sublet.runtime.kernel.onnx.reduction;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.modulo;
import static dev.sublet.runtime.kernel.Indices.number;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.shape.JoinLowerings;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import java.util.List;

/**
 * Discrete Fourier transforms. The last axis of a signal has one element for a real number and two
 * for a complex number.
 *
 * <pre>{@code
 * X[k] = Σ x[n] (cos(2πkn/N) - i sin(2πkn/N))
 * }</pre>
 *
 * <p>O(N²) for N elements, with tables of N cosines and sines.
 */
public final class OnnxSignals {

  private OnnxSignals() {}

  /**
   * A transform.
   *
   * @param length N, the number of elements of the signal that are read; zeros follow its end
   * @param bins the number of elements of the result
   * @param isInverse whether sines are added, and the result is divided by N
   */
  private record Transform(long length, long bins, boolean isInverse) {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("DFT", OnnxSignals::transform);
    family.numbers("STFT", OnnxSignals::shortTransform);
  }

  private static void transform(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    long[] shape = Shapes.ofRankFrom(2, f.shape(x), "input 0");
    // The axis is an attribute before opset 20, and 1 without it.
    boolean isOld = call.operation().attribute("sublet.opset").isPresent();
    String slot = isOld ? "" : "2";
    long absent = isOld ? 1 : -2;
    int axis = Shapes.axis(IntegerArguments.single(call, "axis", absent, slot), shape.length);
    if (axis == shape.length - 1) {
      throw new OperatorException("a transform along the axis of real and imaginary parts");
    }
    long length = call.has("1") ? IntegerArguments.first(call.input("1")) : shape[axis];
    boolean isHalf = call.flag("onesided", false);
    Transform transform =
        new Transform(length, isHalf ? length / 2 + 1 : length, call.flag("inverse", false));
    if (isHalf && transform.isInverse()) {
      throw new OperatorException("onesided and inverse at once, as in ONNX Runtime");
    }
    long inner = Shapes.count(shape, axis + 1, shape.length - 1);
    long[] signals = {Shapes.count(shape, 0, axis), shape[axis], inner, shape[shape.length - 1]};
    MicroValue spectrum = spectrum(f, f.reshape(x, signals), transform);
    long[] complex = Shapes.with(shape, shape.length - 1, 2);
    lowering.out("0", f.reshape(spectrum, Shapes.with(complex, axis, transform.bins())));
  }

  /** Returns the transforms of signals [outer, elements, inner, parts]. */
  private static MicroValue spectrum(Formula f, MicroValue signals, Transform transform) {
    long parts = f.shape(signals)[3];
    if (parts != 1 && parts != 2) {
      throw new OperatorException("numbers of " + parts + " parts");
    }
    ElementType type = f.type(signals);
    MicroValue cosines = table(f, type, transform, UnaryOperator.COS);
    MicroValue sines = table(f, type, transform, UnaryOperator.SIN);
    MicroValue real = sum(f, signals, 0, cosines, transform);
    MicroValue imaginary = sum(f, signals, 0, sines, transform);
    if (parts == 2) {
      real = f.minus(real, sum(f, signals, 1, sines, transform));
      imaginary = f.plus(imaginary, sum(f, signals, 1, cosines, transform));
    }
    return JoinLowerings.joined(f, List.of(real, imaginary), 3);
  }

  /** Returns N cosines or sines of the transform's angles. */
  private static MicroValue table(
      Formula f, ElementType type, Transform transform, UnaryOperator function) {
    long n = transform.length();
    MicroValue places = f.as(ElementType.FLOAT64, f.position(new long[] {n}, loop(0)));
    double step = (transform.isInverse() ? 2 : -2) * Math.PI / n;
    MicroValue table = f.apply(function, f.times(places, step));
    return f.as(type, transform.isInverse() ? f.over(table, (double) n) : table);
  }

  /**
   * Returns the sums of one part of the signals times cosines or sines, [outer, bins, inner, 1].
   */
  private static MicroValue sum(
      Formula f, MicroValue signals, int part, MicroValue table, Transform transform) {
    long[] shape = f.shape(signals);
    long[] kept = {shape[0], transform.bins(), shape[2], 1};
    long[] summed = {transform.length()};
    IndexExpression product = new Arithmetic(Operator.MULTIPLY, loop(1), loop(4));
    return f.reshape(
        f.contract(
            kept,
            summed,
            signals,
            new IndexExpression[] {loop(0), loop(4), loop(2), number(part)},
            table,
            new IndexExpression[] {modulo(product, transform.length())}),
        kept);
  }

  /** Lowers {@code STFT}: the transforms of frames of signals [batch, elements, parts]. */
  private static void shortTransform(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue signal = lowering.in("0");
    long[] shape = Shapes.ofRank(3, f.shape(signal), "input 0");
    long step = IntegerArguments.first(call.input("1"));
    long length =
        call.has("3") ? IntegerArguments.first(call.input("3")) : call.shape("2", 1).get(0);
    if (step < 1 || length < 1 || length > shape[1]) {
      throw new OperatorException(
          "frames of " + length + " elements, " + step + " apart, of " + shape[1]);
    }
    long frames = (shape[1] - length) / step + 1;
    long[] framed = {shape[0], frames, length, shape[2]};
    MicroValue parts =
        f.reindex(signal, framed, loop(0), plus(times(loop(1), step), loop(2)), loop(3));
    if (call.has("2")) {
      parts = f.times(parts, f.along(lowering.in("2"), framed, 2));
    }
    long bins = call.flag("onesided", true) ? length / 2 + 1 : length;
    MicroValue signals = f.reshape(parts, shape[0] * frames, length, 1, shape[2]);
    MicroValue spectrum = spectrum(f, signals, new Transform(length, bins, /* isInverse= */ false));
    lowering.out("0", f.reshape(spectrum, shape[0], frames, bins, 2));
  }
}
