package dev.sublet.runtime.kernel;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSortedSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The kernels by operator type.
 *
 * <pre>{@code
 * kernels.lowered("relu", …).kernel("argsort", …)
 * }</pre>
 *
 * <p>Operators that run blocks or use scopes or arrays have no kernel; the executor runs them
 * itself.
 */
public final class KernelRegistry {

  private final Map<String, Kernel> byType;

  private KernelRegistry(Map<String, Kernel> byType) {
    this.byType = byType;
  }

  /** Returns the kernels of some families. */
  public static KernelRegistry of(Iterable<Consumer<Builder>> families) {
    Builder builder = new Builder();
    for (Consumer<Builder> family : families) {
      family.accept(builder);
    }
    return builder.build();
  }

  /** Returns the kernel of an operator type, if it has one. O(1). */
  public Optional<Kernel> find(String type) {
    return Optional.ofNullable(byType.get(type));
  }

  /** Returns the operator types that have a kernel, sorted. */
  public ImmutableSortedSet<String> types() {
    return ImmutableSortedSet.copyOf(byType.keySet());
  }

  /** Collects the kernels that the families register. */
  public static final class Builder {

    private final Map<String, Kernel> byType = new HashMap<>();

    /** Adds an operator type that is lowered to micro ops. */
    public Builder lowered(String type, Lowering lowering) {
      return kernel(type, new LoweredKernel(call -> Translation.ofLowering(lowering, call)));
    }

    /** Adds an operator type that is lowered to micro ops, with another kernel around it. */
    public Builder lowered(String type, UnaryOperator<Kernel> around, Lowering lowering) {
      return kernel(
          type, around.apply(new LoweredKernel(call -> Translation.ofLowering(lowering, call))));
    }

    /**
     * Adds an operator type that is lowered to micro ops, and its gradient operator, {@code
     * type_grad}, which is the derivative of the lowering.
     */
    public Builder differentiated(String type, Lowering lowering) {
      return differentiated(type, lowering, lowering);
    }

    /**
     * Adds an operator type and its gradient operator, with a separate lowering for the derivative.
     * The lowering {@code smooth} computes the same values. Where the function has no derivative,
     * the derivative of {@code smooth} is the one that Paddle chooses.
     */
    public Builder differentiated(String type, Lowering lowering, Lowering smooth) {
      return lowered(type, lowering)
          .kernel(type + "_grad", new LoweredKernel(call -> GradientTranslation.of(smooth, call)));
    }

    /** Adds an operator type that a kernel computes in Java code of its own. */
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
