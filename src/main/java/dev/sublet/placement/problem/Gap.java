package dev.sublet.placement.problem;

import static com.google.common.base.Preconditions.checkArgument;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The distance between an arena and its lower bound at which a search stops, in percent of the
 * bound.
 *
 * <p>Example: with a gap of 0.1% and a lower bound of 10,000 bytes, a search stops as soon as it
 * has an arena of at most 10,010 bytes.
 *
 * @param percent the percentage, from 0 to {@link #MAX_PERCENT}
 */
public record Gap(BigDecimal percent) {

  /** The largest percentage, with which every search stops at once. */
  public static final BigDecimal MAX_PERCENT = new BigDecimal(1_000_000_000);

  /** No gap: a search stops only when its arena is proved to be the smallest. */
  public static final Gap NONE = new Gap(BigDecimal.ZERO);

  /** Throws {@link IllegalArgumentException} if the percentage is negative or too large. */
  public Gap {
    checkArgument(percent.signum() >= 0, "percent %s", percent);
    checkArgument(percent.compareTo(MAX_PERCENT) <= 0, "percent %s", percent);
  }

  /** Returns the largest arena with which a search stops; a bound and an arena fit 63 bits. */
  public long largestArena(long lowerBound) {
    BigDecimal bound = BigDecimal.valueOf(lowerBound);
    return bound
        .add(bound.multiply(percent).movePointLeft(2))
        .setScale(0, RoundingMode.FLOOR)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  /** Whether a search stops at a placement. */
  public boolean accepts(Placement placement) {
    return placement.arenaBytes() <= largestArena(placement.lowerBound());
  }

  /** Whether only a proved arena ends a search. */
  public boolean isNone() {
    return percent.signum() == 0;
  }
}
