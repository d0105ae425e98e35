package dev.sublet.operator.spec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;

/**
 * The evidence for in-place pairs: how many calls of the real Paddle Inference 2.3.2 gave, with
 * output and input as one variable or in one buffer, the bits that they give apart.
 *
 * <p>The table {@code in-place-runs.txt} is written by a test that runs the calls, {@code
 * OperatorFactsTest}, and compared with every later run.
 *
 * @param names calls in which the two had one name
 * @param buffers calls in which the two had one buffer and two names
 */
public record InPlaceRuns(int names, int buffers) {

  private static final InPlaceRuns NONE = new InPlaceRuns(0, 0);

  private static final ImmutableMap<String, InPlaceRuns> TABLE = read();

  private static ImmutableMap<String, InPlaceRuns> read() {
    ImmutableMap.Builder<String, InPlaceRuns> table = ImmutableMap.builder();
    try {
      String text =
          Resources.toString(Resources.getResource(InPlaceRuns.class, "in-place-runs.txt"), UTF_8);
      for (String line : Splitter.on('\n').omitEmptyStrings().split(text)) {
        if (!line.startsWith("#")) {
          Iterator<String> cells = Splitter.on(' ').split(line).iterator();
          table.put(
              cells.next() + " " + cells.next(),
              new InPlaceRuns(Integer.parseInt(cells.next()), Integer.parseInt(cells.next())));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return table.buildOrThrow();
  }

  /** The runs of a pair; none if nothing could be run. O(1). */
  static InPlaceRuns of(String type, String input, String output) {
    return TABLE.getOrDefault(type + " " + input + "->" + output, NONE);
  }

  /** Whether there was any run. */
  public boolean any() {
    return names > 0 || buffers > 0;
  }
}
