package dev.sublet.onnx;

import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.onnx.Draft.DraftOperator;
import dev.sublet.onnx.OnnxScope.Value;
import dev.sublet.program.TensorDraft;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.SparseTensorProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.TypeProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates the nodes of one graph, or of one function body, into the operators of one block.
 * O(nodes), including the nodes of inner graphs and of called functions.
 *
 * <p>Every value becomes a variable that is declared when its node is translated. The caller can
 * request that a graph's output be written to a variable that another block declares later, see
 * {@code targets}.
 */
final class GraphTranslation {

  /**
   * The operators that mean something else before an opset, although nothing in the node tells:
   * they take their input as a matrix, have another mask or axis, or place regions differently.
   * Before this opset they get the model's opset as an attribute.
   */
  private static final ImmutableMap<String, Integer> DEPENDING_ON_OPSET =
      ImmutableMap.of(
          "DFT", 20, "Dropout", 13, "Hardmax", 13, "LogSoftmax", 13, "RoiAlign", 16, "Softmax", 13);

  private final Draft draft;
  private final Functions functions;
  private final DiagnosticLog log;
  private final OnnxScope scope;
  private final int block;

  /** The types that the graph declares for its values. */
  private final Map<String, TypeProto> types = new HashMap<>();

  /** The inputs of the model that have a default and need not be fed. */
  private final Set<String> defaults = new HashSet<>();

  /** The outputs of the graph. */
  private final Set<String> results = new HashSet<>();

  /** For values that are written to variables that another block declares: these variables. */
  private final ImmutableMap<String, String> targets;

  GraphTranslation(
      Draft draft,
      Functions functions,
      DiagnosticLog log,
      OnnxScope scope,
      int block,
      ImmutableMap<String, String> targets) {
    this.draft = draft;
    this.functions = functions;
    this.log = log;
    this.scope = scope;
    this.block = block;
    this.targets = targets;
  }

  Draft draft() {
    return draft;
  }

  OnnxScope scope() {
    return scope;
  }

  int block() {
    return block;
  }

  /** The translation of a graph in an attribute of a node of this graph. */
  GraphTranslation inner(String path, int innerBlock, ImmutableMap<String, String> innerTargets) {
    return new GraphTranslation(draft, functions, log, scope.inner(path), innerBlock, innerTargets);
  }

  /** Records the types that a graph declares. */
  void learnTypes(GraphProto graph) {
    graph.getValueInfoList().forEach(this::learnType);
    graph.getOutputList().forEach(this::learnType);
  }

  private void learnType(ValueInfoProto info) {
    types.putIfAbsent(info.getName(), info.getType());
  }

  /** Declares the initializers and translates the nodes. The inputs are in the scope already. */
  void translate(GraphProto graph) {
    learnTypes(graph);
    graph.getOutputList().forEach(output -> results.add(output.getName()));
    for (TensorProto tensor : graph.getInitializerList()) {
      addInitializer(tensor);
    }
    for (SparseTensorProto tensor : graph.getSparseInitializerList()) {
      addInitializer(tensor);
    }
    translateInOrder(graph.getNodeList(), scope.path());
  }

  /**
   * Translates the nodes of the graph or function body.
   *
   * @param path the path of the graph or the name of the function, for messages
   */
  private void translateInOrder(List<NodeProto> nodes, String path) {
    TopologicalOrder.of(nodes, path, name -> scope.lookup(name) != null, log)
        .forEach(i -> translate(nodes.get(i), i));
  }

  private void addInitializer(TensorProto tensor) {
    String name = tensor.getName();
    checkName(name, "an initializer");
    String where = "graph '" + scope.path() + "', initializer '" + name + "'";
    // A default is in the scope already.
    if (!defaults.contains(name)) {
      addConstant(name, tensor.getDataType(), Tensors.constant(tensor, where), where);
    }
    draft.note(OnnxConstant.dense(variable(name, where), tensor, where));
  }

  private void addInitializer(SparseTensorProto tensor) {
    String name = tensor.getValues().getName();
    checkName(name, "a sparse initializer");
    String where = "graph '" + scope.path() + "', sparse initializer '" + name + "'";
    if (!defaults.contains(name)) {
      addConstant(name, tensor.getValues().getDataType(), Tensors.constant(tensor, where), where);
    }
    draft.note(OnnxConstant.sparse(variable(name, where), tensor, where));
  }

