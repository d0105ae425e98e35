package dev.sublet.verify.rewrite;

import dev.sublet.shape.LodCarriers;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;
import java.util.Arrays;
import java.util.Optional;

/**
 * The sequence information (LoD) that stays with the names of the rewritten program. It must not
 * become that of another variable.
 *
 * <pre>
 *   a = sequence_expand(x, y)   the name a has LoD now
 *   a = f(b)                    f sets no LoD: an operator that reads a finds the LoD of y
 * </pre>
 *
 * <p>A variable can take over a name with LoD if each of its writers replaces the LoD, or if no
 * operator reads the variable and it is not observed. O(1) per call.
 */
final class LodOccupants {

  private static final int NONE = -1;

  private final ProgramGraph graph;
  private final LodCarriers lod;

  /** By rewritten variable: an occupant that may carry LoD. */
  private final int[] carriers;

  /** By rewritten variable: an occupant that keeps the LoD of the name. */
  private final int[] keepers;

  LodOccupants(ProgramGraph graph, int rewrittens, LodCarriers lod) {
    this.graph = graph;
    this.lod = lod;
    this.carriers = new int[rewrittens];
    this.keepers = new int[rewrittens];
    Arrays.fill(carriers, NONE);
    Arrays.fill(keepers, NONE);
  }

  /** Whether a variable may carry LoD, and show what its name carried before. */
  boolean needsOwnName(int u) {
    return lod.carries(u) && showsOld(u);
  }

  private boolean showsOld(int u) {
    return !lod.isAlwaysReplaced(u) && !graph.observed().isUnseen(u);
  }

  /**
   * Adds an original variable to the occupants of a name.
   *
   * @param u the original variable
   * @param v the rewritten variable that bears the name
   * @return the objection to the LoD of the occupants, if there is one
   */
  Optional<String> add(int u, int v) {
    int carrier = carriers[v];
    int keeper = keepers[v];
    if (lod.carries(u)) {
      carriers[v] = u;
      if (keeper != NONE && keeper != u) {
        return Optional.of(
            sharing("one that may carry LoD", keeper) + ", whose writers need not replace it");
      }
    }
    if (showsOld(u)) {
      keepers[v] = u;
      if (carrier != NONE && carrier != u) {
        return Optional.of(
            sharing("one whose writers need not replace LoD", carrier) + ", which may carry it");
      }
    }
    return Optional.empty();
  }

  private String sharing(String who, int other) {
    return who + " shares the name with " + Violations.quote(graph.program().variable(other));
  }
}
