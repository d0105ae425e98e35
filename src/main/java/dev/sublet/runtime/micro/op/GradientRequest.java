package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.tensor.ElementType;

/**
 * The gradients to compute for a graph, and the tensors available for computing them.
 *
 * @param given the inputs and outputs of the graph that the gradient program may read. A given
 *     value is not recomputed; a given value that is not needed is left out
 * @param outputs the outputs whose gradients are given; the gradients of the others are zero
 * @param wanted the inputs whose gradients are computed, at least one
 */
public record GradientRequest(
    ImmutableSet<String> given, ImmutableSet<String> outputs, ImmutableSet<String> wanted) {

  /** Throws {@link IllegalArgumentException} if no gradient is wanted. */
  public GradientRequest {
    requireNonNull(given, "given");
    requireNonNull(outputs, "outputs");
    requireNonNull(wanted, "wanted");
    checkArgument(!wanted.isEmpty(), "no gradient is wanted");
  }

  /**
   * Returns a request for the gradients of all floating-point inputs from those of all
   * floating-point outputs. The inputs of the graph are given, the outputs are not.
   */
  public static GradientRequest fromInputs(MicroGraph graph) {
    ImmutableSet.Builder<String> given = ImmutableSet.builder();
    ImmutableSet.Builder<String> outputs = ImmutableSet.builder();
    ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
    for (MicroNode node : graph.nodes()) {
      if (node.op() instanceof MicroOp.Input) {
        given.add(node.name());
        if (node.type().isFloating()) {
          wanted.add(node.name());
        }
      }
    }
    graph
        .outputs()
        .forEach(
            (name, value) -> {
              ElementType type = graph.node(value).type();
              if (type.isFloating()) {
                outputs.add(name);
              }
            });
    return new GradientRequest(given.build(), outputs.build(), wanted.build());
  }

  /** Returns this request with more tensors given. */
  public GradientRequest withGiven(String... names) {
    return new GradientRequest(
        ImmutableSet.<String>builder().addAll(given).add(names).build(), outputs, wanted);
  }

  /** Returns this request with other wanted gradients. */
  public GradientRequest wanting(String... names) {
    return new GradientRequest(given, outputs, ImmutableSet.copyOf(names));
  }
}
