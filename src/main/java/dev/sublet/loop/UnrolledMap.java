package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which operators and variables of an unrolled program stand for which of the original. */
public final class UnrolledMap {

  private record Key(CopyContext outer, int region, int phase) {}

  private final Carries carries;
  private final UnrolledNames names;
  private final ImmutableMap<UnrollLoops.NewName, Integer> originals;
  private final CopyContext root;
  private final Map<Key, CopyContext> copies = new HashMap<>();

  UnrolledMap(
      Carries carries,
      UnrolledNames names,
      List<CopyContext> contexts,
      Map<UnrollLoops.NewName, Integer> originals) {
    this.carries = carries;
    this.names = names;
    this.originals = ImmutableMap.copyOf(originals);
    this.root = contexts.get(0);
    for (CopyContext context : contexts) {
      if (context.outer != null) {
        copies.put(new Key(context.outer, context.region, context.phase), context);
      }
    }
  }

  Carries carries() {
    return carries;
  }

  UnrolledNames names() {
    return names;
  }

  CopyContext root() {
    return root;
  }

  /** A copy of a loop's body inside a copy of what is around the loop. */
  CopyContext copy(CopyContext outer, int region, int phase) {
    CopyContext copy = copies.get(new Key(outer, region, phase));
    if (copy == null) {
      throw new IllegalStateException("no copy " + phase + " of region " + region);
    }
    return copy;
  }

  /** The original variable that a new one stands for. */
  ImmutableMap<UnrollLoops.NewName, Integer> originals() {
    return originals;
  }

  /** The loops around a region that are repeated, the region included, outermost first. */
  ImmutableList<Integer> repeatedAround(int region) {
    ImmutableList.Builder<Integer> loops = ImmutableList.builder();
    var graph = carries.liveness().graph();
    for (int r = region; r > 0; r = graph.region(r).parent()) {
      if (carries.isRepeated(r)) {
        loops.add(r);
      }
    }
    return loops.build().reverse();
  }
}
