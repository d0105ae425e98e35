package dev.sublet.loop;

import org.jspecify.annotations.Nullable;

/**
 * The position of a web in a rotation.
 *
 * @param buffers the rotating buffers
 * @param shift the web's shift, see {@link RotatingBuffers}
 * @param copyNode the copy after which the web's variable denotes the next iteration's value;
 *     {@link Integer#MAX_VALUE} if the web is no copy's target
 * @param first the initial location: where the web's value is until the first iteration's copy;
 *     null if that is a slot of the rotation
 */
public record RotationPosition(
    RotatingBuffers buffers, int shift, int copyNode, @Nullable InitialLocation first) {}
