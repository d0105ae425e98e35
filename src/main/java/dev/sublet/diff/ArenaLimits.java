package dev.sublet.diff;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.sublet.plan.Arena;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * Limits on the sizes of arenas. Each arena is checked by itself; for a step arena, the size per
 * iteration is checked.
 *
 * @param general the greatest size in bytes of an arena without a limit of its own; empty for no
 *     limit
 * @param named the greatest size in bytes of an arena, by the name of its pool, or of its memory
 *     space if it is not in a pool
 * @param maxGrowth the percentage by which an arena may be larger than the arena of the baseline
 */
public record ArenaLimits(
    OptionalLong general, ImmutableMap<String, Long> named, BigDecimal maxGrowth) {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  /** Throws {@link IllegalArgumentException} if the growth is negative. */
  public ArenaLimits {
    requireNonNull(general, "general");
    requireNonNull(named, "named");
    checkArgument(maxGrowth.signum() >= 0, "growth %s", maxGrowth);
  }

  /** The name of an arena, as used in limits. */
  static String name(Arena arena) {
    return arena.pool().isPresent() ? arena.pool().get().name() : arena.place();
  }

  /** The greatest allowed size of an arena in bytes. */
  OptionalLong limit(Arena arena) {
    Long own = named.get(name(arena));
    return own == null ? general : OptionalLong.of(own);
  }

  /**
   * The greatest allowed size of an arena, given its size in the baseline: computed exactly,
   * rounded down; at most 2⁶³ − 1.
   */
  long limitByGrowth(long bytes) {
    BigDecimal most = BigDecimal.valueOf(bytes).multiply(HUNDRED.add(maxGrowth)).divide(HUNDRED);
    return most.min(LARGEST).setScale(0, RoundingMode.FLOOR).longValueExact();
  }
}
