package dev.sublet.verify.plan;

import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProgramGraph;

/**
 * The values that a loop's body may have overwritten by the time its head is reached again.
 *
 * <pre>
 *   while(c) { t = f(x) }      t has bytes of y, which the loop does not write
 *   so y is lost at the head, from the first pass on
 * </pre>
 */
final class LoopLosses {

  private final NodeOrder nodes;
  private final DefUses accesses;
  private final PlacedAllocations allocations;
  private final PhasedLocations locations;
  private final BufferGroups groups;
  private final KeptBytes kept;
  private final PlacementState state;
  private final IntList overlapping = new IntList();

  /** By variable: the number of the last loop that writes it. */
  private final int[] writtenInLoop;

  private int loopSerial;

  LoopLosses(ProgramGraph graph, PlacementFacts placement, PlacementState state) {
    this.nodes = graph.nodes();
    this.accesses = graph.accesses();
    this.allocations = placement.allocations();
    this.locations = placement.locations();
    this.groups = placement.groups();
    this.kept = placement.kept();
    this.state = state;
    this.writtenInLoop = new int[nodes.program().variableCount()];
  }

  /**
   * Marks as lost, at the loop's head, all values that the loop's body overwrites and does not
   * write again. Without this step before the first pass, the number of passes would double with
   * each level of nesting.
   */
  void lose(int head) {
    loopSerial++;
    int exit = nodes.exitOf(head);
    DefUses.Visitor mark =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {}

          @Override
          public void write(int node, int variable, boolean kills) {
            writtenInLoop[variable] = loopSerial;
          }
        };
    DefUses.Visitor invalidate =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {}

          @Override
          public void write(int node, int variable, boolean kills) {
            invalidateOverlapping(node, variable);
          }
        };
    for (DefUses.Visitor visitor : new DefUses.Visitor[] {mark, invalidate}) {
      for (int node = head; node < exit; node++) {
        accesses.visit(node, visitor);
      }
      accesses.visitBodyEnd(exit, visitor);
    }
  }

  private void invalidateOverlapping(int node, int variable) {
    int location =
        allocations.isPlanned(variable)
            ? locations.at(variable, 2 * node + 1)
            : PhasedLocations.NONE;
    if (location == PhasedLocations.NONE) {
      return;
    }
    locations.findOverlapping(location, overlapping);
    for (int i = 0; i < overlapping.size(); i++) {
      int other = locations.get(overlapping.get(i)).variable();
      if (writtenInLoop[other] != loopSerial
          && !groups.areSame(variable, other)
          && kept.changes(node, variable, location, overlapping.get(i))) {
        state.set(other, PlacementState.INVALID);
      }
    }
  }
}
