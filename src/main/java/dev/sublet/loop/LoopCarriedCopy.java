package dev.sublet.loop;

import dev.sublet.program.Operation;

/**
 * A copy at the end of a loop's body that gives a variable its value for the next iteration, {@code
 * target = assign(source)}, and the decision about it.
 *
 * @param copy the copying operator
 * @param source the copied variable
 * @param target the variable that gets the value, declared outside the body
 * @param decision whether the copy stays, and what replaces it
 * @param repeat the number of slots that the value takes in turn; 1 unless it rotates
 * @param reason the reason for the decision, in words for people
 */
public record LoopCarriedCopy(
    Operation copy, int source, int target, Decision decision, int repeat, String reason) {

  /** The decision about a loop-carried copy. */
  public enum Decision {
    /** Source and target become one variable: their values are never needed at the same time. */
    CO_ALLOCATED,
    /** The target is in another slot in each iteration, {@link LoopCarriedCopy#repeat} in turn. */
    ROTATED,
    /** The copy stays. */
    COPIED
  }
}
