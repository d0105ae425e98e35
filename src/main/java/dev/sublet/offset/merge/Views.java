package dev.sublet.offset.merge;

import dev.sublet.operator.spec.View;

/** Which variables may lie in the bytes of others because they hold the same bytes. */
public enum Views {
  /** None: two variables that are live together are always apart. */
  NONE,
  /** Outputs that are their whole input in another shape, and exact copies. */
  RESHAPE,
  /** These, and stretches: inputs of joins, outputs of splits and slices. */
  ALL;

  boolean includes(View view) {
    return this == ALL || (this == RESHAPE && view.isWhole());
  }
}
