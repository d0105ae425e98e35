package dev.sublet.loop;

/**
 * The location of a loop-carried variable in the first iteration, if that is none of the slots of
 * its rotation. It is the location of the source of a copy before the loop, whose value must
 * survive, or a location of the variable's own.
 *
 * <pre>{@code
 * x = assign(p); while (c) { y = f(x); x = assign(y) }     initial location of x: that of p
 * }</pre>
 *
 * @param copyNode the copy before the loop; -1 for a location of the variable's own
 * @param variable the source of that copy; or the variable itself
 * @param web the web of {@code variable}
 */
public record InitialLocation(int copyNode, int variable, int web) {

  static InitialLocation ofItself(int variable, int web) {
    return new InitialLocation(-1, variable, web);
  }

  /** Whether this is a location of the variable's own. */
  public boolean isOwn() {
    return copyNode < 0;
  }
}
