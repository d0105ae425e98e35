package dev.sublet.peak;

/** The limit of what another order of the operators can save. */
public enum OrderLimit {
  /** Proved: the order of the file has the fewest live bytes. */
  IS_LEAST("no other order has fewer live bytes"),
  /** The search stopped at its budget. */
  NONE_FOUND("the search found no order with fewer live bytes"),
  /** A better order makes the arena no smaller. */
  NO_SMALLER_ARENA("another order has fewer live bytes, but no smaller arena"),
  /** A better order makes the arena smaller; the search stopped at its budget. */
  FOUND("another order makes the arena smaller; the search found no better one"),
  /** Proved: a better order, which makes the arena smaller, has the fewest live bytes. */
  FOUND_IS_LEAST("another order makes the arena smaller; no order has fewer live bytes");

  private final String words;

  OrderLimit(String words) {
    this.words = words;
  }

  /** The limit in words. */
  public String words() {
    return words;
  }
}
