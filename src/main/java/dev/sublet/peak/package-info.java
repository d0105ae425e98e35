/**
 * The peak of a plan: the tensors that are in use then, and the changes of the program or of the
 * options that make it smaller.
 *
 * <p>The input is a program with the options of a run. {@link dev.sublet.peak.PlanPeak} lists the
 * tensors at the peak, with the operators that write and read them and the line of the user's code.
 * {@link dev.sublet.peak.TensorOrigin} says what each variable is for. {@link
 * dev.sublet.peak.Levers} plans the program again with one change at a time.
 *
 * <p>Invariant: the effect of a change is the arena of a proved plan, not an estimate.
 */
@NullMarked
package dev.sublet.peak;

import org.jspecify.annotations.NullMarked;
