/**
 * The rules of micro programs.
 *
 * <p>A {@link dev.sublet.runtime.micro.ir.MicroProgram} goes in. {@link
 * dev.sublet.runtime.micro.check.MicroProgramCheck} returns if the program keeps every rule: names
 * are declared before they are used, the types of values fit, an index uses only loops around it.
 * Otherwise it throws an exception that states the rule and the part of the program.
 *
 * <p>Invariant: a program that passes can be printed and read, compiled and emitted as C without an
 * error. Whether an index stays inside its tensor is not checked here but when the program runs.
 */
@NullMarked
package dev.sublet.runtime.micro.check;

import org.jspecify.annotations.NullMarked;
