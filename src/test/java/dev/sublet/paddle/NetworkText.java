package dev.sublet.paddle;

import com.google.common.base.Joiner;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a feed-forward program layer by layer, keeping count of shapes; FP32 throughout. Each
 * method adds one operator and returns the name of its result.
 */
final class NetworkText {

  private final List<String> lines = new ArrayList<>(List.of("version 2003002", "block 0"));
  private final Map<String, ImmutableLongArray> shapes = new HashMap<>();
  private int names;

  /** The program. */
  Program build() {
    return ProgramText.parse(Joiner.on('\n').join(lines));
  }

  String feed(String name, long... dims) {
    shapes.put(name, ImmutableLongArray.copyOf(dims));
    lines.add("feed " + name + ": " + type(shapes.get(name)) + " check_feed");
    return name;
  }

  void fetch(String name) {
    lines.add("fetch(" + name + ")");
  }

  String parameter(long... dims) {
    String name = declare("w", dims);
    lines.set(lines.size() - 1, lines.get(lines.size() - 1) + " persistable parameter");
    return name;
  }

  private String declare(String prefix, long... dims) {
    String name = prefix + names++;
    shapes.put(name, ImmutableLongArray.copyOf(dims));
    lines.add("var " + name + ": " + type(shapes.get(name)));
    return name;
  }

  private static String type(ImmutableLongArray dims) {
    return "fp32[" + Joiner.on(",").join(dims.asList()) + "]";
  }

  private long extent(String name, int axis) {
    return dims(name)[axis];
  }

  private long[] dims(String name) {
    ImmutableLongArray dims = shapes.get(name);
    if (dims == null) {
      throw new IllegalArgumentException("no layer gave " + name);
    }
    return dims.toArray();
  }

  String convolution(String x, long channels, int kernel, int stride) {
    String filter = parameter(channels, extent(x, 1), kernel, kernel);
    int padding = kernel / 2;
    long height = (extent(x, 2) + 2L * padding - kernel) / stride + 1;
    long width = (extent(x, 3) + 2L * padding - kernel) / stride + 1;
    String result = declare("conv", extent(x, 0), channels, height, width);
    lines.add(
        String.format(
            "(Output: %s) = conv2d(Input: %s, Filter: %s)"
                + " {strides: [%d, %d], paddings: [%d, %d], dilations: [1, 1], groups: 1,"
                + " data_format: \"NCHW\"}",
            result, x, filter, stride, stride, padding, padding));
    return result;
  }

  String batchNorm(String x) {
    long channels = extent(x, 1);
    String scale = parameter(channels);
    String bias = parameter(channels);
    String mean = parameter(channels);
    String variance = parameter(channels);
    String savedMean = declare("saved", channels);
    String savedVariance = declare("saved", channels);
    String result = declare("norm", dims(x));
    lines.add(
        String.format(
            "(Y: %s, MeanOut: %s, VarianceOut: %s, SavedMean: %s, SavedVariance: %s) ="
                + " batch_norm(X: %s, Scale: %s, Bias: %s, Mean: %s, Variance: %s)"
                + " {is_test: true, epsilon: 0.00001, momentum: 0.9}",
            result, mean, variance, savedMean, savedVariance, x, scale, bias, mean, variance));
    return result;
  }

  String layerNorm(String x) {
    long width = extent(x, 2);
    String result = declare("norm", dims(x));
    String mean = declare("mean", extent(x, 0) * extent(x, 1));
    String variance = declare("variance", extent(x, 0) * extent(x, 1));
    String scale = parameter(width);
    String bias = parameter(width);
    lines.add(
        String.format(
            "(Y: %s, Mean: %s, Variance: %s) = layer_norm(X: %s, Scale: %s, Bias: %s)"
                + " {begin_norm_axis: 2, epsilon: 0.00001}",
            result, mean, variance, x, scale, bias));
    return result;
  }

  String maxPool(String x, int kernel) {
    return pool(x, "max", kernel, extent(x, 2) / kernel, extent(x, 3) / kernel);
  }

