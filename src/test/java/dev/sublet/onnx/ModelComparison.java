package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertWithMessage;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Compares the inferred sizes of a model with what ONNX Runtime computes: a copy of the model has
 * every value of its main graph as an output.
 *
 * @param exact how many values have exactly the inferred extents and type
 * @param bounded how many have at most the inferred extents, and the type
 * @param unknown of how many the size is not inferred
 */
record ModelComparison(int exact, int bounded, int unknown) {

  /**
   * Runs and infers a model and compares.
   *
   * @param shapes the shapes of all inputs
   * @param fill what all elements of the inputs are
   * @throws OrtException if the runtime does not accept the model
   * @throws AssertionError if what was inferred is not so
   */
  static ModelComparison of(
      ModelProto model, ImmutableMap<String, ImmutableLongArray> shapes, int fill)
      throws OrtException {
    ImmutableList<RuntimeTensor> computed = run(model, shapes, fill);
    OnnxModel translated = OnnxModel.of(model);
    Sizes sizes = infer(translated, shapes);
    Map<String, Integer> variables = variables(translated);
    int[] counts = new int[3];
    for (RuntimeTensor tensor : computed) {
      assertWithMessage("values").that(variables).containsKey(tensor.name());
      int variable = variables.getOrDefault(tensor.name(), -1);
      counts[compare(tensor, sizes, variable)]++;
    }
    return new ModelComparison(counts[0], counts[1], counts[2]);
  }

  /**
   * Checks that values which are shown to have equally many bytes in every run have them in another
   * run than the one that was inferred. O(values squared).
   *
   * @return how many pairs there are
   */
  static int checkSameSizes(
      ModelProto model,
      ImmutableMap<String, ImmutableLongArray> inferred,
      ImmutableMap<String, ImmutableLongArray> other)
      throws OrtException {
    ImmutableList<RuntimeTensor> computed = run(model, other, 1);
    OnnxModel translated = OnnxModel.of(model);
    Sizes sizes = infer(translated, inferred);
    Map<String, Integer> variables = variables(translated);
    int pairs = 0;
    for (int i = 0; i < computed.size(); i++) {
      int left = variables.getOrDefault(computed.get(i).name(), -1);
      for (int j = 0; j < i; j++) {
        int right = variables.getOrDefault(computed.get(j).name(), -1);
        if (sizes.areSame(left, right)) {
          assertWithMessage("%s and %s", computed.get(i), computed.get(j))
              .that(computed.get(i).byteCount())
              .isEqualTo(computed.get(j).byteCount());
          pairs++;
        }
      }
    }
    return pairs;
  }

