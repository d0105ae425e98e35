/**
 * The text of micro programs, expressions and indices.
 *
 * <p>A text goes in; {@link dev.sublet.runtime.micro.text.MicroProgramText} returns the {@link
 * dev.sublet.runtime.micro.ir.MicroProgram}, checked, or throws a {@link
 * dev.sublet.runtime.micro.text.MicroSyntaxException} with the line, the column and the error.
 *
 * <p>Invariant: {@code parse(print(p))} equals {@code p}.
 */
@NullMarked
package dev.sublet.runtime.micro.text;

import org.jspecify.annotations.NullMarked;
