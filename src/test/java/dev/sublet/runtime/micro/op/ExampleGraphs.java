package dev.sublet.runtime.micro.op;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;
import java.util.List;

/** Operators that networks are made of, as micro ops: for tests and benchmarks. */
public final class ExampleGraphs {

  private ExampleGraphs() {}

  /**
   * The geometry of a convolution or pooling, the same along both axes.
   *
   * @param stride between neighboring windows
   * @param pad zeros on each side
   * @param dilation between neighboring elements of a window
   */
  public record Window(int stride, int pad, int dilation) {

    /** Windows over all places without borders. */
    public static final Window PLAIN = new Window(1, 0, 1);

    /** How many windows are there, for the extents of an axis and of the window. */
    String count(String extent, String size) {
      return "(%s + %d - %d * (%s - 1) - 1) / %d + 1"
          .formatted(extent, 2 * pad, dilation, size, stride);
    }

    /** Which element it is, for the indices of the window and in it. */
    String at(String window, String inside) {
      return "%s * %d + %s * %d - %d".formatted(window, stride, inside, dilation, pad);
    }
  }

  /** {@code c[m, n] = Σk a[m, k] b[k, n]}. */
  public static MicroGraph matmul(ElementType type) {
    MicroGraphBuilder g = new MicroGraphBuilder("matmul");
    MicroValue a = g.input("a", type, 2);
    MicroValue b = g.input("b", type, 2);
    MicroValue rows = g.reindex(a, List.of(a, b), "dA0, dB1, dA1[=dB0]", "i0, i2");
    MicroValue columns = g.reindex(b, List.of(a, b), "dA0, dB1, dB0", "i2, i1");
    MicroValue sum = g.reduce(Reduction.SUM, g.binary(BinaryOperator.MULTIPLY, rows, columns), 2);
    g.output("c", g.reindex(sum, List.of(a, b), "dA0, dB1", "i0, i1, 0"));
    return g.build();
  }

  /** x is [n, channels, h, w], filter [outputs, channels / groups, h, w], y [n, outputs, h, w]. */
  public static MicroGraph conv2d(ElementType type, Window window, int groups) {
    MicroGraphBuilder g = new MicroGraphBuilder("conv2d");
    MicroValue x = g.input("x", type, 4);
    MicroValue filter = g.input("filter", type, 4);
    List<MicroValue> both = List.of(x, filter);
    String shape = "dA0, dB0, " + window.count("dA2", "dB2") + ", " + window.count("dA3", "dB3");
    String channel = "i1 / (dB0 / %d) * dB1 + i4".formatted(groups);
    MicroValue windows =
        g.reindex(
            x,
            both,
            shape + ", dB1, dB2, dB3",
            "i0, " + channel + ", " + window.at("i2", "i5") + ", " + window.at("i3", "i6"));
    MicroValue filters = g.reindex(filter, both, shape + ", dB1, dB2, dB3", "i1, i4, i5, i6");
    MicroValue products = g.binary(BinaryOperator.MULTIPLY, windows, filters);
    MicroValue sum = g.reduce(Reduction.SUM, products, 4, 5, 6);
    g.output("y", g.reindex(sum, both, shape, "i0, i1, i2, i3, 0, 0, 0"));
    return g.build();
  }

  /** The largest element of each window; x is [n, channels, h, w]. */
  public static MicroGraph maxPool2d(ElementType type, int size, Window window) {
    return pool("max_pool2d", type, size, window, Reduction.MAXIMUM, Double.NEGATIVE_INFINITY);
  }

  /** The mean of each window, zeros of the border counted. */
  public static MicroGraph averagePool2d(ElementType type, int size, Window window) {
    return pool("average_pool2d", type, size, window, Reduction.MEAN, 0);
  }

  private static MicroGraph pool(
      String name, ElementType type, int size, Window window, Reduction reduction, double outside) {
    MicroGraphBuilder g = new MicroGraphBuilder(name);
    MicroValue x = g.input("x", type, 4);
    String extent = Integer.toString(size);
    String shape = "dA0, dA1, " + window.count("dA2", extent) + ", " + window.count("dA3", extent);
    MicroValue windows =
        g.reindex(
            x,
            List.of(x),
            shape + ", " + size + ", " + size,
            "i0, i1, " + window.at("i2", "i4") + ", " + window.at("i3", "i5"),
            outside);
    MicroValue reduced = g.reduce(reduction, windows, 4, 5);
    g.output("y", g.reindex(reduced, List.of(x), shape, "i0, i1, i2, i3, 0, 0"));
    return g.build();
  }

