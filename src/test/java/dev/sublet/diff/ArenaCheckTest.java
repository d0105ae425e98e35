package dev.sublet.diff;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.offset.ArenaPeak;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.testing.random.RandomPrograms;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Limits on plans of random programs, and on round numbers. */
final class ArenaCheckTest {

  private static final TranspileOptions OPTIONS =
      TranspileOptions.defaults()
          .withOffsets(
              OffsetOptions.defaults()
                  .withSearch(new PlannerOptions(0, /* timeoutMillis= */ 0, BufferOrder.SIZE)));

  @Provide
  Arbitrary<MemoryPlan> plans() {
    return RandomPrograms.samples()
        .map(sample -> Transpiler.plan(sample.program(), OPTIONS).plan());
  }

  private static ArenaLimits limit(long bytes) {
    return new ArenaLimits(OptionalLong.of(bytes), ImmutableMap.of(), BigDecimal.ZERO);
  }

  private static ArenaLimits growth(String percent) {
    return new ArenaLimits(OptionalLong.empty(), ImmutableMap.of(), new BigDecimal(percent));
  }

  @Property(tries = 100)
  void theLargestArena_decides(@ForAll("plans") MemoryPlan plan) {
    long largest = plan.arenas().stream().mapToLong(arena -> arena.bytes()).max().orElse(0);

    assertThat(ArenaCheck.of(plan, limit(largest), null).isOk()).isTrue();
    assertThat(ArenaCheck.of(plan, limit(largest - 1), null).isOk())
        .isEqualTo(plan.arenas().isEmpty());
    assertThat(ArenaCheck.of(plan, growth("0"), plan).isOk()).isTrue();
  }

  /** Against every byte by itself. */
  @Property(tries = 100)
  void thePeak_isWhereTheMostBytesAreOccupied(@ForAll("plans") MemoryPlan plan) {
    for (int arena = 0; arena < plan.arenas().size(); arena++) {
      ArenaPeak peak = ArenaPeak.of(plan, arena);
      long most = 0;
      for (Allocation start : plan.allocations()) {
        for (Interval live : start.live()) {
          most = Math.max(most, occupied(plan, arena, live.begin()));
        }
      }
      assertThat(peak.bytes()).isEqualTo(most);
      assertThat(occupied(plan, arena, peak.begin())).isEqualTo(most);
      assertThat(new HashSet<>(peak.allocations())).isEqualTo(liveAt(plan, arena, peak.begin()));
    }
  }

  private static Set<Integer> liveAt(MemoryPlan plan, int arena, int point) {
    Set<Integer> live = new HashSet<>();
    for (int i = 0; i < plan.allocations().size(); i++) {
      Allocation allocation = plan.allocations().get(i);
      for (Interval interval : allocation.live()) {
        if (allocation.arena() == arena
            && allocation.bytes() > 0
            && interval.begin() <= point
            && point < interval.end()) {
          live.add(i);
        }
      }
    }
    return live;
  }

  private static long occupied(MemoryPlan plan, int arena, int point) {
    BitSet bytes = new BitSet();
    for (int i : liveAt(plan, arena, point)) {
      Allocation allocation = plan.allocations().get(i);
      bytes.set((int) allocation.offset(), (int) (allocation.offset() + allocation.bytes()));
    }
    return bytes.cardinality();
  }

  @Test
  void growth_isNotRounded() {
    assertThat(growth("0").limitByGrowth(1000)).isEqualTo(1000);
    assertThat(growth("0.1").limitByGrowth(1000)).isEqualTo(1001);
    assertThat(growth("0.1").limitByGrowth(999)).isEqualTo(999);
    assertThat(growth("33.333333333").limitByGrowth(3)).isEqualTo(3);
    assertThat(growth("33.333333334").limitByGrowth(3)).isEqualTo(4);
    assertThat(growth("2").limitByGrowth(0)).isEqualTo(0);
  }

  @Test
  void growth_ofLargeArenas_isExact_andDoesNotOverflow() {
    long large = (1L << 62) + 1;

    assertThat(growth("0.000000001").limitByGrowth(large))
        .isEqualTo(large + large / 100_000_000_000L);
    assertThat(growth("100").limitByGrowth(large)).isEqualTo(Long.MAX_VALUE);
  }
}
