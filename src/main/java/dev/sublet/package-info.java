/**
 * The front door of the library.
 *
 * <p>{@link dev.sublet.Transpiler} takes a program and {@link dev.sublet.TranspileOptions} and
 * gives back a {@link dev.sublet.TranspileResult}: the program with shared names, and the plan of
 * its arenas. It also plans programs and tables of buffers as they are, verifies what others made,
 * and explains. Files are read and written by {@link dev.sublet.codec}.
 *
 * <p>Invariant: what is returned has been accepted by the validators of {@link dev.sublet.verify};
 * bad input is a {@link dev.sublet.diag.ProgramException}, everything else that is thrown is a bug
 * of Sublet's.
 */
@NullMarked
package dev.sublet;

import org.jspecify.annotations.NullMarked;
