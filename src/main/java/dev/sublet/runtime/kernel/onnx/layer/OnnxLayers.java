package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.CheckedKernel;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxOperands;
import dev.sublet.runtime.kernel.onnx.layer.OnnxNormalizations.Standard;
import dev.sublet.runtime.kernel.shape.GatherLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/** Layer normalization, alone or after a sum or an embedding, in FLOAT32 or FLOAT64. */
public final class OnnxLayers {

  private OnnxLayers() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("LayerNormalization", OutputTypes.like(0, "0"), OnnxLayers::layer);
    family.numbers(
        "SimplifiedLayerNormalization", OutputTypes.like(0, "0"), OnnxLayers::simplified);
    family.numbers("RMSNormalization", OnnxLayers::simplified);
    family.numbers(
        "com.microsoft.SkipLayerNormalization", OutputTypes.like(0, "0", "3"), OnnxLayers::skip);
    family.numbers(
        "com.microsoft.SkipSimplifiedLayerNormalization",
        OutputTypes.like(0, "0", "3"),
        OnnxLayers::skipSimplified);
    embedding(family, "EmbedLayerNormalization", OutputTypes.like(2, "0", "2"));
    embedding(family, "QEmbedLayerNormalization", OutputTypes.asComputed());
  }

  private static void embedding(OnnxFamily family, String type, OutputTypes outputs) {
    family.around(
        "com.microsoft." + type,
        kernel ->
            new CarriedKernel(
                new CheckedKernel(kernel, OnnxLayers::checkRows), Use.NUMBERS, outputs),
        OnnxLayers::embed);
  }

  private static void checkRows(OperatorCall call) {
    OnnxOperands.requireInside(call.input("0"), call.shape("2", 2).get(0));
    if (hasPositions(call)) {
      OnnxOperands.requireInside(call.input("8"), call.shape("3", 2).get(0));
    } else if (call.shape("0", 2).get(1) > call.shape("3", 2).get(0)) {
      throw new OperatorException("more words than rows of positions");
    }
    if (call.has("1") && call.has("4")) {
      OnnxOperands.requireInside(call.input("1"), call.shape("4", 2).get(0));
    }
  }

  private static int[] axes(Formula f, OperatorCall call, MicroValue x) {
    return Shapes.range(Shapes.axis(call.integer("axis", -1), f.rank(x)), f.rank(x));
  }

  /** Returns x times a scale plus a bias, which repeat; an empty slot has no effect. */
  private static MicroValue affine(
      LoweringCall lowering, Formula f, MicroValue x, String scale, String bias) {
    MicroValue y = x;
    if (lowering.call().has(scale)) {
      y = f.times(y, NumpyBroadcast.stretch(f, lowering.in(scale), f.shape(x)));
    }
    return lowering.call().has(bias)
        ? f.plus(y, NumpyBroadcast.stretch(f, lowering.in(bias), f.shape(x)))
        : y;
  }

  /** OutputTypes 1 and 2 are the means and the inverse standard deviations, in FLOAT32. */
  private static void layer(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    Standard standard = Standard.of(f, x, call.real("epsilon", 1e-5), axes(f, call, x));
    lowering.out("0", affine(lowering, f, standard.normal(), "1", "2"));
    if (call.wants("1")) {
      lowering.out("1", f.as(ElementType.FLOAT32, standard.mean()));
    }
    if (call.wants("2")) {
      lowering.out("2", f.as(ElementType.FLOAT32, standard.inverse()));
    }
  }

  /** Returns 1/√(mean square + epsilon). */
  private static MicroValue inverse(Formula f, MicroValue x, double epsilon, int... axes) {
    MicroValue squares = f.reduce(Reduction.MEAN, f.square(x), axes);
    return f.apply(UnaryOperator.RSQRT, f.plus(squares, epsilon));
  }

  private static void simplified(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    MicroValue inverse = inverse(f, x, call.real("epsilon", 1e-5), axes(f, call, x));
    MicroValue normal = f.times(x, f.stretch(inverse, f.shape(x)));
    lowering.out("0", affine(lowering, f, normal, "1", "none"));
    if (call.wants("1")) {
      lowering.out("1", inverse);
    }
  }

  /** Returns input 0 plus input 1, which repeats for each batch, plus a bias if there is one. */
  private static MicroValue sum(LoweringCall lowering, Formula f, String bias) {
    MicroValue x = lowering.in("0");
    MicroValue sum = f.plus(x, NumpyBroadcast.stretch(f, lowering.in("1"), f.shape(x)));
    return affine(lowering, f, sum, "none", bias);
  }

  private static void skip(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue sum = sum(lowering, f, "4");
    Standard standard = Standard.of(f, sum, call.real("epsilon", 1e-12), f.rank(sum) - 1);
    lowering.out("0", affine(lowering, f, standard.normal(), "2", "3"));
    if (call.wants("1")) {
      lowering.out("1", standard.mean());
    }
    if (call.wants("2")) {
      lowering.out("2", standard.inverse());
    }
    if (call.wants("3")) {
      lowering.out("3", sum);
    }
  }

  private static void skipSimplified(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue sum = sum(lowering, f, "3");
    MicroValue inverse = inverse(f, sum, call.real("epsilon", 1e-12), f.rank(sum) - 1);
    MicroValue normal = f.times(sum, f.stretch(inverse, f.shape(sum)));
    lowering.out("0", affine(lowering, f, normal, "2", "none"));
    if (call.wants("2")) {
      lowering.out("2", inverse);
    }
    if (call.wants("3")) {
      lowering.out("3", sum);
    }
  }

  /**
   * Lowers EmbedLayerNormalization. Inputs: words, segments, the tables of words, positions and
   * segments, scale, bias, mask, positions. QEmbedLayerNormalization has no positions, but scales
   * of the tables, of the scale and of the bias from input 8 on, and their zero points from 13 on.
   */
  private static void embed(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long[] ids = call.shape("0", 2).toArray();
    MicroValue sum = rows(f, parameter(lowering, f, 0), lowering.in("0"));
    MicroValue places = f.position(ids, Indices.loop(1));
    if (hasPositions(call)) {
      places = NumpyBroadcast.stretch(f, lowering.in("8"), ids);
    }
    sum = f.plus(sum, rows(f, parameter(lowering, f, 1), places));
    if (call.has("1") && call.has("4")) {
      sum = f.plus(sum, rows(f, parameter(lowering, f, 2), lowering.in("1")));
    }
    MicroValue normal = Standard.of(f, sum, call.real("epsilon", 1e-12), 2).normal();
    long[] shape = f.shape(sum);
    MicroValue scaled = f.times(normal, OnnxOperands.along(f, parameter(lowering, f, 3), shape, 2));
    lowering.out("0", f.plus(scaled, OnnxOperands.along(f, parameter(lowering, f, 4), shape, 2)));
    if (call.wants("1")) {
      lowering.out("1", counts(lowering, f, ids));
    }
    if (call.wants("2")) {
      lowering.out("2", sum);
    }
  }

  private static boolean isQuantized(OperatorCall call) {
    return call.type().contains("QEmbed");
  }

  private static boolean hasPositions(OperatorCall call) {
    return !isQuantized(call) && call.has("8");
  }

  /** Returns one of the tables, the scale or the bias; from integers if it is quantized. */
  private static MicroValue parameter(LoweringCall lowering, Formula f, int index) {
    MicroValue given = lowering.in(Integer.toString(2 + index));
    if (!isQuantized(lowering.call())) {
      return given;
    }
    MicroValue scale = OnnxOperands.single(f, lowering.in(Integer.toString(8 + index)));
    MicroValue zero = OnnxOperands.single(f, lowering.in(Integer.toString(13 + index)));
    return f.times(f.as(f.type(scale), f.minus(given, zero)), scale);
  }

  private static MicroValue rows(Formula f, MicroValue table, MicroValue ids) {
    long[] shape = f.shape(ids);
    MicroValue list = f.reshape(ids, Shapes.count(shape));
    MicroValue rows = GatherLowerings.selected(f, table, list, 0);
    return f.reshape(rows, shape[0], shape[1], f.shape(table)[1]);
  }

  /** Returns the number of words of each sequence that the mask keeps; 0 without a mask. */
  private static MicroValue counts(LoweringCall lowering, Formula f, long[] ids) {
    if (!lowering.call().has("7")) {
      return f.constant(ElementType.INT32, 0, ids[0]);
    }
    if (lowering.call().integer("mask_index_type", 1) != 1) {
      throw new OperatorException("a mask_index_type other than 1");
    }
    MicroValue isKept = f.apply(BinaryOperator.NOT_EQUAL, lowering.in("7"), 0L);
    return f.reduceAway(Reduction.SUM, f.as(ElementType.INT32, isKept), 1);
  }
}
