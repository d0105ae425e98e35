package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds the program that computes the gradients of a graph: {@code |g(y)|x|y| → |g(x)|}.
 *
 * <p>The program first recomputes the forward values that the gradients read and that are not
 * given. Then it computes the gradient of each value on a path from a wanted input to an output,
 * last value first, as the sum of the contributions of the value's readers.
 *
 * <p>Only first-order gradients are supported. Integers and booleans have no gradients. The
 * gradients are emitted twice: the first run only records which values are read; the second run
 * expresses extents by the tensors that are available ({@link MicroGradientShapes}). O(reads ×
 * axes), and the same again for each tensor that is given only for its extents.
 *
 * <p>Source: "NNC Micro Ops" (seed 003), "Automatic Differentiation".
 */
public final class Differentiate {

  private static final ImmutableList<MicroValue> NOTHING = ImmutableList.of();

  private final MicroGraph graph;
  private final BitSet given;
  private final GradientTensors tensors;

  private Differentiate(MicroGraph graph, BitSet given, GradientTensors tensors) {
    this.graph = graph;
    this.given = given;
    this.tensors = tensors;
  }

  /**
   * Returns the program that computes the requested gradients.
   *
   * @throws IllegalArgumentException if the request names a value that the graph does not have or
   *     that has no gradient, or if the given tensors do not suffice
   */
  public static Gradient gradient(MicroGraph graph, GradientRequest request) {
    requireNonNull(graph, "graph");
    ImmutableMap<Integer, String> given = given(graph, request);
    BitSet ids = new BitSet();
    given.keySet().forEach(ids::set);
    MicroGraph named = named(graph, given);
    return new Differentiate(named, ids, new GradientTensors(named, request)).run();
  }

  private Gradient run() {
    ForwardValues once = new ForwardValues(graph, new EmitProgram(graph), given);
    new EmitGradients(graph, tensors, once).emit();
    BitSet needed = needed(once.read());
    BitSet computed = (BitSet) needed.clone();
    computed.andNot(given);
    needed.and(given);
    MicroGradientShapes shapes = new MicroGradientShapes(graph, given, needed, computed, tensors);
    return emit(shapes, computed);
  }

  /**
   * Returns the values that are read and the values that they are computed from, up to the given
   * ones.
   */
  private BitSet needed(BitSet read) {
    BitSet needed = (BitSet) read.clone();
    List<String> missing = new ArrayList<>();
    for (int id = needed.length() - 1; id >= 0; id = needed.previousSetBit(id - 1)) {
      MicroNode node = graph.nodes().get(id);
      if (!given.get(id) && node.op() instanceof MicroOp.Input) {
        missing.add(0, node.name());
      }
      for (MicroValue operand : given.get(id) ? NOTHING : node.op().operands()) {
        needed.set(operand.id(), needed.get(operand.id()) || !graph.node(operand).isScalar());
      }
    }
    checkArgument(
        missing.isEmpty(), "the gradient of %s reads what is not given: %s", graph.name(), missing);
    return needed;
  }

  private Gradient emit(MicroGradientShapes shapes, BitSet computed) {
    MicroGraph said = shapes.graph();
    EmitProgram program = new EmitProgram(said);
    ImmutableSet.Builder<String> onlyExtents = ImmutableSet.builder();
    for (int id = shapes.inputs().nextSetBit(0); id >= 0; id = shapes.inputs().nextSetBit(id + 1)) {
      program.declare(id, Role.INPUT);
      if (shapes.onlyExtents().get(id)) {
        onlyExtents.add(said.nodes().get(id).name());
      }
    }
    tensors
        .outputGradients()
        .forEach(
            (output, gradient) -> {
              MicroValue value = requireNonNull(graph.outputs().get(output));
              program.declare(gradient, Role.INPUT, said.node(value));
            });
    ImmutableSet<String> inputs = names(program.tensors());
    for (int id = computed.nextSetBit(0); id >= 0; id = computed.nextSetBit(id + 1)) {
      program.compute(id, Role.TEMPORARY);
    }
    BitSet there = (BitSet) given.clone();
    there.or(computed);
    ForwardValues values = new ForwardValues(said, program, there);
    ImmutableList<MicroFunction> gradients = new EmitGradients(said, tensors, values).emit();
    values.read().andNot(there);
    checkState(values.read().isEmpty(), "read, but neither given nor computed: %s", values.read());
    BitSet ids = tensors.computed();
    for (int id = ids.length() - 1; id >= 0; id = ids.previousSetBit(id - 1)) {
      Role role = tensors.isWanted(id) ? Role.OUTPUT : Role.TEMPORARY;
      program.declare(tensors.gradient(id), role, said.nodes().get(id));
    }
    return new Gradient(
        new MicroProgram(
            graph.name() + "_grad",
            graph.parameters(),
            program.tensors(),
            said.requirements(),
            ImmutableList.<MicroFunction>builder()
                .addAll(program.functions())
                .addAll(gradients)
                .build()),
        inputs,
        onlyExtents.build(),
        tensors.outputGradients(),
        tensors.inputGradients());
  }

  private static ImmutableSet<String> names(ImmutableList<TensorDeclaration> tensors) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    tensors.forEach(tensor -> names.add(tensor.name()));
    return names.build();
  }

  /**
   * Returns the given values with their names. An output that is also an input goes under the name
   * of the input.
   */
  private static ImmutableMap<Integer, String> given(MicroGraph graph, GradientRequest request) {
    Map<Integer, String> given = new LinkedHashMap<>();
    Set<String> unknown = new LinkedHashSet<>(request.given());
    for (int id = 0; id < graph.nodes().size(); id++) {
      MicroNode node = graph.nodes().get(id);
      if (node.op() instanceof MicroOp.Input && unknown.remove(node.name())) {
        given.put(id, node.name());
      }
    }
    graph
        .outputs()
        .forEach(
            (name, value) -> {
              if (unknown.remove(name)) {
                MicroNode node = graph.node(value);
                given.putIfAbsent(
                    value.id(), node.op() instanceof MicroOp.Input ? node.name() : name);
              }
            });
    checkArgument(unknown.isEmpty(), "%s has no inputs or outputs named %s", graph.name(), unknown);
    return ImmutableMap.copyOf(given);
  }

  /**
   * Returns the graph with each node renamed to its tensor's name: the given name, otherwise the
   * name of the first output that the node computes.
   */
  private static MicroGraph named(MicroGraph graph, ImmutableMap<Integer, String> given) {
    Map<Integer, String> names = new HashMap<>(given);
    graph
        .outputs()
        .forEach(
            (name, value) -> {
              if (!(graph.node(value).op() instanceof MicroOp.Input)) {
                names.putIfAbsent(value.id(), name);
              }
            });
    ImmutableList.Builder<MicroNode> nodes = ImmutableList.builder();
    for (int id = 0; id < graph.nodes().size(); id++) {
      MicroNode node = graph.nodes().get(id);
      String name = names.getOrDefault(id, node.name());
      nodes.add(new MicroNode(name, node.op(), node.type(), node.shape()));
    }
    return new MicroGraph(
        graph.name(), graph.parameters(), nodes.build(), graph.requirements(), graph.outputs());
  }
}
