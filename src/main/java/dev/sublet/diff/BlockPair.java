package dev.sublet.diff;

import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Two blocks that stand for each other, and which of their operators do.
 *
 * <p>Several ways to pair operators are tried: by shape, by names first, by the flow of data first;
 * what is left is then paired by type. The first one with the fewest operators that have no partner
 * or get their inputs from elsewhere is taken; of these, the one in which most results keep their
 * names.
 */
final class BlockPair {

  private final Block before;
  private final Block after;
  private final UseDefinitions definitionsBefore;
  private final UseDefinitions definitionsAfter;
  private final Alignment alignment;

  /** By the index of the operator in the first block; null without a partner. */
  private final @Nullable OperatorPair[] pairs;

  /** By a variable's index in the first program: what its values from outside are in the second. */
  private final Map<Integer, Integer> outside;

  private BlockPair(
      Block before, Block after, UseDefinitions left, UseDefinitions right, Alignment alignment) {
    this.before = before;
    this.after = after;
    this.definitionsBefore = left;
    this.definitionsAfter = right;
    this.alignment = alignment;
    this.pairs = new OperatorPair[before.operations().size()];
    for (int i = 0; i < pairs.length; i++) {
      int partner = alignment.partner(i);
      if (partner != Alignment.NONE) {
        pairs[i] = new OperatorPair(before.operations().get(i), after.operations().get(partner));
      }
    }
    this.outside = findOutside();
  }

  /**
   * Pairs the operators of two blocks.
   *
   * @param maxSteps how many comparisons each way to pair them may take
   */
  static BlockPair of(Block before, Block after, long maxSteps) {
    UseDefinitions left = UseDefinitions.of(before);
    UseDefinitions right = UseDefinitions.of(after);
    Tokens a = new Tokens(before, left);
    Tokens b = new Tokens(after, right);
    BlockPair best = null;
    int bestCost = Integer.MAX_VALUE;
    int fewestRenamed = Integer.MAX_VALUE;
    for (int way = 0; way < 3 && bestCost > 0; way++) {
      Alignment alignment = new Alignment(before.operations().size(), maxSteps);
      if (way == 1) {
        alignment.refine(a.names(), b.names());
        alignment.refine(a.results(), b.results());
      } else if (way == 2) {
        alignment.refine(a.neighbourhoods(), b.neighbourhoods());
      }
      alignment.refine(a.shapes(), b.shapes());
      alignment.refine(a.types(), b.types());
      BlockPair pair = new BlockPair(before, after, left, right, alignment);
      int cost = pair.cost();
      int renamed = pair.renamedOutputs();
      if (cost < bestCost || (cost == bestCost && renamed < fewestRenamed)) {
        best = pair;
        bestCost = cost;
        fewestRenamed = renamed;
      }
    }
    if (best == null) {
      throw new IllegalStateException("no way to pair " + before.index());
    }
    return best;
  }

  Block before() {
    return before;
  }

  Block after() {
    return after;
  }

  /** Whether as many operators as possible were paired. */
  boolean isExact() {
    return alignment.isExact();
  }

  /** The pairs, in order. */
  List<OperatorPair> pairs() {
    List<OperatorPair> list = new ArrayList<>();
    for (@Nullable OperatorPair pair : pairs) {
      if (pair != null) {
        list.add(pair);
      }
    }
    return list;
  }

  /** The operators of the first block that have no partner. */
  List<Operation> removed() {
    List<Operation> removed = new ArrayList<>();
    for (Operation operation : before.operations()) {
      if (alignment.partner(operation.index()) == Alignment.NONE) {
        removed.add(operation);
      }
    }
    return removed;
  }

  /** The operators of the second block that have no partner. */
  List<Operation> added() {
    boolean[] hasPartner = new boolean[after.operations().size()];
    for (Operation operation : before.operations()) {
      if (alignment.partner(operation.index()) != Alignment.NONE) {
        hasPartner[alignment.partner(operation.index())] = true;
      }
    }
    List<Operation> added = new ArrayList<>();
    for (Operation operation : after.operations()) {
      if (!hasPartner[operation.index()]) {
        added.add(operation);
      }
    }
    return added;
  }

