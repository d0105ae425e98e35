package dev.sublet.runtime.kernel;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSortedSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The kernel of each operator type that runs by a kernel.
 *
 * <pre>{@code
 * kernels.lowered("relu", …).kernel("argsort", …)
 * }</pre>
 *
 * <p>Operators that run blocks or use scopes or arrays are not here; the executor runs them itself.
 */
public final class KernelRegistry {

  private final Map<String, Kernel> byType;

  private KernelRegistry(Map<String, Kernel> byType) {
    this.byType = byType;
  }

  /** The kernels of some families. */
  public static KernelRegistry of(Iterable<Consumer<Builder>> families) {
    Builder builder = new Builder();
    for (Consumer<Builder> family : families) {
      family.accept(builder);
    }
    return builder.build();
  }

  /** What the operator type does, if it is known. O(1). */
  public Optional<Kernel> find(String type) {
    return Optional.ofNullable(byType.get(type));
  }

  /** The operator types that have a kernel, sorted. */
  public ImmutableSortedSet<String> types() {
    return ImmutableSortedSet.copyOf(byType.keySet());
  }

  /** Collects what the families register. */
  public static final class Builder {

    private final Map<String, Kernel> byType = new HashMap<>();

    /** Adds an operator type that is lowered to micro ops. */
    public Builder lowered(String type, Lowering lowering) {
      return kernel(type, new LoweredKernel(call -> Translation.ofLowering(lowering, call)));
    }

    /**
     * Adds an operator type that is lowered to micro ops, and its gradient operator, {@code
     * type_grad}, which is the derivative of the lowering.
     */
    public Builder differentiated(String type, Lowering lowering) {
      return differentiated(type, lowering, lowering);
    }

    /**
     * The same with another lowering to take the derivative of: it computes the same, and its
     * derivative is the one that Paddle chooses where there is none.
     */
    public Builder differentiated(String type, Lowering lowering, Lowering smooth) {
      return lowered(type, lowering)
          .kernel(type + "_grad", new LoweredKernel(call -> GradientTranslation.of(smooth, call)));
    }

    /** Adds an operator type that runs by code of its own. */
    public Builder kernel(String type, Kernel kernel) {
      requireNonNull(kernel, "kernel");
      checkState(byType.put(type, kernel) == null, "%s is registered twice", type);
      return this;
    }

    private KernelRegistry build() {
      return new KernelRegistry(Map.copyOf(byType));
    }
  }
}