  String globalAveragePool(String x) {
    return pool(x, "avg", Math.toIntExact(extent(x, 2)), 1, 1);
  }

  private String pool(String x, String kind, int kernel, long height, long width) {
    String result = declare("pool", extent(x, 0), extent(x, 1), height, width);
    lines.add(
        String.format(
            "%s = pool2d(%s) {pooling_type: \"%s\", ksize: [%d, %d], strides: [%d, %d],"
                + " paddings: [0, 0]}",
            result, x, kind, kernel, kernel, kernel, kernel));
    return result;
  }

  /** An operator of one input and no attributes whose result has the input's shape. */
  String unary(String type, String x) {
    String result = declare(type, dims(x));
    lines.add(result + " = " + type + "(" + x + ")");
    return result;
  }

  String relu(String x) {
    return unary("relu", x);
  }

  /** The operator with its result in its input: {@code x = type(x)}. */
  String inPlace(String type, String x) {
    lines.add(x + " = " + type + "(" + x + ")");
    return x;
  }

  String scale(String x, double factor) {
    String result = declare("scale", dims(x));
    lines.add(
        result + " = scale(" + x + ") {scale: " + factor + ", bias: 0.0, bias_after_scale: true}");
    return result;
  }

  String softmax(String x) {
    String result = declare("softmax", dims(x));
    lines.add(result + " = softmax(" + x + ") {axis: -1}");
    return result;
  }

  String add(String x, String y) {
    String result = declare("sum", dims(x));
    lines.add(result + " = elementwise_add(" + x + ", " + y + ") {axis: -1}");
    return result;
  }

  /** {@code x = x + y}, as residual networks are often written. */
  String addInPlace(String x, String y) {
    lines.add(x + " = elementwise_add(" + x + ", " + y + ") {axis: -1}");
    return x;
  }

  String concatChannels(String... inputs) {
    long channels = 0;
    for (String input : inputs) {
      channels += extent(input, 1);
    }
    String first = inputs[0];
    String result =
        declare("concat", extent(first, 0), channels, extent(first, 2), extent(first, 3));
    lines.add(result + " = concat(" + Joiner.on(' ').join(inputs) + ") {axis: 1}");
    return result;
  }

  String reshape(String x, long... dims) {
    String result = declare("reshape", dims);
    String shape = shapeOf(x);
    lines.add(
        String.format(
            "(Out: %s, XShape: %s) = reshape2(%s) {shape: [%s]}",
            result, shape, x, Joiner.on(", ").join(ImmutableLongArray.copyOf(dims).asList())));
    return result;
  }

  String transpose(String x, int... axes) {
    long[] dims = new long[axes.length];
    List<Integer> axis = new ArrayList<>();
    for (int i = 0; i < axes.length; i++) {
      dims[i] = extent(x, axes[i]);
      axis.add(axes[i]);
    }
    String result = declare("transpose", dims);
    String shape = shapeOf(x);
    lines.add(
        String.format("(Out: %s, XShape: %s) = transpose2(%s) {axis: %s}", result, shape, x, axis));
    return result;
  }

  private String shapeOf(String x) {
    long[] dims = new long[dims(x).length + 1];
    System.arraycopy(dims(x), 0, dims, 1, dims.length - 1);
    return declare("xshape", dims);
  }

  String matmul(String x, String y, boolean transposesY) {
    long[] dims = dims(x);
    dims[dims.length - 1] = extent(y, dims(y).length - (transposesY ? 2 : 1));
    String result = declare("matmul", dims);
    lines.add(
        String.format(
            "%s = matmul_v2(%s, %s) {trans_x: false, trans_y: %s}", result, x, y, transposesY));
    return result;
  }

  /** A matrix product with a parameter over the last axis, and a bias. */
  String linear(String x, long width) {
    String weight = parameter(extent(x, dims(x).length - 1), width);
    String bias = parameter(width);
    return add(matmul(x, weight, false), bias);
  }
}
