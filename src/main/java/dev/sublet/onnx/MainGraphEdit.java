package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.OperatorEdits.SplitPart;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Copies of a model with more nodes in the main graph, for operators of its program. Not checked:
 * whether they compute the same. O(size of the model).
 */
final class MainGraphEdit {

  /** The element type of constants: INT64 of {@code TensorProto.DataType}. */
  private static final int INT64 = 7;

  /** From this opset on, the ends of a slice are inputs. */
  private static final long FIRST_WITH_INPUTS = 10;

  /** The axis of the rows, which is 0; also the first row. */
  private static final String AXIS = "@axis";

  /** The first row of the second half. */
  private static final String MIDDLE = "@middle";

  private static final String END = "@end";

  private final ModelProto message;
  private final Program program;

  /** By variable: the value of the main graph. */
  private final Map<Integer, String> valueOf = new HashMap<>();

  /** By value: the node that writes it. */
  private final Map<String, Integer> nodeOf = new HashMap<>();

  MainGraphEdit(OnnxModel model) {
    this.message = model.toMessage();
    this.program = model.program();
    for (OnnxValue value : model.values()) {
      int variable = program.declared(value.variable().block(), value.variable().name());
      if (value.isInMainGraph() && value.variable().block() == 0) {
        valueOf.put(variable, value.name());
      }
    }
    List<NodeProto> nodes = message.getGraph().getNodeList();
    for (int i = 0; i < nodes.size(); i++) {
      for (String output : nodes.get(i).getOutputList()) {
        nodeOf.put(output, i);
      }
    }
  }

