/**
 * What is said to the person who runs Sublet.
 *
 * <p>A {@link dev.sublet.diag.Diagnostic} is one line: a {@link dev.sublet.diag.Location} in the
 * input (file, block, operator, variable), what is wrong there and what to do about it. A stage
 * that cannot go on throws {@link dev.sublet.diag.ProgramException}; a stage that goes on but left
 * something out adds to a {@link dev.sublet.diag.DiagnosticLog}. Only the command line turns either
 * into text on stderr and an exit code.
 *
 * <p>Invariant: a diagnostic is about the user's input. A bug of Sublet's own is an unchecked
 * exception of another type and never passes through here.
 */
@NullMarked
package dev.sublet.diag;

import org.jspecify.annotations.NullMarked;
