package dev.sublet.loop;

/**
 * The slot in which an earlier loop leaves the value with a shift. It depends on the number of
 * iterations of that loop.
 *
 * @param buffers the buffers of the earlier loop
 * @param shift the shift in these buffers
 */
public record EarlierSlot(RotatingBuffers buffers, int shift) {

  /** The slot after a number of iterations of the earlier loop. */
  public int slot(int iterations) {
    return buffers.slot(iterations, shift);
  }
}
