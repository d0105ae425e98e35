package dev.sublet.offset.merge;

import dev.sublet.operator.spec.View;

/**
 * The views that a plan may take: variables that share bytes with others because they contain the
 * same values.
 */
public enum Views {
  /** None: two variables that are live together never share bytes. */
  NONE,
  /** Whole views: outputs that are their whole input in another shape, and exact copies. */
  RESHAPE,
  /** Whole views and parts: inputs of joins, outputs of splits and slices. */
  ALL;

  /** Whether a plan may take a view. */
  public boolean includes(View view) {
    return this == ALL || (this == RESHAPE && view.isWhole());
  }
}
