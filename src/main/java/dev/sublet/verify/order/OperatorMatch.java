package dev.sublet.verify.order;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.OperatorForms;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the operator of the original for each operator of the rewritten program, in each block in
 * which operators may move: the first block, and those that loops and branches in such a block run.
 *
 * <p>Blocks correspond if the operators that run them do. See {@link BlockMatch}. O(arguments ×
 * nesting depth).
 */
final class OperatorMatch {

  private static final int NONE = -1;

  private final Program original;
  private final Program rewritten;
  private final OperatorCatalog catalog;

  /** The blocks of the original in which operators may move. */
  private final BitSet movable;

  /** By block of the original: a number that no operator of an earlier block has. */
  private final long[] firstNumber;

  private final Map<Integer, BlockMatch> matches = new TreeMap<>();

  private OperatorMatch(Program original, Program rewritten, OperatorCatalog catalog) {
    this.original = original;
    this.rewritten = rewritten;
    this.catalog = catalog;
    this.movable = movable(original, catalog);
    this.firstNumber = new long[original.blocks().size()];
    for (int i = 1; i < firstNumber.length; i++) {
      firstNumber[i] = firstNumber[i - 1] + original.block(i - 1).operations().size();
    }
  }

  private static BitSet movable(Program program, OperatorCatalog catalog) {
    NodeOrder nodes = NodeOrder.of(program, catalog);
    BitSet movable = new BitSet();
    movable.set(0);
    // The head of a block comes after the head of the block around it.
    for (int node = 0; node < nodes.nodeCount(); node++) {
      if (nodes.isHead(node)) {
        ControlKind kind = nodes.control(node);
        boolean isPlain = kind == ControlKind.WHILE || kind == ControlKind.CONDITIONAL;
        movable.set(nodes.body(node), isPlain && movable.get(nodes.operation(node).block()));
      }
    }
    return movable;
  }

  /**
   * Returns, by block in which operators may move and then by operator, the last earlier operator
   * that looks like it; -1 if there is none.
   */
  static ImmutableMap<Integer, ImmutableIntArray> lookAlikes(
      Program program, OperatorCatalog catalog) {
    OperatorMatch match = new OperatorMatch(program, program, catalog);
    match.addOriginal(ValueNumbers.of(program));
    ImmutableMap.Builder<Integer, ImmutableIntArray> lookAlikes = ImmutableMap.builder();
    match.matches.forEach((block, each) -> lookAlikes.put(block, each.lookAlikes()));
    return lookAlikes.buildOrThrow();
  }

  /** Matches the operators of two programs. */
  static OperatorMatch of(Program original, Program rewritten, OperatorCatalog catalog) {
    OperatorMatch match = new OperatorMatch(original, rewritten, catalog);
    ValueNumbers before = ValueNumbers.of(original);
    match.addOriginal(before);
    Map<Integer, BlockMatch> all = new HashMap<>(match.matches);
    match.matches.clear();
    match.addRewritten(before.ofOther(rewritten), all);
    return match;
  }

  /** A block whose operators are still to be followed, with the values before the first one. */
  private record OpenBlock(int block, ValueNumbers values) {}

  private void addOriginal(ValueNumbers start) {
    OperatorForms forms = new OperatorForms();
    Deque<OpenBlock> open = new ArrayDeque<>();
    open.add(new OpenBlock(0, start));
    while (!open.isEmpty()) {
      OpenBlock next = open.remove();
      ValueNumbers values = next.values();
      BlockMatch match = new BlockMatch(original, rewritten, next.block(), catalog, forms);
      matches.put(next.block(), match);
      for (Operation operation : original.block(next.block()).operations()) {
        match.addOriginal(operation, values.inputs(operation));
        addInside(operation, values, open);
        follow(original, operation, number(operation.block(), operation.index()), values);
      }
    }
  }

  private void addRewritten(ValueNumbers start, Map<Integer, BlockMatch> all) {
    Deque<OpenBlock> open = new ArrayDeque<>();
    open.add(new OpenBlock(0, start));
    while (!open.isEmpty()) {
      OpenBlock next = open.remove();
      ValueNumbers values = next.values();
      BlockMatch match = all.get(next.block());
      if (match == null) {
        continue;
      }
      matches.put(next.block(), match);
      for (Operation other : rewritten.block(next.block()).operations()) {
        int partner = match.addRewritten(other, values.inputs(other));
        if (partner != NONE) {
          addInside(other, values, open);
        }
        follow(rewritten, other, number(next.block(), partner), values);
      }
    }
  }

  private void addInside(Operation operation, ValueNumbers values, Deque<OpenBlock> open) {
    for (int block : operation.blocks()) {
      if (movable.get(block)) {
        open.add(new OpenBlock(block, values.inside(operation)));
      }
    }
  }

  private long number(int block, int operator) {
    return operator == NONE ? NONE : firstNumber[block] + operator;
  }

  private void follow(Program program, Operation operation, long number, ValueNumbers values) {
    if (OperatorAlignment.isCopy(program, operation, catalog)) {
      values.copy(operation);
    } else if (!OperatorAlignment.isDeletion(operation)) {
      values.write(operation, number);
    }
  }

  /** The matches of the blocks that correspond, the first block first. */
  ImmutableList<BlockMatch> blocks() {
    return ImmutableList.copyOf(matches.values());
  }

  /** The match of the first block. */
  BlockMatch firstBlock() {
    return blocks().get(0);
  }

  /** Whether operators of any block are in another order; copies and deletions do not count. */
  boolean isMoved() {
    return blocks().stream().anyMatch(BlockMatch::isMoved);
  }

  /** Whether both programs have operators of the same forms in order, but for copies. */
  boolean keepsForms() {
    return blocks().stream().allMatch(BlockMatch::keepsForms);
  }
}
