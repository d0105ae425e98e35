package dev.sublet.report.format;

import dev.sublet.diag.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lines of several sorts. The text shows only the first lines of each sort, so that it fits on a
 * screen.
 */
public final class LongLists {

  /** The greatest number of lines of one sort in {@link #text}. */
  private static final int MOST_SHOWN = 40;

  private final Map<String, List<String>> sorts = new LinkedHashMap<>();

  /** Adds a line; sorts are shown in the order of their first lines. */
  public void add(String sort, String line) {
    sorts.computeIfAbsent(sort, s -> new ArrayList<>()).add(VisibleText.of(line));
  }

  /**
   * The first lines of each sort and the number of the others; {@code same} if there are no lines.
   */
  public String text() {
    StringBuilder text = new StringBuilder();
    sorts.forEach(
        (sort, lines) -> {
          lines.stream().limit(MOST_SHOWN).forEach(line -> text.append(line).append('\n'));
          if (lines.size() > MOST_SHOWN) {
            String more = Quantity.count(lines.size() - MOST_SHOWN);
            text.append("and ").append(more).append(" more ").append(sort).append(" (-v)\n");
          }
        });
    return sorts.isEmpty() ? "same\n" : text.toString();
  }

  /** The lines that {@link #text} only counts. */
  public String rest() {
    StringBuilder rest = new StringBuilder();
    sorts.forEach(
        (sort, lines) ->
            lines.stream().skip(MOST_SHOWN).forEach(line -> rest.append(line).append('\n')));
    return rest.toString();
  }
}
