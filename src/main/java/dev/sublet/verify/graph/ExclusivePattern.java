package dev.sublet.verify.graph;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of branches that exporters write for if/else; exactly one branch of a pair runs.
 *
 * <pre>
 *   conditional_block(Cond = c) …     n = logical_not(c); conditional_block(Cond = n) …
 *   m = cast(c)                       out = select_input(X = [f, t], Mask = m)
 * </pre>
 *
 * <p>A result of one branch is read only by the selects, and a select reads it only if that branch
 * has run. So the value of the result on other paths does not matter.
 *
 * <p>The recognition is stricter than necessary in two points. Both operators must have {@code
 * is_scalar_condition}, because without it Paddle tests the inputs' sizes and not the condition.
 * And the branch must overwrite its result before it reads the result. O(accesses) if the program
 * has a select, else O(nodes).
 */
public final class ExclusivePattern {

  /** The heads of two branches, and the selects that choose between their results. */
  private record Pair(int whenTrue, int whenFalse, BitSet selects) {}

  /** The number of negations of one condition that are tried at most. */
  private static final int MAXIMUM_NEGATIONS = 16;

  private final NodeOrder nodeOrder;
  private final DefUseIndex nodes;
  private final UnrenamableVariables neverRenamed;
  private final ObservedVariables observed;
  private final Map<Integer, ImmutableIntArray> results = new HashMap<>();

  /** By branch: the branch that runs if this one does not, also where neither has a result. */
  private final Map<Integer, Integer> opposite = new HashMap<>();

  private final Map<Integer, Integer> branchOfResult = new HashMap<>();

  private ExclusivePattern(
      NodeOrder nodeOrder,
      DefUses accesses,
      UnrenamableVariables neverRenamed,
      ObservedVariables observed) {
    this.nodeOrder = nodeOrder;
    this.nodes = new DefUseIndex(nodeOrder, accesses);
    this.neverRenamed = neverRenamed;
    this.observed = observed;
  }

