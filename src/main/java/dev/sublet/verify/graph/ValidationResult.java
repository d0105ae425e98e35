package dev.sublet.verify.graph;

import com.google.common.collect.ImmutableList;

/**
 * The violations that a validator found.
 *
 * @param violations the first violations, at most {@link #MAXIMUM_REPORTED}; empty if valid
 * @param count the number of all violations
 */
public record ValidationResult(ImmutableList<Violation> violations, int count) {

  /** The maximum number of violations that a result lists; further ones are only counted. */
  public static final int MAXIMUM_REPORTED = 50;

  /** Whether there is no violation. */
  public boolean isValid() {
    return count == 0;
  }

  /**
   * Returns one line per violation, and a last line if some are not listed; {@code valid} if there
   * is none.
   */
  @Override
  public String toString() {
    if (isValid()) {
      return "valid";
    }
    StringBuilder text = new StringBuilder();
    for (Violation violation : violations) {
      text.append(violation).append('\n');
    }
    if (count > violations.size()) {
      text.append("and ").append(count - violations.size()).append(" more violations\n");
    }
    return text.toString();
  }
}
