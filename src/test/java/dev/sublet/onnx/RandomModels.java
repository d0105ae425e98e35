package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.AttributeProto.AttributeType;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.TypeProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random models: tensors of 16 floats and truth values, computed by nodes, branches, loops and
 * functions that are nested up to three deep, take values from all graphs around them, hand values
 * through, swap what they carry, leave results out, and use names again in graphs side by side.
 */
public final class RandomModels {

  static final int TENSOR = 1;
  static final int TRUTH = 9;
  private static final int MAX_DEPTH = 3;

  /** The values that a graph can use. */
  private record Visible(List<String> tensors, List<String> truths) {

    Visible copy() {
      return new Visible(new ArrayList<>(tensors), new ArrayList<>(truths));
    }
  }

  private final Random random;
  private int names;

  private RandomModels(long seed) {
    random = new Random(seed);
  }

  public static ModelProto of(long seed) {
    return new RandomModels(seed).model();
  }

  private ModelProto model() {
    GraphProto.Builder graph = GraphProto.newBuilder().setName("random");
    Visible visible = new Visible(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < 2; i++) {
      graph.addInput(info("x" + i, TENSOR));
      visible.tensors().add("x" + i);
    }
    graph.addInput(info("c", TRUTH));
    visible.truths().add("c");
    graph.addInitializer(constant("w"));
    visible.tensors().add("w");
    graph.addAllNode(nodes(visible, 3 + random.nextInt(5), 0));
    for (int i = 0; i < 1 + random.nextInt(2); i++) {
      graph.addOutput(ValueInfoProto.newBuilder().setName(any(visible.tensors())));
    }
    return ModelProto.newBuilder().setIrVersion(8).setGraph(graph).addFunctions(function()).build();
  }

  /** Two results, one of them an argument, the other computed by way of a constant. */
  private static FunctionProto function() {
    return FunctionProto.newBuilder()
        .setDomain("local")
        .setName("Both")
        .addInput("a")
        .addInput("b")
        .addOutput("r")
        .addOutput("b")
        .addNode(node("Constant", ImmutableList.of(), "k").addAttribute(value(constant("k"))))
        .addNode(node("Mul", ImmutableList.of("a", "k"), "t"))
        .addNode(node("Add", ImmutableList.of("t", "b"), "r"))
        .build();
  }

  private static TensorProto constant(String name) {
    TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(1).addDims(16);
    for (int i = 0; i < 16; i++) {
      tensor.addFloatData(i);
    }
    return tensor.build();
  }

  private static AttributeProto value(TensorProto tensor) {
    return AttributeProto.newBuilder()
        .setName("value")
        .setType(AttributeType.TENSOR)
        .setT(tensor)
        .build();
  }

