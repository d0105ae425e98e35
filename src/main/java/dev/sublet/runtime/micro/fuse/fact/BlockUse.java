package dev.sublet.runtime.micro.fuse.fact;

import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The tensors that a block reads and writes.
 *
 * @param reads the tensors whose elements the block reads, among them the targets of accumulations
 * @param writes the tensors that the block writes
 */
public record BlockUse(Set<String> reads, Set<String> writes) {

  /** Returns the tensors that a block reads and writes. O(size). */
  public static BlockUse of(LoopBlock block) {
    BlockUse use = none();
    for (Loop loop : block.loops()) {
      Reads.ofBounds(loop).forEach(read -> use.reads.add(read.tensor()));
      for (Statement statement : loop.statements()) {
        use.reads.addAll(readBy(statement));
        Site.target(statement).ifPresent(target -> use.writes.add(target.tensor()));
      }
    }
    return use;
  }

  /** Returns the tensors that a statement reads. An accumulation reads its target too. */
  public static Set<String> readBy(Statement statement) {
    Set<String> read = new LinkedHashSet<>();
    Reads.of(statement).forEach(r -> read.add(r.tensor()));
    if (statement instanceof Statement.Accumulation accumulation) {
      read.add(accumulation.target().tensor());
    }
    return read;
  }

  /** Returns an empty use. */
  static BlockUse none() {
    return new BlockUse(new LinkedHashSet<>(), new LinkedHashSet<>());
  }

  /** Adds the tensors of another use. */
  public void addAll(BlockUse other) {
    reads.addAll(other.reads);
    writes.addAll(other.writes);
  }

  /**
   * Whether the order of the two uses may matter: one writes a tensor that the other reads or
   * writes. O(tensors of this use).
   */
  boolean conflictsWith(BlockUse other) {
    for (String tensor : writes) {
      if (other.reads.contains(tensor) || other.writes.contains(tensor)) {
        return true;
      }
    }
    for (String tensor : reads) {
      if (other.writes.contains(tensor)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the other block reads a tensor that this block writes. O(tensors that the other block
   * reads).
   */
  public boolean isReadBy(BlockUse other) {
    for (String tensor : other.reads) {
      if (writes.contains(tensor)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the first tensor that this block writes and the other block reads. */
  public Optional<String> firstReadBy(BlockUse other) {
    return isReadBy(other)
        ? writes.stream().filter(other.reads::contains).findFirst()
        : Optional.empty();
  }
}
