package dev.sublet.onnx;

import static java.util.Objects.requireNonNull;

import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Evaluates a model as ONNX's specification says, with numbers in the place of tensors: the oracle
 * for the translation. An operator's result is a hash of its type and its inputs; a number is true
 * if it is odd; a constant of one integer is that integer.
 */
final class ModelEvaluator {

  /** What an argument is that is left out. */
  static final long ABSENT = 0x5eed;

  private final Map<String, FunctionProto> functions = new HashMap<>();

  private ModelEvaluator(ModelProto model) {
    model.getFunctionsList().forEach(function -> functions.put(function.getName(), function));
  }

  /** The model's results, its inputs being hashes of their names and a seed. */
  static List<Long> run(ModelProto model, long seed) {
    Map<String, Long> values = new HashMap<>();
    for (ValueInfoProto input : model.getGraph().getInputList()) {
      values.put(input.getName(), input(input.getName(), seed));
    }
    return new ModelEvaluator(model).graph(model.getGraph(), values);
  }

  static long input(String name, long seed) {
    return mix(seed, name.hashCode());
  }

  static long mix(long a, long b) {
    long z = (a * 0x9E3779B97F4A7C15L + b) ^ (b >>> 29);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    return z ^ (z >>> 27);
  }

  /** What an operator computes. */
  static long operator(String type, List<Long> inputs, int output) {
    long hash = mix(type.hashCode(), output);
    for (long input : inputs) {
      hash = mix(hash, input);
    }
    return hash;
  }

  /** What a constant is. */
  static long constant(TensorProto tensor) {
    if (tensor.getInt64DataCount() == 1) {
      return tensor.getInt64Data(0);
    }
    long hash = 7;
    for (float element : tensor.getFloatDataList()) {
      hash = mix(hash, Float.floatToIntBits(element));
    }
    return hash;
  }

  /** What is collected after one more piece. */
  static long collected(long before, long piece, long iteration) {
    return mix(mix(before, piece), iteration);
  }

  private List<Long> graph(GraphProto graph, Map<String, Long> outer) {
    Map<String, Long> values = new HashMap<>(outer);
    for (TensorProto tensor : graph.getInitializerList()) {
      values.put(tensor.getName(), constant(tensor));
    }
    graph.getNodeList().forEach(node -> node(node, values));
    List<Long> results = new ArrayList<>();
    graph.getOutputList().forEach(output -> results.add(values.get(output.getName())));
    return results;
  }

  private void node(NodeProto node, Map<String, Long> values) {
    List<Long> inputs = new ArrayList<>();
    for (String name : node.getInputList()) {
      inputs.add(name.isEmpty() ? Long.valueOf(ABSENT) : values.get(name));
    }
    List<Long> results =
        switch (node.getOpType()) {
          case "Constant" -> List.of(constant(node.getAttribute(0).getT()));
          case "If" -> graph(attribute(node, inputs.get(0)), values);
          case "Loop" -> loop(node, inputs, values);
          case "Both" -> call(requireNonNull(functions.get("Both")), inputs);
          default -> List.of(operator(node.getOpType(), inputs, 0));
        };
    for (int i = 0; i < node.getOutputCount(); i++) {
      if (!node.getOutput(i).isEmpty()) {
        values.put(node.getOutput(i), results.get(i));
      }
    }
  }

  private static GraphProto attribute(NodeProto node, long condition) {
    String name = (condition & 1) == 1 ? "then_branch" : "else_branch";
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.getName().equals(name)) {
        return attribute.getG();
      }
    }
    throw new AssertionError(name);
  }

  private List<Long> loop(NodeProto node, List<Long> inputs, Map<String, Long> outer) {
    GraphProto body = node.getAttribute(0).getG();
    int states = node.getInputCount() - 2;
    boolean goOn = node.getInput(1).isEmpty() || (inputs.get(1) & 1) == 1;
    long condition = goOn ? 1 : 0;
    List<Long> carried = new ArrayList<>(inputs.subList(2, inputs.size()));
    int pieces = body.getOutputCount() - 1 - states;
    List<Long> collected = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      collected.add(0L);
    }
    for (long i = 0; i < inputs.get(0) && goOn; i++) {
      Map<String, Long> values = new HashMap<>(outer);
      values.put(body.getInput(0).getName(), i);
      values.put(body.getInput(1).getName(), condition);
      for (int k = 0; k < states; k++) {
        values.put(body.getInput(2 + k).getName(), carried.get(k));
      }
      List<Long> results = graph(body, values);
      // An iteration is told whether it runs, and it does.
      goOn = (results.get(0) & 1) == 1;
      condition = 1;
      carried = new ArrayList<>(results.subList(1, 1 + states));
      for (int k = 0; k < pieces; k++) {
        collected.set(k, collected(collected.get(k), results.get(1 + states + k), i));
      }
    }
    carried.addAll(collected);
    return carried;
  }

  private List<Long> call(FunctionProto function, List<Long> inputs) {
    Map<String, Long> values = new HashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      values.put(function.getInput(i), inputs.get(i));
    }
    function.getNodeList().forEach(node -> node(node, values));
    List<Long> results = new ArrayList<>();
    function.getOutputList().forEach(output -> results.add(values.get(output)));
    return results;
  }
}
