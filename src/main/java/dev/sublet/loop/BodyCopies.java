package dev.sublet.loop;

import com.google.common.collect.ImmutableListMultimap;

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

  /** By region: the earlier loops that decide where the region starts, in order. */
  final ImmutableListMultimap<Integer, Integer> earlier;

  BodyCopies(
      int[] repeats,
      boolean[] hasInitialLocation,
      ImmutableListMultimap<Integer, Integer> earlier) {
    this.repeats = repeats;
    this.hasInitialLocation = hasInitialLocation;
    this.earlier = earlier;
  }
}
