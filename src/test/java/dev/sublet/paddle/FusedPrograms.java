package dev.sublet.paddle;

import com.google.common.collect.ImmutableList;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.testing.text.ProgramText;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Models in which Paddle's default graph passes for the CPU find their patterns, each with values
 * around the pattern that a careless sharing would let it overwrite.
 */
final class FusedPrograms {

  private FusedPrograms() {}

  /** All of them, named after the passes. */
  static ImmutableList<Model> all() {
    return ImmutableList.<Model>builder()
        .add(shortcut("conv_bn", "conv2d"))
        .add(biasedConvolution("conv_eltwiseadd_bn", "conv2d"))
        .add(linearLayers())
        .add(ranks())
        .add(scaledProducts())
        .add(views())
        .add(dropouts())
        .add(layerNorm())
        .add(squaredDifference())
        .add(dropoutsInPatterns())
        .add(dropoutsAfterProducts())
        .add(scaledLinearLayers())
        .add(scaledTwice())
        .add(normTwice())
        .add(shortcut("conv_transpose_bn", "conv2d_transpose"))
        .add(biasedConvolution("conv_transpose_eltwiseadd_bn", "conv2d_transpose"))
        .addAll(FusedSequencePrograms.all())
        .build();
  }

  private static Model model(String name, Feeds feeds, String... lines) {
    return Model.withRandomParameters(name, ProgramText.parse(lines), feeds);
  }

  private static String norm(String y, String x, int number) {
    return String.format(
        "(Y: %s, MeanOut: m%d, VarianceOut: v%d, SavedMean: sm%d, SavedVariance: sv%d) ="
            + " batch_norm(X: %s, Scale: g%d, Bias: o%d, Mean: m%d, Variance: v%d)"
            + " {is_test: true, epsilon: 0.00001, momentum: 0.9, data_layout: \"NCHW\"}",
        y, number, number, number, number, x, number, number, number, number);
  }

  private static String convolution(String type, String y, String x, String filter) {
    String attributes =
        "strides: [1, 1], paddings: [1, 1], dilations: [1, 1], groups: 1, data_format: \"NCHW\"";
    if (type.equals("conv2d_transpose")) {
      attributes +=
          ", output_size: ints [], output_padding: ints [], padding_algorithm: \"EXPLICIT\"";
    }
    return String.format(
        "(Output: %s) = %s(Input: %s, Filter: %s) {%s}", y, type, x, filter, attributes);
  }

  /** conv(_transpose)_bn_fuse: the first batch_norm is computed just before the sum, from c1. */
  private static Model shortcut(String name, String type) {
    return model(
        name,
        Feeds.none().withImage("x", 1, 4, 6, 6),
        "version 2003002",
        "default fp32[1,4,6,6]",
        "block 0",
        "feed x: fp32[1,4,6,6]",
        "var f1: fp32[4,4,3,3] persistable",
        "var f2: fp32[4,4,3,3] persistable",
        statistics(1),
        statistics(2),
        convolution(type, "c1", "x", "f1"),
        norm("b1", "c1", 1),
        "r = tanh(x)",
        convolution(type, "c2", "r", "f2"),
        norm("b2", "c2", 2),
        "s = elementwise_add(b1, b2) {axis: -1}",
        "t = relu(s)",
        "fetch(t)");
  }

  private static String statistics(int number) {
    return weights("fp32[4]", "g" + number, "o" + number, "m" + number, "v" + number)
        + String.format("%nvar sm%d: fp32[4]%nvar sv%d: fp32[4]", number, number);
  }

  private static String weights(String type, String... names) {
    return Arrays.stream(names)
        .map(name -> "var " + name + ": " + type + " persistable")
        .collect(Collectors.joining("\n"));
  }

