package dev.sublet.runtime.micro.fuse.fact;

import java.util.BitSet;
import java.util.Optional;

/**
 * The blocks between two merge candidates. The left candidate is fixed; blocks are added while the
 * caller searches for the right one.
 */
public final class BlocksBetween {

  private final BlockUse left;

  /** The tensors that the blocks in between touch. */
  private final BlockUse all = BlockUse.none();

  /** The blocks that depend on the left candidate, directly or indirectly. */
  private final BitSet dependent = new BitSet();

  private final BlockUse dependentUse = BlockUse.none();
  private int count;

  /** Creates an empty sequence of blocks after a left candidate. */
  public BlocksBetween(BlockUse left) {
    this.left = left;
  }

  /** Adds the next block. O(tensors that it touches). */
  public void add(BlockUse use) {
    all.addAll(use);
    if (use.conflictsWith(left) || use.conflictsWith(dependentUse)) {
      dependent.set(count);
      dependentUse.addAll(use);
    }
    count++;
  }

  /**
   * Returns the blocks that must move after the merged block if the left and right candidates are
   * merged; the remaining blocks move before it. Empty if a block must stay in between. O(tensors
   * that the right candidate touches + blocks).
   */
  public Optional<BitSet> afterBoth(BlockUse right) {
    if (!right.conflictsWith(all)) {
      BitSet every = new BitSet();
      every.set(0, count);
      return Optional.of(every);
    }
    return right.conflictsWith(dependentUse) ? Optional.empty() : Optional.of(dependent);
  }
}
