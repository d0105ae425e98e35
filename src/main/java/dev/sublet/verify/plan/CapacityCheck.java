package dev.sublet.verify.plan;

import dev.sublet.diag.ByteText;
import dev.sublet.program.Operation;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ObservedVariables;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;

/**
 * Checks that every value fits its allocation: feeds at the start, and outputs where operators
 * write them. O(accesses × log allocations of a variable).
 */
final class CapacityCheck {

  private final NodeOrder nodes;
  private final DefUses accesses;
  private final ObservedVariables observed;
  private final PlacedAllocations allocations;
  private final Sizes sizes;
  private final Violations violations;

  CapacityCheck(
      ProgramGraph graph, PlacedAllocations allocations, Sizes sizes, Violations violations) {
    this.nodes = graph.nodes();
    this.accesses = graph.accesses();
    this.observed = graph.observed();
    this.allocations = allocations;
    this.sizes = sizes;
    this.violations = violations;
  }

  /** Checks the feeds and all writes. */
  void run() {
    for (Variable variable : nodes.program().variables()) {
      if (observed.isDefinedAtStart(variable.index())) {
        check(variable.index(), 0, sizes.bytes(variable.index()));
      }
    }
    DefUses.Visitor visitor =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {}

          @Override
          public void write(int node, int variable, boolean kills) {
            check(variable, 2 * node + 1, needed(node, variable));
          }
        };
    for (int node = 0; node < nodes.nodeCount(); node++) {
      accesses.visit(node, visitor);
    }
  }

  /**
   * The size of the largest value that the node may write; for an implicit write, that of the
   * variable's largest value.
   */
  private long needed(int node, int variable) {
    Operation operation = nodes.operation(node);
    long needed = -1;
    for (int i = 0; i < operation.outputCount() && !nodes.isHead(node); i++) {
      if (operation.output(i) == variable) {
        needed = Math.max(needed, sizes.bytesWritten(operation, i));
      }
    }
    return needed < 0 ? sizes.bytes(variable) : needed;
  }

  private void check(int variable, int point, long needed) {
    int allocation = allocations.at(variable, point);
    if (allocation != PlacedAllocations.NONE && allocations.get(allocation).bytes() < needed) {
      violations.add(
          nodes.program().variable(variable),
          "has "
              + ByteText.inWords(allocations.get(allocation).bytes())
              + ", but needs "
              + ByteText.exact(needed));
    }
  }
}
