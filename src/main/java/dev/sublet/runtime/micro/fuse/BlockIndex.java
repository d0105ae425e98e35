package dev.sublet.runtime.micro.fuse;

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
 * The blocks of a program while a pass rewrites them one by one, and which of them to look at for a
 * tensor, so that the work on a temporary is that on the blocks that touch it.
 */
final class BlockIndex {

  private final List<NamedBlock> blocks;

  /** By tensor: numbers of blocks, those that read it among them. */
  private final Map<String, Set<Integer>> reading = new HashMap<>();

  private final Map<String, Set<Integer>> writing = new HashMap<>();

  private final IdentityHashMap<Statement, List<Reads.Read>> reads = new IdentityHashMap<>();

  /** The blocks of a program. O(size). */
  BlockIndex(MicroProgram program) {
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

  LoopBlock get(int number) {
    return blocks.get(number).block();
  }

  /** Replaces a block by one that reads and writes no other tensors. */
  void replace(int number, LoopBlock block) {
    blocks.set(number, new NamedBlock(blocks.get(number).function(), block));
  }

  /** Replaces a block by one that reads other tensors, too. */
  void replace(int number, LoopBlock block, Collection<Reads.Read> alsoRead) {
    replace(number, block);
    add(reading, alsoRead, number);
  }

  /** The numbers of the blocks that read a tensor, ascending, and perhaps of others. */
  Set<Integer> reading(String tensor) {
    return reading.getOrDefault(tensor, Set.of());
  }

  /** The numbers of the blocks that write a tensor, ascending, and perhaps of others. */
  Set<Integer> writing(String tensor) {
    return writing.getOrDefault(tensor, Set.of());
  }

  /** What {@link Reads#of(Statement)} gives. O(1) from the second time on. */
  List<Reads.Read> reads(Statement statement) {
    return reads.computeIfAbsent(statement, Reads::of);
  }

  /** How often a statement reads a tensor. */
  int countReads(Statement statement, String tensor) {
    int count = 0;
    for (Reads.Read read : reads(statement)) {
      count += read.tensor().equals(tensor) ? 1 : 0;
    }
    return count;
  }

  /** The program with the blocks as they are now. */
  MicroProgram applyTo(MicroProgram program) {
    return NamedBlock.replace(program, blocks);
  }
}
