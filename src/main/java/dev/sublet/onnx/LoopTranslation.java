package dev.sublet.onnx;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.onnx.Draft.DraftOperator;
import dev.sublet.onnx.OnnxScope.Value;
import dev.sublet.program.DataType;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.TypeProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.List;

/**
 * Translates {@code Loop} and {@code Scan} into {@code while} operators.
 *
 * <p>A loop-carried value becomes a variable of the outer block. One copy sets it before the loop,
 * another copy at the end of the body, and after the loop it is the loop's result. So the analyses
 * find the loop-carried copies:
 *
 * <pre>
 *   s = assign(start);  while { next = f(s);  s = assign(next) }
 * </pre>
 *
 * <p>A result to which each iteration adds a piece is a variable of the outer block too, and the
 * body writes one part of it ({@code onnx.Loop.collect}). {@code onnx.Loop.begin} and {@code
 * onnx.Loop.next} set the counter and the condition; for a scan, {@code onnx.Scan.begin} and {@code
 * onnx.Scan.next} do.
 */
final class LoopTranslation {

  private final GraphTranslation graph;
  private final Draft draft;
  private final NodeProto node;
  private final String where;
  private final int block;
  private final int body;
  private final boolean isScan;
  private final GraphProto message;
  private final GraphTranslation inner;

  /** The variables of the loop-carried values, with the element types of their start values. */
  private final List<Value> carried = new ArrayList<>();

  /** The number of inputs of the node before the start values of the loop-carried values. */
  private final int firstState;

  /** The number of inputs of the body before the loop-carried values. */
  private final int firstParameter;

  /** The number of outputs of the body before the loop-carried values. */
  private final int firstResult;

  private final int states;
  private final int scanned;
  private String counter = "";
  private String condition = "";

  LoopTranslation(GraphTranslation graph, NodeProto node, int index, String where) {
    this.graph = graph;
    this.draft = graph.draft();
    this.node = node;
    this.where = where;
    this.block = graph.block();
    this.isScan = node.getOpType().equals("Scan");
    this.message = OnnxNodes.graph(node, "body", where);
    this.scanned = isScan ? scanInputs() : 0;
    this.firstState = isScan ? 0 : 2;
    this.firstParameter = isScan ? 0 : 2;
    this.firstResult = isScan ? 0 : 1;
    this.states = Math.max(0, node.getInputCount() - firstState - scanned);
    if (isScan && draft.opset() < 9) {
      throw OnnxNodes.unsupported(
          where, "is the Scan of opset 8, with a batch; convert the model to opset 9 or later");
    }
    checkCounts();
    this.body = draft.addBlock(block);
    String path = graph.scope().path() + "/" + index + ".body";
    this.inner = graph.inner(path, body, ImmutableMap.of());
  }

  private int scanInputs() {
    AttributeProto attribute = OnnxNodes.attribute(node, "num_scan_inputs");
    long count = attribute == null ? -1 : attribute.getI();
    if (count < 1 || count > node.getInputCount()) {
      throw OnnxNodes.malformed(where, "has " + count + " as num_scan_inputs");
    }
    return (int) count;
  }

  private void checkCounts() {
    int inputs = firstParameter + states + scanned;
    if (message.getInputCount() != inputs) {
      throw OnnxNodes.malformed(
          where, "has a body with " + message.getInputCount() + " inputs, not " + inputs);
    }
    int least = firstResult + Math.max(states, node.getOutputCount());
    if (message.getOutputCount() < least) {
      throw OnnxNodes.malformed(
          where, "has a body with " + message.getOutputCount() + " outputs, but needs " + least);
    }
  }

  void translate() {
    inner.learnTypes(message);
    declareStates();
    begin();
    if (isScan) {
      takeSlices();
    }
    inner.translate(message);
    List<Value> collected = collect();
    next(carry());
    draft.add(
        block,
        new DraftOperator("while")
            .in("Condition", condition)
            .in("X", withoutCondition(draft.outerReads(body)))
            .out("Out", draft.outerWrites(body))
            .out("StepScopes", draft.scopes(block))
            .blockAttribute(body)
            .flag("is_test"),
        where);
    receive(collected);
  }

  private ImmutableSet<String> withoutCondition(ImmutableSet<String> reads) {
    ImmutableSet.Builder<String> others = ImmutableSet.builder();
    reads.stream().filter(name -> !name.equals(condition)).forEach(others::add);
    return others.build();
  }

