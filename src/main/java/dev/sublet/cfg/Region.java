package dev.sublet.cfg;

import static java.util.Objects.requireNonNull;

import dev.sublet.operator.spec.ControlKind;

/**
 * A block that runs, between the head and the exit of the control operator that runs it. Region 0
 * is the whole program: its head is -1 and its exit the number of nodes.
 *
 * @param index the region's index in its graph
 * @param parent the region that holds the control operator; -1 for region 0
 * @param head the node of the control operator's head
 * @param exit the node of its exit; the body's nodes lie between the two
 * @param block the block that runs
 * @param kind how it runs; {@link ControlKind#NONE} for region 0
 * @param kept whether a gradient operator walks the scopes of this region, so that every run of the
 *     body has a scope of its own
 * @param forward of a gradient region: the region that it is the gradient of; else -1
 * @param leaves of an exit conditional: the loop's region, which ends at once if this region is
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

  public Region {
    requireNonNull(kind, "kind");
  }

  Region withExit(int newExit) {
    return new Region(index, parent, head, newExit, block, kind, kept, forward, leaves);
  }

  Region withScopesKept() {
    return new Region(index, parent, head, exit, block, kind, true, forward, leaves);
  }

  Region withLeaves(int loop) {
    return new Region(index, parent, head, exit, block, kind, kept, forward, loop);
  }

  /** Whether a node lies in the body, nested bodies included; the head and the exit do not. */
  public boolean contains(int node) {
    return head < node && node < exit;
  }

  /** Whether each run of the body has variables of its own, so that nothing local crosses runs. */
  public boolean hasFreshScopes() {
    return kept || kind.isGradient();
  }
}