  /** conv(_transpose)_eltwiseadd_bn_fuse: the sum writes y while w is still needed. */
  private static Model biasedConvolution(String name, String type) {
    return model(
        name,
        Feeds.none().withImage("x", 1, 4, 6, 6),
        "version 2003002",
        "default fp32[1,4,6,6]",
        "block 0",
        "feed x: fp32[1,4,6,6]",
        "var f1: fp32[4,4,3,3] persistable",
        "var bias: fp32[4] persistable",
        statistics(1),
        "w = tanh(x)",
        convolution(type, "c", "x", "f1"),
        "a = elementwise_add(c, bias) {axis: 1}",
        "u = sigmoid(w)",
        norm("y", "a", 1),
        "s = elementwise_add(y, u) {axis: -1}",
        "fetch(s)");
  }

  /** fc_fuse and repeated_fc_relu_fuse: no result may have the name of the first input. */
  private static Model linearLayers() {
    return model(
        "fc_repeated_fc_relu",
        Feeds.none().withImage("x", 3, 8),
        "version 2003002",
        "default fp32[3,8]",
        "block 0",
        "feed x: fp32[3,8]",
        weights("fp32[8,8]", "w1", "w2", "w3"),
        weights("fp32[8]", "b1", "b2", "b3"),
        "h = tanh(x)",
        "p = mul(h, w1) {x_num_col_dims: 1, y_num_col_dims: 1}",
        "q = elementwise_add(p, b1) {axis: 1}",
        "r = relu(q)",
        "p2 = mul(r, w2) {x_num_col_dims: 1, y_num_col_dims: 1}",
        "q2 = elementwise_add(p2, b2) {axis: 1}",
        "r2 = relu(q2)",
        "e = exp(r2)",
        "p3 = mul(e, w3) {x_num_col_dims: 1, y_num_col_dims: 1}",
        "q3 = elementwise_add(p3, b3) {axis: 1}",
        "z = softmax(q3) {axis: -1}",
        "fetch(z)");
  }

  /** gpu_cpu_map_matmul(_v2)_to_(mul|matmul): inputs of several ranks and equal bytes. */
  private static Model ranks() {
    return model(
        "map_matmul",
        Feeds.none().withImage("x", 4, 8),
        "version 2003002",
        "default fp32[4,8]",
        "block 0",
        "feed x: fp32[4,8]",
        weights("fp32[8,8]", "w1", "w2", "w3"),
        "var c: fp32[2,2,8]",
        "var cs: fp32[0,4,8]",
        "var d: fp32[2,2,8]",
        "var e: fp32[2,2,8]",
        "var f: fp32[1,2,2,8]",
        "var fs: fp32[0,2,2,8]",
        "var g: fp32[1,2,2,8]",
        "var h: fp32[1,2,2,8]",
        "var i: fp32[1,2,2,8]",
        "var j: fp32[1,2,2,2]",
        "a = matmul_v2(x, w1) {trans_x: false, trans_y: false}",
        "b = tanh(a)",
        "(Out: c, XShape: cs) = reshape2(b) {shape: [2,2,8]}",
        "d = matmul_v2(c, w2) {trans_x: false, trans_y: false}",
        "e = tanh(d)",
        "(Out: f, XShape: fs) = reshape2(e) {shape: [1,2,2,8]}",
        "g = matmul(f, w3) {transpose_X: false, transpose_Y: false, alpha: 1.0}",
        "h = tanh(g)",
        "i = sigmoid(h)",
        "j = matmul_v2(h, i) {trans_x: false, trans_y: true}",
        "fetch(j)");
  }

  /** matmul_scale_fuse and matmul_v2_scale_fuse: the product writes the scale's result. */
  private static Model scaledProducts() {
    return model(
        "matmul_scale",
        Feeds.none().withImage("x", 4, 8),
        "version 2003002",
        "default fp32[4,4]",
        "block 0",
        "feed x: fp32[4,8]",
        "var w: fp32[4,4] persistable",
        "var y: fp32[4,8]",
        "y = tanh(x)",
        "o = matmul(x, y) {transpose_X: false, transpose_Y: true, alpha: 1.0}",
        "p = matmul(x, y) {transpose_X: false, transpose_Y: true, alpha: 1.0}",
        "n = tanh(o)",
        "q = scale(p) {scale: 0.5, bias: 0.0, bias_after_scale: true}",
        "r = matmul_v2(q, w) {trans_x: false, trans_y: false}",
        "m = elementwise_mul(n, q) {axis: -1}",
        "s = scale(r) {scale: 0.25, bias: 0.0, bias_after_scale: true}",
        "t = elementwise_add(m, s) {axis: -1}",
        "u = softmax(t) {axis: -1}",
        "fetch(u)");
  }

