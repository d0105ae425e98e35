/**
 * The compiler from programs to C99.
 *
 * <p>The input is a program with its parameters and the shapes of its feeds; {@link
 * dev.sublet.compile.Compiler} returns the files of a C program that computes the same bits as the
 * executor, in one arena of the size of a proved plan.
 *
 * <p>Stages:
 *
 * <ol>
 *   <li>{@code ProgramTrace} runs the operators in order on tensors of which only type and shape
 *       are known. Values that do not depend on feeds become constants; copies become names. Loops
 *       and branches whose conditions depend on feeds remain (package {@code trace}).
 *   <li>{@code LoweredStep} turns each operator into simplified loop nests with known extents, or
 *       into calls of C functions (package {@code kernel}).
 *   <li>{@code ConstantNests} computes nests of constants, and {@code JoinedSteps} joins operators
 *       with the elementwise operators after them.
 *   <li>{@code PlannedProgram} is the program that remains, with one more output per operator that
 *       needs scratch memory. {@link dev.sublet.Transpiler} plans and proves it.
 *   <li>{@code ModelSource} and its like write the files.
 * </ol>
 *
 * <p>Invariant: every byte that the C code writes is a byte of an output, or of the scratch memory
 * of an operator, in the plan that the validator has accepted. An operator whose nests are not
 * proved to allow it, and a C function, never writes over its inputs.
 */
@NullMarked
package dev.sublet.compile;

import org.jspecify.annotations.NullMarked;
