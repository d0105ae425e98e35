package dev.sublet.loop;

/**
 * The number of copies of each region's body in an unrolled program. Nobody modifies the arrays.
 */
final class BodyCopies {

  /** By region: the number of copies for the phases; 1 if nothing moves. */
  final int[] repeats;

  /**
   * By region: whether a variable has an initial location, so that the first iteration has a copy
   * of the body of its own.
   */
  final boolean[] hasInitialLocation;

  BodyCopies(int[] repeats, boolean[] hasInitialLocation) {
    this.repeats = repeats;
    this.hasInitialLocation = hasInitialLocation;
  }
}
