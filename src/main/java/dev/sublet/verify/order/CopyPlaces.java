package dev.sublet.verify.order;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.UnrenamableVariables;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/**
 * The order of the original's operators that a rewritten program has, with places for the copies
 * and deletions of the original, which the rewritten program may lack.
 *
 * <pre>
 *   original      a = relu(x)   b = assign(a)   c = tanh(x)   d = exp(b)
 *   rewritten     c = tanh(x)   a = relu(x)   d = exp(a)
 *   the order     tanh, relu, assign, exp
 * </pre>
 *
 * <p>A copy takes the place of a copy of the same value in the rewritten program, if it may run
 * there. Otherwise it runs immediately before the first operator that needs it. Its place is no
 * matter of proof: whatever it is, the dependences are checked. O(dependences × copies between
 * them).
 */
final class CopyPlaces {

  private static final int NONE = -1;

  private final BlockMatch match;
  private final UnrenamableVariables neverRenamed;

  /** By operator: the operators that must run before it. */
  private final ListMultimap<Integer, Integer> needs = ArrayListMultimap.create();

  private final BitSet placed = new BitSet();
  private final ImmutableIntArray.Builder order = ImmutableIntArray.builder();

  private CopyPlaces(BlockMatch match, UnrenamableVariables neverRenamed) {
    this.match = match;
    this.neverRenamed = neverRenamed;
  }

  /** Returns the operators of the original's block, of which all but copies correspond. */
  static ImmutableIntArray order(
      BlockMatch match, ImmutableList<Dependence> dependences, UnrenamableVariables neverRenamed) {
    CopyPlaces places = new CopyPlaces(match, neverRenamed);
    for (Dependence each : dependences) {
      if (match.isSilent(each.before()) || match.isSilent(each.after())) {
        places.needs.put(each.after(), each.before());
      }
    }
    for (Operation other : match.rewrittenOperations()) {
      int partner = match.partner(other.index());
      int operator = partner == NONE ? places.copy(other) : partner;
      if (operator != NONE) {
        places.place(operator);
      }
    }
    for (Operation operation : match.originalOperations()) {
      if (!places.placed.get(operation.index())) {
        places.place(operation.index());
      }
    }
    return places.order.build();
  }

  /**
   * The copy of the original that may run in the place of one of the rewritten program: the one to
   * the same variable if no other may have its name, or else the first one that needs no other copy
   * before it, or else the first one.
   */
  private int copy(Operation other) {
    if (match.copiesLike(other.index()).isEmpty()) {
      return NONE;
    }
    String name = name(match.rewritten(), other.output(0));
    int sameName = match.original().resolve(match.block(), name);
    if (sameName != Program.NO_VARIABLE && neverRenamed.isAlone(sameName)) {
      int alone = firstCopy(other, sameName);
      if (alone != NONE) {
        return alone;
      }
    }
    return firstCopy(other, Program.NO_VARIABLE);
  }

  /**
   * Returns the first copy that needs no other copy before it, or else the first one.
   *
   * @param target the variable that the copy must write, which no other may replace; or {@link
   *     Program#NO_VARIABLE} for a copy to any other variable
   */
  private int firstCopy(Operation other, int target) {
    int possible = NONE;
    for (Iterator<Integer> all = match.copiesLike(other.index()).iterator(); all.hasNext(); ) {
      int each = all.next();
      if (placed.get(each)) {
        all.remove();
        continue;
      }
      int written = match.originalOperations().get(each).output(0);
      boolean isWanted =
          target == Program.NO_VARIABLE ? !neverRenamed.isAlone(written) : written == target;
      if (isWanted) {
        List<Integer> missing = missing(each);
        if (missing.isEmpty() || (target != Program.NO_VARIABLE && isSilent(missing))) {
          return each;
        }
        possible = possible == NONE && isSilent(missing) ? each : possible;
      }
    }
    return possible;
  }

  private boolean isSilent(List<Integer> operators) {
    return operators.stream().allMatch(match::isSilent);
  }

  private static String name(Program program, int variable) {
    return program.variable(variable).name();
  }

  /** The operators that must run before an operator, directly or through copies, and have not. */
  private List<Integer> missing(int operator) {
    BitSet found = new BitSet();
    List<Integer> open = new ArrayList<>(needs.get(operator));
    for (int i = 0; i < open.size(); i++) {
      int each = open.get(i);
      if (!placed.get(each) && !found.get(each)) {
        found.set(each);
        if (match.isSilent(each)) {
          open.addAll(needs.get(each));
        }
      }
    }
    return found.stream().boxed().toList();
  }

  private void place(int operator) {
    for (int each : missing(operator)) {
      if (match.isSilent(each)) {
        placed.set(each);
        order.add(each);
      }
    }
    placed.set(operator);
    order.add(operator);
  }
}
