package dev.sublet;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The blocks in which operators may move, and numbers for the operators of all blocks.
 *
 * <pre>
 *   block 0: fill, while(block 1), relu        numbers: 0 fill, 1 while, 2 relu, 3 less_than
 *   block 1: less_than
 * </pre>
 *
 * <p>Operators may move in the first block, and in the blocks of loops and branches that are in
 * such a block. In all others, names of a block and names around it may mean one buffer.
 */
final class BlockOperators {

  private final ControlFlowGraph graph;
  private final int[] firstNumber;
  private final BitSet movable = new BitSet();

  /** The blocks in which operators may move; a block comes before those inside it. */
  private final List<Integer> blocks = new ArrayList<>();

  /** Numbers the operators of a program. O(operators). */
  BlockOperators(ControlFlowGraph graph) {
    this.graph = graph;
    Program program = graph.program();
    this.firstNumber = new int[program.blocks().size() + 1];
    for (Block block : program.blocks()) {
      int next = firstNumber[block.index()] + block.operations().size();
      firstNumber[block.index() + 1] = next;
    }
    for (Region region : graph.regions()) {
      boolean isPlain =
          region.kind() == ControlKind.WHILE || region.kind() == ControlKind.CONDITIONAL;
      if (region.index() == 0 || (isPlain && movable.get(graph.region(region.parent()).block()))) {
        movable.set(region.block());
        blocks.add(region.block());
      }
    }
  }

  /** The blocks in which operators may move; a block comes before those inside it. */
  ImmutableList<Integer> movableBlocks() {
    return ImmutableList.copyOf(blocks);
  }

  /** Whether the operators of a block may move. */
  boolean isMovable(int block) {
    return movable.get(block);
  }

  /** The number of operators in all blocks. */
  int count() {
    return firstNumber[firstNumber.length - 1];
  }

  /** The number of the first operator of a block; those of the others follow. */
  int first(int block) {
    return firstNumber[block];
  }

  /** The number of the last operator of a block plus one. */
  int end(int block) {
    return firstNumber[block + 1];
  }

  /** The number of a node's operator, then those of the operators around it, outwards. O(depth). */
  ImmutableList<Integer> around(int node) {
    ImmutableList.Builder<Integer> numbers = ImmutableList.builder();
    Operation operation = graph.operation(node);
    numbers.add(firstNumber[operation.block()] + operation.index());
    while (operation.block() != 0) {
      operation = owner(operation.block());
      numbers.add(firstNumber[operation.block()] + operation.index());
    }
    return numbers.build();
  }

  /** The operator of a block that a node is, or that runs it. O(depth). */
  Operation operator(int node, int block) {
    Operation operation = graph.operation(node);
    while (operation.block() != block) {
      operation = owner(operation.block());
    }
    return operation;
  }

  /** The operator that runs a block. */
  Operation owner(int block) {
    return graph.operation(graph.region(graph.regionOfBlock(block)).head());
  }
}
