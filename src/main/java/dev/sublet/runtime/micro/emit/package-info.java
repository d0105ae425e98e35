/**
 * C code generation for micro programs.
 *
 * <p>The input is a {@link dev.sublet.runtime.micro.ir.MicroProgram}; {@link
 * dev.sublet.runtime.micro.emit.EmitC} generates one C99 function that computes it. Extents and
 * parameters remain arguments, and the function allocates nothing. Invariant: each operation of the
 * program becomes one operation of the C code, in the same order. Therefore results equal the
 * interpreter's bit for bit, as far as the C library's functions do.
 */
@NullMarked
package dev.sublet.runtime.micro.emit;

import org.jspecify.annotations.NullMarked;
