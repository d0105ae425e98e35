package dev.sublet.loop;

/**
 * What a web has to do with a ring.
 *
 * @param component the ring
 * @param shift as what the web sees it, see {@link Component}
 * @param copyNode of the target of a carry: the node behind which it sees the next value; else the
 *     greatest integer
 */
record Role(Component component, int shift, int copyNode) {}
