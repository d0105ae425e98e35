package dev.sublet.cfg;

import dev.sublet.operator.spec.ControlKind;

/**
 * The nodes of a block, between the head and the exit of the control operator that runs the block.
 * Region 0 is the whole program: its head is -1 and its exit is the number of nodes.
 *
 * @param index the region's index in its graph
 * @param parent the region that contains the control operator; -1 for region 0
 * @param head the node of the control operator's head
 * @param exit the node of its exit; the body's nodes lie between the two
 * @param block the block that runs
 * @param kind how it runs; {@link ControlKind#NONE} for region 0
 * @param kept whether a gradient operator walks the scopes of this region, so that every run of the
 *     body has its own scope
 * @param forward for a gradient region, the region of its forward operator; else -1
 * @param leaves for an exit conditional, the region of the loop that ends at once if this region is
 *     skipped; else -1. See {@link ExitConditionals}
 */
public record Region(
    int index,
    int parent,
    int head,
    int exit,
    int block,
    ControlKind kind,
    boolean kept,
    int forward,
    int leaves) {

  Region withExit(int newExit) {
    return new Region(index, parent, head, newExit, block, kind, kept, forward, leaves);
  }

  Region withScopesKept() {
    return new Region(index, parent, head, exit, block, kind, true, forward, leaves);
  }

  Region withLeaves(int loop) {
    return new Region(index, parent, head, exit, block, kind, kept, forward, loop);
  }

  /** Whether a node is in the body or in a nested body. The head and the exit are not. */
  public boolean contains(int node) {
    return head < node && node < exit;
  }

  /** Whether each run of the body has its own local variables, so that no local outlives a run. */
  public boolean hasFreshScopes() {
    return kept || kind.isGradient();
  }
}
