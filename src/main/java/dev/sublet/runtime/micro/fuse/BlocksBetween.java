package dev.sublet.runtime.micro.fuse;

import java.util.BitSet;
import java.util.Optional;

/** The blocks between two that may be merged, the later of which is looked for. */
final class BlocksBetween {

  private final BlockUse left;

  /** What all of them touch. */
  private final BlockUse all = BlockUse.none();

  /** Which of them depend on the left one, directly or not, and what these touch. */
  private final BitSet dependent = new BitSet();

  private final BlockUse dependentUse = BlockUse.none();
  private int count;

  /** No blocks behind a block. */
  BlocksBetween(BlockUse left) {
    this.left = left;
  }

  /** Adds the next one. O(tensors that it touches). */
  void add(BlockUse use) {
    all.addAll(use);
    if (use.conflictsWith(left) || use.conflictsWith(dependentUse)) {
      dependent.set(count);
      dependentUse.addAll(use);
    }
    count++;
  }

  /**
   * Which of the blocks go behind the left one and a right one when these are merged, the others
   * going in front; none if a block must stay in between. O(tensors that the right one touches +
   * blocks).
   */
  Optional<BitSet> behindBoth(BlockUse right) {
    if (!right.conflictsWith(all)) {
      BitSet every = new BitSet();
      every.set(0, count);
      return Optional.of(every);
    }
    return right.conflictsWith(dependentUse) ? Optional.empty() : Optional.of(dependent);
  }
}
