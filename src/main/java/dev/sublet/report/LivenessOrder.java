package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.report.format.Quantity;
import java.util.Comparator;
import java.util.List;

/** The order of the variables in a report on live ranges. Ties keep the order of the program. */
public enum LivenessOrder {
  /** The order of declaration. */
  PROGRAM("in the order of the program"),
  /** The largest variable first; variables of unknown size last. */
  BYTES("by bytes"),
  /** The variable that is live at the most points first. */
  TIME("by time");

  private final String words;

  LivenessOrder(String words) {
    this.words = words;
  }

  /** Returns a line about the variables that a report leaves out. */
  String headline(int shown, int all) {
    return "the first "
        + Quantity.count(shown)
        + " of "
        + Quantity.count(all)
        + " variables, "
        + words
        + "\n";
  }

  /** Returns variables in this order. O(n log n). */
  ImmutableList<Integer> sorted(ProgramFacts analysis, List<Integer> variables) {
    return switch (this) {
      case PROGRAM -> ImmutableList.copyOf(variables);
      case BYTES -> sorted(variables, variable -> bytes(analysis, variable));
      case TIME -> sorted(variables, variable -> points(analysis.liveness().ranges(), variable));
    };
  }

  private interface Key {
    long of(int variable);
  }

  private static ImmutableList<Integer> sorted(List<Integer> variables, Key key) {
    return ImmutableList.sortedCopyOf(
        Comparator.comparingLong((Integer variable) -> key.of(variable)).reversed(), variables);
  }

  private static long bytes(ProgramFacts analysis, int variable) {
    return analysis.sizes().isKnown(variable) ? analysis.sizes().bytes(variable) : -1;
  }

  private static long points(LiveRanges ranges, int variable) {
    long points = 0;
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
        points += ranges.end(i) - ranges.begin(i);
      }
    }
    return points;
  }
}