  /** gpu_cpu_(squeeze2|reshape2|flatten2)_matmul_fuse: ranks of both sides of a view are read. */
  private static Model views() {
    return model(
        "views_matmul",
        Feeds.none().withImage("x", 4, 8, 1, 1),
        "version 2003002",
        "default fp32[4,8]",
        "block 0",
        "feed x: fp32[4,8,1,1]",
        weights("fp32[8,8]", "w1", "w2", "w3"),
        weights("fp32[8]", "b1", "b2", "b3"),
        "var t: fp32[4,8,1,1]",
        "var s1: fp32[0,4,8,1,1]",
        "var s2: fp32[0,4,8,1,1]",
        "var s3: fp32[0,4,8,1,1]",
        "var y1: fp32[4,8,1,1]",
        "var y2: fp32[4,8,1,1]",
        "var z1: fp32[0,4,8]",
        "var z2: fp32[0,4,8]",
        "var u1: fp32[4,8,1,1]",
        "var u2: fp32[4,8,1,1]",
        "t = tanh(x)",
        "(Out: a1, XShape: s1) = squeeze2(t) {axes: [2,3]}",
        "p1 = matmul(a1, w1) {transpose_X: false, transpose_Y: false, alpha: 1.0}",
        "q1 = elementwise_add(p1, b1) {axis: 1}",
        "(Out: y1, XShape: z1) = unsqueeze2(q1) {axes: [2,3]}",
        "u1 = sigmoid(y1)",
        "(Out: a2, XShape: s2) = reshape2(u1) {shape: [-1,8]}",
        "p2 = matmul(a2, w2) {transpose_X: false, transpose_Y: false, alpha: 1.0}",
        "q2 = elementwise_add(p2, b2) {axis: 1}",
        "(Out: y2, XShape: z2) = unsqueeze2(q2) {axes: [2,3]}",
        "u2 = sigmoid(y2)",
        "(Out: a3, XShape: s3) = flatten2(u2) {axis: 1}",
        "p3 = matmul(a3, w3) {transpose_X: false, transpose_Y: false, alpha: 1.0}",
        "q3 = elementwise_add(p3, b3) {axis: 1}",
        "r = softmax(q3) {axis: -1}",
        "fetch(r)");
  }

  /** simplify_with_basic_ops: the readers of a dropout's result read its input. */
  private static Model dropouts() {
    return model(
        "simplify_with_basic_ops",
        Feeds.none().withImage("x", 4, 8),
        "version 2003002",
        "default fp32[4,8]",
        "block 0",
        "feed x: fp32[4,8]",
        "var k1: uint8[4,8]",
        "var k2: uint8[4,8]",
        "a = tanh(x)",
        "(Out: b, Mask: k1) = dropout(a) {dropout_prob: 0.4, is_test: true,"
            + " dropout_implementation: \"upscale_in_train\", fix_seed: true, seed: 1}",
        "c = exp(x)",
        "d = sigmoid(c)",
        "(Out: e, Mask: k2) = dropout(d) {dropout_prob: 0.4, is_test: true,"
            + " dropout_implementation: \"downgrade_in_infer\", fix_seed: true, seed: 1}",
        "f = tanh(c)",
        "g = elementwise_mul(e, f) {axis: -1}",
        "h = elementwise_add(b, g) {axis: -1}",
        "i = elementwise_mul(h, b) {axis: -1}",
        "fetch(i)");
  }

