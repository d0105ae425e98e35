package dev.sublet.bench;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Program;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Programs of one operator each, in the sizes that networks for images have. */
public enum OperatorProgram {
  CONVOLUTION(
      "x 1,32,112,112; w 64,32,3,3",
      "(Output: y) = conv2d(Input: x, Filter: w) {strides: [1,1], paddings: [1,1]}"),
  STRIDED_CONVOLUTION(
      "x 1,32,112,112; w 64,32,3,3",
      "(Output: y) = conv2d(Input: x, Filter: w) {strides: [2,2], paddings: [1,1]}"),
  SMALL_CONVOLUTION(
      "x 1,256,20,20; w 256,256,3,3",
      "(Output: y) = conv2d(Input: x, Filter: w) {strides: [1,1], paddings: [1,1]}"),
  POINTWISE_CONVOLUTION(
      "x 1,256,40,40; w 256,256,1,1",
      "(Output: y) = conv2d(Input: x, Filter: w) {strides: [1,1], paddings: [0,0]}"),
  DEPTHWISE_CONVOLUTION(
      "x 1,96,56,56; w 96,1,3,3",
      "(Output: y) = depthwise_conv2d(Input: x, Filter: w) "
          + "{strides: [1,1], paddings: [1,1], groups: 96}"),
  TRANSPOSED_CONVOLUTION(
      "x 1,32,56,56; w 32,32,2,2",
      "(Output: y) = conv2d_transpose(Input: x, Filter: w) {strides: [2,2], paddings: [0,0]}"),
  CONVOLUTION_GRADIENT(
      "x 1,32,56,56; w 64,32,3,3; g 1,64,56,56",
      "(Input@GRAD: y, Filter@GRAD: z) = conv2d_grad(Input: x, Filter: w, Output@GRAD: g) "
          + "{strides: [1,1], paddings: [1,1]}"),
  MATRIX_PRODUCT("x 512,512; w 512,512", "y = matmul_v2(x, w)"),
  TRANSPOSED_PRODUCT("x 512,512; w 512,512", "y = matmul_v2(x, w) {trans_y: true}"),
  VECTOR_PRODUCT("x 1,2048; w 2048,1000", "y = matmul_v2(x, w)"),
  SOFTMAX("x 512,1000", "y = softmax(x) {axis: -1}"),
  BATCH_NORM(
      "x 1,64,112,112; m 64; v 64; s 64; b 64",
      "(Y: y) = batch_norm(X: x, Mean: m, Variance: v, Scale: s, Bias: b) "
          + "{is_test: true, epsilon: 0.00001}"),
  LAYER_NORM(
      "x 197,768; s 768; b 768",
      "(Y: y, Mean: m, Variance: v) = layer_norm(X: x, Scale: s, Bias: b) {begin_norm_axis: 1}"),
  BROADCAST_ADD("x 1,64,112,112; w 64", "y = elementwise_add(x, w) {axis: 1}"),
  SIGMOID("x 1,64,112,112", "y = sigmoid(x)"),
  MAX_POOL(
      "x 1,64,112,112",
      "y = pool2d(x) {pooling_type: \"max\", ksize: [3,3], strides: [2,2], paddings: [1,1]}"),
  AVERAGE_POOL(
      "x 1,512,20,20", "y = pool2d(x) {pooling_type: \"avg\", ksize: [1,1], global_pooling: true}"),
  CONCAT("x 1,256,40,40; w 1,256,40,40", "y = concat(x w) {axis: 1}"),
  RESHAPE("x 1,256,40,40", "(Out: y, XShape: z) = reshape2(x) {shape: [0,64,-1,40]}"),
  INTERPOLATE(
      "x 1,256,40,40",
      "y = nearest_interp_v2(x) {out_h: 80, out_w: 80, interp_method: \"nearest\", align_corners: false}"),
  GROUPED_CONVOLUTION(
      "x 1,64,56,56; w 64,16,3,3",
      "(Output: y) = conv2d(Input: x, Filter: w) {strides: [1,1], paddings: [1,1], groups: 4}"),
  SLICE("x 1,256,40,40", "(Out: y) = slice(Input: x) {axes: [1], starts: [3], ends: [200]}"),
  TRANSPOSE("x 1,256,40,40", "(Out: y, XShape: z) = transpose2(x) {axis: [0,2,3,1]}");

  private final String inputs;
  private final String operator;

  /**
   * A program.
   *
   * @param inputs name and extents of each operand
   * @param operator a line of {@link ProgramText} whose result is y
   */
  OperatorProgram(String inputs, String operator) {
    this.inputs = inputs;
    this.operator = operator;
  }

  /** Makes the program and its operands; what comes back runs it once. */
  public Supplier<ExecutionResult> prepare() {
    List<String> lines = new ArrayList<>(List.of("version 2003002", "block 0"));
    ImmutableMap.Builder<String, Tensor> operands = ImmutableMap.builder();
    for (String input : Splitter.on("; ").split(inputs)) {
      String name = input.substring(0, 1);
      String shape = input.substring(2);
      lines.add("var " + name + ": fp32[" + shape + "] persistable");
      operands.put(name, random(shape));
    }
    lines.add(operator);
    lines.add("fetch(y)");
    Program program = ProgramText.parse(lines.toArray(new String[0]));
    ImmutableMap<String, Tensor> parameters = operands.buildOrThrow();
    return () -> Executor.run(program, ImmutableMap.of(), parameters, ExecutionOptions.defaults());
  }

  private static Tensor random(String text) {
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    for (String extent : Splitter.on(',').split(text)) {
      shape.add(Long.parseLong(extent));
    }
    SplittableRandom random = new SplittableRandom(text.hashCode());
    float[] elements = new float[Tensor.length(shape.build())];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) random.nextDouble(0.1, 1);
    }
    return Tensor.of(shape.build(), elements);
  }
}
