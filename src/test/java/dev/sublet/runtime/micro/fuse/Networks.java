package dev.sublet.runtime.micro.fuse;

import static dev.sublet.runtime.micro.ir.BinaryOperator.ADD;
import static dev.sublet.runtime.micro.ir.BinaryOperator.DIVIDE;
import static dev.sublet.runtime.micro.ir.BinaryOperator.MULTIPLY;
import static dev.sublet.runtime.micro.ir.BinaryOperator.SUBTRACT;
import static dev.sublet.runtime.tensor.ElementType.FLOAT32;

import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroGraphBuilder;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import java.util.List;

/** Operators as graphs of micro ops, the way they are described, not the way they should run. */
final class Networks {

  private Networks() {}

  /** c = a b. */
  static MicroProgram matmul() {
    MicroGraphBuilder g = new MicroGraphBuilder("matmul");
    MicroValue a = g.input("a", FLOAT32, 2);
    MicroValue b = g.input("b", FLOAT32, 2);
    MicroValue rows = g.reindex(a, List.of(a, b), "dA0, dB1, dA1[=dB0]", "i0, i2");
    MicroValue columns = g.reindex(b, List.of(a, b), "dA0, dB1, dB0", "i2, i1");
    MicroValue sum = g.reduce(Reduction.SUM, g.binary(MULTIPLY, rows, columns), 2);
    g.output("c", g.reindex(sum, List.of(a, b), "dA0, dB1", "i0, i1, 0"));
    return g.build().emit();
  }

  /** A convolution with stride 2 and a border of 1, over 4 axes: n, c, h, w. */
  static MicroProgram convolution() {
    MicroGraphBuilder g = new MicroGraphBuilder("conv2d");
    MicroValue x = g.input("x", FLOAT32, 4);
    MicroValue w = g.input("w", FLOAT32, 4);
    String height = "(dA2 + 2 - dB2) / 2 + 1";
    String width = "(dA3 + 2 - dB3) / 2 + 1";
    String shape = "dA0, dB0, " + height + ", " + width + ", dA1[=dB1], dB2, dB3";
    MicroValue patches =
        g.reindex(x, List.of(x, w), shape, "i0, i4, i2 * 2 + i5 - 1, i3 * 2 + i6 - 1");
    MicroValue weights = g.reindex(w, List.of(x, w), shape, "i1, i4, i5, i6");
    MicroValue sum = g.reduce(Reduction.SUM, g.binary(MULTIPLY, patches, weights), 4, 5, 6);
    g.output(
        "y",
        g.reindex(
            sum, List.of(x, w), "dA0, dB0, " + height + ", " + width, "i0, i1, i2, i3, 0, 0, 0"));
    return g.build().emit();
  }

  /** The same with relu of the input and a bias, stride and border being parameters. */
  static MicroProgram convolutionWithParameters() {
    MicroGraphBuilder g = new MicroGraphBuilder("conv2d");
    g.indexParameter("stride");
    g.indexParameter("border");
    MicroValue x = g.input("x", FLOAT32, 4);
    MicroValue w = g.input("w", FLOAT32, 4);
    MicroValue b = g.input("b", FLOAT32, 1);
    String height = "(dA2 + 2 * $border - dB2) / $stride + 1";
    String width = "(dA3 + 2 * $border - dB3) / $stride + 1";
    String shape = "dA0, dB0, " + height + ", " + width + ", dA1[=dB1], dB2, dB3";
    MicroValue patches =
        g.reindex(
            x,
            List.of(x, w),
            shape,
            "i0, i4, i2 * $stride + i5 - $border, i3 * $stride + i6 - $border");
    MicroValue weights = g.reindex(w, List.of(x, w), shape, "i1, i4, i5, i6");
    MicroValue sum = g.reduce(Reduction.SUM, g.binary(MULTIPLY, patches, weights), 4, 5, 6);
    String out = "dA0, dB0, " + height + ", " + width;
    MicroValue y = g.reindex(sum, List.of(x, w), out, "i0, i1, i2, i3, 0, 0, 0");
    MicroValue bias = g.reindex(b, List.of(x, w), out, "i1");
    MicroValue zero = g.scalar(FLOAT32, 0.0);
    g.output(
        "y",
        g.binary(dev.sublet.runtime.micro.ir.BinaryOperator.MAXIMUM, g.binary(ADD, y, bias), zero));
    return g.build().emit();
  }

