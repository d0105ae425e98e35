package dev.sublet.verify.graph;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * What a validator found.
 *
 * @param violations the first violations, at most {@link #MAXIMUM_REPORTED}; empty if valid
 * @param count how many there are in all
 */
public record ValidationResult(ImmutableList<Violation> violations, int count) {

  /** How many violations a result lists; further ones are only counted. */
  public static final int MAXIMUM_REPORTED = 50;

  public ValidationResult {
    requireNonNull(violations, "violations");
  }

  /** Whether nothing is wrong. */
  public boolean isValid() {
    return count == 0;
  }

  /** One line a violation, and a last line if some are not listed; {@code valid} if none. */
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
