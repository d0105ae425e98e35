package dev.sublet.paddle;

import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random straight-line models of the operators that Paddle's graph passes look for. All values have
 * 64 elements, as a matrix or as an image, so that any of them could share a name. Most operators
 * read the latest value, so that patterns arise; the others read any earlier one.
 */
final class RandomPatterns {

  private static final String MATRIX = "fp32[8,8]";
  private static final String IMAGE = "fp32[1,4,4,4]";

  private final Random random;
  private final List<String> lines = new ArrayList<>(List.of("version 2003002", "block 0"));
  private final List<String> matrices = new ArrayList<>(List.of("x"));
  private final List<String> images = new ArrayList<>(List.of("y"));
  private int names;

  private RandomPatterns(long seed) {
    this.random = new Random(seed);
  }

  /** A model of some twenty operators, the same for the same seed. */
  static Model of(long seed) {
    RandomPatterns patterns = new RandomPatterns(seed);
    patterns.lines.add("feed x: " + MATRIX);
    patterns.lines.add("feed y: " + IMAGE);
    for (int i = 0; i < 20; i++) {
      patterns.addOperator();
    }
    patterns.lines.add("fetch(" + patterns.matrices.get(patterns.matrices.size() - 1) + ")");
    patterns.lines.add("fetch(" + patterns.images.get(patterns.images.size() - 1) + ")");
    return Model.withRandomParameters(
        "random_patterns_" + seed,
        ProgramText.parse(String.join("\n", patterns.lines)),
        Feeds.none().withImage("x", 8, 8).withImage("y", 1, 4, 4, 4));
  }

  private void addOperator() {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4, 5, 6 -> addToMatrices();
      case 7 -> addReshape(images, matrices, MATRIX, "[8,8]");
      case 8 -> addReshape(matrices, images, IMAGE, "[1,4,4,4]");
      default -> addToImages();
    }
  }

  private void addToMatrices() {
    String a = value(matrices);
    String b = any(matrices);
    String result = declare(MATRIX, "");
    switch (random.nextInt(14)) {
      case 0 -> addUnary(result, a);
      case 1 -> lines.add(result + " = relu(" + a + ")");
      case 2 -> addDropout(result, a, MATRIX);
      case 3 -> addScale(result, a);
      case 4 -> lines.add(result + " = square(" + a + ")");
      case 5 -> lines.add(result + " = elementwise_mul(" + a + ", " + b + ") {axis: -1}");
      case 6 -> lines.add(result + " = elementwise_sub(" + a + ", " + b + ") {axis: -1}");
      case 7 -> lines.add(result + " = elementwise_add(" + a + ", " + b + ") {axis: -1}");
      case 8, 9 ->
          lines.add(result + " = elementwise_add(" + a + ", " + weight("fp32[8]") + ") {axis: 1}");
      case 10 -> addProduct(result, a, b);
      default -> addProduct(result, a, weight(MATRIX));
    }
    matrices.add(result);
  }

  private void addToImages() {
    String a = value(images);
    String result = declare(IMAGE, "");
    switch (random.nextInt(9)) {
      case 0 -> addUnary(result, a);
      case 1 -> addDropout(result, a, IMAGE);
      case 2 -> lines.add(result + " = elementwise_add(" + a + ", " + any(images) + ") {axis: -1}");
      case 3 ->
          lines.add(result + " = elementwise_add(" + a + ", " + weight("fp32[4]") + ") {axis: 1}");
      case 4, 5, 6 -> addConvolution(result, a);
      default -> addNorm(result, a);
    }
    images.add(result);
  }

  private void addConvolution(String result, String a) {
    String attributes =
        " {strides: [1,1], paddings: [1,1], dilations: [1,1], groups: 1, data_format: \"NCHW\"";
    String[] types = {"conv2d", "conv2d", "conv2d_transpose"};
    String type = types[random.nextInt(types.length)];
    lines.add(
        String.format(
            "(Output: %s) = %s(Input: %s, Filter: %s)%s%s}",
            result,
            type,
            a,
            weight("fp32[4,4,3,3]"),
            attributes,
            type.equals("conv2d")
                ? ""
                : ", output_size: ints [], output_padding: ints [], padding_algorithm: \"EXPLICIT\""));
  }

  private void addReshape(List<String> from, List<String> to, String type, String shape) {
    String x = value(from);
    String view = declare(type, "");
    String extents = declare(from == images ? "fp32[0,1,4,4,4]" : "fp32[0,8,8]", "");
    lines.add(
        String.format("(Out: %s, XShape: %s) = reshape2(%s) {shape: %s}", view, extents, x, shape));
    to.add(view);
  }

  private void addUnary(String result, String a) {
    lines.add(result + " = " + (random.nextBoolean() ? "tanh" : "sigmoid") + "(" + a + ")");
  }

  private void addScale(String result, String a) {
    lines.add(result + " = scale(" + a + ") {scale: 0.5, bias: 0.0, bias_after_scale: true}");
  }

  private void addDropout(String result, String a, String type) {
    String mask = declare(type.replace("fp32", "uint8"), "");
    lines.add(
        String.format(
            "(Out: %s, Mask: %s) = dropout(%s) {dropout_prob: 0.4, is_test: true,"
                + " dropout_implementation: \"%s\", fix_seed: true, seed: 1}",
            result, mask, a, random.nextBoolean() ? "upscale_in_train" : "downgrade_in_infer"));
  }

  private void addProduct(String result, String a, String b) {
    String attributes =
        switch (random.nextInt(3)) {
          case 0 -> "matmul(%s, %s) {transpose_X: false, transpose_Y: false, alpha: 1.0}";
          case 1 -> "matmul_v2(%s, %s) {trans_x: false, trans_y: false}";
          default -> "mul(%s, %s) {x_num_col_dims: 1, y_num_col_dims: 1}";
        };
    lines.add(result + " = " + String.format(attributes, a, b));
  }

  private void addNorm(String result, String a) {
    String mean = weight("fp32[4]");
    String variance = weight("fp32[4]");
    lines.add(
        String.format(
            "(Y: %s, MeanOut: %s, VarianceOut: %s, SavedMean: %s, SavedVariance: %s) ="
                + " batch_norm(X: %s, Scale: %s, Bias: %s, Mean: %s, Variance: %s)"
                + " {is_test: true, epsilon: 0.00001, momentum: 0.9, data_layout: \"NCHW\"}",
            result,
            mean,
            variance,
            declare("fp32[4]", ""),
            declare("fp32[4]", ""),
            a,
            weight("fp32[4]"),
            weight("fp32[4]"),
            mean,
            variance));
  }

  private String weight(String type) {
    return declare(type, " persistable");
  }

  private String declare(String type, String suffix) {
    String name = "v" + names++;
    lines.add("var " + name + ": " + type + suffix);
    return name;
  }

  /** Mostly the latest value. */
  private String value(List<String> values) {
    return random.nextInt(4) == 0 ? any(values) : values.get(values.size() - 1);
  }

  private String any(List<String> values) {
    return values.get(random.nextInt(values.size()));
  }
}
