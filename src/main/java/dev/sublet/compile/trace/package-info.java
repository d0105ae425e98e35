/**
 * Traces of programs: what is left to compute when only the shapes of feeds are known.
 *
 * <p>The input is a program with its parameters and the shapes of its feeds; {@link
 * dev.sublet.compile.trace.ProgramTrace} returns the operators that the C code has to run, in
 * order, with the loops and branches whose conditions depend on feeds.
 *
 * <p>Invariant: a value has one name. Only a copy writes a value that another step writes too: one
 * that a loop carries, or that a branch may replace.
 */
@NullMarked
package dev.sublet.compile.trace;

import org.jspecify.annotations.NullMarked;
