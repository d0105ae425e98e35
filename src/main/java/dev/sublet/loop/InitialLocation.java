package dev.sublet.loop;

/**
 * Where a carried variable is before anything was carried to it, if that is no place of its ring:
 * in the place of what it would be copied from before the loop, which must survive; or in a place
 * of its own.
 *
 * @param copyNode the operator that copies before the loop; -1 for a place of its own
 * @param variable what it copies; or the variable itself
 * @param web the web of that
 */
record InitialLocation(int copyNode, int variable, int web) {

  static InitialLocation ofItself(int variable, int web) {
    return new InitialLocation(-1, variable, web);
  }

  /** Whether this is a place of the variable's own. */
  boolean isOwn() {
    return copyNode < 0;
  }
}
