package dev.sublet.placement.problem;

import com.google.common.base.Ascii;
import java.math.BigDecimal;

/**
 * The steps of how much a search may spend.
 *
 * <p>Example: {@code NORMAL.forPrograms()} is a million nodes, about a second, and a gap of 0.1%.
 */
public enum SearchEffort {
  /** No search: the best of the quick planners. */
  LOW(0, "0.1"),
  /** About a second for a program, which may end 0.1% above its lower bound: the default. */
  NORMAL(1_000_000, "0.1"),
  /** Ten times as much, and no gap. */
  HIGH(10_000_000, "0"),
  /** A hundred times as much, and no gap. */
  MAX(100_000_000, "0");

  /** The factor by which a table's budget exceeds a program's. */
  private static final long TABLE_FACTOR = 4;

  private final long nodes;
  private final String percent;

  SearchEffort(long nodes, String percent) {
    this.nodes = nodes;
    this.percent = percent;
  }

  /** Returns the budget for an arena of a program. */
  public PlannerOptions forPrograms() {
    return new PlannerOptions(nodes, /* timeoutMillis= */ 0, gap(), BufferOrder.SIZE);
  }

  /**
   * Returns the budget for a table of buffers, whose search has four times the nodes and no gap,
   * because the smallest arena of a table is usually wanted.
   */
  public PlannerOptions forTables() {
    return new PlannerOptions(
        TABLE_FACTOR * nodes, /* timeoutMillis= */ 0, Gap.NONE, BufferOrder.SIZE);
  }

  private Gap gap() {
    return new Gap(new BigDecimal(percent));
  }

  /** Returns the word on the command line. */
  public String word() {
    return Ascii.toLowerCase(name());
  }
}
