package dev.sublet.diag;

import java.util.Locale;

/** Formats numbers of bytes for people, the same in every locale. O(1). */
public final class ByteText {

  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteText() {}

  /**
   * Returns bytes, exact and in the largest fitting unit: {@code 6,786,224 (6.47 MiB)}, {@code
   * 512}.
   */
  public static String exact(long bytes) {
    return bytes < 1024 ? count(bytes) : count(bytes) + " (" + rounded(bytes) + ")";
  }

  /** Returns bytes for a sentence: {@code 6,786,224 bytes (6.47 MiB)}, {@code 512 bytes}. */
  public static String inWords(long bytes) {
    String words = count(bytes) + (bytes == 1 ? " byte" : " bytes");
    return bytes < 1024 ? words : words + " (" + rounded(bytes) + ")";
  }

  /** Returns bytes in the largest fitting unit: {@code 6.47 MiB}, {@code 512 B}. */
  public static String rounded(long bytes) {
    if (bytes < 1024) {
      return count(bytes) + " B";
    }
    double scaled = bytes;
    int unit = -1;
    // 1023.995 would be printed as 1024.00.
    while (scaled >= 1023.995) {
      scaled /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.2f %s", scaled, UNITS[Math.max(unit, 0)]);
  }

  /** Returns a number with its thousands separated: {@code 6,786,224}. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /**
   * Returns how many times a limit fits into the bytes that exceed it, rounded up to two decimals
   * so that it is never 1: {@code 2.44 times}.
   */
  public static String times(long bytes, long limit) {
    return String.format(Locale.ROOT, "%.2f times", Math.ceil(100.0 * bytes / limit) / 100);
  }
}
