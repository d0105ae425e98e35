package dev.sublet.verify.graph;

import dev.sublet.diag.Location;

/**
 * One reason why a rewritten program or a plan is wrong.
 *
 * @param location the block, operator and variable, in the original or the planned program
 * @param message the fault at that location; one line, without the location
 */
public record Violation(Location location, String message) {

  /**
   * Returns the location and the message, for example {@code block 0, op 3 (relu), variable 'x':
   * reads …}.
   */
  @Override
  public String toString() {
    String where = location.toString();
    return where.isEmpty() ? message : where + ": " + message;
  }
}
