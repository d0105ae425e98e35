package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values of a graph that have gradients, and the tensors that contain these gradients. If the
 * only contribution to the gradient of an output is the given one, the given tensor itself is the
 * gradient.
 */
final class GradientTensors {

  private final MicroGraph graph;
  private final Set<String> names = new HashSet<>();
  private final BitSet wanted = new BitSet();
  private final BitSet active;

  /** For each value, the given gradients of the outputs that are this value. */
  private final Map<Integer, List<String>> seeds = new HashMap<>();

  /** For each value, the active values that read it and contribute to its gradient, last first. */
  private final Map<Integer, List<Integer>> readers = new HashMap<>();

  private final Map<Integer, String> gradients = new HashMap<>();
  private final ImmutableMap<String, String> inputGradients;
  private final ImmutableMap<String, String> outputGradients;

  /**
   * Finds the values and tensors for a request.
   *
   * @param graph the graph, with the names of tensors as names of nodes
   */
  GradientTensors(MicroGraph graph, GradientRequest request) {
    this.graph = requireNonNull(graph, "graph");
    for (MicroNode node : graph.nodes()) {
      names.add(node.name());
    }
    names.addAll(graph.outputs().keySet());
    this.inputGradients = nameWanted(request);
    this.active = new GradientFlow(graph).between(wanted, outputsOf(request));
    this.outputGradients = nameSeeds(request);
    findReaders();
    nameOthers();
  }

  /**
   * Returns the active values: those on a path from a wanted input to an output with a gradient.
   */
  BitSet active() {
    return active;
  }

  /**
   * Returns the values whose gradients are computed: the wanted inputs and the active values,
   * except those whose gradient is a given tensor.
   */
  BitSet computed() {
    BitSet computed = (BitSet) active.clone();
    computed.or(wanted);
    for (int id = computed.nextSetBit(0); id >= 0; id = computed.nextSetBit(id + 1)) {
      computed.set(id, !isGivenAsItIs(id));
    }
    return computed;
  }

  /** Whether the caller wants a value's gradient. */
  boolean isWanted(int id) {
    return wanted.get(id);
  }

  /** Returns the tensor with the gradient of an active value or wanted input. */
  String gradient(int id) {
    return requireNonNull(gradients.get(id));
  }

  /** Returns the tensors with the given gradients of a value, in the order of the outputs. */
  List<String> seeds(int id) {
    return seeds.getOrDefault(id, List.of());
  }

  /**
   * Returns the active values that read a value and contribute to its gradient, from last to first.
   */
  List<Integer> readers(int id) {
    return readers.getOrDefault(id, List.of());
  }

  /** Returns, for each wanted input, the tensor with its gradient. */
  ImmutableMap<String, String> inputGradients() {
    return inputGradients;
  }

  /** Returns, for each output whose given gradient is needed, the tensor with that gradient. */
  ImmutableMap<String, String> outputGradients() {
    return outputGradients;
  }

  private ImmutableMap<String, String> nameWanted(GradientRequest request) {
    Map<String, String> named = new LinkedHashMap<>();
    for (int id = 0; id < graph.nodes().size(); id++) {
      MicroNode node = graph.nodes().get(id);
      if (node.op() instanceof MicroOp.Input && request.wanted().contains(node.name())) {
        checkArgument(
            node.type().isFloating(), "input %s is %s: no gradient", node.name(), node.type());
        wanted.set(id);
        named.put(node.name(), fresh(node.name() + "_grad"));
        gradients.put(id, requireNonNull(named.get(node.name())));
      }
    }
    for (String name : request.wanted()) {
      checkArgument(named.containsKey(name), "there is no input %s in %s", name, graph.name());
    }
    return ImmutableMap.copyOf(named);
  }

  private BitSet outputsOf(GradientRequest request) {
    BitSet outputs = new BitSet();
    for (String name : request.outputs()) {
      MicroValue value = graph.outputs().get(name);
      checkArgument(value != null, "there is no output %s in %s", name, graph.name());
      MicroNode node = graph.node(requireNonNull(value));
      checkArgument(node.type().isFloating(), "output %s is %s: no gradient", name, node.type());
      outputs.set(value.id());
    }
    return outputs;
  }

  private ImmutableMap<String, String> nameSeeds(GradientRequest request) {
    ImmutableMap.Builder<String, String> named = ImmutableMap.builder();
    graph
        .outputs()
        .forEach(
            (name, value) -> {
              if (request.outputs().contains(name) && active.get(value.id())) {
                String gradient = fresh(name + "_grad");
                named.put(name, gradient);
                seeds.computeIfAbsent(value.id(), id -> new ArrayList<>()).add(gradient);
              }
            });
    return named.buildOrThrow();
  }

  private void findReaders() {
    GradientFlow flow = new GradientFlow(graph);
    for (int id = active.length() - 1; id >= 0; id = active.previousSetBit(id - 1)) {
      MicroNode node = graph.nodes().get(id);
      for (MicroValue operand : ImmutableSet.copyOf(node.op().operands())) {
        if (flow.reaches(node, operand)) {
          readers.computeIfAbsent(operand.id(), value -> new ArrayList<>()).add(id);
        }
      }
    }
  }

  private void nameOthers() {
    for (int id = active.nextSetBit(0); id >= 0; id = active.nextSetBit(id + 1)) {
      if (isGivenAsItIs(id)) {
        gradients.put(id, seeds(id).get(0));
      } else if (!wanted.get(id)) {
        gradients.put(id, fresh(graph.nodes().get(id).name() + "_grad"));
      }
    }
  }

  private boolean isGivenAsItIs(int id) {
    return !wanted.get(id) && seeds(id).size() == 1 && readers(id).isEmpty();
  }

  private String fresh(String name) {
    String fresh = name;
    for (int number = 2; !names.add(fresh); number++) {
      fresh = name + "_" + number;
    }
    return fresh;
  }
}
