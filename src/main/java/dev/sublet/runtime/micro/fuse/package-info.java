/**
 * Simplification of loop nests: fewer blocks, and fewer and smaller temporaries.
 *
 * <p>The input is a {@link dev.sublet.runtime.micro.ir.MicroProgram}. {@link
 * dev.sublet.runtime.micro.fuse.SimplifyProgram} returns a program with the same outputs, bit for
 * bit, and a report. Each {@link dev.sublet.runtime.micro.fuse.Pass} is one rewrite from program to
 * program; each is correct by itself, and so in any order.
 *
 * <p>Invariants: passes rely only on facts about extents that follow from declared shapes and
 * requirements ({@link dev.sublet.runtime.micro.fuse.fact.Extents}), and no pass changes the order
 * in which an accumulator receives its values. A run that fails (a requirement that does not hold,
 * a division by zero in an index) may fail differently or not at all after simplification. Extents,
 * indices and their products are assumed to fit in 64 bits.
 *
 * <p>Source: "NNC Micro Ops" (seed 003), "Simplification".
 */
@NullMarked
package dev.sublet.runtime.micro.fuse;

import org.jspecify.annotations.NullMarked;
