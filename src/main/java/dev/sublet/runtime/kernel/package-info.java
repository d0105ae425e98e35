/**
 * Kernels, which compute the outputs of an operator type, and helpers that the families of kernels
 * share.
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
 * <p>Invariant: a kernel reads its call and changes nothing else. For a call that it cannot
 * compute, it throws an {@link dev.sublet.runtime.kernel.OperatorException}.
 */
@NullMarked
package dev.sublet.runtime.kernel;

import org.jspecify.annotations.NullMarked;
