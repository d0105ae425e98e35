package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import dev.sublet.onnx.Draft.DraftOperator;
import dev.sublet.onnx.OnnxScope.Value;
import dev.sublet.program.DataType;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Translates {@code If} into the operators that Paddle's exporters write: a conditional block on
 * the condition, a conditional block on its negation, and a selection between their results. The
 * analyses treat the two results and the selected one as one value.
 *
 * <pre>
 *   If(c)   →   conditional_block(c)  conditional_block(not c)  select_input(else, then, mask c)
 * </pre>
 */
final class BranchTranslation {

  private final GraphTranslation graph;
  private final NodeProto node;
  private final int index;
  private final String where;

  BranchTranslation(GraphTranslation graph, NodeProto node, int index, String where) {
    this.graph = graph;
    this.node = node;
    this.index = index;
    this.where = where;
  }

  void translate() {
    Draft draft = graph.draft();
    int block = graph.block();
    String condition = graph.variable(OnnxNodes.input(node, 0), where);
    String negation = draft.scalar(block, condition + ".not", DataType.BOOL);
    draft.add(
        block, new DraftOperator("logical_not").in("X", condition).out("Out", negation), where);
    // Constants of both graphs are computed before the branches, so that these follow one another.
    Branch onTrue = branch("then_branch", condition);
    Branch onFalse = branch("else_branch", negation);
    draft.add(block, onTrue.operator(), where);
    draft.add(block, onFalse.operator(), where);
    String mask = draft.scalar(block, condition + ".mask", DataType.INT32);
    draft.add(
        block,
        new DraftOperator("cast")
            .in("X", condition)
            .out("Out", mask)
            .number("in_dtype", DataType.BOOL.number())
            .number("out_dtype", DataType.INT32.number()),
        where);
    for (int i = 0; i < node.getOutputCount(); i++) {
      String name = node.getOutput(i);
      if (!name.isEmpty()) {
        Value chosen = onTrue.results().get(i);
        String result = graph.define(name, chosen.elementType(), where);
        draft.add(
            block,
            new DraftOperator("select_input")
                .in("X", ImmutableList.of(onFalse.results().get(i).variable(), chosen.variable()))
                .in("Mask", mask)
                .out("Out", result),
            where);
      }
    }
  }

  /**
   * A branch whose block is written.
   *
   * @param results the values of the outputs of its graph
   * @param operator the operator that runs it
   */
  private record Branch(List<Value> results, DraftOperator operator) {}

  /** Writes the block of one branch. */
  private Branch branch(String attribute, String condition) {
    Draft draft = graph.draft();
    GraphProto message = OnnxNodes.graph(node, attribute, where);
    if (message.getInputCount() > 0) {
      throw OnnxNodes.malformed(where, "has a " + attribute + " with inputs");
    }
    if (message.getOutputCount() < node.getOutputCount()) {
      throw OnnxNodes.malformed(where, "has more outputs than its " + attribute);
    }
    List<String> variables = new ArrayList<>();
    Map<String, String> targets = new LinkedHashMap<>();
    for (ValueInfoProto output : message.getOutputList()) {
      variables.add(draft.invent(output.getName()));
      targets.putIfAbsent(output.getName(), variables.get(variables.size() - 1));
    }
    int body = draft.addBlock(graph.block());
    String path = graph.scope().path() + "/" + index + "." + attribute;
    GraphTranslation inner = graph.inner(path, body, ImmutableMap.copyOf(targets));
    inner.translate(message);
    List<Value> results = new ArrayList<>();
    for (int i = 0; i < variables.size(); i++) {
      String name = message.getOutput(i).getName();
      int elementType = inner.finish(name, variables.get(i), where).elementType();
      graph.declare(variables.get(i), inner.type(name), elementType);
      results.add(new Value(variables.get(i), elementType));
    }
    DraftOperator operator =
        new DraftOperator("conditional_block")
            .in("Cond", condition)
            // The variables that the branch writes outside its block are its results. It reads them
            // only after it has written them, so they are no inputs.
            .in("Input", Sets.difference(draft.outerReads(body), draft.outerWrites(body)))
            .out("Out", draft.outerWrites(body))
            .out("Scope", draft.scopes(graph.block()))
            .blockAttribute(body)
            .flag("is_scalar_condition");
    return new Branch(results, operator);
  }
}
