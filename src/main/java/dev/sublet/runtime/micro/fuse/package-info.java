/**
 * Makes loop nests fewer and temporaries rarer.
 *
 * <p>In goes a {@link dev.sublet.runtime.micro.ir.MicroProgram}; out of {@link
 * dev.sublet.runtime.micro.fuse.SimplifyProgram} comes one that computes the same outputs, bit for
 * bit, and a report. Each {@link dev.sublet.runtime.micro.fuse.Pass} is one rewrite, from program
 * to program, and right by itself in any order.
 *
 * <p>Invariant: nothing is believed of extents but what follows from declared shapes and
 * requirements ({@link dev.sublet.runtime.micro.fuse.Extents}), and no pass changes the order in
 * which an accumulator takes its values. Runs that fail (a requirement that does not hold, a
 * division by zero in an index) may fail otherwise or not at all after simplification. Extents,
 * indices and their products are taken to fit in 64 bits.
 *
 * <p>Source: "NNC Micro Ops" (seed 003), "Simplification".
 */
@NullMarked
package dev.sublet.runtime.micro.fuse;

import org.jspecify.annotations.NullMarked;
