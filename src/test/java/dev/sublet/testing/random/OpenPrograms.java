package dev.sublet.testing.random;

import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Random programs with open extents in declarations, as exporters write them for inputs of any
 * size. The declaration of a result may be open although its operator's result is not, or closed
 * although an open feed determines it.
 *
 * <pre>
 *   var x: fp32[4,4]   becomes   var x: fp32[4,-1]
 * </pre>
 */
public final class OpenPrograms {

  private static final int PERCENT = 40;

  /** The extents of a declared tensor. */
  private static final Pattern EXTENTS =
      Pattern.compile("(?<=: (?:fp|int)\\d\\d\\[)[-\\d,]+(?=\\](?!.*persistable))");

  private OpenPrograms() {}

  /** The program of a seed: always the same one. O(size²). */
  public static Program generate(long seed, int size) {
    SplittableRandom random = new SplittableRandom(~seed);
    Program closed =
        switch (random.nextInt(3)) {
          case 0 -> RandomPrograms.generate(seed, size);
          case 1 -> RandomPrograms.generateWithViews(seed, size);
          default -> RandomPrograms.generateTyped(seed, size);
        };
    return opened(closed, seed);
  }

  /** The program with open extents in some of its declarations, except those of parameters. */
  public static Program opened(Program closed, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return ProgramText.parse(
        EXTENTS.matcher(ProgramText.print(closed)).replaceAll(extents -> open(extents, random)));
  }

  /** Opens the last extent of some declarations, and all extents of a few. */
  private static String open(MatchResult extents, SplittableRandom random) {
    String text = extents.group();
    if (random.nextInt(100) >= PERCENT) {
      return text;
    }
    return random.nextInt(4) == 0
        ? text.replaceAll("-?\\d+", "-1")
        : text.replaceAll("-?\\d+$", "-1");
  }
}
