package dev.sublet.cfg;

import org.jspecify.annotations.Nullable;

/**
 * What must be left as it is, each with the reason. O(1) throughout.
 *
 * <ul>
 *   <li>A <i>pinned</i> variable keeps its name: a runtime derives or links names from it, an
 *       attribute that cannot be rewritten holds it, or an operator with unknown blocks touches it.
 *   <li>An <i>unplanned</i> variable gets no offset: its bytes are the runtime's affair (linked,
 *       aliased, one copy an iteration, or out of sight).
 *   <li>A variable that is kept <i>in steps</i> exists once an iteration of a loop, until the
 *       loop's gradient has visited the iteration: it can have an offset only in what each
 *       iteration has.
 *   <li>A <i>kept</i> variable may be read at any later time, by blocks whose running Sublet does
 *       not know.
 * </ul>
 */
public final class PinnedVariables {

  /** Why a variable has no offset that is kept in steps, but not in a way to plan with. */
  public static final String ONCE_AN_ITERATION =
      "kept once an iteration for the gradient of its loop";

  private final @Nullable String[] pinReasons;
  private final @Nullable String[] unplannedReasons;
  private final boolean[] kept;
  private final int[] stepBlocks;

  PinnedVariables(int variableCount) {
    this.pinReasons = new String[variableCount];
    this.unplannedReasons = new String[variableCount];
    this.kept = new boolean[variableCount];
    this.stepBlocks = new int[variableCount];
  }

  /** Pins a variable; the first reason stays. */
  void pin(int variable, String reason) {
    if (pinReasons[variable] == null) {
      pinReasons[variable] = reason;
    }
  }

  /** Lets a variable have no offset; the first reason stays. */
  void leaveUnplanned(int variable, String reason) {
    if (unplannedReasons[variable] == null) {
      unplannedReasons[variable] = reason;
    }
  }

  /** Lets a variable have an offset only in what each iteration of the loop with a body has. */
  void keepInSteps(int variable, int block) {
    stepBlocks[variable] = block;
  }

  /** Pins a variable and lets it have no offset. */
  void pinUnplanned(int variable, String reason) {
    pin(variable, reason);
    leaveUnplanned(variable, reason);
  }

  /** Pins a variable and keeps its value to the end of the program. */
  void keep(int variable, String reason) {
    pin(variable, reason);
    kept[variable] = true;
  }

  /** Whether the variable must keep its name. */
  public boolean isPinned(int variable) {
    return pinReasons[variable] != null;
  }

  /** Why the variable must keep its name; empty if it need not. */
  public String pinReason(int variable) {
    String reason = pinReasons[variable];
    return reason == null ? "" : reason;
  }

  /** Whether the variable can have no offset. */
  public boolean isUnplanned(int variable) {
    return unplannedReasons[variable] != null;
  }

  /** Why the variable can have no offset; empty if it can. */
  public String unplannedReason(int variable) {
    String reason = unplannedReasons[variable];
    return reason == null ? "" : reason;
  }

  /** The body block of the loop that keeps the variable once an iteration; 0 if none does. */
  public int stepBlock(int variable) {
    return stepBlocks[variable];
  }

  /** Whether the variable's value must last to the end of the program. */
  public boolean isKept(int variable) {
    return kept[variable];
  }
}