  /**
   * Whether two inputs get their values from operators that stand for each other; of values from
   * outside the block, whether the two variables stand for each other there.
   */
  boolean areFromSame(OperatorPair pair, OperatorPair.Arguments inputs) {
    int variable = pair.before().input(inputs.before());
    int other = pair.after().input(inputs.after());
    if (variable == Program.NO_VARIABLE || other == Program.NO_VARIABLE) {
      return variable == other;
    }
    long left = definitionsBefore.of(pair.before().index(), inputs.before());
    long right = definitionsAfter.of(pair.after().index(), inputs.after());
    if (left == UseDefinitions.OUTSIDE || right == UseDefinitions.OUTSIDE) {
      return left == right && outside.getOrDefault(variable, other) == other;
    }
    OperatorPair writers = pairs[UseDefinitions.operator(left)];
    if (writers == null || writers.after().index() != UseDefinitions.operator(right)) {
      return false;
    }
    for (OperatorPair.Arguments outputs : writers.outputs()) {
      if (outputs.before() == UseDefinitions.output(left)) {
        return outputs.after() == UseDefinitions.output(right);
      }
    }
    return false;
  }

  /** Whether an input's value comes from outside the block, in both programs. */
  boolean isFromOutside(OperatorPair pair, OperatorPair.Arguments inputs) {
    return definitionsBefore.of(pair.before().index(), inputs.before()) == UseDefinitions.OUTSIDE;
  }

  /** What most of the values of a variable from outside are; the first one met of equally many. */
  private Map<Integer, Integer> findOutside() {
    Map<Integer, Map<Integer, Integer>> counts = new LinkedHashMap<>();
    for (OperatorPair pair : pairs()) {
      for (OperatorPair.Arguments inputs : pair.inputs()) {
        int variable = pair.before().input(inputs.before());
        int other = pair.after().input(inputs.after());
        boolean areOutside =
            definitionsBefore.of(pair.before().index(), inputs.before()) == UseDefinitions.OUTSIDE
                && definitionsAfter.of(pair.after().index(), inputs.after())
                    == UseDefinitions.OUTSIDE;
        if (areOutside && variable != Program.NO_VARIABLE && other != Program.NO_VARIABLE) {
          counts
              .computeIfAbsent(variable, v -> new LinkedHashMap<>())
              .merge(other, 1, Integer::sum);
        }
      }
    }
    Map<Integer, Integer> found = new HashMap<>();
    counts.forEach(
        (variable, others) -> {
          int most = 0;
          for (Map.Entry<Integer, Integer> entry : others.entrySet()) {
            if (entry.getValue() > most) {
              most = entry.getValue();
              found.put(variable, entry.getKey());
            }
          }
        });
    return found;
  }

  private int cost() {
    int cost = before.operations().size() + after.operations().size();
    for (OperatorPair pair : pairs()) {
      cost -= 2;
      boolean same = pair.slotChanges().isEmpty() && haveSameAttributes(pair);
      for (OperatorPair.Arguments inputs : pair.inputs()) {
        same &= areFromSame(pair, inputs);
      }
      cost += same ? 0 : 1;
    }
    return cost;
  }

  private int renamedOutputs() {
    int renamed = 0;
    for (OperatorPair pair : pairs()) {
      List<Slot> left = pair.before().outputSlots();
      List<Slot> right = pair.after().outputSlots();
      for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
        for (int j = 0; j < Math.min(left.get(i).size(), right.get(i).size()); j++) {
          renamed += left.get(i).argument(j).equals(right.get(i).argument(j)) ? 0 : 1;
        }
      }
    }
    return renamed;
  }

  private static boolean haveSameAttributes(OperatorPair pair) {
    return AttributeChanges.withoutStrings(pair.before())
        .equals(AttributeChanges.withoutStrings(pair.after()));
  }
}
