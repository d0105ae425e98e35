package dev.sublet.picture;

import static java.util.Objects.requireNonNull;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.shape.Sizes;

/**
 * What a picture must know of a program before it was rewritten.
 *
 * @param graph its nodes
 * @param ranges when its variables need their bytes
 * @param sizes how many bytes
 */
public record OriginalProgram(ControlFlowGraph graph, LiveRanges ranges, Sizes sizes) {

  public OriginalProgram {
    requireNonNull(graph, "graph");
    requireNonNull(ranges, "ranges");
    requireNonNull(sizes, "sizes");
  }
}
