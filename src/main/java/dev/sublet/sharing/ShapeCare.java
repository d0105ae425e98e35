package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import java.util.BitSet;

/**
 * What is minded of shapes: that sizes can be compared, and that the shapes of the rewritten
 * program can be inferred from it alone.
 *
 * @param isForGivenShapes whether sizes are compared for the given shapes only, and not for every
 *     run
 * @param isStrict whether variables that are written in inner blocks share only with others of
 *     their shape
 * @param apart the variables that do not share at all; not to be changed
 */
record ShapeCare(boolean isForGivenShapes, boolean isStrict, BitSet apart) {

  ShapeCare {
    requireNonNull(apart, "apart");
  }

  /** No care: what is tried first. */
  static ShapeCare none(boolean isForGivenShapes) {
    return new ShapeCare(isForGivenShapes, /* isStrict= */ false, new BitSet());
  }

  /** More care, after these variables have hidden shapes. */
  ShapeCare after(BitSet hiding) {
    BitSet more = new BitSet();
    more.or(apart);
    if (isStrict) {
      more.or(hiding);
    }
    return new ShapeCare(isForGivenShapes, /* isStrict= */ true, more);
  }
}
