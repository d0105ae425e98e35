/**
 * C code generation for micro programs.
 *
 * <p>The input is a {@link dev.sublet.runtime.micro.ir.MicroProgram}; {@link
 * dev.sublet.runtime.micro.emit.EmitC} generates one C99 function that computes it. Extents and
 * parameters remain arguments, and the function allocates nothing. {@link
 * dev.sublet.runtime.micro.emit.CFunctions} generates functions for programs with known extents;
 * sums of products are then tiles ({@code ProductTile}) that read from panels or planes. Invariant:
 * each element is computed by the operations of the program, and the terms of each sum are added in
 * its order. Therefore results equal the interpreter's bit for bit, as far as the C library's
 * functions do.
 */
@NullMarked
package dev.sublet.runtime.micro.emit;

import org.jspecify.annotations.NullMarked;