  /** exp(x - max) / sum along the last of two axes. */
  static MicroProgram softmax() {
    MicroGraphBuilder g = new MicroGraphBuilder("softmax");
    MicroValue x = g.input("x", FLOAT32, 2);
    MicroValue largest = g.reduce(Reduction.MAXIMUM, x, 1);
    MicroValue shifted = g.binary(SUBTRACT, x, g.reindex(largest, List.of(x), "dA0, dA1", "i0, 0"));
    MicroValue e = g.unary(UnaryOperator.EXP, shifted);
    MicroValue sum = g.reduce(Reduction.SUM, e, 1);
    g.output("y", g.binary(DIVIDE, e, g.reindex(sum, List.of(x), "dA0, dA1", "i0, 0")));
    return g.build().emit();
  }

  /** (x - mean) / sqrt(variance + epsilon) · scale + bias along the last of two axes. */
  static MicroProgram layerNorm() {
    MicroGraphBuilder g = new MicroGraphBuilder("layer_norm");
    MicroValue x = g.input("x", FLOAT32, 2);
    MicroValue scale = g.input("scale", FLOAT32, 1);
    MicroValue bias = g.input("bias", FLOAT32, 1);
    MicroValue epsilon = g.parameter("epsilon", FLOAT32);
    MicroValue mean = g.reduce(Reduction.MEAN, x, 1);
    MicroValue centred = g.binary(SUBTRACT, x, g.reindex(mean, List.of(x), "dA0, dA1", "i0, 0"));
    MicroValue variance = g.reduce(Reduction.MEAN, g.binary(MULTIPLY, centred, centred), 1);
    MicroValue factor = g.unary(UnaryOperator.RSQRT, g.binary(ADD, variance, epsilon));
    MicroValue normal =
        g.binary(MULTIPLY, centred, g.reindex(factor, List.of(x), "dA0, dA1", "i0, 0"));
    MicroValue scaled =
        g.binary(MULTIPLY, normal, g.reindex(scale, List.of(x, scale), "dA0, dA1[=dB0]", "i1"));
    g.output("y", g.binary(ADD, scaled, g.reindex(bias, List.of(x, bias), "dA0, dA1[=dB0]", "i1")));
    return g.build().emit();
  }

  /** A batch norm with given mean and variance, over the second of four axes. */
  static MicroProgram batchNorm() {
    MicroGraphBuilder g = new MicroGraphBuilder("batch_norm");
    MicroValue x = g.input("x", FLOAT32, 4);
    MicroValue mean = g.input("mean", FLOAT32, 1);
    MicroValue variance = g.input("variance", FLOAT32, 1);
    MicroValue scale = g.input("scale", FLOAT32, 1);
    MicroValue bias = g.input("bias", FLOAT32, 1);
    MicroValue epsilon = g.scalar(FLOAT32, 1e-5);
    MicroValue factor = g.unary(UnaryOperator.RSQRT, g.binary(ADD, variance, epsilon));
    MicroValue normal =
        g.binary(
            MULTIPLY,
            g.binary(SUBTRACT, x, alongChannels(g, x, mean)),
            alongChannels(g, x, factor));
    g.output(
        "y",
        g.binary(
            ADD,
            g.binary(MULTIPLY, normal, alongChannels(g, x, scale)),
            alongChannels(g, x, bias)));
    return g.build().emit();
  }

  private static MicroValue alongChannels(MicroGraphBuilder g, MicroValue x, MicroValue vector) {
    return g.reindex(vector, List.of(x, vector), "dA0, dA1[=dB0], dA2, dA3", "i1");
  }

  /** The mean of the squared differences of two tensors with two axes. */
  static MicroProgram meanSquaredError() {
    MicroGraphBuilder g = new MicroGraphBuilder("mean_squared_error");
    MicroValue x = g.input("x", FLOAT32, 2);
    MicroValue y = g.input("y", FLOAT32, 2);
    MicroValue difference = g.binary(SUBTRACT, x, y);
    MicroValue mean = g.reduce(Reduction.MEAN, g.binary(MULTIPLY, difference, difference), 0, 1);
    g.output("loss", g.reindex(mean, List.of(x), "1", "0, 0"));
    return g.build().emit();
  }
}
