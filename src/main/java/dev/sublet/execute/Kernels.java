package dev.sublet.execute;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What every operator type that can run does: the registry. Operators that run blocks, use scopes
 * or arrays are not here but in the executor itself.
 */
final class Kernels {

  /** All families, one line each, in alphabetical order. */
  private static final ImmutableList<Consumer<Builder>> FAMILIES =
      ImmutableList.of(
          ActivationLowerings::register,
          AnchorKernels::register,
          BatchNormalization::register,
          BoxKernels::register,
          ComparisonLowerings::register,
          ConvolutionLowerings::register,
          CreationLowerings::register,
          CrossEntropyLowerings::register,
          CumulativeKernels::register,
          DeformableLowerings::register,
          ElementwiseLowerings::register,
          FunctionLowerings::register,
          InterpolationLowerings::register,
          JoinLowerings::register,
          LookupLowerings::register,
          LossLowerings::register,
          NormalizationLowerings::register,
          OptimizerLowerings::register,
          OrderLowerings::register,
          OutputGradientLowerings::register,
          PaddingLowerings::register,
          PoolingLowerings::register,
          ProductLowerings::register,
          ProposalKernels::register,
          RecurrentKernels::register,
          ReductionLowerings::register,
          RegionKernels::register,
          RepeatLowerings::register,
          ReshapeLowerings::register,
          SamplingLowerings::register,
          ScaleLowerings::register,
          ScatterKernels::register,
          SequenceGradients::register,
          SequenceKernels::register,
          SequenceRecurrence::register,
          SequenceSumKernels::register,
          ShapeKernels::register,
          SliceLowerings::register,
          SoftmaxLowerings::register,
          SortKernels::register,
          SuppressionKernels::register);

  private static final Kernels ALL = of(FAMILIES);

  private final Map<String, Kernel> byType;

  private Kernels(Map<String, Kernel> byType) {
    this.byType = byType;
  }

  /** The kernels of some families. */
  static Kernels of(Iterable<Consumer<Builder>> families) {
    Builder builder = new Builder();
    for (Consumer<Builder> family : families) {
      family.accept(builder);
    }
    return builder.build();
  }

  /** The kernels of all families. */
  static Kernels all() {
    return ALL;
  }

  /** What the operator type does, if it is known. O(1). */
  Optional<Kernel> find(String type) {
    return Optional.ofNullable(byType.get(type));
  }

  /** The operator types that have a kernel, sorted. */
  ImmutableSortedSet<String> types() {
    return ImmutableSortedSet.copyOf(byType.keySet());
  }

  /** Collects what the families register. */
  static final class Builder {

    private final Map<String, Kernel> byType = new HashMap<>();

    /** Adds an operator type that is lowered to micro ops. */
    Builder lowered(String type, Lowering lowering) {
      return kernel(type, new LoweredKernel(call -> Translation.ofLowering(lowering, call)));
    }

    /**
     * Adds an operator type that is lowered to micro ops, and its gradient operator, {@code
     * type_grad}, which is the derivative of the lowering.
     */
    Builder differentiated(String type, Lowering lowering) {
      return differentiated(type, lowering, lowering);
    }

    /**
     * The same with another lowering to take the derivative of: it computes the same, and its
     * derivative is the one that Paddle chooses where there is none.
     */
    Builder differentiated(String type, Lowering lowering, Lowering smooth) {
      return lowered(type, lowering)
          .kernel(type + "_grad", new LoweredKernel(call -> GradientTranslation.of(smooth, call)));
    }

    /** Adds an operator type that runs by code of its own. */
    Builder kernel(String type, Kernel kernel) {
      requireNonNull(kernel, "kernel");
      checkState(byType.put(type, kernel) == null, "%s is registered twice", type);
      return this;
    }

    private Kernels build() {
      return new Kernels(Map.copyOf(byType));
    }
  }
}
