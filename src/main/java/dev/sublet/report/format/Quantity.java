package dev.sublet.report.format;

import dev.sublet.diag.ByteText;
import java.util.Locale;

/** Formats numbers for people, the same in every locale. O(1). */
public final class Quantity {

  private Quantity() {}

  /** Returns a count, for example {@code 6,786,224}. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /**
   * Returns bytes, exact and in the largest fitting unit, for example {@code 6,786,224 (6.47 MiB)}.
   */
  public static String bytes(long bytes) {
    return ByteText.exact(bytes);
  }

  /**
   * Returns a quotient with three decimals; 1 if both numbers are 0, {@code -} if only the divisor
   * is.
   */
  public static String ratio(long dividend, long divisor) {
    if (divisor == 0) {
      return dividend == 0 ? "1.000" : "-";
    }
    return String.format(Locale.ROOT, "%.3f", (double) dividend / divisor);
  }

  /** Returns {@code yes} or {@code no}. */
  public static String yesOrNo(boolean value) {
    return value ? "yes" : "no";
  }
}