  /**
   * The variable of a loop-carried value. It is the loop's result, too, unless the result's
   * declared shape differs from the shape in the body, or another block declares the result's
   * variable, possibly with a different shape.
   */
  private String carryingVariable(int state) {
    String parameter = message.getInput(firstParameter + state).getName();
    return isResult(state) ? resultVariable(state, parameter) : draft.invent(parameter);
  }

  private boolean isResult(int state) {
    String name = OnnxNodes.output(node, state);
    TypeProto told = graph.type(name);
    boolean tellsMore =
        Tensors.isComplete(told)
            && !told.getTensorType()
                .getShape()
                .equals(carriedType(state).getTensorType().getShape());
    return name.isEmpty() || !(tellsMore || graph.isDeclaredElsewhere(name));
  }

  /**
   * The variable of a result of the loop; if the result is not used, a new variable named after the
   * value in the body.
   */
  private String resultVariable(int output, String otherwise) {
    String name = OnnxNodes.output(node, output);
    return name.isEmpty() ? draft.invent(otherwise) : graph.outputVariable(name);
  }

  private void declareStates() {
    for (int i = 0; i < states; i++) {
      Value start = graph.read(OnnxNodes.input(node, firstState + i), where);
      if (start == null) {
        throw OnnxNodes.malformed(where, "leaves out what its first iteration takes");
      }
      ValueInfoProto parameter = message.getInput(firstParameter + i);
      String variable = carryingVariable(i);
      carried.add(new Value(variable, start.elementType()));
      copy(block, start.variable(), variable);
      inner.take(parameter.getName(), carried.get(i));
    }
  }

  private void begin() {
    String counterName = isScan ? "scan.i" : message.getInput(0).getName();
    String conditionName = isScan ? "scan.condition" : message.getInput(1).getName();
    counter = draft.scalar(block, counterName, DataType.INT64);
    condition = draft.scalar(block, conditionName, DataType.BOOL);
    DraftOperator operator = new DraftOperator(isScan ? "onnx.Scan.begin" : "onnx.Loop.begin");
    if (isScan) {
      scanned(operator);
    } else {
      inner.take(counterName, new Value(counter, Tensors.INT64));
      inner.take(conditionName, new Value(condition, Tensors.BOOL));
      operator.in("M", optional(0)).in("Cond", optional(1));
    }
    draft.add(block, operator.out("I", counter).out("Condition", condition), where);
  }

  /** Adds the tensor whose extent along an axis is the number of iterations of a scan. */
  private void scanned(DraftOperator operator) {
    operator
        .in("X", variableOf(node.getInput(states)))
        .number("axis", OnnxNodes.listed(node, "scan_input_axes", 0, 0));
  }

  private String optional(int input) {
    Value value = graph.read(OnnxNodes.input(node, input), where);
    return value == null ? "" : value.variable();
  }

  private String variableOf(String name) {
    return graph.variable(name, where);
  }

  private void takeSlices() {
    for (int i = 0; i < scanned; i++) {
      String whole = node.getInput(states + i);
      Value value = graph.read(whole, where);
      int elementType = value == null ? 0 : value.elementType();
      String name = message.getInput(states + i).getName();
      inner.checkName(name, "an input");
      String slice = inner.define(name, elementType, where);
      draft.add(
          body,
          new DraftOperator("onnx.Scan.slice")
              .in("X", variableOf(whole))
              .in("I", counter)
              .out("Out", slice)
              .number("axis", OnnxNodes.listed(node, "scan_input_axes", i, 0))
              .number("direction", OnnxNodes.listed(node, "scan_input_directions", i, 0)),
          where);
    }
  }