  private void addConstant(String name, int elementType, TensorDraft tensor, String where) {
    if (scope.has(name)) {
      throw OnnxNodes.malformed(where, "is defined twice");
    }
    String variable = nameFor(name);
    draft.declareConstant(variable, tensor);
    put(name, new Value(variable, elementType));
  }

  private String nameFor(String name) {
    boolean reserved = scope.path().equals(OnnxValue.MAIN) && draft.isReserved(name);
    return reserved ? name : draft.invent(name);
  }

  private void put(String name, Value value) {
    scope.put(name, value);
    draft.note(scope.path(), name, value.variable());
  }

  /** Translates one node. */
  void translate(NodeProto node, int index) {
    NodeProto outer = draft.begin(node);
    translateBegun(node, index);
    draft.end(outer);
  }

  private void translateBegun(NodeProto node, int index) {
    String where = OnnxNodes.where(scope.path(), index, node);
    FunctionProto function = functions.called(node);
    if (function != null) {
      call(function, node, index, where);
      return;
    }
    if (OnnxNodes.isOnnx(node.getDomain())) {
      switch (node.getOpType()) {
        case "Constant" -> {
          constant(node, where);
          return;
        }
        case "If" -> {
          new BranchTranslation(this, node, index, where).translate();
          return;
        }
        case "Loop", "Scan" -> {
          new LoopTranslation(this, node, index, where).translate();
          return;
        }
        default -> {}
      }
    }
    plain(node, where);
  }

  private void constant(NodeProto node, String where) {
    String name = OnnxNodes.output(node, 0);
    if (name.isEmpty()) {
      return; // The constant is not used.
    }
    AttributeProto sparse = OnnxNodes.attribute(node, "sparse_value");
    if (sparse != null) {
      SparseTensorProto tensor = sparse.getSparseTensor();
      addConstant(name, tensor.getValues().getDataType(), Tensors.constant(tensor, where), where);
      draft.note(OnnxConstant.sparse(variable(name, where), tensor, where));
      return;
    }
    TensorProto value =
        Tensors.valueOf(node).orElseThrow(() -> OnnxNodes.malformed(where, "has no value"));
    addConstant(name, value.getDataType(), Tensors.constant(value, where), where);
    draft.note(OnnxConstant.dense(variable(name, where), value, where));
  }

  private void plain(NodeProto node, String where) {
    DraftOperator operator = new DraftOperator(OnnxNodes.type(node));
    int[] inputTypes = new int[node.getInputCount()];
    for (int i = 0; i < inputTypes.length; i++) {
      Value value = read(node.getInput(i), where);
      inputTypes[i] = value == null ? 0 : value.elementType();
      operator.in(Integer.toString(i), value == null ? "" : value.variable());
    }
    addCaptures(node, operator, where);
    int[] outputTypes =
        OnnxElementTypes.ofOutputs(
            OnnxNodes.type(node), inputTypes, Attributes.integers(node), node.getOutputCount());
    if (OnnxNodes.type(node).equals("Dropout") && draft.opset() < 10 && outputTypes.length > 1) {
      outputTypes[1] = inputTypes.length == 0 ? 0 : inputTypes[0]; // T before opset 10.
    }
    boolean isConstant =
        draft.foldsConstants()
            && ConstantNodes.isComputable(node)
            && hasKnownType(node, outputTypes)
            && hasConstantInputs(node)
            && isOwn(node);
    for (int i = 0; i < node.getOutputCount(); i++) {
      String name = node.getOutput(i);
      String variable = "";
      if (!name.isEmpty()) {
        variable =
            isConstant
                ? defineConstant(name, outputTypes[i], where)
                : define(name, outputTypes[i], where);
      }
      operator.out(Integer.toString(i), variable);
    }
    Attributes.addTo(operator.operation(), node, where);
    if (draft.opset() < DEPENDING_ON_OPSET.getOrDefault(OnnxNodes.type(node), 0)) {
      operator.operation().attribute("sublet.opset", draft.opset());
    }
    // A runtime computes constants before the first run, wherever they are.
    draft.add(isConstant ? 0 : block, operator, where);
  }

