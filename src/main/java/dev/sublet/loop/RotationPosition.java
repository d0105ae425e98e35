package dev.sublet.loop;

import org.jspecify.annotations.Nullable;

/**
 * What a web has to do with a ring.
 *
 * @param buffers the ring
 * @param shift as what the web sees it, see {@link RotatingBuffers}
 * @param copyNode of the target of a carry: the node behind which it sees the next value; else the
 *     greatest integer
 * @param first where the web's value is until the first iteration has carried another; null if that
 *     is a place of the ring
 */
record RotationPosition(
    RotatingBuffers buffers, int shift, int copyNode, @Nullable InitialLocation first) {}