  /** layer_norm_fuse: nine operators become one just before the reader of the last. */
  private static Model layerNorm() {
    return model(
        "layer_norm",
        Feeds.none().withImage("x", 2, 3, 8),
        "version 2003002",
        "default fp32[2,3,8]",
        "block 0",
        "feed x: fp32[2,3,8]",
        "var two: fp32[1] persistable",
        "var eps: fp32[1] persistable",
        "var gain: fp32[8] persistable",
        "var shift: fp32[8] persistable",
        "var m: fp32[2,3,1]",
        "var v: fp32[2,3,1]",
        "var ve: fp32[2,3,1]",
        "var sd: fp32[2,3,1]",
        "h = tanh(x)",
        "m = reduce_mean(h) {dim: [-1], keep_dim: true, reduce_all: false}",
        "d = elementwise_sub(h, m) {axis: -1}",
        "p = elementwise_pow(d, two) {axis: -1}",
        "v = reduce_mean(p) {dim: [-1], keep_dim: true, reduce_all: false}",
        "ve = elementwise_add(v, eps) {axis: -1}",
        "sd = sqrt(ve)",
        "q = elementwise_div(d, sd) {axis: -1}",
        "g = elementwise_mul(q, gain) {axis: -1}",
        "y = elementwise_add(g, shift) {axis: -1}",
        "o = sigmoid(x)",
        "w = exp(o)",
        "z = elementwise_add(y, w) {axis: -1}",
        "fetch(z)");
  }

  /** squared_mat_sub_fuse: the squares are results of the new operator, written late. */
  private static Model squaredDifference() {
    return model(
        "squared_mat_sub",
        Feeds.none().withImage("a", 4, 4).withImage("b", 4, 4),
        "version 2003002",
        "default fp32[4,4]",
        "block 0",
        "feed a: fp32[4,4]",
        "feed b: fp32[4,4]",
        "var half: fp32[1]",
        "x = tanh(a)",
        "y = tanh(b)",
        "xx = square(x)",
        "yy = square(y)",
        "xy = matmul(x, y) {transpose_X: false, transpose_Y: false, alpha: 1.0}",
        "s = square(xy)",
        "t = matmul(xx, yy) {transpose_X: false, transpose_Y: false, alpha: 1.0}",
        "d = elementwise_sub(s, t) {axis: -1}",
        "half = fill_constant() {shape: [1], dtype: 5, value: 0.5}",
        "r = elementwise_mul(d, half) {axis: -1}",
        "o = exp(b)",
        "u = sigmoid(o)",
        "z = elementwise_add(r, u) {axis: -1}",
        "fetch(z)");
  }

  /**
   * Passes match through a dropout that the first of them has removed, and read its input's rank.
   */
  private static Model dropoutsInPatterns() {
    return model(
        "dropout_in_patterns",
        Feeds.none().withImage("x", 2, 2, 8),
        "version 2003002",
        "default fp32[4,8]",
        "block 0",
        "feed x: fp32[2,2,8]",
        weights("fp32[8,8]", "w1", "w2", "w3"),
        weights("fp32[8]", "b1", "b2"),
        "var u: fp32[2,2,8]",
        "var v: fp32[2,2,8]",
        "var rs: fp32[0,2,2,8]",
        "u = tanh(x)",
        "v = exp(u)",
        "(Out: r, XShape: rs) = reshape2(v) {shape: [4,8]}",
        dropout("d", "r", 1, "upscale_in_train"),
        "p = matmul_v2(d, w1) {trans_x: false, trans_y: false}",
        dropout("e", "p", 2, "upscale_in_train"),
        "q = elementwise_add(e, b1) {axis: 1}",
        dropout("f", "q", 3, "upscale_in_train"),
        "g = relu(f)",
        "h = mul(g, w2) {x_num_col_dims: 1, y_num_col_dims: 1}",
        "i = elementwise_add(h, b2) {axis: 1}",
        "s = sigmoid(d)",
        "k = elementwise_mul(i, s) {axis: -1}",
        dropout("l", "k", 4, "downgrade_in_infer"),
        "n = matmul_v2(l, w3) {trans_x: false, trans_y: false}",
        "o = tanh(n)",
        "fetch(o)");
  }

