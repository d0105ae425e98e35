/**
 * Runs micro programs.
 *
 * <p>A run takes a {@link dev.sublet.runtime.micro.ir.MicroProgram}, tensors for its inputs and
 * numbers for its parameters, and returns its outputs. Invariant: floating-point results are those
 * of the statements in the order of the loops, with one rounding per operation, on every machine
 * that has IEEE arithmetic; the functions of {@link java.lang.StrictMath} determine the rest.
 *
 * <p>The build derives {@code Double*.java} from {@code Float*.java} (see {@code pom.xml}).
 */
@NullMarked
package dev.sublet.runtime.micro.run;

import org.jspecify.annotations.NullMarked;
