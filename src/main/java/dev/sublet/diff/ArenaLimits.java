package dev.sublet.diff;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.sublet.plan.Arena;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * How large arenas may be. Each arena is held against the limits by itself; of a step arena, what
 * each iteration has.
 *
 * @param general the most bytes of an arena without a limit of its own; empty for any number
 * @param named the most bytes of an arena by the name of its pool, or by its place if it is in none
 * @param maxGrowth by how many percent an arena may be larger than that of the baseline
 */
public record ArenaLimits(
    OptionalLong general, ImmutableMap<String, Long> named, BigDecimal maxGrowth) {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  public ArenaLimits {
    requireNonNull(general, "general");
    requireNonNull(named, "named");
    checkArgument(maxGrowth.signum() >= 0, "growth %s", maxGrowth);
  }

  /** The name by which limits know an arena. */
  static String name(Arena arena) {
    return arena.pool().isPresent() ? arena.pool().get().name() : arena.place();
  }

  /** The most bytes that an arena may have. */
  OptionalLong limit(Arena arena) {
    Long own = named.get(name(arena));
    return own == null ? general : OptionalLong.of(own);
  }

  /** The most bytes for one that had so many: exact, not rounded up; at most 2⁶³ − 1. */
  long limitByGrowth(long bytes) {
    BigDecimal most = BigDecimal.valueOf(bytes).multiply(HUNDRED.add(maxGrowth)).divide(HUNDRED);
    return most.min(LARGEST).setScale(0, RoundingMode.FLOOR).longValueExact();
  }
}
