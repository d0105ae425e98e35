package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.spec.LodRule;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Map;

/** The LoD of outputs for which a kernel determines none. */
public final class PassedLod {

  private PassedLod() {}

  /**
   * Returns the LoD that an output takes over from an input. This is the first input that has a
   * LoD, may pass it on according to the catalog, and has as many rows as the output. O(inputs).
   */
  public static ImmutableList<ImmutableLongArray> of(
      OperatorSpec spec, ImmutableListMultimap<String, LodTensor> inputs, Tensor output) {
    if (spec.lod().rule() == LodRule.PASSES) {
      for (Map.Entry<String, LodTensor> input : inputs.entries()) {
        LodTensor source = input.getValue();
        if (spec.lod().passesFrom(input.getKey())
            && !source.lod().isEmpty()
            && output.rank() > 0
            && source.tensor().rank() > 0
            && source.tensor().size(0) == output.size(0)) {
          return source.lod();
        }
      }
    }
    return ImmutableList.of();
  }
}
