/**
 * Runs micro programs.
 *
 * <p>In go a {@link dev.sublet.runtime.micro.ir.MicroProgram}, tensors for its inputs and numbers
 * for its parameters; out come its outputs. Invariant: floating-point results are those of the
 * statements in the order of the loops, one rounding an operation, on every machine that has IEEE
 * arithmetic; the functions of {@link java.lang.StrictMath} decide the rest.
 *
 * <p>The build derives {@code Double*.java} from {@code Float*.java} (see {@code pom.xml}).
 */
@NullMarked
package dev.sublet.runtime.micro.run;

import org.jspecify.annotations.NullMarked;
