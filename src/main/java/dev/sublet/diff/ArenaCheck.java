package dev.sublet.diff;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Whether the arenas of a plan keep within limits.
 *
 * @param verdicts one an arena, in the plan's order
 */
public record ArenaCheck(ImmutableList<Verdict> verdicts) {

  /**
   * What is allowed of an arena.
   *
   * @param arena its index in the plan
   * @param bytes its size
   * @param limit the most bytes that it may have; empty for any number
   * @param baseline the bytes of the arena of the baseline that it is held against, 0 if that has
   *     none; empty without a baseline
   * @param limitByGrowth the most bytes that it may have by that; empty without a baseline
   */
  public record Verdict(
      int arena,
      long bytes,
      OptionalLong limit,
      OptionalLong baseline,
      OptionalLong limitByGrowth) {

    public Verdict {
      requireNonNull(limit, "limit");
      requireNonNull(baseline, "baseline");
      requireNonNull(limitByGrowth, "limitByGrowth");
    }

    /** Whether it is larger than it may be. */
    public boolean isTooLarge() {
      return limit.isPresent() && bytes > limit.getAsLong();
    }

    /** Whether it has grown by more than it may. */
    public boolean hasGrownTooMuch() {
      return limitByGrowth.isPresent() && bytes > limitByGrowth.getAsLong();
    }
  }

  public ArenaCheck {
    requireNonNull(verdicts, "verdicts");
  }

  /** Checks the arenas of a plan. O(arenas). */
  public static ArenaCheck of(MemoryPlan plan, ArenaLimits limits, @Nullable MemoryPlan baseline) {
    Map<ArenaKey, Long> before = new HashMap<>();
    if (baseline != null) {
      ImmutableList<ArenaKey> keys = ArenaKey.all(baseline);
      for (int i = 0; i < keys.size(); i++) {
        before.put(keys.get(i), baseline.arenas().get(i).bytes());
      }
    }
    ImmutableList<ArenaKey> keys = ArenaKey.all(plan);
    ImmutableList.Builder<Verdict> verdicts = ImmutableList.builder();
    for (int i = 0; i < plan.arenas().size(); i++) {
      Arena arena = plan.arenas().get(i);
      long had = before.getOrDefault(keys.get(i), 0L);
      verdicts.add(
          new Verdict(
              i,
              arena.bytes(),
              limits.limit(arena),
              baseline == null ? OptionalLong.empty() : OptionalLong.of(had),
              baseline == null
                  ? OptionalLong.empty()
                  : OptionalLong.of(limits.limitByGrowth(had))));
    }
    return new ArenaCheck(verdicts.build());
  }

  /** The names by which limits know the arenas of a plan. O(arenas). */
  public static ImmutableSortedSet<String> names(MemoryPlan plan) {
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    for (Arena arena : plan.arenas()) {
      names.add(ArenaLimits.name(arena));
    }
    return names.build();
  }

  /** Whether all arenas keep within the limits. */
  public boolean isOk() {
    for (Verdict verdict : verdicts) {
      if (verdict.isTooLarge() || verdict.hasGrownTooMuch()) {
        return false;
      }
    }
    return true;
  }
}
