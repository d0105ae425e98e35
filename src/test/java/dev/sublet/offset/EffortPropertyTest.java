package dev.sublet.offset;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/** What a gap and an effort change in the plans of programs. */
final class EffortPropertyTest {

  private static final Gap[] GAPS = {
    Gap.NONE, new Gap(BigDecimal.ONE), new Gap(BigDecimal.TEN), new Gap(Gap.MAX_PERCENT)
  };

  private static MemoryPlan plan(Program program, long nodes, Gap gap, long seed) {
    Views views = ImmutableList.copyOf(Views.values()).get(Math.floorMod(seed, 3));
    OffsetOptions offsets =
        new OffsetOptions(OffsetOptions.defaults().planner(), 1, seed % 3 != 0, views)
            .withSearch(new PlannerOptions(nodes, /* timeoutMillis= */ 0, gap, BufferOrder.SIZE));
    return Transpiler.plan(program, TranspileOptions.defaults().withOffsets(offsets)).plan();
  }

  /**
   * A gap gives an arena within the gap, and never one smaller than a proved arena. It can be
   * smaller than an arena that ran out of nodes: with a gap, fewer ways to merge webs share them.
   */
  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void gap_isKept(@ForAll long seed, @ForAll @IntRange(min = 3, max = 60) int size) {
    Program program = RandomPrograms.generateWithViews(seed, size);
    String text = "seed " + seed + "\n" + ProgramText.print(program);
    MemoryPlan exact = plan(program, /* nodes= */ 500, Gap.NONE, seed);
    long smallest = exact.isProvedOptimal() ? exact.arenaBytes() : exact.lowerBound();
    for (Gap gap : GAPS) {
      MemoryPlan close = plan(program, /* nodes= */ 500, gap, seed);
      assertWithMessage(text).that(close.arenaBytes()).isAtLeast(smallest);
      assertWithMessage(text).that(close.lowerBound()).isAtMost(exact.arenaBytes());
      if (close.arenaBytes() > exact.arenaBytes()) {
        assertWithMessage(text).that(close.isProvedOptimal()).isFalse();
        assertWithMessage(text)
            .that(close.arenaBytes())
            .isAtMost(gap.largestArena(exact.arenaBytes()));
      }
    }
  }

  /** A search never makes the arena of the quick planners larger. */
  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void search_isNeverLargerThanNoSearch(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 60) int size) {
    Program program = RandomPrograms.generateWithViews(seed, size);
    long quick = plan(program, /* nodes= */ 0, Gap.NONE, seed).arenaBytes();
    for (long nodes : new long[] {1, 30, 1000}) {
      assertWithMessage("seed %s", seed)
          .that(plan(program, nodes, Gap.NONE, seed).arenaBytes())
          .isAtMost(quick);
    }
  }
}
