package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;

/**
 * The evidence for the sequence offsets (LoD) that shape rules state: the outputs of which all runs
 * of the real Paddle Inference 2.3.2 with LoD in an input had these offsets.
 *
 * <p>The test {@code LodFactsTest} runs the calls. It writes the table {@code lod-runs.txt}:
 * operator, output slot.
 */
final class LodEvidence {

  private static final ImmutableSetMultimap<String, String> TABLE = read();

  private LodEvidence() {}

  private static ImmutableSetMultimap<String, String> read() {
    ImmutableSetMultimap.Builder<String, String> table = ImmutableSetMultimap.builder();
    for (ImmutableList<String> row : EvidenceTable.rows("lod-runs.txt")) {
      table.put(row.get(0), row.get(1));
    }
    return table.build();
  }

  /** Returns the confirmed output slots of an operator type. O(1). */
  static ImmutableSet<String> confirmed(String type) {
    return TABLE.get(type);
  }
}
