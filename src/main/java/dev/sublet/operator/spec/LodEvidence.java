package dev.sublet.operator.spec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;

/**
 * The evidence for the sequence offsets (LoD) that shape rules state: the outputs of which all runs
 * of the real Paddle Inference 2.3.2 with LoD in an input had these offsets.
 *
 * <p>The test {@code LodFactsTest} runs the calls. It writes the table {@code lod-runs.txt}:
 * operator, output slot, number of runs.
 */
final class LodEvidence {

  private static final ImmutableSetMultimap<String, String> TABLE = read();

  private LodEvidence() {}

  private static ImmutableSetMultimap<String, String> read() {
    ImmutableSetMultimap.Builder<String, String> table = ImmutableSetMultimap.builder();
    try {
      String text =
          Resources.toString(Resources.getResource(LodEvidence.class, "lod-runs.txt"), UTF_8);
      for (String line : Splitter.on('\n').omitEmptyStrings().split(text)) {
        if (!line.startsWith("#")) {
          Iterator<String> cells = Splitter.on(' ').split(line).iterator();
          table.put(cells.next(), cells.next());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return table.build();
  }

  /** Returns the confirmed output slots of an operator type. O(1). */
  static ImmutableSet<String> confirmed(String type) {
    return TABLE.get(type);
  }
}
