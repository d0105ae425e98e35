package dev.sublet.sharing;

import dev.sublet.shape.Sizes;
import java.util.BitSet;

/**
 * The restrictions on sharing that keep sizes comparable, and that make the shapes of the rewritten
 * program inferable from this program alone.
 *
 * @param typical the sizes by which variables are compared whose declarations state none: those of
 *     the program for all runs, or those of one run
 * @param isForGivenShapes whether sizes are compared only for the given shapes, not for every run
 * @param isStrict whether a variable that is written in an inner block shares only with variables
 *     of its shape
 * @param apart the variables that do not share at all; must not be modified
 */
record ShapeCare(Sizes typical, boolean isForGivenShapes, boolean isStrict, BitSet apart) {

  /** The restrictions of the first round: no variable is set apart. */
  static ShapeCare none(Sizes typical, boolean isForGivenShapes) {
    return new ShapeCare(typical, isForGivenShapes, /* isStrict= */ false, new BitSet());
  }

  /** The stricter restrictions for the next round, after these variables have hidden shapes. */
  ShapeCare after(BitSet hiding) {
    BitSet more = new BitSet();
    more.or(apart);
    if (isStrict) {
      more.or(hiding);
    }
    return new ShapeCare(typical, isForGivenShapes, /* isStrict= */ true, more);
  }
}
