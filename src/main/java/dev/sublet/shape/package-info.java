/**
 * Facts about the tensors of a program: how many bytes each takes, which carry sequence information
 * (LoD), and on which place each lives.
 *
 * <p>In go a program, the operator catalog and what the user says about the feeds; out come {@link
 * dev.sublet.shape.Sizes}, {@link dev.sublet.shape.LodCarriers} and {@link
 * dev.sublet.shape.Places}, arrays beside the program.
 *
 * <p>Invariant: nothing is guessed. A size is exact, or an upper bound that the user gave by {@code
 * --batch}, or unknown with the reason.
 */
@NullMarked
package dev.sublet.shape;

import org.jspecify.annotations.NullMarked;