  /** Whether the types of all outputs follow from the operator, which is therefore a known one. */
  private static boolean hasKnownType(NodeProto node, int[] outputTypes) {
    for (int i = 0; i < node.getOutputCount(); i++) {
      if (!node.getOutput(i).isEmpty() && outputTypes[i] == OnnxElementTypes.UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /** Whether a node has inputs, and all of them are constants. */
  private boolean hasConstantInputs(NodeProto node) {
    boolean hasInputs = false;
    for (String name : node.getInputList()) {
      Value value = name.isEmpty() ? null : scope.lookup(name);
      if (value != null && !draft.isConstant(value.variable())) {
        return false;
      }
      hasInputs |= value != null;
    }
    return hasInputs;
  }

  /** Whether all outputs are tensors of this graph alone: no results of it, nor of a block. */
  private boolean isOwn(NodeProto node) {
    return node.getOutputList().stream()
        .noneMatch(
            name ->
                results.contains(name)
                    || targets.containsKey(name)
                    || !Tensors.isTensor(type(name)));
  }

  private String defineConstant(String name, int inferredType, String where) {
    if (scope.has(name)) {
      throw OnnxNodes.malformed(where, "defines '" + name + "' a second time");
    }
    int declaredType = type(name).getTensorType().getElemType();
    int elementType = declaredType == 0 ? inferredType : declaredType;
    String variable = nameFor(name);
    draft.declareConstant(variable, Tensors.draft(type(name), elementType));
    put(name, new Value(variable, elementType));
    return variable;
  }

  /**
   * Adds an input slot for the outer variables that a node's graphs read. Such a node is an
   * operator that runs graphs in its own way; the graphs are not planned.
   */
  private void addCaptures(NodeProto node, DraftOperator operator, String where) {
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.hasG()) {
        log.warn(
            Location.nowhere(),
            where
                + ": its graph '"
                + attribute.getName()
                + "' is not planned, only what it reads of other graphs is kept");
      }
    }
    Set<String> captured = Captures.of(node, scope);
    if (!captured.isEmpty()) {
      operator.in("captured", captured);
    }
  }

  /** The value of an input; null if the input is omitted. */
  @Nullable Value read(String name, String where) {
    if (name.isEmpty()) {
      return null;
    }
    Value value = scope.lookup(name);
    if (value == null) {
      throw OnnxNodes.malformed(
          where,
          "reads '"
              + name
              + "', which no input, initializer or earlier node of the graph or of those around it"
              + " defines");
    }
    return value;
  }

  /** The variable of an input that must not be omitted. */
  String variable(String name, String where) {
    Value value = read(name, where);
    if (value == null) {
      throw OnnxNodes.malformed(where, "leaves out an input that it needs");
    }
    return value.variable();
  }

  /**
   * Declares a node's output, unless it is written to a variable that another block declares.
   *
   * @param inferredType the element type that follows from the operator; 0 if it is unknown
   * @return the variable
   */
  String define(String name, int inferredType, String where) {
    TypeProto type = types.getOrDefault(name, TypeProto.getDefaultInstance());
    int declaredType = type.getTensorType().getElemType();
    int elementType = declaredType == 0 ? inferredType : declaredType;
    return define(name, type, elementType, where);
  }

  private String define(String name, TypeProto type, int elementType, String where) {
    if (scope.has(name)) {
      throw OnnxNodes.malformed(where, "defines '" + name + "' a second time");
    }
    String target = targets.get(name);
    String variable = target == null ? nameFor(name) : target;
    if (target == null) {
      declare(variable, type, elementType);
    }
    put(name, new Value(variable, elementType));
    return variable;
  }

  /** Declares a variable that this block writes. */
  void declare(String variable, TypeProto type, int elementType) {
    if (Tensors.isTensor(type)) {
      draft.declare(block, variable, Tensors.draft(type, elementType));
    } else {
      draft.declareOpaque(block, variable);
    }
  }

  /** The type that the graph declares for a value; the empty message if it declares none. */
  TypeProto type(String name) {
    return types.getOrDefault(name, TypeProto.getDefaultInstance());
  }

  /** Declares an input of the model as a feed. */
  String declareInput(ValueInfoProto input) {
    TypeProto type = input.getType();
    int elementType = type.getTensorType().getElemType();
    String variable = nameFor(input.getName());
    take(input.getName(), new Value(variable, elementType));
    if (Tensors.isTensor(type)) {
      draft.declare(block, variable, Tensors.draft(type, elementType).asFeed());
    } else {
      draft.declareOpaque(block, variable);
    }
    return variable;
  }

  /**
   * Declares an input of the model that has an initializer. From IR version 4 on the initializer is
   * only a default: the caller may pass another value. So the input is the caller's memory, and its
   * elements are unknown.
   */
  void declareDefault(ValueInfoProto input) {
    String variable = nameFor(input.getName());
    int elementType = input.getType().getTensorType().getElemType();
    take(input.getName(), new Value(variable, elementType));
    defaults.add(input.getName());
    draft.declare(block, variable, Tensors.draft(input.getType(), elementType).persistent());
  }

  /** Adds a copy of a value into a variable. */
  void copyTo(String target, String name, String where) {
    draft.add(
        block,
        new DraftOperator("assign").in("X", variable(name, where)).out("Out", target),
        where);
  }

  private void call(FunctionProto function, NodeProto node, int index, String where) {
    Functions.checkDepth(function, scope.depth());
    draft.count(where);
    String path = scope.path() + "/" + index + "." + function.getName();
    OnnxScope body = scope.called(path);
    for (int i = 0; i < function.getInputCount(); i++) {
      Value value = read(OnnxNodes.input(node, i), where);
      if (value != null) {
        body.put(function.getInput(i), value);
      }
    }
    Map<String, String> results = new LinkedHashMap<>();
    List<String> variables = new ArrayList<>();
    for (int i = 0; i < node.getOutputCount(); i++) {
      if (i >= function.getOutputCount()) {
        throw OnnxNodes.malformed(where, "has more outputs than its function");
      }
      String name = node.getOutput(i);
      variables.add(outputVariable(name));
      results.putIfAbsent(function.getOutput(i), variables.get(i));
    }
    GraphTranslation inlined =
        new GraphTranslation(draft, functions, log, body, block, ImmutableMap.copyOf(results));
    function.getValueInfoList().forEach(inlined::learnType);
    Map<String, AttributeProto> attributes = Functions.attributes(function, node);
    List<NodeProto> nodes = new ArrayList<>();
    function.getNodeList().forEach(each -> nodes.add(Attributes.bind(each, attributes)));
    inlined.translateInOrder(nodes, function.getName());
    for (int i = 0; i < node.getOutputCount(); i++) {
      Value value = inlined.finish(function.getOutput(i), variables.get(i), where);
      String name = node.getOutput(i);
      int told = type(name).getTensorType().getElemType();
      int elementType = told == 0 ? value.elementType() : told;
      receive(name, new Value(variables.get(i), elementType), type(name), where);
    }
  }

  /**
   * Ensures that a result is in its variable: copies the result if no node of the graph writes it
   * to that variable.
   *
   * @return the value of the result
   */
  Value finish(String result, String variable, String where) {
    Value value = read(result, where);
    if (value == null) {
      throw OnnxNodes.malformed(where, "has a graph with an output without a name");
    }
    if (!value.variable().equals(variable)) {
      copyTo(variable, result, where);
    }
    return value;
  }

  /**
   * Declares an output that an inner graph has written, unless another block declares it.
   *
   * @param type the declared type of the output
   */
  void receive(String name, Value value, TypeProto type, String where) {
    if (scope.has(name)) {
      throw OnnxNodes.malformed(where, "defines '" + name + "' a second time");
    }
    if (!value.variable().equals(targets.get(name))) {
      declare(value.variable(), type, value.elementType());
    }
    if (!name.isEmpty()) {
      put(name, value);
    }
  }

  /** Binds the name of an input of the graph to a value. */
  void take(String name, Value value) {
    checkName(name, "an input");
    if (scope.has(name)) {
      throw OnnxNodes.malformed("graph '" + scope.path() + "'", "has two inputs '" + name + "'");
    }
    put(name, value);
  }

  /** Checks that an input or initializer has a name; an empty name means an omitted argument. */
  void checkName(String name, String what) {
    if (name.isEmpty()) {
      throw OnnxNodes.malformed("graph '" + scope.path() + "'", "has " + what + " without a name");
    }
  }

  /** Whether a node's output is written to a variable that another block declares. */
  boolean isDeclaredElsewhere(String name) {
    return targets.containsKey(name);
  }

  /**
   * The variable for a node's output: a variable of another block if one is given, else its own.
   */
  String outputVariable(String name) {
    return targets.getOrDefault(name, nameFor(name));
  }
}
