/**
 * Facts about the tensors of a program: how many bytes each takes, which carry sequence information
 * (LoD), and on which place each lives.
 *
 * <p>In go a program, the operator catalog and what the user says about the feeds; out come {@link
 * dev.sublet.shape.Sizes}, {@link dev.sublet.shape.LodCarriers} and {@link
 * dev.sublet.shape.MemorySpaces}, arrays beside the program.
 *
 * <p>The program is run on shapes: rules of the catalog for operators, a fixpoint for loops, a join
 * for branches. Invariant: nothing is guessed. A size is exact for the given feeds, or an upper
 * bound where it depends on data, or unknown with the reason; and only what has the same formula is
 * called the same in every run.
 */
@NullMarked
package dev.sublet.shape;

import org.jspecify.annotations.NullMarked;