  /** Adds the operators that write each iteration's piece into the collected results. */
  private List<Value> collect() {
    List<Value> collected = new ArrayList<>();
    for (int i = states; i < message.getOutputCount() - firstResult; i++) {
      String piece = message.getOutput(firstResult + i).getName();
      Value value = inner.read(piece, where);
      if (value == null) {
        throw OnnxNodes.malformed(where, "has a body with an output without a name");
      }
      Value whole = new Value(resultVariable(i, piece + ".all"), value.elementType());
      collected.add(whole);
      DraftOperator operator =
          new DraftOperator(isScan ? "onnx.Scan.collect" : "onnx.Loop.collect");
      operator.in("X", value.variable()).in("I", counter);
      if (isScan) {
        operator
            .in("Like", variableOf(node.getInput(states)))
            .number("like_axis", OnnxNodes.listed(node, "scan_input_axes", 0, 0))
            .number("axis", OnnxNodes.listed(node, "scan_output_axes", i - states, 0))
            .number("direction", OnnxNodes.listed(node, "scan_output_directions", i - states, 0));
      } else {
        operator.in("M", optional(0)).number("may_end_early", mayEndEarly() ? 1 : 0);
      }
      draft.add(body, operator.out("Out", whole.variable()), where);
    }
    return collected;
  }

  /**
   * Adds the loop-carried copies, with the effect of one parallel copy: a value that a copy
   * overwrites and a later copy or the condition reads is saved first. A value that an iteration
   * does not change is not copied.
   *
   * <pre>
   *   (a, b) = (b, a)   →   a.before = assign(a);  a = assign(b);  b = assign(a.before)
   * </pre>
   *
   * @return the variable that decides whether there is another iteration; "" for a scan
   */
  private String carry() {
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < states; i++) {
      sources.add(inner.variable(message.getOutput(firstResult + i).getName(), where));
    }
    sources.add(isScan ? "" : inner.variable(message.getOutput(0).getName(), where));
    for (int i = 0; i < states; i++) {
      String target = carried.get(i).variable();
      if (sources.get(i).equals(target)) {
        continue;
      }
      if (sources.subList(i + 1, sources.size()).contains(target)) {
        String saved = draft.invent(target + ".before");
        inner.declare(saved, carriedType(i), carried.get(i).elementType());
        copy(body, target, saved);
        sources.replaceAll(source -> source.equals(target) ? saved : source);
      }
      copy(body, sources.get(i), target);
    }
    return sources.get(states);
  }

  private void copy(int where, String source, String target) {
    draft.add(where, new DraftOperator("assign").in("X", source).out("Out", target), this.where);
  }

  private void next(String decision) {
    DraftOperator operator =
        new DraftOperator(isScan ? "onnx.Scan.next" : "onnx.Loop.next").in("Last", counter);
    if (isScan) {
      scanned(operator);
    } else {
      operator.in("M", optional(0)).in("Cond", decision);
    }
    draft.add(body, operator.out("I", counter).out("Condition", condition), where);
  }

  /**
   * The declared type of a loop-carried value. The extents may differ before, in and after the
   * loop, so the type is used only if the shapes of the body's parameter and of its result are
   * equal. Otherwise no type is declared, and the value has the type of the value that it is copied
   * from.
   */
  private TypeProto carriedType(int state) {
    TypeProto type = message.getInput(firstParameter + state).getType();
    if (!Tensors.isTensor(type)) {
      return type;
    }
    TypeProto result = inner.type(message.getOutput(firstResult + state).getName());
    boolean differs =
        type.getTensorType().hasShape()
            && !type.getTensorType().getShape().equals(result.getTensorType().getShape());
    return differs ? TypeProto.getDefaultInstance() : result;
  }

  private void receive(List<Value> collected) {
    for (int i = 0; i < states; i++) {
      String name = OnnxNodes.output(node, i);
      Value state = carried.get(i);
      if (isResult(i)) {
        graph.receive(name, state, carriedType(i), where);
      } else {
        graph.declare(state.variable(), carriedType(i), state.elementType());
        copy(block, state.variable(), graph.define(name, state.elementType(), where));
      }
    }
    for (int i = 0; i < collected.size(); i++) {
      String name = OnnxNodes.output(node, states + i);
      graph.receive(name, collected.get(i), graph.type(name), where);
    }
  }

  /** Whether the condition may end the loop before the trip count is reached. */
  private boolean mayEndEarly() {
    String start = optional(1);
    String result = message.getOutput(0).getName();
    for (int i = message.getNodeCount() - 1; i >= 0; i--) {
      NodeProto source = message.getNode(i);
      if (source.getOpType().equals("Identity") && OnnxNodes.output(source, 0).equals(result)) {
        result = OnnxNodes.input(source, 0);
      }
    }
    boolean passedOn = inner.variable(result, where).equals(condition);
    return passedOn
        ? !start.isEmpty() && !draft.isTrue(start)
        : !draft.isTrue(inner.variable(result, where));
  }
}
