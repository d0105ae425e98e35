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
 * Two corresponding blocks and the pairs of their corresponding operators.
 *
 * <p>Three ways to pair operators are tried: by shape, by names first, and by data flow first; the
 * remaining operators are paired by type. The way with the lowest cost is taken: the number of
 * operators that have no partner, or are changed (slots, attributes, or sources of inputs). Among
 * equal costs, the way in which the most results keep their names is taken.
 */
final class BlockPair {

  private final Block before;
  private final Block after;
  private final UseDefinitions definitionsBefore;
  private final UseDefinitions definitionsAfter;
  private final Alignment alignment;

  /**
   * The pairs by the index of the operator in the first block; null for an operator without a
   * partner.
   */
  private final @Nullable OperatorPair[] pairs;

  /**
   * For variables of the first program whose values come from outside the block: the corresponding
   * variables of the second program.
   */
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
   * @param maxSteps the greatest number of comparisons for each way to pair them
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
        alignment.refine(a.neighborhoods(), b.neighborhoods());
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

  /** Whether the pairing has as many pairs as possible. */
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
   * Whether two inputs get their values from corresponding outputs of paired operators. For values
   * from outside the block: whether the two variables correspond there.
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

  /**
   * Maps each variable with values from outside to the variable of the second program that is
   * paired with it most often; among equally frequent ones, to the first.
   */
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
