package dev.sublet.placement.search;

import dev.sublet.placement.search.DepthFirstSearch.Outcome;

/**
 * A member of the portfolio: a search that takes turns with others. Not thread-safe, but two
 * members share no mutable state.
 */
interface PortfolioMember {

  /**
   * Runs one turn and returns the number of steps that it took.
   *
   * @param lowerBound a number of bytes that no placement goes below
   * @param best the bytes of the best known placement; a smaller one is wanted
   * @param maxSteps the maximum number of steps
   */
  long run(long lowerBound, long best, long maxSteps);

  /** The outcome of the latest turn. */
  Outcome outcome();

  /** The number of bytes within which the latest turn searched for a placement. */
  long target();

  /** The offsets, in bytes, of the placement that the latest turn found. */
  long[] offsets();

  /** The number of nodes visited so far. */
  long nodes();
}
