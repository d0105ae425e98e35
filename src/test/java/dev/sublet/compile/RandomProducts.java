package dev.sublet.compile;

import java.util.List;
import java.util.Random;

/** The text of random operators that sum products, each with feeds and a result of its own. */
final class RandomProducts {

  private RandomProducts() {}

  /** Appends a product of matrices with extents up to a number. */
  static void matrixProduct(StringBuilder text, int i, Random random, int most) {
    int m = 1 + random.nextInt(most);
    int k = 1 + random.nextInt(most);
    int n = 1 + random.nextInt(2 * most);
    boolean turnsX = random.nextBoolean();
    boolean turnsY = random.nextBoolean();
    text.append("feed x%d: fp32[2,%s]\n".formatted(i, turnsX ? k + "," + m : m + "," + k));
    String factor = "y%d: fp32[%s]".formatted(i, turnsY ? n + "," + k : k + "," + n);
    boolean isConstant = random.nextBoolean();
    text.append(
        isConstant ? "var " + factor + " persistable parameter\n" : "feed " + factor + "\n");
    text.append("var o%d: fp32[2,%d,%d]\n".formatted(i, m, n));
    text.append(
        "o%d = matmul_v2(X: x%d, Y: y%d) {trans_x: %s, trans_y: %s}\n"
            .formatted(i, i, i, turnsX, turnsY));
    text.append("fetch(o%d)\n".formatted(i));
  }

  /** Appends a convolution of random extents, strides, dilations and paddings, and its feeds. */
  static void convolution(
      StringBuilder text, int i, Random random, String type, int groups, int outputs) {
    int[] extent = new int[2];
    int[] kernel = new int[2];
    int[] stride = new int[2];
    int[] dilation = new int[2];
    int[] paddings = new int[4];
    int[] result = new int[2];
    for (int axis = 0; axis < 2; axis++) {
      kernel[axis] = 1 + random.nextInt(5);
      stride[axis] = 1 + random.nextInt(3);
      dilation[axis] = 1 + random.nextInt(2);
      paddings[2 * axis] = random.nextInt(4);
      paddings[2 * axis + 1] = random.nextInt(4);
      int reach = (kernel[axis] - 1) * dilation[axis] + 1;
      int padded = reach + random.nextInt(axis == 0 ? 20 : 70);
      extent[axis] = Math.max(1, padded - paddings[2 * axis] - paddings[2 * axis + 1]);
      padded = extent[axis] + paddings[2 * axis] + paddings[2 * axis + 1];
      result[axis] = (padded - reach) / stride[axis] + 1;
    }
    int images = 1 + random.nextInt(2);
    int inputs = type.startsWith("depthwise") ? groups : groups * (1 + random.nextInt(4));
    text.append("feed x%d: fp32[%d,%d,%d,%d]\n".formatted(i, images, inputs, extent[0], extent[1]));
    String filter =
        "f%d: fp32[%d,%d,%d,%d]".formatted(i, outputs, inputs / groups, kernel[0], kernel[1]);
    boolean isConstant = random.nextBoolean();
    text.append(
        isConstant ? "var " + filter + " persistable parameter\n" : "feed " + filter + "\n");
    text.append("var o%d: fp32[%d,%d,%d,%d]\n".formatted(i, images, outputs, result[0], result[1]));
    text.append(
        "(Output: o%d) = %s(Input: x%d, Filter: f%d) {strides: [%d,%d], dilations: [%d,%d],"
            .formatted(i, type, i, i, stride[0], stride[1], dilation[0], dilation[1]));
    text.append(
        " paddings: [%d,%d,%d,%d], groups: %d, padding_algorithm: \"EXPLICIT\"}\n"
            .formatted(paddings[0], paddings[1], paddings[2], paddings[3], groups));
    String shape = "fp32[%d,%d,%d,%d]".formatted(images, outputs, result[0], result[1]);
    text.append("fetch(%s)\n".formatted(tail(text, "o" + i, shape, outputs, random)));
  }

  /** Appends up to three operators that join the one before them; returns the last result. */
  private static String tail(
      StringBuilder text, String from, String shape, int channels, Random random) {
    String last = from;
    for (int k = random.nextInt(4); k > 0; k--) {
      String next = last + "t";
      text.append("var %s: %s\n".formatted(next, shape));
      switch (random.nextInt(4)) {
        case 0 -> {
          for (String role : List.of("m", "v", "s", "b")) {
            text.append(
                "var %s%s: fp32[%d] persistable parameter\n".formatted(next, role, channels));
          }
          text.append(
              "(Y: %s) = batch_norm(X: %s, Mean: %sm, Variance: %sv, Scale: %ss, Bias: %sb)"
                  .formatted(next, last, next, next, next, next));
          text.append(" {is_test: true, epsilon: 0.00001f, data_layout: \"NCHW\"}\n");
        }
        case 1 -> {
          text.append("var %sb: fp32[%d] persistable parameter\n".formatted(next, channels));
          text.append(
              "%s = elementwise_add(X: %s, Y: %sb) {axis: 1}\n".formatted(next, last, next));
        }
        case 2 -> text.append("%s = relu(X: %s)\n".formatted(next, last));
        default ->
            text.append(
                "%s = hard_swish(X: %s) {threshold: 6.0f, scale: 6.0f, offset: 3.0f}\n"
                    .formatted(next, last));
      }
      last = next;
    }
    return last;
  }
}
