package dev.sublet;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.liveness.FeedAlias;
import dev.sublet.onnx.ModelGraph;
import dev.sublet.onnx.ModelNode;
import dev.sublet.program.Program;
import dev.sublet.schedule.OperatorGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes of a graph of an ONNX model as operators of a schedule, with the bytes of their values.
 * Nodes that compute constants are left out.
 *
 * <p>The values of graphs around it are tensors, too. The caller gives the bytes that each inner
 * graph needs for itself. Values of unknown size do not count.
 */
final class NodeGraph {

  private final NodeGraphs graphs;
  private final ModelGraph graph;
  private final ProgramFacts facts;
  private final ScheduleBytes bytes;
  private final OperatorGraph.Builder schedule = OperatorGraph.builder();
  private final List<Integer> nodes = new ArrayList<>();

  /** The tensor of each value that is no constant, by name. */
  private final Map<String, Integer> tensors = new HashMap<>();

  /** The tensor of each variable that the nodes read or write. */
  private final Map<Integer, Integer> tensorOfVariable = new HashMap<>();

  /** The operator of the schedule that writes a tensor. */
  private final Map<Integer, Integer> writers = new HashMap<>();

  /** By the variable of a feed whose memory a result takes: the result. */
  private final Map<Integer, Integer> resultOfFeed = new HashMap<>();

  /** By such a result: the operators that read the feed, so that none comes after its writer. */
  private final ListMultimap<Integer, Integer> readersFirst = ArrayListMultimap.create();

  /** The bytes of the values that the graph around this one counts, too. */
  private long outerBytes;

  private boolean isComplete = true;

  private NodeGraph(NodeGraphs graphs, ModelGraph graph) {
    this.graphs = graphs;
    this.graph = graph;
    this.facts = graphs.facts();
    this.bytes = graphs.bytes();
  }

  /**
   * Builds the schedule of a graph. O(size of the graph × nesting depth).
   *
   * @param extra by path of an inner graph: the bytes that it needs for itself
   */
  static NodeGraph of(NodeGraphs graphs, ModelGraph graph, Map<String, Long> extra) {
    NodeGraph result = new NodeGraph(graphs, graph);
    if (graph.isMain()) {
      for (FeedAlias alias : result.facts.liveness().observation().aliases()) {
        result.resultOfFeed.put(alias.feed(), alias.result());
      }
    }
    graph.nodes().forEach(node -> result.add(node, extra));
    result.addReuses();
    return result;
  }

  /** The operators and tensors, with the bytes that the graph around this one counts, too. */
  FoundOrders.CountedBlock counted() {
    return new FoundOrders.CountedBlock(schedule.build(), outerBytes, isComplete);
  }

  /** Returns the positions in the file of the nodes of some operators. */
  ImmutableIntArray nodes(ImmutableIntArray operators) {
    ImmutableIntArray.Builder positions = ImmutableIntArray.builder(operators.length());
    operators.forEach(operator -> positions.add(nodes.get(operator)));
    return positions.build();
  }

  private void add(ModelNode node, Map<String, Long> extra) {
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
      int operator = schedule.operator(read.build(), written.build());
      outputs.forEach(tensor -> writers.put(tensor, operator));
      nodes.add(node.index());
      for (String inner : node.graphs()) {
        schedule.whileRunning(operator, extra.getOrDefault(inner, 0L));
      }
      keepReadersFirst(node, operator);
    }
  }

  private void keepReadersFirst(ModelNode node, int operator) {
    if (resultOfFeed.isEmpty()) {
      return;
    }
    Set<Integer> written = new HashSet<>();
    for (String name : node.writes()) {
      int variable = graphs.variable(graph.path(), name);
      written.add(variable);
      readersFirst.removeAll(variable).forEach(reader -> schedule.inOrder(reader, operator));
    }
    for (String name : node.reads()) {
      Integer result = resultOfFeed.get(graphs.variable(graph.path(), name));
      if (result != null && !written.contains(result)) {
        readersFirst.put(result, operator);
      }
    }
  }

  /** The tensor of a value; -1 for constants, and for names without a value. */
  private int tensor(String name) {
    Integer known = tensors.get(name);
    if (known != null) {
      return known;
    }
    int variable = graphs.variable(graph.path(), name);
    if (variable == Program.NO_VARIABLE || facts.program().variable(variable).isPersistable()) {
      return -1;
    }
    isComplete &= bytes.isKnown(variable);
    int tensor = schedule.tensor(bytes.of(variable));
    outerBytes += graphs.isOuter(graph.path(), variable) ? bytes.of(variable) : 0;
    if (graphs.isKept(graph, name, variable)) {
      schedule.keep(tensor);
    }
    tensors.put(name, tensor);
    tensorOfVariable.put(variable, tensor);
    return tensor;
  }

  /** Adds the in-place pairs and views of the operators that are nodes of the graph. */
  private void addReuses() {
    List<Integer> variables = new ArrayList<>(tensorOfVariable.keySet());
    Collections.sort(variables);
    for (int variable : variables) {
      graphs.reuses(variable).forEach(this::addReuse);
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
      schedule.part(operator, input, output);
    } else {
      schedule.inPlace(operator, input, output);
    }
  }
}
