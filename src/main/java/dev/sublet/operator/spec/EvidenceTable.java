package dev.sublet.operator.spec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads the tables of evidence beside this class, which tests write from runs of Paddle. */
final class EvidenceTable {

  private EvidenceTable() {}

  /**
   * Returns the cells of each line of a resource beside this class; cells are separated by one
   * space, and {@code #} begins a comment line. O(characters).
   */
  static ImmutableList<ImmutableList<String>> rows(String resource) {
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    for (String line : Splitter.on('\n').omitEmptyStrings().split(text(resource))) {
      if (!line.startsWith("#")) {
        rows.add(ImmutableList.copyOf(Splitter.on(' ').split(line)));
      }
    }
    return rows.build();
  }

  private static String text(String resource) {
    try {
      return Resources.toString(Resources.getResource(EvidenceTable.class, resource), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
