package dev.sublet.loop;

/**
 * Values that take turns in some places, a <em>ring</em>: what a loop computes in iteration n and
 * hands on to later ones (a chain), or what it only passes around (a cycle).
 *
 * <p>Place k of the ring holds a value in the iterations n with n + shift ≡ k modulo the length,
 * where the shift says as which variable the value is seen: 0 for the variable that is computed, -1
 * for the one that it is carried to, -2 for the one that that is carried to, and so on; in a cycle
 * of variables 0, -1, -2, …
 *
 * @param region the loop
 * @param bases of each place the variable that it is named after, as a rule the one that is in it
 *     when the loop starts; -1 for a place without one
 * @param model the variable that places without a name are declared like, and beside
 * @param number how many rings before this one have the same model
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Component(int region, int[] bases, int model, int number) {

  int length() {
    return bases.length;
  }

  /** The place of a value that is seen with a shift in an iteration. */
  int place(int iteration, int shift) {
    return Math.floorMod(iteration + shift, bases.length);
  }
}
