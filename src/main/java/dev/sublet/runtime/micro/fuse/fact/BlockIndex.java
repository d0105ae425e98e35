package dev.sublet.runtime.micro.fuse.fact;

import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The blocks of a program while a pass rewrites them, with an index from each tensor to the blocks
 * that touch it. With the index, work on a temporary costs time proportional to the size of those
 * blocks.
 */
public final class BlockIndex {

  private final List<NamedBlock> blocks;

  /**
   * For each tensor, the numbers of blocks that may read it; every block that reads it is included.
   */
  private final Map<String, Set<Integer>> reading = new HashMap<>();

  private final Map<String, Set<Integer>> writing = new HashMap<>();

  private final IdentityHashMap<Statement, List<Reads.Read>> reads = new IdentityHashMap<>();

  /** Creates the index of a program. O(size). */
  public BlockIndex(MicroProgram program) {
    blocks = NamedBlock.of(program);
    for (int number = 0; number < blocks.size(); number++) {
      for (Loop loop : get(number).loops()) {
        add(reading, Reads.ofBounds(loop), number);
        for (Statement statement : loop.statements()) {
          add(reading, reads(statement), number);
          Optional<Access> target = Site.target(statement);
          if (target.isPresent()) {
            writing.computeIfAbsent(target.get().tensor(), key -> new TreeSet<>()).add(number);
          }
        }
      }
    }
  }

  private static void add(
      Map<String, Set<Integer>> index, Collection<Reads.Read> reads, int number) {
    for (Reads.Read read : reads) {
      index.computeIfAbsent(read.tensor(), key -> new TreeSet<>()).add(number);
    }
  }

  /** Returns the block at a position. */
  public LoopBlock get(int number) {
    return blocks.get(number).block();
  }

  /** Replaces a block by a block that reads and writes no additional tensors. */
  public void replace(int number, LoopBlock block) {
    blocks.set(number, new NamedBlock(blocks.get(number).function(), block));
  }

  /** Replaces a block by a block that may read additional tensors. */
  public void replace(int number, LoopBlock block, Collection<Reads.Read> alsoRead) {
    replace(number, block);
    add(reading, alsoRead, number);
  }

  /**
   * Returns the numbers of the blocks that read a tensor, ascending. The set may contain blocks
   * that no longer read it.
   */
  public Set<Integer> reading(String tensor) {
    return reading.getOrDefault(tensor, Set.of());
  }

  /**
   * Returns the numbers of the blocks that write a tensor, ascending. The set may contain blocks
   * that no longer write it.
   */
  public Set<Integer> writing(String tensor) {
    return writing.getOrDefault(tensor, Set.of());
  }

  /** Returns {@link Reads#of(Statement)}. O(1) from the second call on. */
  public List<Reads.Read> reads(Statement statement) {
    return reads.computeIfAbsent(statement, Reads::of);
  }

  /** Returns the number of reads of a tensor in a statement. */
  public int countReads(Statement statement, String tensor) {
    int count = 0;
    for (Reads.Read read : reads(statement)) {
      count += read.tensor().equals(tensor) ? 1 : 0;
    }
    return count;
  }

  /** Returns the program with the current blocks. */
  public MicroProgram applyTo(MicroProgram program) {
    return NamedBlock.replace(program, blocks);
  }
}
