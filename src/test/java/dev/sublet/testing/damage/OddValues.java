package dev.sublet.testing.damage;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.SplittableRandom;

/** Numbers and texts at which programs that read files go wrong. */
final class OddValues {

  private static final ImmutableLongArray INTEGERS =
      ImmutableLongArray.of(
          0,
          1,
          -1,
          2,
          -2,
          3,
          7,
          -50,
          64,
          100,
          255,
          65_536,
          1_000_003,
          1L << 30,
          Integer.MAX_VALUE,
          Integer.MIN_VALUE,
          1L << 31,
          (1L << 32) + 1,
          1L << 40,
          (1L << 53) + 1,
          1L << 62,
          Long.MAX_VALUE,
          Long.MIN_VALUE);

  private static final ImmutableDoubleArray REALS =
      ImmutableDoubleArray.of(
          0, -0.0, 1, -1, 0.5, 1e-45, 1e30, -1e300, Double.NaN, Double.POSITIVE_INFINITY);

  private static final ImmutableList<String> TEXTS =
      ImmutableList.of(
          "",
          " ",
          "\0",
          "\n",
          "a\0b",
          "a\nerror: b",
          "a\u202Eb",
          "\u001B[31m",
          "\uFEFF",
          "\\ud800",
          "\uD83D\uDE00",
          "..",
          "../../etc/passwd",
          "/etc/passwd",
          "C:\\x",
          "@EMPTY@",
          "x@GRAD",
          "feed",
          "fetch",
          "a,b",
          "a\"b",
          "'",
          "\\",
          "=1+1",
          "%s%n",
          "${case}",
          "</script>",
          "-1",
          "1e999",
          "NaN",
          "\u0663",
          "0x10",
          "9223372036854775808",
          "null");

  private OddValues() {}

  static long integer(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(-3, 20);
      case 1 -> random.nextLong();
      default -> INTEGERS.get(random.nextInt(INTEGERS.length()));
    };
  }

  static double real(SplittableRandom random) {
    return random.nextInt(4) == 0 ? random.nextDouble() : REALS.get(random.nextInt(REALS.length()));
  }

  static String text(SplittableRandom random) {
    return random.nextInt(20) == 0
        ? "long".repeat(random.nextInt(20_000))
        : TEXTS.get(random.nextInt(TEXTS.size()));
  }

  /** How often something is repeated that should be there once; seldom thousands of times. */
  static int times(SplittableRandom random) {
    return random.nextInt(10) == 0 ? 1 + random.nextInt(5000) : 1 + random.nextInt(3);
  }
}
