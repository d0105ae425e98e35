package dev.sublet.runtime.micro.fuse;

import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which tensors a block touches.
 *
 * @param reads those of which it reads elements; accumulations read what they add to
 * @param writes those to which it writes
 */
record BlockUse(Set<String> reads, Set<String> writes) {

  /** What a block touches. O(size). */
  static BlockUse of(LoopBlock block) {
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

  /** The tensors that a statement reads; an accumulation its target too. */
  static Set<String> readBy(Statement statement) {
    Set<String> read = new LinkedHashSet<>();
    Reads.of(statement).forEach(r -> read.add(r.tensor()));
    if (statement instanceof Statement.Accumulation accumulation) {
      read.add(accumulation.target().tensor());
    }
    return read;
  }

  /** Nothing so far. */
  static BlockUse none() {
    return new BlockUse(new LinkedHashSet<>(), new LinkedHashSet<>());
  }

  /** Adds what another touches. */
  void addAll(BlockUse other) {
    reads.addAll(other.reads);
    writes.addAll(other.writes);
  }

  /** Whether the order of this and another may matter. O(what this touches). */
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

  /** Whether another reads a tensor that this writes. O(what the other reads). */
  boolean isReadBy(BlockUse other) {
    for (String tensor : other.reads) {
      if (writes.contains(tensor)) {
        return true;
      }
    }
    return false;
  }

  /** The first tensor that this writes and another reads. */
  Optional<String> firstReadBy(BlockUse other) {
    return isReadBy(other)
        ? writes.stream().filter(other.reads::contains).findFirst()
        : Optional.empty();
  }
}
