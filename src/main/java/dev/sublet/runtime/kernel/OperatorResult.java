package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Optional;

/**
 * The outputs of an operator.
 *
 * @param outputs the outputs by slot, in the order of the arguments
 */
public record OperatorResult(ImmutableListMultimap<String, Output> outputs) {

  /**
   * One output.
   *
   * @param tensor its elements
   * @param lod its LoD if the kernel determines it; otherwise the catalog's rule for the operator
   *     applies
   */
  public record Output(Tensor tensor, Optional<ImmutableList<ImmutableLongArray>> lod) {}

  /** Returns a result with one output. */
  public static OperatorResult of(String slot, Tensor tensor) {
    return builder().put(slot, tensor).build();
  }

  /** Returns a builder without outputs. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects outputs. The outputs of one slot are added in the order of its arguments. */
  public static final class Builder {

    private final ListMultimap<String, Output> outputs =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();

    /** Adds an output whose LoD follows from the catalog. */
    public Builder put(String slot, Tensor tensor) {
      outputs.put(slot, new Output(tensor, Optional.empty()));
      return this;
    }

    /** Adds an output with its own LoD. */
    public Builder put(String slot, LodTensor tensor) {
      outputs.put(slot, new Output(tensor.tensor(), Optional.of(tensor.lod())));
      return this;
    }

    /** Returns the result. */
    public OperatorResult build() {
      return new OperatorResult(ImmutableListMultimap.copyOf(outputs));
    }
  }
}
