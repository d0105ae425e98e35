package dev.sublet;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.liveness.FeedAlias;
import dev.sublet.liveness.Observation;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.onnx.ModelNode;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.onnx.OnnxValue;
import dev.sublet.program.Operation;
import dev.sublet.schedule.OperatorGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of an ONNX model's main graph as operators of a schedule, with the bytes of their
 * values. Nodes that compute constants are left out.
 *
 * <p>The bytes that an inner graph needs for itself do not count, and neither do values of unknown
 * size.
 */
final class NodeGraph {

  private final ProgramFacts facts;
  private final ScheduleBytes bytes;
  private final OperatorGraph.Builder graph = OperatorGraph.builder();
  private final List<Integer> nodes = new ArrayList<>();

  /** The variable of each value of the main graph, by name. */
  private final Map<String, Integer> variables = new HashMap<>();

  /** The tensor of each value that is no constant, by name. */
  private final Map<String, Integer> tensors = new HashMap<>();

  /** The tensor of each variable that the model's own nodes read or write. */
  private final Map<Integer, Integer> tensorOfVariable = new HashMap<>();

  /** The operator of the schedule that writes a tensor. */
  private final Map<Integer, Integer> writers = new HashMap<>();

  /** By the name of a feed whose memory a result takes: the result. */
  private final Map<String, String> resultOfFeed = new HashMap<>();

  /** By such a result: the operators that read the feed, so that none comes after its writer. */
  private final ListMultimap<String, Integer> readersFirst = ArrayListMultimap.create();

  private boolean isComplete;

  private NodeGraph(ProgramFacts facts, OffsetOptions options) {
    this.facts = facts;
    this.bytes = new ScheduleBytes(facts, options);
    this.isComplete = facts.program().blocks().size() == 1;
  }

  /**
   * Builds the graph of a model. O(size of the model).
   *
   * @param facts the facts about the model's program
   * @param options the alignment of offsets, and which views the plan may use
   */
  static NodeGraph of(OnnxModel model, ProgramFacts facts, OffsetOptions options) {
    NodeGraph result = new NodeGraph(facts, options);
    for (OnnxValue value : model.values()) {
      if (value.isInMainGraph()) {
        int variable = facts.program().declared(value.variable().block(), value.variable().name());
        result.variables.put(value.name(), variable);
      }
    }
    for (FeedAlias alias : facts.liveness().observation().aliases()) {
      result.resultOfFeed.put(result.name(alias.feed()), result.name(alias.result()));
    }
    model.nodes().forEach(result::add);
    result.addReuses();
    return result;
  }

  /** Whether the bytes of all values count: all sizes are known, and there are no inner graphs. */
  boolean isComplete() {
    return isComplete;
  }

  /** The operators and tensors. */
  OperatorGraph operators() {
    return graph.build();
  }

  /** Returns the positions in the file of the nodes of some operators. */
  ImmutableIntArray nodes(ImmutableIntArray operators) {
    ImmutableIntArray.Builder positions = ImmutableIntArray.builder(operators.length());
    operators.forEach(operator -> positions.add(nodes.get(operator)));
    return positions.build();
  }

  private void add(ModelNode node) {
    ImmutableIntArray.Builder written = ImmutableIntArray.builder();
    ImmutableIntArray.Builder read = ImmutableIntArray.builder();
    for (String name : node.reads()) {
      int tensor = tensor(name);
      if (tensor >= 0) {
        read.add(tensor);
      }
    }
    List<Integer> outputs = new ArrayList<>();
    for (String name : node.writes()) {
      int tensor = tensor(name);
      if (tensor >= 0) {
        written.add(tensor);
        outputs.add(tensor);
      }
    }
    if (!outputs.isEmpty()) {
      int operator = graph.operator(read.build(), written.build());
      outputs.forEach(tensor -> writers.put(tensor, operator));
      nodes.add(node.index());
      keepReadersFirst(node, operator);
    }
  }

  private void keepReadersFirst(ModelNode node, int operator) {
    for (String name : node.writes()) {
      readersFirst.removeAll(name).forEach(reader -> graph.inOrder(reader, operator));
    }
    for (String name : node.reads()) {
      String result = resultOfFeed.get(name);
      if (result != null && !node.writes().contains(result)) {
        readersFirst.put(result, operator);
      }
    }
  }

  /** The name of the value that is a variable of the entry block. */
  private String name(int variable) {
    for (Map.Entry<String, Integer> value : variables.entrySet()) {
      if (value.getValue() == variable) {
        return value.getKey();
      }
    }
    throw new IllegalStateException("variable " + variable + " is no value of the model");
  }

  /** The tensor of a value; -1 for constants, and for names without a value. */
  private int tensor(String name) {
    Integer known = tensors.get(name);
    if (known != null) {
      return known;
    }
    Integer variable = variables.get(name);
    if (variable == null || facts.program().variable(variable).isPersistable()) {
      return -1;
    }
    isComplete &= bytes.isKnown(variable);
    int tensor = graph.tensor(bytes.of(variable));
    Observation observation = facts.liveness().observation();
    if (observation.isObserved(variable)) {
      graph.keep(tensor);
    }
    tensors.put(name, tensor);
    tensorOfVariable.put(variable, tensor);
    return tensor;
  }

  /** Adds the in-place pairs and views of the operators that are nodes of the main graph. */
  private void addReuses() {
    for (Operation operation : facts.program().block(0).operations()) {
      bytes.reuses(operation).forEach(this::addReuse);
    }
  }

  private void addReuse(ScheduleBytes.Reuse reuse) {
    Integer input = tensorOfVariable.get(reuse.source());
    Integer output = tensorOfVariable.get(reuse.target());
    Integer operator = output == null ? null : writers.get(output);
    if (input == null || output == null || operator == null) {
      return;
    }
    if (reuse.isPart()) {
      graph.part(operator, input, output);
    } else {
      graph.inPlace(operator, input, output);
    }
  }
}
