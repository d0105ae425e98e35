package dev.sublet.offset.merge;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.FeedAlias;
import dev.sublet.program.Names;

/**
 * The reason why a result cannot have the buffer of a feed, as an error about the operator that is
 * in the way.
 *
 * <pre>
 *   present = concat(past, x) with axis 2 of [1, 4, 16, 8]     the elements of past would move
 *   y = matmul(q, past) after present has been written         past would be overwritten too early
 * </pre>
 */
final class AliasRefusal {

  private AliasRefusal() {}

  /**
   * Returns the error. O(accesses of the feed).
   *
   * @param to the result's web at the end
   * @param staysInPlace whether the operator that writes the result could leave the elements of the
   *     feed where they are
   */
  static ProgramException of(PlannedWebs webs, FeedAlias alias, int to, boolean staysInPlace) {
    ControlFlowGraph graph = webs.graph();
    String feed = name(webs, alias.feed());
    String result = name(webs, alias.result());
    String option = "--alias " + feed + "=" + result + ": ";
    if (!webs.areAlike(alias.feed(), alias.result())) {
      return ProgramException.usage(
          option
              + "one of them is on the GPU, or only one carries sequences (LoD), so that they cannot"
              + " be one buffer; leave out this --alias");
    }
    int writer = webs.ranges().firstPoint(to) / 2;
    int reader = firstReader(graph, alias.feed(), staysInPlace ? writer + 1 : writer);
    if (reader == writer) {
      return ProgramException.usage(
          graph.operation(reader).location(),
          option
              + "reads '"
              + feed
              + "' while it writes '"
              + result
              + "', and the elements may not stay where they are; make the axis that grows the first"
              + " one, or leave out this --alias");
    }
    if (reader >= 0) {
      return ProgramException.usage(
          graph.operation(reader).location(),
          option
              + "reads '"
              + feed
              + "', but "
              + graph.operation(writer).location()
              + " may have written '"
              + result
              + "' over it; let it read '"
              + result
              + "', or leave out this --alias");
    }
    String reason = webs.liveness().observation().reason(alias.feed());
    return ProgramException.usage(
        graph.operation(writer).location(),
        option
            + "writes '"
            + result
            + "' over '"
            + feed
            + "', which "
            + (reason.isEmpty() ? "may still be read" : "is " + reason)
            + "; leave out this --alias");
  }

  /** The first node that reads a variable, from a node on; -1 if none does. */
  private static int firstReader(ControlFlowGraph graph, int variable, int from) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      if (accesses.node(access) >= from && accesses.reads(access)) {
        return accesses.node(access);
      }
    }
    return -1;
  }

  private static String name(PlannedWebs webs, int variable) {
    return Names.display(webs.program().variable(variable).name());
  }
}
