package dev.sublet.report.format;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.SearchEffort;
import dev.sublet.plan.Pool;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class LeftToGainTest {

  private static final OffsetOptions DEFAULTS = OffsetOptions.defaults();

  private static String option(PlannerOptions search) {
    return LeftToGain.ofProgram(10_144, 10_000, DEFAULTS.withSearch(search)).option();
  }

  @Test
  void preset_namesTheNextEffort() {
    assertThat(option(SearchEffort.LOW.forPrograms())).isEqualTo("--effort normal");
    assertThat(option(SearchEffort.NORMAL.forPrograms())).isEqualTo("--effort high");
    assertThat(option(SearchEffort.NORMAL.forPrograms().withOrder(BufferOrder.AREA)))
        .isEqualTo("--effort high");
    assertThat(option(SearchEffort.HIGH.forPrograms())).isEqualTo("--effort max");
    assertThat(option(SearchEffort.MAX.forPrograms())).isEqualTo("--nodes 1000000000");
    assertThat(LeftToGain.ofTable(12, 10, OffsetOptions.forTables()).option())
        .isEqualTo("--effort high");
  }

  @Test
  void otherOptions_nameTheOneThatEndedTheSearch() {
    PlannerOptions wide = SearchEffort.NORMAL.forPrograms().withGap(new Gap(new BigDecimal("1.5")));
    assertThat(option(wide)).isEqualTo("--gap 0");
    assertThat(option(wide.withGap(Gap.NONE))).isEqualTo("--nodes 10000000");
    assertThat(option(wide.withNodes(0).withGap(Gap.NONE))).isEqualTo("--nodes 1000000");
    assertThat(option(wide.withNodes(Long.MAX_VALUE).withGap(Gap.NONE)))
        .isEqualTo("--nodes " + Long.MAX_VALUE);
    assertThat(option(new PlannerOptions(5, /* timeoutMillis= */ 1, BufferOrder.SIZE)))
        .isEqualTo("a longer --timeout");
  }

  @Test
  void plannerThatDoesNotSearch_namesOneThatDoes() {
    OffsetOptions stack = DEFAULTS.withPlanner("stack");
    assertThat(LeftToGain.ofProgram(11, 10, stack).option()).isEqualTo("--planner best");
    OffsetOptions search = DEFAULTS.withPlanner("search");
    assertThat(LeftToGain.ofProgram(11, 10, search).option()).isEqualTo("--effort high");
  }

  @Test
  void proof_orPools_leaveNothingToAskFor() {
    assertThat(LeftToGain.ofProgram(10, 10, DEFAULTS).bytes()).isEqualTo(0);
    OffsetOptions pools = DEFAULTS.withPools(ImmutableList.of(new Pool("a", Pool.UNLIMITED)));
    assertThat(LeftToGain.ofProgram(20, 10, pools).bytes()).isEqualTo(0);
  }

  @Test
  void rowAndNumbers() {
    LeftToGain gain = LeftToGain.ofProgram(10_144, 10_000, DEFAULTS);
    TextTable table = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    gain.addTo(table);
    assertThat(table.toString()).isEqualTo("left to gain  at most 144 bytes, with --effort high\n");
    JsonObject object = new JsonObject();
    gain.addTo(object);
    assertThat(object.toString())
        .isEqualTo("{\"left_to_gain\":144,\"gain_with\":\"--effort high\"}");
    TextTable empty = new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT);
    LeftToGain.ofProgram(10, 10, DEFAULTS).addTo(empty);
    assertThat(empty.toString()).isEmpty();
  }
}
