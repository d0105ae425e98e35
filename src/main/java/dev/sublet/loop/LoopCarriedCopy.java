package dev.sublet.loop;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.Operation;

/**
 * A copy at the end of a loop's body that gives a variable its value for the next iteration, {@code
 * target ≤ source}, and what becomes of it.
 *
 * @param copy the operator that copies
 * @param source what it copies
 * @param target what it copies that to, a variable from outside the body
 * @param decision what becomes of the copy
 * @param repeat in how many places the value is in turn; 1 unless it rotates
 * @param reason why, for people
 */
public record LoopCarriedCopy(
    Operation copy, int source, int target, Decision decision, int repeat, String reason) {

  /** What becomes of a carry. */
  public enum Decision {
    /** Source and target are one variable: they are never needed at the same time. */
    CO_ALLOCATED,
    /** The target is in another place in each iteration, {@link LoopCarriedCopy#repeat} in turn. */
    ROTATED,
    /** The copy stays. */
    COPIED
  }

  public LoopCarriedCopy {
    requireNonNull(copy, "copy");
    requireNonNull(decision, "decision");
    requireNonNull(reason, "reason");
  }
}