  /** Finds the pairs of branches. O(accesses). */
  public static ExclusivePattern recognize(
      NodeOrder nodeOrder,
      DefUses accesses,
      UnrenamableVariables neverRenamed,
      ObservedVariables observed) {
    ExclusivePattern pattern = new ExclusivePattern(nodeOrder, accesses, neverRenamed, observed);
    Map<Integer, Pair> pairs = new HashMap<>();
    IntList order = new IntList();
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      if (nodeOrder.operation(node).isPlain("select_input")) {
        pattern.addSelect(node, pairs, order);
      }
    }
    for (int i = 0; i < order.size(); i++) {
      Pair pair = pairs.get(order.get(i));
      if (pair != null) {
        pattern.addResults(pair);
      }
    }
    return pattern;
  }

  private void addSelect(int select, Map<Integer, Pair> pairs, IntList order) {
    Pair found = findPair(select);
    if (found == null) {
      return;
    }
    Pair known = pairs.get(found.whenTrue());
    if (known == null) {
      if (pairs.containsKey(found.whenFalse())) {
        return; // the branch belongs to another pair and stays there
      }
      pairs.put(found.whenTrue(), found);
      order.add(found.whenTrue());
    } else if (known.whenFalse() == found.whenFalse()) {
      known.selects().or(found.selects());
    }
  }

  /** The branches whose results a select chooses between, or null. */
  private @Nullable Pair findPair(int select) {
    Operation operation = nodeOrder.operation(select);
    Optional<Slot> arguments = operation.inputSlot("X");
    int mask = DefUseIndex.only(operation.inputSlot("Mask"));
    int cast = nodes.lastWriter(mask, select, "cast", operation.block());
    if (arguments.isEmpty() || arguments.get().size() != 2 || cast < 0) {
      return null;
    }
    int chosen = DefUseIndex.only(nodeOrder.operation(cast).inputSlot("X"));
    Pair direct = findPair(chosen, cast, select, /* requiredNegation= */ -1);
    if (direct != null) {
      return direct;
    }
    int negation = nodes.lastWriter(chosen, cast, "logical_not", operation.block());
    if (negation < 0) {
      return null;
    }
    int condition = DefUseIndex.only(nodeOrder.operation(negation).inputSlot("X"));
    Pair inverted = findPair(condition, cast, select, negation);
    return inverted == null
        ? null
        : new Pair(
            /* whenTrue= */ inverted.whenFalse(),
            /* whenFalse= */ inverted.whenTrue(),
            inverted.selects());
  }

  /**
   * The branches on a condition and on its negation, or null.
   *
   * @param requiredNegation the only {@code logical_not} that may negate the condition, or -1 for
   *     any
   */
  private @Nullable Pair findPair(int condition, int cast, int select, int requiredNegation) {
    int block = nodeOrder.operation(select).block();
    int whenTrue = nodes.lastBranch(condition, select, block);
    if (whenTrue < 0 || neverRenamed.isAliased(condition)) {
      return null;
    }
    for (int negation : nodes.negationsBefore(condition, select, MAXIMUM_NEGATIONS)) {
      int negated = DefUseIndex.only(nodeOrder.operation(negation).outputSlot("Out"));
      int whenFalse = nodes.lastBranch(negated, select, block);
      boolean inverted = requiredNegation >= 0;
      if ((!inverted || requiredNegation == negation)
          && nodeOrder.operation(negation).block() == block
          && negation < whenFalse
          && !neverRenamed.isAliased(negated)
          && holdsOverUses(condition, whenTrue, negation, inverted ? negation : cast)
          && holdsOverUses(negated, negation + 1, whenFalse, inverted ? cast : whenFalse)) {
        BitSet selects = new BitSet();
        selects.set(select);
        return new Pair(whenTrue, whenFalse, selects);
      }
    }
    return null;
  }

  /**
   * Whether the variable has the same value at three nodes that use it; a writer of the variable
   * before the first of them does not matter.
   */
  private boolean holdsOverUses(int variable, int a, int b, int c) {
    int first = Math.min(a, Math.min(b, c));
    int last = Math.max(a, Math.max(b, c));
    return nodes.isUnwritten(variable, first, last);
  }

  private void addResults(Pair pair) {
    ImmutableIntArray whenTrue = resultsOf(pair, pair.whenTrue(), pair.whenFalse(), 1);
    ImmutableIntArray whenFalse = resultsOf(pair, pair.whenFalse(), pair.whenTrue(), 0);
    put(pair.whenTrue(), pair.whenFalse(), whenTrue);
    put(pair.whenFalse(), pair.whenTrue(), whenFalse);
  }

  private void put(int branch, int other, ImmutableIntArray own) {
    results.put(branch, own);
    opposite.put(branch, other);
    for (int i = 0; i < own.length(); i++) {
      branchOfResult.put(own.get(i), branch);
    }
  }

  private ImmutableIntArray resultsOf(Pair pair, int branch, int other, int position) {
    IntList own = new IntList();
    BitSet seen = new BitSet();
    BitSet selects = pair.selects();
    for (int s = selects.nextSetBit(0); s >= 0; s = selects.nextSetBit(s + 1)) {
      Slot arguments = nodeOrder.operation(s).inputSlot("X").orElseThrow();
      int result = arguments.variable(position);
      if (result != Program.NO_VARIABLE && !seen.get(result)) {
        seen.set(result);
        if (isResult(result, pair, branch, other, position)) {
          own.add(result);
        }
      }
    }
    return own.toImmutable();
  }

  private boolean isResult(int result, Pair pair, int branch, int other, int position) {
    return !observed.isObserved(result)
        && !neverRenamed.isPinned(result)
        && nodes.isKilledFirst(result, branch)
        && nodes.isUnwritten(result, other, nodeOrder.exitOf(other))
        && isReadOnlyWhereBranchRan(result, pair, branch, position);
  }

  private boolean isReadOnlyWhereBranchRan(int result, Pair pair, int branch, int position) {
    int[] reads = nodes.reads(result);
    for (int node : reads) {
      boolean inside = branch <= node && node < nodeOrder.exitOf(branch);
      if (!inside && !(pair.selects().get(node) && isArgumentOnly(node, result, position))) {
        return false;
      }
    }
    return true;
  }

  private boolean isArgumentOnly(int select, int result, int position) {
    Operation operation = nodeOrder.operation(select);
    Slot arguments = operation.inputSlot("X").orElseThrow();
    return arguments.variable(position) == result && operation.countInputs(result) == 1;
  }

  /** Whether the head belongs to a recognized pair. */
  public boolean isBranch(int head) {
    return opposite.containsKey(head);
  }

  /**
   * Returns the head of the branch that comes directly after a branch and never runs in addition to
   * it; -1 if there is none.
   */
  public int secondBranch(int first) {
    Integer other = opposite.get(first);
    return other != null && other == nodeOrder.exitOf(first) + 1 ? other : -1;
  }

  /** Returns the exclusive results of a branch. */
  public ImmutableIntArray results(int head) {
    return results.getOrDefault(head, ImmutableIntArray.of());
  }

  /** Returns the exclusive results of the branch that runs if the given branch does not. */
  public ImmutableIntArray oppositeResults(int head) {
    Integer other = opposite.get(head);
    return other == null ? ImmutableIntArray.of() : results(other);
  }

  /** Whether the variable is a result of this branch. */
  public boolean isResult(int head, int variable) {
    Integer branch = branchOfResult.get(variable);
    return branch != null && branch == head;
  }

  /**
   * Whether the variable is a result of any branch: only this branch, after it has overwritten the
   * variable, and selects read it.
   */
  public boolean isResult(int variable) {
    return branchOfResult.containsKey(variable);
  }

  /**
   * Whether two nodes belong to the two branches of one pair: inside a branch, or at its exit. In
   * one run of the innermost block around both, at most one of them reads or writes anything.
   * O(nesting depth).
   */
  public boolean neverRunBoth(int a, int b) {
    int head = nodeOrder.isExit(a) ? nodeOrder.headOf(a) : around(a);
    while (head >= 0) {
      Integer other = opposite.get(head);
      if (other != null && other < b && b <= nodeOrder.exitOf(other)) {
        return true;
      }
      head = around(head);
    }
    return false;
  }

  private int around(int node) {
    return nodeOrder.headOfBlock(nodeOrder.operation(node).block());
  }

  /** Whether the two variables are results of the two branches of one pair. */
  public boolean areExclusive(int a, int b) {
    Integer branchOfA = branchOfResult.get(a);
    Integer branchOfB = branchOfResult.get(b);
    return branchOfA != null && branchOfB != null && branchOfB.equals(opposite.get(branchOfA));
  }
}
