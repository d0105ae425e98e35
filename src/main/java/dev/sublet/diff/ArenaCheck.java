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
 * The result of checking the arenas of a plan against limits.
 *
 * @param verdicts one per arena, in the plan's order
 */
public record ArenaCheck(ImmutableList<Verdict> verdicts) {

  /**
   * The size and the limits of one arena.
   *
   * @param arena the arena's index in the plan
   * @param bytes the arena's size
   * @param limit the greatest allowed size in bytes; empty if there is no limit
   * @param baseline the bytes of the corresponding arena of the baseline, 0 if there is none; empty
   *     without a baseline
   * @param limitByGrowth the greatest allowed size in bytes, given the baseline and the allowed
   *     growth; empty without a baseline
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

    /** Whether the arena exceeds its limit. */
    public boolean isTooLarge() {
      return limit.isPresent() && bytes > limit.getAsLong();
    }

    /** Whether the arena has grown by more than is allowed. */
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

  /** The names of a plan's arenas, as used in limits. O(arenas). */
  public static ImmutableSortedSet<String> names(MemoryPlan plan) {
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    for (Arena arena : plan.arenas()) {
      names.add(ArenaLimits.name(arena));
    }
    return names.build();
  }

  /** Whether all arenas are within the limits. */
  public boolean isOk() {
    for (Verdict verdict : verdicts) {
      if (verdict.isTooLarge() || verdict.hasGrownTooMuch()) {
        return false;
      }
    }
    return true;
  }
}
