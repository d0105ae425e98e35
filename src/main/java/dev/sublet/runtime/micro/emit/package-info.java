/**
 * Micro programs as C.
 *
 * <p>In goes a {@link dev.sublet.runtime.micro.ir.MicroProgram}, out comes one C99 function that
 * computes it: {@link dev.sublet.runtime.micro.emit.EmitC}. Extents and parameters stay arguments,
 * and nothing is allocated. Invariant: an operation of the program is one operation of the C code,
 * in the same order, so that results have the interpreter's bits as far as the C library's
 * functions do.
 */
@NullMarked
package dev.sublet.runtime.micro.emit;

import org.jspecify.annotations.NullMarked;
