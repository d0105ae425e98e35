package dev.sublet.onnx;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.OperatorSetIdProto;
import dev.sublet.proto.onnx.TypeProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import dev.sublet.testing.onnx.OnnxCase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model in a few lines:
 *
 * <pre>
 * === name
 * opset 17
 * bind N=2 L=7
 * bind N=3 L=4
 * x in f[N,L]
 * w const f[8]=1
 * y, z = Split x ; axis=0
 * </pre>
 *
 * <p>Each {@code bind} is a run, with numbers for the open extents; tensors and attributes are
 * written as in {@link OnnxCase}. What no node reads is an output.
 *
 * @param name the name
 * @param model the model
 * @param runs the numbers for open extents
 * @param inputs the inputs' extents, numbers and names
 */
record OnnxText(
    String name,
    ModelProto model,
    ImmutableList<ImmutableMap<String, Long>> runs,
    ImmutableMap<String, ImmutableList<String>> inputs) {

  private static final Splitter WORDS = Splitter.on(' ').omitEmptyStrings();
  private static final Splitter COMMAS = Splitter.on(',').trimResults().omitEmptyStrings();

  /** The models of a file. */
  static ImmutableList<OnnxText> parseAll(List<String> lines) {
    ImmutableList.Builder<OnnxText> models = ImmutableList.builder();
    List<String> section = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("=== ") && !section.isEmpty()) {
        models.add(parse(section));
        section.clear();
      }
      if (!line.isEmpty() && !line.startsWith("#")) {
        section.add(line);
      }
    }
    return models.add(parse(section)).build();
  }

  private static OnnxText parse(List<String> lines) {
    GraphProto.Builder graph = GraphProto.newBuilder().setName("text");
    ImmutableList.Builder<ImmutableMap<String, Long>> runs = ImmutableList.builder();
    Map<String, ImmutableList<String>> inputs = new LinkedHashMap<>();
    long opset = 17;
    for (String line : lines.subList(1, lines.size())) {
      List<String> words = WORDS.splitToList(line);
      if (words.get(0).equals("opset")) {
        opset = Long.parseLong(words.get(1));
      } else if (words.get(0).equals("bind")) {
        runs.add(binding(words));
      } else if (words.get(1).equals("in")) {
        inputs.put(words.get(0), addInput(graph, words.get(0), words.get(2)));
      } else if (words.get(1).equals("const")) {
        graph.addInitializer(OnnxCase.tensor(words.get(2), words.get(0)));
      } else {
        addNode(graph, line);
      }
    }
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
            .addOpsetImport(
                OperatorSetIdProto.newBuilder().setDomain("com.microsoft").setVersion(1))
            .setGraph(withOutputs(graph))
            .build();
    return new OnnxText(
        lines.get(0).substring(4), model, runs.build(), ImmutableMap.copyOf(inputs));
  }

  private static ImmutableMap<String, Long> binding(List<String> words) {
    ImmutableMap.Builder<String, Long> binding = ImmutableMap.builder();
    for (String word : words.subList(1, words.size())) {
      int equals = word.indexOf('=');
      binding.put(word.substring(0, equals), Long.valueOf(word.substring(equals + 1)));
    }
    return binding.buildOrThrow();
  }

  private static ImmutableList<String> addInput(
      GraphProto.Builder graph, String name, String tensor) {
    int bracket = tensor.indexOf('[');
    List<String> extents = COMMAS.splitToList(tensor.substring(bracket + 1, tensor.length() - 1));
    TypeProto.Builder type = TypeProto.newBuilder();
    type.getTensorTypeBuilder().setElemType(OnnxCase.elementType(tensor.substring(0, bracket)));
    type.getTensorTypeBuilder().getShapeBuilder();
    for (String extent : extents) {
      if (Character.isDigit(extent.charAt(0))) {
        type.getTensorTypeBuilder()
            .getShapeBuilder()
            .addDimBuilder()
            .setDimValue(Long.parseLong(extent));
      } else {
        type.getTensorTypeBuilder().getShapeBuilder().addDimBuilder().setDimParam(extent);
      }
    }
    graph.addInput(ValueInfoProto.newBuilder().setName(name).setType(type));
    return ImmutableList.copyOf(extents);
  }

  private static void addNode(GraphProto.Builder graph, String line) {
    int equals = line.indexOf(" = ");
    checkArgument(equals > 0, "%s", line);
    String call = line.substring(equals + 3);
    int semicolon = call.indexOf(" ;");
    List<String> words = WORDS.splitToList(semicolon < 0 ? call : call.substring(0, semicolon));
    int dot = words.get(0).lastIndexOf('.');
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setOpType(words.get(0).substring(dot + 1))
            .setDomain(dot < 0 ? "" : words.get(0).substring(0, dot));
    for (String input : words.subList(1, words.size())) {
      node.addInput(input.equals("_") ? "" : input);
    }
    for (String output : COMMAS.split(line.substring(0, equals))) {
      node.addOutput(output.equals("_") ? "" : output);
    }
    if (semicolon >= 0) {
      for (String word : WORDS.split(call.substring(semicolon + 2))) {
        int sign = word.indexOf('=');
        node.addAttribute(OnnxCase.attribute(word.substring(0, sign), word.substring(sign + 1)));
      }
    }
    graph.addNode(node);
  }

  private static GraphProto.Builder withOutputs(GraphProto.Builder graph) {
    List<String> read = new ArrayList<>();
    graph.getNodeList().forEach(node -> read.addAll(node.getInputList()));
    for (NodeProto node : graph.getNodeList()) {
      for (String output : node.getOutputList()) {
        if (!output.isEmpty() && !read.contains(output)) {
          graph.addOutput(ValueInfoProto.newBuilder().setName(output));
        }
      }
    }
    return graph;
  }

  /** The shapes of the inputs in a run. */
  ImmutableMap<String, ImmutableLongArray> shapes(ImmutableMap<String, Long> run) {
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    inputs.forEach(
        (input, extents) -> {
          ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
          for (String extent : extents) {
            Long bound = run.get(extent);
            dims.add(bound == null ? Long.parseLong(extent) : bound);
          }
          shapes.put(input, dims.build());
        });
    return shapes.buildOrThrow();
  }

  @Override
  public String toString() {
    return name;
  }
}
