package dev.sublet.verify.plan;

import dev.sublet.plan.Allocation;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;

/**
 * The check of aliases that the user demands: the bytes of the feed before the run and those of the
 * result after it begin at one offset of one arena. Whether each value is intact as long as it is
 * needed is up to the interpreter. O(aliases × log).
 *
 * <pre>
 *   --alias past=present, past at [64, 96), present at [64, 104)     accepted
 *   --alias past=present, past at [64, 96), present at [0, 40)       a violation
 * </pre>
 *
 * <p>A feed or result of zero bytes is nowhere, and passes.
 */
final class RequestedAliases {

  private final ProgramGraph graph;
  private final PlacedAllocations allocations;
  private final Violations violations;

  RequestedAliases(ProgramGraph graph, PlacedAllocations allocations, Violations violations) {
    this.graph = graph;
    this.allocations = allocations;
    this.violations = violations;
  }

  /** Reports all aliases that the plan does not implement. */
  void run() {
    graph.observed().aliases().forEach(this::check);
  }

  private void check(String feedName, String resultName) {
    Program program = graph.nodes().program();
    int feed = program.declared(0, feedName);
    int result = program.declared(0, resultName);
    if (feed == Program.NO_VARIABLE
        || result == Program.NO_VARIABLE
        || !graph.observed().isFeed(feed)
        || !graph.observed().isObserved(result)) {
      throw new IllegalStateException(feedName + "=" + resultName + " is no feed and result");
    }
    int before = allocations.at(feed, 0);
    int after = allocations.at(result, 2 * graph.nodes().nodeCount() - 1);
    if (before == PlacedAllocations.NONE || after == PlacedAllocations.NONE) {
      violations.add(
          program.variable(before == PlacedAllocations.NONE ? feed : result),
          "is to share a buffer (--alias), but has no bytes at the "
              + (before == PlacedAllocations.NONE ? "start" : "end"));
      return;
    }
    if (allocations.get(before).bytes() > 0
        && allocations.get(after).bytes() > 0
        && !beginTogether(allocations.get(before), allocations.get(after))) {
      violations.add(
          program.variable(result),
          "is to begin where the feed '"
              + Names.display(feedName)
              + "' begins (--alias), but does not");
    }
  }

  private static boolean beginTogether(Allocation a, Allocation b) {
    return a.arena() == b.arena()
        && a.offset() == b.offset()
        && a.views().isEmpty()
        && b.views().isEmpty();
  }
}