  private List<NodeProto> nodes(Visible visible, int count, int depth) {
    List<NodeProto> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int choice = random.nextInt(depth < MAX_DEPTH ? 10 : 6);
      if (choice < 3) {
        nodes.add(unary(visible));
      } else if (choice < 5) {
        nodes.add(binary(visible));
      } else if (choice < 6) {
        nodes.addAll(truth(visible));
      } else if (choice < 7) {
        nodes.add(call(visible));
      } else if (choice < 8) {
        nodes.add(branch(visible, depth));
      } else {
        nodes.addAll(loop(visible, depth));
      }
    }
    return nodes;
  }

  private String name(String prefix) {
    return prefix + names++;
  }

  private String any(List<String> list) {
    // Late ones more often, so that values are used soon after they are made.
    int back = Math.min(random.nextInt(list.size()), random.nextInt(list.size()));
    return list.get(list.size() - 1 - back);
  }

  private NodeProto unary(Visible visible) {
    String type = random.nextBoolean() ? "Relu" : "Tanh";
    String result = name("v");
    NodeProto node = node(type, ImmutableList.of(any(visible.tensors())), result).build();
    visible.tensors().add(result);
    return node;
  }

  private NodeProto binary(Visible visible) {
    String result = name("v");
    ImmutableList<String> inputs = ImmutableList.of(any(visible.tensors()), any(visible.tensors()));
    NodeProto node = node(random.nextBoolean() ? "Add" : "Mul", inputs, result).build();
    visible.tensors().add(result);
    return node;
  }

  private List<NodeProto> truth(Visible visible) {
    String most = name("m");
    String result = name("t");
    NodeProto reduce =
        node("ReduceMax", ImmutableList.of(any(visible.tensors())), most)
            .addAttribute(integer("keepdims", 0))
            .build();
    NodeProto test = node("IsNaN", ImmutableList.of(most), result).build();
    visible.truths().add(result);
    return List.of(reduce, test);
  }

  private NodeProto call(Visible visible) {
    String first = name("f");
    String second = random.nextInt(4) == 0 ? "" : name("f");
    NodeProto node =
        NodeProto.newBuilder()
            .setDomain("local")
            .setOpType("Both")
            .addInput(any(visible.tensors()))
            .addInput(any(visible.tensors()))
            .addOutput(first)
            .addOutput(second)
            .build();
    visible.tensors().add(first);
    if (!second.isEmpty()) {
      visible.tensors().add(second);
    }
    return node;
  }

  private NodeProto branch(Visible visible, int depth) {
    int results = 1 + random.nextInt(2);
    int before = names;
    GraphProto onTrue = branchGraph(visible, results, depth);
    if (random.nextBoolean()) {
      names = before; // Names may be used again in a graph beside this one.
    }
    GraphProto onFalse = branchGraph(visible, results, depth);
    names = Math.max(names, before + 100);
    NodeProto.Builder node = NodeProto.newBuilder().setOpType("If").addInput(any(visible.truths()));
    node.addAttribute(graph("then_branch", onTrue)).addAttribute(graph("else_branch", onFalse));
    for (int i = 0; i < results; i++) {
      String result = random.nextInt(5) == 0 ? "" : name("b");
      node.addOutput(result);
      if (!result.isEmpty()) {
        visible.tensors().add(result);
      }
    }
    return node.build();
  }

  private GraphProto branchGraph(Visible outer, int results, int depth) {
    Visible visible = outer.copy();
    GraphProto.Builder graph = GraphProto.newBuilder().setName("branch");
    graph.addAllNode(nodes(visible, random.nextInt(4), depth + 1));
    for (int i = 0; i < results; i++) {
      // It may be a value from outside, a constant, or the same value twice.
      graph.addOutput(ValueInfoProto.newBuilder().setName(any(visible.tensors())));
    }
    return graph.build();
  }

  private List<NodeProto> loop(Visible outer, int depth) {
    int states = random.nextInt(4);
    int collected = random.nextInt(2) + (states == 0 ? 1 : 0);
    Visible visible = outer.copy();
    GraphProto.Builder body = GraphProto.newBuilder().setName("body");
    String counter = name("i");
    String condition = name("go");
    body.addInput(info(counter, 7)).addInput(info(condition, TRUTH));
    visible.truths().add(condition);
    String bound = name("n");
    NodeProto.Builder loop = NodeProto.newBuilder().setOpType("Loop").addInput(bound);
    loop.addInput(random.nextBoolean() ? "" : any(outer.truths()));
    List<String> parameters = new ArrayList<>();
    List<String> truths = new ArrayList<>();
    boolean[] isTruth = new boolean[states];
    for (int i = 0; i < states; i++) {
      isTruth[i] = random.nextInt(4) == 0;
      String parameter = name("p");
      loop.addInput(any(isTruth[i] ? outer.truths() : outer.tensors()));
      body.addInput(info(parameter, isTruth[i] ? TRUTH : TENSOR));
      (isTruth[i] ? truths : parameters).add(parameter);
      (isTruth[i] ? visible.truths() : visible.tensors()).add(parameter);
    }
    body.addAllNode(nodes(visible, 1 + random.nextInt(4), depth + 1));
    body.addOutput(
        ValueInfoProto.newBuilder()
            .setName(random.nextBoolean() ? condition : any(visible.truths())));
    for (int i = 0; i < states + collected; i++) {
      boolean truth = i < states && isTruth[i];
      List<String> own = truth ? truths : parameters;
      boolean swap = !own.isEmpty() && i < states && random.nextInt(3) == 0;
      String result = any(swap ? own : truth ? visible.truths() : visible.tensors());
      body.addOutput(ValueInfoProto.newBuilder().setName(result));
    }
    loop.addAttribute(graph("body", body.build()));
    for (int i = 0; i < states + collected; i++) {
      boolean isAsked = i >= states || random.nextInt(5) != 0;
      String result = isAsked ? name("l") : "";
      loop.addOutput(result);
      if (isAsked && i < states) {
        (isTruth[i] ? outer.truths() : outer.tensors()).add(result);
      }
    }
    TensorProto trips =
        TensorProto.newBuilder().setDataType(7).addInt64Data(random.nextInt(5)).build();
    return List.of(
        node("Constant", ImmutableList.of(), bound).addAttribute(value(trips)).build(),
        loop.build());
  }

  private static NodeProto.Builder node(String type, List<String> inputs, String output) {
    return NodeProto.newBuilder().setOpType(type).addAllInput(inputs).addOutput(output);
  }

  private static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INT).setI(value).build();
  }

  private static AttributeProto graph(String name, GraphProto graph) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeType.GRAPH)
        .setG(graph)
        .build();
  }

  private static ValueInfoProto info(String name, int elementType) {
    TypeProto.Builder type = TypeProto.newBuilder();
    type.getTensorTypeBuilder().setElemType(elementType).getShapeBuilder();
    if (elementType == TENSOR) {
      type.getTensorTypeBuilder().getShapeBuilder().addDimBuilder().setDimValue(16);
    }
    return ValueInfoProto.newBuilder().setName(name).setType(type).build();
  }
}
