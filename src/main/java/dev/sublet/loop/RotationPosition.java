package dev.sublet.loop;

import org.jspecify.annotations.Nullable;

/**
 * The position of a web in a rotation. A web that several loops carry, one after the other, has a
 * position in each.
 *
 * @param buffers the rotating buffers
 * @param shift the web's shift, see {@link RotatingBuffers}
 * @param copyNode the copy after which the web's variable denotes the next iteration's value;
 *     {@link Integer#MAX_VALUE} if the web is no copy's target
 * @param first the initial location: where the web's value is until the first iteration's copy;
 *     null if that is a slot of the rotation
 * @param later the position in the next loop that moves the web; null if there is none
 */
public record RotationPosition(
    RotatingBuffers buffers,
    int shift,
    int copyNode,
    @Nullable InitialLocation first,
    @Nullable RotationPosition later) {

  /** The position of a web that is no copy's target. */
  static RotationPosition inside(RotatingBuffers buffers, int shift) {
    return new RotationPosition(buffers, shift, Integer.MAX_VALUE, null, null);
  }
}
