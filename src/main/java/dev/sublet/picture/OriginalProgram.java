package dev.sublet.picture;

import static java.util.Objects.requireNonNull;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.shape.Sizes;

/**
 * The facts about a program before its rewriting that a picture needs.
 *
 * @param graph the control flow graph of the program
 * @param ranges the live ranges of its variables
 * @param sizes the sizes of its variables
 */
public record OriginalProgram(ControlFlowGraph graph, LiveRanges ranges, Sizes sizes) {

  public OriginalProgram {
    requireNonNull(graph, "graph");
    requireNonNull(ranges, "ranges");
    requireNonNull(sizes, "sizes");
  }
}
