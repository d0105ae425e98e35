package dev.sublet.loop;

/**
 * Where a carried variable is in the first iteration if it is not copied there before the loop: in
 * the place of what it would be copied from, which must survive.
 *
 * @param copyNode the operator that copies before the loop
 * @param variable what it copies
 * @param web the web of that
 */
record FirstPlace(int copyNode, int variable, int web) {}
