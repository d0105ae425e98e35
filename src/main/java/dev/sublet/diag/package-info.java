/**
 * Messages to the user of Sublet.
 *
 * <p>A {@link dev.sublet.diag.Diagnostic} is one line: a {@link dev.sublet.diag.Location} in the
 * input (file, block, operator, variable), the problem at that location, and its remedy. A stage
 * that cannot continue throws a {@link dev.sublet.diag.ProgramException}. A stage that leaves
 * something out and continues adds a message to a {@link dev.sublet.diag.DiagnosticLog}. Only the
 * command line turns exceptions and logs into text on stderr and an exit code.
 *
 * <p>Invariant: a diagnostic is about the user's input. A bug in Sublet is an unchecked exception
 * of another type and never passes through this package.
 */
@NullMarked
package dev.sublet.diag;

import org.jspecify.annotations.NullMarked;