  private static String dropout(String out, String x, int number, String implementation) {
    return String.format(
        "var k%d: uint8[4,8]%n(Out: %s, Mask: k%d) = dropout(%s) {dropout_prob: 0.4, is_test: true,"
            + " dropout_implementation: \"%s\", fix_seed: true, seed: 1}",
        number, out, number, x, implementation);
  }

  /** A dropout that becomes a scale is written by the product before it. */
  private static Model dropoutsAfterProducts() {
    return model(
        "dropout_after_products",
        Feeds.none().withImage("x", 4, 8),
        "version 2003002",
        "default fp32[4,8]",
        "block 0",
        "feed x: fp32[4,8]",
        weights("fp32[8,8]", "w1"),
        "var y: fp32[8,8]",
        "y = matmul(x, x) {transpose_X: true, transpose_Y: false, alpha: 1.0}",
        "o = tanh(x)",
        "p = matmul(x, y) {transpose_X: false, transpose_Y: false, alpha: 1.0}",
        "n = exp(o)",
        dropout("q", "p", 1, "downgrade_in_infer"),
        "r = elementwise_mul(n, q) {axis: -1}",
        "t = sigmoid(r)",
        "a = matmul_v2(r, w1) {trans_x: false, trans_y: false}",
        "b = exp(t)",
        dropout("c", "a", 2, "downgrade_in_infer"),
        "s = elementwise_add(b, c) {axis: -1}",
        "fetch(s)");
  }

  /** fc_fuse finds a product that has taken a scale before. */
  private static Model scaledLinearLayers() {
    return model(
        "scaled_fc",
        Feeds.none().withImage("x", 4, 8),
        "version 2003002",
        "default fp32[4,8]",
        "block 0",
        "feed x: fp32[4,8]",
        weights("fp32[8,8]", "w1", "w2"),
        weights("fp32[8]", "b1", "b2"),
        "h = tanh(x)",
        "p = matmul_v2(h, w1) {trans_x: false, trans_y: false}",
        "q = scale(p) {scale: 0.5, bias: 0.0, bias_after_scale: true}",
        "r = elementwise_add(q, b1) {axis: 1}",
        "o = sigmoid(x)",
        "s = elementwise_mul(r, o) {axis: -1}",
        "p2 = matmul_v2(s, w2) {trans_x: false, trans_y: false}",
        dropout("q2", "p2", 1, "downgrade_in_infer"),
        "r2 = elementwise_add(q2, b2) {axis: 1}",
        "t = relu(r2)",
        "u = exp(o)",
        "z = elementwise_add(t, u) {axis: -1}",
        "fetch(z)");
  }

  /** The matmul that a matmul_v2 has become takes a second scale, and writes its result. */
  private static Model scaledTwice() {
    return model(
        "scaled_twice",
        Feeds.none().withImage("x", 4, 8),
        "version 2003002",
        "default fp32[4,8]",
        "block 0",
        "feed x: fp32[4,8]",
        weights("fp32[8,8]", "w"),
        "h = tanh(x)",
        "o = exp(x)",
        "p = matmul_v2(h, w) {trans_x: false, trans_y: true}",
        "q = scale(p) {scale: 0.5, bias: 0.0, bias_after_scale: true}",
        "n = sigmoid(o)",
        "r = scale(q) {scale: 0.25, bias: 0.0, bias_after_scale: true}",
        "z = elementwise_add(r, n) {axis: -1}",
        "fetch(z)");
  }

  /** The elementwise_add that conv_bn_fuse makes is one for conv_eltwiseadd_bn_fuse. */
  private static Model normTwice() {
    return model(
        "conv_bn_bn",
        Feeds.none().withImage("x", 1, 4, 6, 6),
        "version 2003002",
        "default fp32[1,4,6,6]",
        "block 0",
        "feed x: fp32[1,4,6,6]",
        weights("fp32[4,4,3,3]", "f1"),
        statistics(1),
        statistics(2),
        "w = tanh(x)",
        convolution("conv2d", "c", "x", "f1"),
        norm("y", "c", 1),
        "u = sigmoid(w)",
        norm("z", "y", 2),
        "s = elementwise_add(z, u) {axis: -1}",
        "fetch(s)");
  }
}
