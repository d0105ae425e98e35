/**
 * C kernels: operators that are not loop nests, as functions in C99.
 *
 * <p>A {@link dev.sublet.compile.kernel.CRoutine.Rule} turns the call of an operator, whose tensors
 * may lack elements, into calls of C functions. The functions are resources of this package; {@link
 * dev.sublet.compile.kernel.CLibrary} adds those that a model uses. To add an operator, write a
 * function, a rule in a {@code *Routines} file, and its line in {@link
 * dev.sublet.compile.kernel.CRoutines}; {@code RoutinesInCTest} finds its cases by itself.
 *
 * <p>Invariant: a C kernel computes the bits of the operator's kernel in Java. It writes its
 * outputs and its scratch memory, and never an input.
 */
@NullMarked
package dev.sublet.compile.kernel;

import org.jspecify.annotations.NullMarked;
