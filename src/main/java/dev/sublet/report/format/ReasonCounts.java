package dev.sublet.report.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts how often each reason occurs: the most frequent reason first, then by text. O(n log n).
 */
public final class ReasonCounts {

  private ReasonCounts() {}

  /** Returns a headline with the total, then one line per reason. */
  public static String text(String title, List<String> reasons) {
    return title + ": " + Quantity.count(reasons.size()) + "\n" + rows(reasons);
  }

  /** Returns one line per reason. */
  public static String rows(List<String> reasons) {
    TextTable table = new TextTable(TextTable.Column.NUMBER, TextTable.Column.TEXT);
    Map<String, Integer> counts = new TreeMap<>();
    for (String reason : reasons) {
      counts.merge(reason, 1, Integer::sum);
    }
    List<Map.Entry<String, Integer>> entries = new ArrayList<>(counts.entrySet());
    // Stable: reasons that are equally frequent stay in the order of their text.
    entries.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
    for (Map.Entry<String, Integer> entry : entries) {
      table.row("  " + Quantity.count(entry.getValue()), entry.getKey());
    }
    return table.toString();
  }
}
