package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import dev.sublet.ScheduleBytes.Reuse;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.onnx.ModelGraph;
import dev.sublet.onnx.ModelNode;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.onnx.OnnxValue;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The graphs of an ONNX model whose nodes may move, with the variables of their values. */
final class NodeGraphs {

  private final ProgramFacts facts;
  private final ScheduleBytes bytes;
  private final ImmutableList<ModelGraph> all;
  private final Map<String, ModelGraph> byPath = new HashMap<>();

  /** By path of a graph, then by name of a value that the graph itself defines: the variable. */
  private final Map<String, Map<String, Integer>> variables = new HashMap<>();

  /** By path: the block of the graph, or one around it if it declares no variable. */
  private final Map<String, Integer> blocks = new HashMap<>();

  /** By path, then by name: the place of the last node that reads the value. */
  private final Map<String, Map<String, Integer>> lastReads = new HashMap<>();

  /** By path of an inner graph: the place of the node that runs it, in the graph around it. */
  private final Map<String, Integer> places = new HashMap<>();

  /** By variable that an operator writes: the variables whose bytes it may take. */
  private final ListMultimap<Integer, Reuse> reuses = ArrayListMultimap.create();

  private NodeGraphs(OnnxModel model, ProgramFacts facts, OffsetOptions options) {
    this.facts = facts;
    this.bytes = new ScheduleBytes(facts, options);
    this.all = model.graphs();
  }

  /**
   * Finds the graphs of a model. O(size of the model × nesting depth).
   *
   * @param facts the facts about the model's program
   * @param options the alignment of offsets, and which views the plan may use
   */
  static NodeGraphs of(OnnxModel model, ProgramFacts facts, OffsetOptions options) {
    NodeGraphs graphs = new NodeGraphs(model, facts, options);
    for (OnnxValue value : model.values()) {
      int block = value.variable().block();
      int variable = facts.program().declared(block, value.variable().name());
      graphs
          .variables
          .computeIfAbsent(value.graph(), path -> new HashMap<>())
          .put(value.name(), variable);
      graphs.blocks.merge(value.graph(), block, Math::max);
    }
    graphs.all.forEach(graphs::addReads);
    for (Block block : facts.program().blocks()) {
      for (Operation operation : block.operations()) {
        graphs.bytes.reuses(operation).forEach(each -> graphs.reuses.put(each.target(), each));
      }
    }
    return graphs;
  }

  private void addReads(ModelGraph graph) {
    byPath.put(graph.path(), graph);
    Map<String, Integer> last = new HashMap<>();
    for (int place = 0; place < graph.nodes().size(); place++) {
      ModelNode node = graph.nodes().get(place);
      for (String name : node.reads()) {
        last.put(name, place);
      }
      for (String inner : node.graphs()) {
        places.put(inner, place);
      }
    }
    lastReads.put(graph.path(), last);
  }

  /** The graphs; a graph comes before those inside it. */
  ImmutableList<ModelGraph> all() {
    return all;
  }

  /**
   * Returns the nodes of a graph as operators of a schedule.
   *
   * @param extra by path of an inner graph: the bytes that it needs for itself
   */
  NodeGraph graph(ModelGraph graph, Map<String, Long> extra) {
    return NodeGraph.of(this, graph, extra);
  }

  /** The facts about the model's program. */
  ProgramFacts facts() {
    return facts;
  }

  /** The bytes of the program's variables. */
  ScheduleBytes bytes() {
    return bytes;
  }

  /** The variables whose bytes an operator may take that writes a variable. */
  List<Reuse> reuses(int target) {
    return reuses.get(target);
  }

  /** The variable that a name means in a graph; {@link Program#NO_VARIABLE} if none. O(depth). */
  int variable(String path, String name) {
    for (String each = path; ; each = ModelGraph.around(each)) {
      Integer variable = own(each).get(name);
      if (variable != null) {
        return variable;
      }
      if (each.equals(OnnxValue.MAIN)) {
        return Program.NO_VARIABLE;
      }
    }
  }

  private Map<String, Integer> own(String path) {
    return variables.getOrDefault(path, Map.of());
  }

  /** Whether a graph around a graph counts the bytes of a variable, too. */
  boolean isOuter(String path, int variable) {
    return facts.program().variable(variable).block() != blocks.getOrDefault(path, 0);
  }

  /** Whether the value that a name means in a graph is needed after the graph's last node. */
  boolean isKept(ModelGraph graph, String name, int variable) {
    if (facts.liveness().observation().isObserved(variable)) {
      return true;
    }
    boolean isOwn = own(graph.path()).containsKey(name);
    if (graph.isMain() || graph.results().contains(name) || isOwn) {
      return graph.results().contains(name);
    }
    // Each iteration of a loop needs the values from around it.
    return graph.isLoop() || isNeededAfter(graph, name, variable);
  }

  /** Whether a value is needed after the node that runs a graph. */
  private boolean isNeededAfter(ModelGraph inner, String name, int variable) {
    String around = ModelGraph.around(inner.path());
    int last = lastReads.getOrDefault(around, Map.of()).getOrDefault(name, -1);
    return last > places.getOrDefault(inner.path(), 0)
        || isKept(requireNonNull(byPath.get(around)), name, variable);
  }
}
