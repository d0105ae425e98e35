package dev.sublet.report.format;

import com.google.common.math.LongMath;
import com.google.gson.JsonObject;
import dev.sublet.diag.ByteText;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.SearchEffort;
import dev.sublet.placement.search.SearchPlanner;
import java.util.function.Function;

/**
 * The bytes that more effort could gain at most, and the option that asks for more.
 *
 * <pre>
 *   left to gain     at most 144 bytes, with --effort high
 * </pre>
 *
 * @param bytes the distance between the arena and its lower bound; 0 if nothing can be gained
 * @param option the option with its value
 */
public record LeftToGain(long bytes, String option) {

  private static final LeftToGain NOTHING = new LeftToGain(0, "");

  /** Ten times the nodes never give a larger arena, see {@link PlannerOptions#parts}. */
  private static final long STEP = 10;

  /** Returns the bytes for an arena of a program. Pools are filled for speed, so they get none. */
  public static LeftToGain ofProgram(long arenaBytes, long lowerBound, OffsetOptions options) {
    return options.pools().isEmpty()
        ? of(arenaBytes, lowerBound, options, SearchEffort::forPrograms)
        : NOTHING;
  }

  /** Returns the bytes for the arena of a table of buffers. */
  public static LeftToGain ofTable(long arenaBytes, long lowerBound, OffsetOptions options) {
    return of(arenaBytes, lowerBound, options, SearchEffort::forTables);
  }

  private static LeftToGain of(
      long arenaBytes,
      long lowerBound,
      OffsetOptions options,
      Function<SearchEffort, PlannerOptions> presets) {
    if (arenaBytes <= lowerBound) {
      return NOTHING;
    }
    boolean searches =
        options.planner().equals(Planners.BEST) || options.planner().equals(SearchPlanner.NAME);
    boolean isClose = options.search().gap().largestArena(lowerBound) >= arenaBytes;
    return new LeftToGain(
        arenaBytes - lowerBound,
        searches ? option(options.search(), isClose, presets) : "--planner " + Planners.BEST);
  }

  /** The next effort after a preset; after other options, the option that ended the search. */
  private static String option(
      PlannerOptions search, boolean isClose, Function<SearchEffort, PlannerOptions> presets) {
    SearchEffort[] efforts = SearchEffort.values();
    for (int i = 0; i + 1 < efforts.length; i++) {
      if (presets.apply(efforts[i]).withOrder(search.order()).equals(search)) {
        return "--effort " + efforts[i + 1].word();
      }
    }
    if (isClose) {
      return "--gap " + Gap.NONE.percent();
    }
    if (search.timeoutMillis() > 0) {
      return "a longer --timeout";
    }
    long nodes = Math.max(search.nodes(), SearchEffort.NORMAL.forPrograms().nodes() / STEP);
    return "--nodes " + LongMath.saturatedMultiply(nodes, STEP);
  }

  /** Adds a row, if there is something to gain. */
  public void addTo(TextTable table) {
    if (bytes > 0) {
      table.row("left to gain", "at most " + ByteText.inWords(bytes) + ", with " + option);
    }
  }

  /** Adds the same as numbers and words. */
  public void addTo(JsonObject object) {
    object.addProperty("left_to_gain", bytes);
    if (bytes > 0) {
      object.addProperty("gain_with", option);
    }
  }
}
