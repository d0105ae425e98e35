package dev.sublet.diag;

import com.google.common.base.Ascii;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The end of a message about a wrong name: the most similar existing name, and a list of the
 * existing names.
 *
 * <pre>
 *   ; did you mean 'image'? The feeds are: image, scale
 * </pre>
 *
 * <p>Similar are names with few typing errors between them: the optimal string alignment distance,
 * which counts inserted, deleted and replaced characters and swapped neighbors, and does not count
 * case. Source: L. Boytsov, "Indexing methods for approximate dictionary searching", ACM J. Exp.
 * Algorithmics 16 (2011), doi:10.1145/1963190.1963191.
 */
public final class NameHint {

  /** The greatest number of names in the list. */
  private static final int MOST_LISTED = 10;

  /** The greatest number of typing errors. */
  private static final int MOST_ERRORS = 3;

  /** The greatest length of a name that a message repeats. */
  private static final int MAX_QUOTED = 100;

  private NameHint() {}

  /**
   * Returns the end of a message, which begins with a semicolon. O(characters of all names).
   *
   * @param wrong the wrong name
   * @param kind the plural noun for the existing names, such as {@code feeds}
   * @param existing the existing names, in the order of the list; equal names count once
   */
  public static String of(String wrong, String kind, Collection<String> existing) {
    List<String> names = existing.stream().distinct().toList();
    if (names.isEmpty()) {
      return "; there are no " + kind;
    }
    String nearest = nearest(wrong, names);
    return (nearest.isEmpty() ? "; the " : "; did you mean '" + quote(nearest) + "'? The ")
        + kind
        + " are: "
        + list(names);
  }

  /**
   * Returns the end of a message as {@link #of} does, but without the list of names, which are too
   * many; empty if no name is similar. O(characters of all names).
   */
  public static String withoutList(String wrong, Collection<String> existing) {
    String nearest = nearest(wrong, existing.stream().distinct().toList());
    return nearest.isEmpty() ? "" : "; did you mean '" + quote(nearest) + "'?";
  }

  /** Returns the first ten names and the number of the others. */
  private static String list(List<String> names) {
    List<String> shown = new ArrayList<>();
    for (String name : names.subList(0, Math.min(MOST_LISTED, names.size()))) {
      shown.add(quote(name));
    }
    String text = String.join(", ", shown);
    int others = names.size() - shown.size();
    return others == 0 ? text : text + ", and " + others + " more";
  }

  private static String quote(String name) {
    return Ascii.truncate(name, MAX_QUOTED, "…");
  }

  /**
   * Returns the name with the fewest typing errors, else the first name that begins with the wrong
   * one, else an empty string. Of several such names, returns the first.
   */
  private static String nearest(String wrong, List<String> names) {
    String typed = Ascii.toLowerCase(wrong);
    String best = "";
    int least = Integer.MAX_VALUE;
    int most = Math.min(MOST_ERRORS, 1 + typed.length() / 3);
    for (String name : names) {
      int errors = errors(typed, Ascii.toLowerCase(name), most);
      if (errors <= most && 2 * errors <= Math.max(typed.length(), name.length())) {
        // Of names with as few errors, the one with fewer errors if case counts.
        int cost = errors * (MOST_ERRORS + 2) + Math.min(errors(wrong, name, most), most + 1);
        best = cost < least ? name : best;
        least = Math.min(cost, least);
      }
    }
    if (best.isEmpty() && !typed.isEmpty()) {
      return names.stream()
          .filter(name -> Ascii.toLowerCase(name).startsWith(typed))
          .findFirst()
          .orElse("");
    }
    return best;
  }

  /**
   * Returns the number of typing errors between two words, or a greater number than the maximum.
   * O(length × maximum): only the cells near the diagonal can be within the maximum.
   */
  private static int errors(String typed, String meant, int maximum) {
    if (Math.abs(typed.length() - meant.length()) > maximum) {
      return maximum + 1;
    }
    int width = meant.length() + 1;
    int[] beforeLast = new int[width];
    int[] last = new int[width];
    int[] row = new int[width];
    for (int j = 0; j < width; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= typed.length(); i++) {
      int[] free = beforeLast;
      beforeLast = last;
      last = row;
      row = free;
      int from = Math.max(1, i - maximum);
      int to = Math.min(meant.length(), i + maximum);
      row[from - 1] = from == 1 ? i : maximum + 1;
      for (int j = from; j <= to; j++) {
        boolean isSame = typed.charAt(i - 1) == meant.charAt(j - 1);
        boolean isAbove = j < i + maximum || i == 1;
        int above = isAbove ? last[j] + 1 : maximum + 1;
        row[j] = Math.min(Math.min(above, row[j - 1] + 1), last[j - 1] + (isSame ? 0 : 1));
        boolean isSwap =
            i > 1
                && j > 1
                && typed.charAt(i - 1) == meant.charAt(j - 2)
                && typed.charAt(i - 2) == meant.charAt(j - 1);
        row[j] = isSwap ? Math.min(row[j], beforeLast[j - 2] + 1) : row[j];
      }
    }
    return row[meant.length()];
  }
}