  /** Over the rows of x, [n, classes]. */
  public static MicroGraph softmax(ElementType type) {
    MicroGraphBuilder g = new MicroGraphBuilder("softmax");
    MicroValue x = g.input("x", type, 2);
    MicroValue power = g.unary(UnaryOperator.EXP, centred(g, x));
    MicroValue sum = g.reduce(Reduction.SUM, power, 1);
    g.output("y", g.binary(BinaryOperator.DIVIDE, power, alongRows(g, sum, x)));
    return g.build();
  }

  /** Over the rows of x, [n, features]; scale and bias are [features]. */
  public static MicroGraph layerNorm(ElementType type, double epsilon) {
    MicroGraphBuilder g = new MicroGraphBuilder("layer_norm");
    MicroValue x = g.input("x", type, 2);
    MicroValue scale = g.input("scale", type, 1);
    MicroValue bias = g.input("bias", type, 1);
    MicroValue mean = alongRows(g, g.reduce(Reduction.MEAN, x, 1), x);
    MicroValue difference = g.binary(BinaryOperator.SUBTRACT, x, mean);
    MicroValue square = g.binary(BinaryOperator.MULTIPLY, difference, difference);
    MicroValue variance = g.reduce(Reduction.MEAN, square, 1);
    MicroValue positive = g.binary(BinaryOperator.ADD, variance, g.scalar(type, epsilon));
    MicroValue factor = alongRows(g, g.unary(UnaryOperator.RSQRT, positive), x);
    MicroValue normal = g.binary(BinaryOperator.MULTIPLY, difference, factor);
    MicroValue scales = g.reindex(scale, List.of(x, scale), "dA0, dA1[=dB0]", "i1");
    MicroValue biases = g.reindex(bias, List.of(x, bias), "dA0, dA1[=dB0]", "i1");
    MicroValue scaled = g.binary(BinaryOperator.MULTIPLY, normal, scales);
    g.output("y", g.binary(BinaryOperator.ADD, scaled, biases));
    return g.build();
  }

  /** The mean over rows of -log softmax(x) at the row's label; labels are INT64, [n]. */
  public static MicroGraph crossEntropy(ElementType type) {
    MicroGraphBuilder g = new MicroGraphBuilder("cross_entropy");
    MicroValue x = g.input("x", type, 2);
    MicroValue label = g.input("label", ElementType.INT64, 1);
    MicroValue logits = centred(g, x);
    MicroValue sum = g.reduce(Reduction.SUM, g.unary(UnaryOperator.EXP, logits), 1);
    MicroValue labels = g.reindex(label, List.of(x, label), "dA0[=dB0], 1", "i0");
    MicroValue chosen = g.select(1, logits, labels);
    MicroValue losses = g.binary(BinaryOperator.SUBTRACT, g.unary(UnaryOperator.LOG, sum), chosen);
    MicroValue mean = g.reduce(Reduction.MEAN, losses, 0, 1);
    g.output("loss", g.reindex(mean, List.of(x), "1", "0, 0"));
    return g.build();
  }

  /** The rows of a table, [words, features], that ids, INT64, [n], name. */
  public static MicroGraph embedding(ElementType type) {
    MicroGraphBuilder g = new MicroGraphBuilder("embedding");
    MicroValue table = g.input("table", type, 2);
    MicroValue ids = g.input("ids", ElementType.INT64, 1);
    MicroValue rows = g.reindex(ids, List.of(table, ids), "dB0, dA1", "i0");
    g.output("y", g.select(0, table, rows));
    return g.build();
  }

  /** Minus the largest of the row, so that powers do not overflow. */
  private static MicroValue centred(MicroGraphBuilder g, MicroValue x) {
    MicroValue largest = g.reduce(Reduction.MAXIMUM, x, 1);
    return g.binary(BinaryOperator.SUBTRACT, x, alongRows(g, largest, x));
  }

  private static MicroValue alongRows(MicroGraphBuilder g, MicroValue column, MicroValue x) {
    return g.reindex(column, List.of(x), "dA0, dA1", "i0, 0");
  }
}
