package dev.sublet.runtime.micro.op;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Which gradients of a graph are asked for, and what is there to compute them from.
 *
 * @param given the inputs and outputs of the graph that the gradient may read. What is given is not
 *     computed again; what is given and of no use is left out
 * @param outputs the outputs whose gradients are given; those of the others count as zero
 * @param wanted the inputs whose gradients are computed, at least one
 */
public record GradientRequest(
    ImmutableSet<String> given, ImmutableSet<String> outputs, ImmutableSet<String> wanted) {

  public GradientRequest {
    requireNonNull(given, "given");
    requireNonNull(outputs, "outputs");
    requireNonNull(wanted, "wanted");
    checkArgument(!wanted.isEmpty(), "no gradient is wanted");
  }

  /**
   * The gradients of all floating-point inputs from those of all floating-point outputs, with the
   * inputs given but not the outputs.
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

  /** The same with outputs given, too. */
  public GradientRequest withGiven(String... names) {
    return new GradientRequest(
        ImmutableSet.<String>builder().addAll(given).add(names).build(), outputs, wanted);
  }

  /** The same with other gradients wanted. */
  public GradientRequest wanting(String... names) {
    return new GradientRequest(given, outputs, ImmutableSet.copyOf(names));
  }
}