  private static Sizes infer(OnnxModel model, ImmutableMap<String, ImmutableLongArray> shapes) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    Program program = model.program();
    return ShapeInference.infer(
        program,
        catalog,
        LodCarriers.find(program, catalog),
        new ShapeOptions(1, shapes, ImmutableMap.of()));
  }

  /** 0 if it is exactly so, 1 if it is within the bound, 2 if nothing is known. */
  private static int compare(RuntimeTensor tensor, Sizes sizes, int variable) {
    ImmutableLongArray dims = sizes.dims(variable);
    String what = tensor + ", inferred: " + sizes.dataType(variable) + " " + dims;
    assertWithMessage(what).that(sizes.dataType(variable)).isEqualTo(tensor.type());
    if (!sizes.isKnown(variable)) {
      return 2;
    }
    boolean isUnranked = dims.equals(ImmutableLongArray.of(-1));
    if (isUnranked && sizes.isBound(variable)) {
      assertWithMessage(what).that(tensor.byteCount()).isAtMost(sizes.bytes(variable));
      return 1;
    }
    if (isUnranked) {
      assertWithMessage(what).that(tensor.byteCount()).isEqualTo(sizes.bytes(variable));
      return 0;
    }
    if (!sizes.isBound(variable)) {
      assertWithMessage(what).that(dims).isEqualTo(tensor.dims());
      return 0;
    }
    assertWithMessage(what).that(dims.length()).isEqualTo(tensor.dims().length());
    for (int i = 0; i < dims.length(); i++) {
      assertWithMessage(what).that(dims.get(i)).isAtLeast(tensor.dims().get(i));
    }
    return 1;
  }

  private static Map<String, Integer> variables(OnnxModel model) {
    Map<VariableId, Integer> indices = new HashMap<>();
    for (Variable variable : model.program().variables()) {
      indices.put(variable.id(), variable.index());
    }
    Map<String, Integer> variables = new HashMap<>();
    for (OnnxValue value : model.values()) {
      Integer index = indices.get(value.variable());
      if (value.isInMainGraph() && index != null) {
        variables.put(value.name(), index);
      }
    }
    return variables;
  }

  private static ImmutableList<RuntimeTensor> run(
      ModelProto model, ImmutableMap<String, ImmutableLongArray> shapes, int fill)
      throws OrtException {
    GraphProto.Builder graph = model.getGraph().toBuilder();
    nameAllOutputs(graph, model);
    Set<String> outputs = new HashSet<>();
    graph.getOutputList().forEach(output -> outputs.add(output.getName()));
    Set<String> optionals = optionals(model.getGraph());
    for (NodeProto node : model.getGraph().getNodeList()) {
      for (String output : node.getOutputList()) {
        boolean isNew =
            !output.isEmpty()
                && !node.getOpType().equals("Constant")
                && !optionals.contains(output);
        if (isNew && outputs.add(output)) {
          graph.addOutput(ValueInfoProto.newBuilder().setName(output));
        }
      }
    }
    ImmutableMap.Builder<String, OnnxTensor> feeds = ImmutableMap.builder();
    for (ValueInfoProto input : model.getGraph().getInputList()) {
      ImmutableLongArray dims = shapes.get(input.getName());
      if (dims != null) {
        int type = input.getType().getTensorType().getElemType();
        feeds.put(input.getName(), feed(type, dims, fill));
      }
    }
    return RuntimeTensor.run(model.toBuilder().setGraph(graph).build(), feeds.buildOrThrow());
  }

  /**
   * The values that nodes make or take as optionals. They cannot be results: ONNX Runtime 1.20 ends
   * the process if one has no value.
   */
  private static Set<String> optionals(GraphProto graph) {
    Set<String> optionals = new HashSet<>();
    for (NodeProto node : graph.getNodeList()) {
      if (node.getOpType().equals("Optional")) {
        optionals.addAll(node.getOutputList());
      } else if (node.getOpType().startsWith("Optional")) {
        optionals.addAll(node.getInputList());
      }
    }
    return optionals;
  }

  /**
   * Gives the outputs names that nodes with graphs and calls of functions leave out: ONNX Runtime
   * 1.20 ends the process otherwise.
   */
  static void nameAllOutputs(GraphProto.Builder graph, ModelProto model) {
    Map<String, Integer> counts = new HashMap<>();
    for (FunctionProto function : model.getFunctionsList()) {
      counts.put(function.getName(), function.getOutputCount());
    }
    int unused = 0;
    for (NodeProto.Builder node : graph.getNodeBuilderList()) {
      boolean isCall = counts.containsKey(node.getOpType()) && !node.getDomain().isEmpty();
      boolean hasGraph = node.getAttributeList().stream().anyMatch(AttributeProto::hasG);
      for (int i = 0; hasGraph && i < node.getOutputCount(); i++) {
        if (node.getOutput(i).isEmpty()) {
          node.setOutput(i, "unused" + unused++);
        }
      }
      while (isCall && node.getOutputCount() < counts.getOrDefault(node.getOpType(), 0)) {
        node.addOutput("unused" + unused++);
      }
    }
  }

  private static OnnxTensor feed(int type, ImmutableLongArray dims, int fill) throws OrtException {
    long count = dims.stream().reduce(1, Math::multiplyExact);
    int width = Tensors.dataType(type).bytes();
    ByteBuffer data = ByteBuffer.allocateDirect((int) count * width).order(ByteOrder.nativeOrder());
    for (int i = 0; i < count; i++) {
      switch (Tensors.dataType(type)) {
        case FP32 -> data.putFloat(fill);
        case INT64 -> data.putLong(fill);
        case INT32 -> data.putInt(fill);
        case BOOL -> data.put((byte) fill);
        default -> throw new IllegalArgumentException("element type " + type);
      }
    }
    return OnnxTensor.createTensor(
        RuntimeTensor.environment(), data.rewind(), dims.toArray(), javaType(type));
  }

  private static OnnxJavaType javaType(int type) {
    DataType dataType = Tensors.dataType(type);
    return switch (dataType) {
      case FP32 -> OnnxJavaType.FLOAT;
      case INT64 -> OnnxJavaType.INT64;
      case INT32 -> OnnxJavaType.INT32;
      case BOOL -> OnnxJavaType.BOOL;
      default -> throw new IllegalArgumentException("element type " + dataType);
    };
  }
}
