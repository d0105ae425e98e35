package dev.sublet.loop;

/**
 * The buffers of one rotation: modulo variable expansion (Lam 1988). The plan changes addresses per
 * iteration, where Lam unrolls code.
 *
 * <p>Slot k holds, in iteration n, the value with n + shift ≡ k (mod length). A variable's shift is
 * minus its distance from the computed variable along the chain of copies.
 *
 * <pre>{@code
 * a = f(x), b = assign(a)   length 2, shift of a 0, shift of b -1
 * iteration 0: a in slot 0           iteration 1: a in slot 1, b in slot 0
 * }</pre>
 *
 * @param region the loop
 * @param bases by slot: the variable that the slot is named after, as a rule the one in it when the
 *     loop starts; -1 for a slot without a name
 * @param model the variable whose declaration is copied for slots without a name
 * @param number the number of earlier rotations with the same model
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record RotatingBuffers(int region, int[] bases, int model, int number) {

  /** The number of slots. */
  public int length() {
    return bases.length;
  }

  /** The slot of the value with a shift in an iteration. */
  public int slot(int iteration, int shift) {
    return Math.floorMod(iteration + shift, bases.length);
  }
}
