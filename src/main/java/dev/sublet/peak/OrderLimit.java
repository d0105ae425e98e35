package dev.sublet.peak;

/** The limit of what another order of the operators can save. */
public enum OrderLimit {
  /** Proved: of the orders that can be proved, that of the file has the fewest live bytes. */
  IS_LEAST("no order that can be proved has fewer live bytes"),
  /** The search stopped at its budget, or its order could not be proved. */
  NONE_FOUND("no order with fewer live bytes is known"),
  /** A better order makes the arena no smaller, or could not be planned. */
  NO_SMALLER_ARENA("another order has fewer live bytes, but no smaller arena"),
  /** A better order makes the arena smaller; the search stopped at its budget. */
  FOUND("another order makes the arena smaller; no better one is known"),
  /** Proved: a better order, which makes the arena smaller, has the fewest live bytes of these. */
  FOUND_IS_LEAST(
      "another order makes the arena smaller; no order that can be proved has fewer live bytes");

  private final String words;

  OrderLimit(String words) {
    this.words = words;
  }

  /** The limit in words. */
  public String words() {
    return words;
  }
}
