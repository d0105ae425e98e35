package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.Requirement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A graph whose extents and indices are rewritten in terms of the tensors that its gradient program
 * is given, and the choice of these tensors. If the tensors that are read anyway do not determine
 * an extent, another given tensor is added as an input.
 */
final class MicroGradientShapes {

  private final MicroGraph graph;
  private final BitSet given;
  private final BitSet inputs;
  private final BitSet onlyExtents = new BitSet();
  private final GradientTensors tensors;
  private KnownExtents known;

  /**
   * Chooses the inputs and makes every needed extent known.
   *
   * @param graph the graph, with the names of tensors as names of nodes
   * @param given the values that may be read
   * @param inputs the given values that are read
   * @param computed the values that are computed, not read
   */
  MicroGradientShapes(
      MicroGraph graph, BitSet given, BitSet inputs, BitSet computed, GradientTensors tensors) {
    this.graph = requireNonNull(graph, "graph");
    this.given = requireNonNull(given, "given");
    this.inputs = (BitSet) inputs.clone();
    this.tensors = requireNonNull(tensors, "tensors");
    this.known = declareInputs();
    BitSet shaped = (BitSet) computed.clone();
    shaped.or(tensors.active());
    shaped.or(tensors.computed());
    for (int id = shaped.nextSetBit(0); id >= 0; id = shaped.nextSetBit(id + 1)) {
      for (IndexExpression expression : expressions(graph.nodes().get(id))) {
        learn(expression);
      }
    }
  }

  /** Returns the given values that the program needs, for their elements or their extents. */
  BitSet inputs() {
    return inputs;
  }

  /** Returns the needed values whose elements are not read. */
  BitSet onlyExtents() {
    return onlyExtents;
  }

  /**
   * Returns the graph in terms of the inputs, without outputs. An expression that the inputs do not
   * determine is left unchanged; no emitted code needs it.
   */
  MicroGraph graph() {
    List<MicroNode> nodes = new ArrayList<>();
    for (int id = 0; id < graph.nodes().size(); id++) {
      MicroNode node = graph.nodes().get(id);
      nodes.add(new MicroNode(node.name(), say(node.op()), node.type(), say(node.shape())));
    }
    ImmutableList.Builder<Requirement> requirements = ImmutableList.builder();
    for (Requirement requirement : graph.requirements()) {
      Optional<IndexExpression> left = known.find(requirement.left());
      Optional<IndexExpression> right = known.find(requirement.right());
      if (left.isPresent() && right.isPresent() && !left.equals(right)) {
        requirements.add(new Requirement(left.get(), right.get()));
      }
    }
    return new MicroGraph(
        graph.name(),
        graph.parameters(),
        ImmutableList.copyOf(nodes),
        requirements.build(),
        /* outputs= */ ImmutableMap.of());
  }

  private KnownExtents declareInputs() {
    KnownExtents extents = new KnownExtents(graph.requirements());
    for (int id = inputs.nextSetBit(0); id >= 0; id = inputs.nextSetBit(id + 1)) {
      MicroNode node = graph.nodes().get(id);
      extents.declare(node.name(), node.shape());
    }
    for (Map.Entry<String, String> seed : tensors.outputGradients().entrySet()) {
      MicroValue output = requireNonNull(graph.outputs().get(seed.getKey()));
      extents.declare(seed.getValue(), graph.node(output).shape());
    }
    return extents;
  }

  /** Adds given tensors as inputs until an expression is known. */
  private void learn(IndexExpression expression) {
    Optional<AxisSize> unknown = known.unknown(expression);
    while (unknown.isPresent()) {
      int id = whoKnows(unknown.get(), expression);
      inputs.set(id);
      onlyExtents.set(id);
      known = declareInputs();
      unknown = known.unknown(expression);
    }
  }

  /**
   * Returns the given tensor to which the unknown extent belongs, else the first one with an axis
   * whose extent is the unknown extent or the whole expression.
   */
  private int whoKnows(AxisSize unknown, IndexExpression expression) {
    int found = -1;
    for (int id = given.nextSetBit(0); id >= 0; id = given.nextSetBit(id + 1)) {
      MicroNode node = graph.nodes().get(id);
      if (inputs.get(id)) {
        continue;
      }
      if (node.name().equals(unknown.tensor())) {
        return id;
      }
      if (found < 0 && (node.shape().contains(unknown) || node.shape().contains(expression))) {
        found = id;
      }
    }
    checkArgument(
        found >= 0,
        "the gradient needs extent %s of %s, which is not given",
        unknown.axis(),
        unknown.tensor());
    return found;
  }

  private static ImmutableList<IndexExpression> expressions(MicroNode node) {
    ImmutableList.Builder<IndexExpression> expressions = ImmutableList.builder();
    expressions.addAll(node.shape());
    if (node.op() instanceof MicroOp.Reindex reindex) {
      expressions.addAll(reindex.at());
    } else if (node.op() instanceof MicroOp.Position position) {
      expressions.add(position.index());
    }
    return expressions.build();
  }

  private MicroOp say(MicroOp op) {
    if (op instanceof MicroOp.Reindex reindex) {
      return new MicroOp.Reindex(reindex.x(), say(reindex.at()), reindex.outside());
    }
    if (op instanceof MicroOp.Position position) {
      return new MicroOp.Position(say(ImmutableList.of(position.index())).get(0));
    }
    return op;
  }

  private ImmutableList<IndexExpression> say(ImmutableList<IndexExpression> expressions) {
    ImmutableList.Builder<IndexExpression> said = ImmutableList.builder();
    for (IndexExpression expression : expressions) {
      said.add(known.find(expression).orElse(expression));
    }
    return said.build();
  }
}
