package dev.sublet.loop;

/**
 * The number of copies of each region's body in an unrolled program. Nobody modifies the arrays.
 */
final class BodyCopies {

  /** By region: the number of copies for the phases; 1 if nothing moves. */
  final int[] repeats;

  /** By region: whether the first iteration has a copy of its own. */
  final boolean[] peeled;

  BodyCopies(int[] repeats, boolean[] peeled) {
    this.repeats = repeats;
    this.peeled = peeled;
  }
}
