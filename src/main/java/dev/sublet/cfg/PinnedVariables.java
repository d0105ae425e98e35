package dev.sublet.cfg;

import org.jspecify.annotations.Nullable;

/**
 * The variables that must not be renamed or planned, with the reasons. Every method is O(1).
 *
 * <ul>
 *   <li>A <i>pinned</i> variable keeps its name: a runtime derives or links names from it, an
 *       attribute that cannot be rewritten contains it, or an operator with unknown blocks accesses
 *       it.
 *   <li>An <i>unplanned</i> variable gets no offset, because the runtime manages its bytes: the
 *       variable is linked, aliased, duplicated per iteration, or in a block that is not followed.
 *   <li>A variable that is kept <i>in steps</i> has one instance per iteration of a loop, until the
 *       loop's gradient has visited the iteration. It can have an offset only in an arena that
 *       exists once per iteration.
 *   <li>A <i>kept</i> variable may be read at any later time, by blocks that Sublet does not know
 *       how to run.
 * </ul>
 */
public final class PinnedVariables {

  /** The reason of a variable that exists once per iteration and has no per-iteration offset. */
  public static final String ONCE_AN_ITERATION =
      "kept once per iteration for the gradient of its loop";

  private final @Nullable String[] pinReasons;
  private final @Nullable String[] unplannedReasons;
  private final boolean[] aliased;
  private final boolean[] kept;
  private final int[] stepBlocks;

  PinnedVariables(int variableCount) {
    this.pinReasons = new String[variableCount];
    this.unplannedReasons = new String[variableCount];
    this.aliased = new boolean[variableCount];
    this.kept = new boolean[variableCount];
    this.stepBlocks = new int[variableCount];
  }

  /** Pins a variable. The first reason stays. */
  void pin(int variable, String reason) {
    if (pinReasons[variable] == null) {
      pinReasons[variable] = reason;
    }
  }

  /** Marks a variable as unplanned. The first reason stays. */
  void leaveUnplanned(int variable, String reason) {
    if (unplannedReasons[variable] == null) {
      unplannedReasons[variable] = reason;
    }
  }

  /** Lets a variable have an offset only in the per-iteration arena of the loop with this body. */
  void keepInSteps(int variable, int block) {
    stepBlocks[variable] = block;
  }

  /** Pins a variable and marks it as unplanned. */
  void pinUnplanned(int variable, String reason) {
    pin(variable, reason);
    leaveUnplanned(variable, reason);
  }

  /** Pins a variable whose bytes another variable may have too, and marks it as unplanned. */
  void alias(int variable, String reason) {
    pinUnplanned(variable, reason);
    aliased[variable] = true;
  }

  /** Pins a variable and keeps its value until the end of the program. */
  void keep(int variable, String reason) {
    pin(variable, reason);
    kept[variable] = true;
  }

  /** Whether an operator makes the variable share a buffer with another one at run time. */
  boolean isAliased(int variable) {
    return aliased[variable];
  }

  /** Whether the variable must keep its name. */
  public boolean isPinned(int variable) {
    return pinReasons[variable] != null;
  }

  /** The reason why the variable must keep its name; empty if it need not. */
  public String pinReason(int variable) {
    String reason = pinReasons[variable];
    return reason == null ? "" : reason;
  }

  /** Whether the variable must not get an offset. */
  public boolean isUnplanned(int variable) {
    return unplannedReasons[variable] != null;
  }

  /** The reason why the variable must not get an offset; empty if it may. */
  public String unplannedReason(int variable) {
    String reason = unplannedReasons[variable];
    return reason == null ? "" : reason;
  }

  /** The body block of the loop that keeps the variable once per iteration; 0 if no loop does. */
  public int stepBlock(int variable) {
    return stepBlocks[variable];
  }

  /** Whether the variable's value must last to the end of the program. */
  public boolean isKept(int variable) {
    return kept[variable];
  }
}
