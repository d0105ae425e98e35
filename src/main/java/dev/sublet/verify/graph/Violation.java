package dev.sublet.verify.graph;

import static java.util.Objects.requireNonNull;

import dev.sublet.diag.Location;

/**
 * One reason why a rewritten program or a plan is wrong.
 *
 * @param place the block, operator and variable of the original program (of the planned program)
 * @param message what is wrong there; one line, without the place
 */
public record Violation(Location place, String message) {

  public Violation {
    requireNonNull(place, "place");
    requireNonNull(message, "message");
  }

  /** For example {@code block 0, op 3 (relu), variable 'x': reads …}. */
  @Override
  public String toString() {
    String where = place.toString();
    return where.isEmpty() ? message : where + ": " + message;
  }
}
