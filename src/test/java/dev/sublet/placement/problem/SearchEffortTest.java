package dev.sublet.placement.problem;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What efforts, gaps and budgets mean. */
final class SearchEffortTest {

  /** A planner that finds nothing, and records what it may spend. */
  private static final class Recorder implements Planner {

    private final List<Long> budgets = new ArrayList<>();

    @Override
    public String name() {
      return "recorder";
    }

    @Override
    public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
      return improve(problem, placement(110, 100), options, log);
    }

    @Override
    public Placement search(
        PlanningProblem problem, Placement known, PlannerOptions options, DiagnosticLog log) {
      budgets.add(options.nodes());
      log.note(Location.nowhere(), "search " + budgets.size());
      return known;
    }
  }

  private static Placement placement(long arenaBytes, long lowerBound) {
    return new Placement("test", ImmutableLongArray.of(), arenaBytes, lowerBound, /* nodes= */ 0);
  }

  private static ImmutableList<Long> budgets(PlannerOptions options, DiagnosticLog log) {
    Recorder recorder = new Recorder();
    recorder.place(PlanningProblem.builder(1).build(), options, log);
    return ImmutableList.copyOf(recorder.budgets);
  }

  private static PlannerOptions nodes(long nodes) {
    return SearchEffort.HIGH.forPrograms().withNodes(nodes);
  }

  @Test
  void programs_haveASecondAndAGapByDefault_tablesFourTimesTheNodesAndNone() {
    assertThat(SearchEffort.NORMAL.forPrograms().nodes()).isEqualTo(1_000_000);
    assertThat(SearchEffort.NORMAL.forPrograms().gap().percent()).isEqualTo(new BigDecimal("0.1"));
    assertThat(PlannerOptions.defaults()).isEqualTo(SearchEffort.NORMAL.forTables());
    for (SearchEffort effort : SearchEffort.values()) {
      assertThat(effort.forTables().nodes()).isEqualTo(4 * effort.forPrograms().nodes());
      assertThat(effort.forTables().gap().isNone()).isTrue();
    }
  }

  @Test
  void moreEffort_beginsWithTheSearchesOfLessEffort() {
    List<Long> before = List.of();
    for (SearchEffort effort : SearchEffort.values()) {
      ImmutableList<Long> budgets = budgets(effort.forPrograms().withGap(Gap.NONE), log());
      assertThat(budgets.stream().mapToLong(Long::longValue).sum())
          .isEqualTo(effort.forPrograms().nodes());
      if (effort.compareTo(SearchEffort.NORMAL) > 0) {
        assertThat(budgets).containsAtLeastElementsIn(before).inOrder();
        assertThat(budgets).hasSize(before.size() + 1);
      }
      before = budgets;
    }
    assertThat(before).containsExactly(1_000_000L, 9_000_000L, 90_000_000L).inOrder();
  }

  @Test
  void tenTimesTheNodes_beginWithTheSameSearches() {
    for (long nodes : new long[] {1_000_000, 1_234_567, 4_000_000, 40_000_001}) {
      ImmutableList<Long> once = budgets(nodes(nodes), log());
      ImmutableList<Long> tenTimes = budgets(nodes(10 * nodes), log());
      assertThat(tenTimes.subList(0, once.size())).isEqualTo(once);
      assertThat(tenTimes).hasSize(once.size() + 1);
    }
    assertThat(budgets(nodes(0), log())).containsExactly(0L);
    assertThat(budgets(nodes(999_999), log())).containsExactly(999_999L);
  }

  @Test
  void onlyTheLastSearch_isHeard() {
    DiagnosticLog log = log();
    assertThat(budgets(nodes(100_000_000), log)).hasSize(3);
    assertThat(log.diagnostics()).hasSize(1);
    assertThat(log.diagnostics().get(0).message()).isEqualTo("search 3");
  }

  @Test
  void gap_endsTheSearches() {
    Gap tenPercent = new Gap(BigDecimal.TEN);
    assertThat(budgets(nodes(1_000_000).withGap(tenPercent), log())).isEmpty();
    assertThat(tenPercent.accepts(placement(110, 100))).isTrue();
    assertThat(tenPercent.accepts(placement(111, 100))).isFalse();
    assertThat(Gap.NONE.accepts(placement(100, 100))).isTrue();
    assertThat(Gap.NONE.accepts(placement(101, 100))).isFalse();
    assertThat(placement(110, 100).isProvedOptimal()).isFalse();
  }

  @Test
  void gap_isExact_andDoesNotOverflow() {
    assertThat(new Gap(new BigDecimal("0.1")).largestArena(999)).isEqualTo(999);
    assertThat(new Gap(new BigDecimal("0.1")).largestArena(1000)).isEqualTo(1001);
    assertThat(new Gap(Gap.MAX_PERCENT).largestArena(Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(Gap.NONE.largestArena(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void timeLimit_isForAllSearchesTogether() {
    PlannerOptions options = new PlannerOptions(10, /* timeoutMillis= */ 500, BufferOrder.SIZE);
    assertThat(options.afterMillis(200).timeoutMillis()).isEqualTo(300);
    assertThat(options.afterMillis(900).timeoutMillis()).isEqualTo(1);
    assertThat(nodes(10).afterMillis(900)).isEqualTo(nodes(10));
  }

  private static DiagnosticLog log() {
    return new DiagnosticLog();
  }
}
