/**
 * Kernels: how an operator type computes its outputs, and the helpers that the families share.
 *
 * <p>A {@link dev.sublet.runtime.kernel.Kernel} takes an {@link
 * dev.sublet.runtime.kernel.OperatorCall} (attributes, tensors) and returns an {@link
 * dev.sublet.runtime.kernel.OperatorResult}. Most kernels are a {@link
 * dev.sublet.runtime.kernel.Lowering}: it writes the operator as micro ops, from which the gradient
 * operator is derived.
 *
 * <pre>{@code
 * kernels.differentiated("softsign", Softsign::lower); // also registers softsign_grad
 * }</pre>
 *
 * <p>Each family has a package here and registers its types in a {@link
 * dev.sublet.runtime.kernel.KernelRegistry.Builder}; package {@code machine} lists the families.
 *
 * <p>Invariant: a kernel reads its call and changes nothing else. A call that it cannot compute is
 * an {@link dev.sublet.runtime.kernel.OperatorException}.
 */
@NullMarked
package dev.sublet.runtime.kernel;

import org.jspecify.annotations.NullMarked;