  /** The node of an operator; empty if the operator is part of a node, as in a function. */
  private Optional<Integer> node(Operation operation) {
    for (int i = 0; i < operation.outputCount(); i++) {
      String value = valueOf.get(operation.output(i));
      Integer node = value == null ? null : nodeOf.get(value);
      if (node != null) {
        String type = OnnxNodes.type(message.getGraph().getNode(node));
        return type.equals(operation.type()) ? Optional.of(node) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Whether each node comes after those whose outputs it reads, as their operators do. */
  private boolean isSorted() {
    List<NodeProto> nodes = message.getGraph().getNodeList();
    for (int i = 0; i < nodes.size(); i++) {
      for (String name : TopologicalOrder.reads(nodes.get(i))) {
        Integer writer = nodeOf.get(name);
        if (writer != null && writer >= i) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * The model in which the node of an operator runs a second time before a reader of its output,
   * and this and all later readers read the second output; empty if they are no nodes of a sorted
   * main graph.
   */
  Optional<ModelProto> repeating(Operation writer, int reader) {
    Optional<Integer> node = node(writer);
    if (node.isEmpty() || !isSorted()) {
      return Optional.empty();
    }
    Set<Integer> readers = new HashSet<>();
    int first = Integer.MAX_VALUE;
    for (Operation operation : program.block(0).operations()) {
      if (operation.index() >= reader && operation.countInputs(writer.output(0)) > 0) {
        Optional<Integer> each = node(operation);
        if (each.isEmpty()) {
          return Optional.empty();
        }
        readers.add(each.get());
        first = Math.min(first, each.get());
      }
    }
    String value = String.valueOf(valueOf.get(writer.output(0)));
    Map<String, String> names = Map.of(value, OperatorEdits.again(value));
    GraphProto.Builder graph = message.getGraph().toBuilder().clearNode();
    for (int i = 0; i < message.getGraph().getNodeCount(); i++) {
      NodeProto each = message.getGraph().getNode(i);
      if (i == first) {
        graph.addNode(renamed(message.getGraph().getNode(node.get()), names, "@again"));
      }
      graph.addNode(readers.contains(i) ? renamed(each, names, "") : each);
    }
    return Optional.of(message.toBuilder().setGraph(graph).build());
  }

  private static NodeProto renamed(NodeProto node, Map<String, String> names, String suffix) {
    NodeProto.Builder copy = node.toBuilder();
    for (int i = 0; i < node.getInputCount(); i++) {
      copy.setInput(i, names.getOrDefault(node.getInput(i), node.getInput(i)));
    }
    for (int i = 0; i < node.getOutputCount(); i++) {
      copy.setOutput(i, names.getOrDefault(node.getOutput(i), node.getOutput(i)));
    }
    return node.getName().isEmpty() ? copy.build() : copy.setName(node.getName() + suffix).build();
  }

  /**
   * The model in which operators run on the first half of the rows and then on the second half,
   * where the last node was; empty if they are no nodes of a sorted main graph.
   *
   * @param variables the tensor that is sliced, then the output of each operator
   */
  Optional<ModelProto> splitting(List<Operation> part, List<Integer> variables, long rowsOfFirst) {
    TreeMap<Integer, NodeProto> nodes = new TreeMap<>();
    for (Operation operation : part) {
      Optional<Integer> node = node(operation);
      node.ifPresent(i -> nodes.put(i, message.getGraph().getNode(i)));
    }
    List<String> values = new ArrayList<>();
    variables.forEach(variable -> values.add(valueOf.getOrDefault(variable, "")));
    boolean isPossible = nodes.size() == part.size() && isSorted() && !values.contains("");
    if (!isPossible) {
      return Optional.empty();
    }
    int last = nodes.lastKey();
    GraphProto.Builder graph = message.getGraph().toBuilder().clearNode().clearValueInfo();
    for (ValueInfoProto info : message.getGraph().getValueInfoList()) {
      if (!values.subList(1, values.size() - 1).contains(info.getName())) {
        graph.addValueInfo(info);
      }
    }
    for (int i = 0; i < message.getGraph().getNodeCount(); i++) {
      if (!nodes.containsKey(i)) {
        graph.addNode(message.getGraph().getNode(i));
      } else if (i == last) {
        halves(ImmutableList.copyOf(nodes.values()), values, rowsOfFirst).forEach(graph::addNode);
      }
    }
    return Optional.of(message.toBuilder().setGraph(graph).build());
  }

  private ImmutableList<NodeProto> halves(
      ImmutableList<NodeProto> part, List<String> values, long rowsOfFirst) {
    String input = values.get(0);
    String output = values.get(values.size() - 1);
    boolean haveInputs = OnnxModel.opset(message) >= FIRST_WITH_INPUTS;
    ImmutableList.Builder<NodeProto> nodes = ImmutableList.builder();
    if (haveInputs) {
      nodes.add(constant(input + AXIS, 0), constant(input + MIDDLE, rowsOfFirst));
      nodes.add(constant(input + END, OperatorEdits.TO_THE_END));
    }
    for (int half = 0; half < 2; half++) {
      // The nodes of the first half keep their names; no two nodes have one.
      String suffix = half == 0 ? "" : SplitPart.half("", half);
      Map<String, String> names = new HashMap<>();
      for (String value : values) {
        names.put(value, SplitPart.half(value, half));
      }
      nodes.add(haveInputs ? slice(input, half) : slice(input, half, rowsOfFirst));
      part.forEach(node -> nodes.add(renamed(node, names, suffix)));
    }
    return nodes
        .add(
            NodeProto.newBuilder()
                .setOpType("Concat")
                .addInput(SplitPart.half(output, 0))
                .addInput(SplitPart.half(output, 1))
                .addOutput(output)
                .addAttribute(
                    AttributeProto.newBuilder()
                        .setName("axis")
                        .setType(AttributeProto.AttributeType.INT)
                        .setI(0))
                .build())
        .build();
  }

  /** The slice with the rows of a half, whose bounds are attributes. */
  private static NodeProto slice(String input, int half, long rowsOfFirst) {
    return slicing(input, half)
        .addAttribute(ints("axes", 0))
        .addAttribute(ints("starts", half == 0 ? 0 : rowsOfFirst))
        .addAttribute(ints("ends", half == 0 ? rowsOfFirst : OperatorEdits.TO_THE_END))
        .build();
  }

  /** The slice with the rows of a half, whose bounds are the outputs of constants. */
  private static NodeProto slice(String input, int half) {
    return slicing(input, half)
        .addInput(input + (half == 0 ? AXIS : MIDDLE))
        .addInput(input + (half == 0 ? MIDDLE : END))
        .addInput(input + AXIS)
        .build();
  }

  private static NodeProto.Builder slicing(String input, int half) {
    return NodeProto.newBuilder()
        .setOpType("Slice")
        .addInput(input)
        .addOutput(SplitPart.half(input, half));
  }

  private static AttributeProto ints(String name, long value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INTS)
        .addInts(value)
        .build();
  }

  private static NodeProto constant(String name, long element) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setDataType(INT64).addDims(1).addInt64Data(element);
    return NodeProto.newBuilder()
        .setOpType("Constant")
        .addOutput(name)
        .addAttribute(
            AttributeProto.newBuilder()
                .setName("value")
                .setType(AttributeProto.AttributeType.TENSOR)
                .setT(tensor))
        .build();
  }
}
