/**
 * The rules of micro programs.
 *
 * <p>A {@link dev.sublet.runtime.micro.ir.MicroProgram} goes in. {@link
 * dev.sublet.runtime.micro.check.MicroProgramCheck} returns if the program keeps every rule: names
 * are declared before they are used, the types of values fit, an index uses only loops around it.
 * Otherwise it throws an exception that states the rule and the part of the program.
 *
 * <p>Invariant: the compiler and the emitter of C take every program that passes. Not checked here
 * is whether an index stays inside its tensor, which is known only when the program runs.
 */
@NullMarked
package dev.sublet.runtime.micro.check;

import org.jspecify.annotations.NullMarked;
