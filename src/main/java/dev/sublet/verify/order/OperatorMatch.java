package dev.sublet.verify.order;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.OperatorAlignment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Finds the operator of the original for each operator of the rewritten program's first block.
 *
 * <p>Corresponding operators have one form and read corresponding values. Of several that do, the
 * first ones correspond: such <em>look-alikes</em> must keep their order. Only if there is none
 * does an operator with the same names, or else with the same form, correspond; then some operator
 * was moved before one that it depends on.
 *
 * <pre>
 *   original      a = relu(x)   b = relu(x)   c = tanh(b)      a and b look alike
 *   rewritten     b = relu(x)   c = tanh(b)   a = relu(x)      the first relu is that of a
 * </pre>
 *
 * <p>Copies and {@code delete_var} may be in one program only. They correspond to none here: see
 * {@link CopyPlaces}. O(arguments).
 */
final class OperatorMatch {

  private static final int NONE = -1;

  private final Program original;
  private final Program rewritten;
  private final OperatorCatalog catalog;
  private final OperatorForms forms = new OperatorForms();
  private final ListMultimap<Key, Integer> byKey = LinkedListMultimap.create();
  private final ListMultimap<Integer, Integer> byForm = LinkedListMultimap.create();
  private final BitSet matched = new BitSet();

  /** The copies and deletions of the original. */
  private final BitSet silent = new BitSet();

  /** By operator of the rewritten program: the operator of the original; -1 if there is none. */
  private final List<Integer> partners = new ArrayList<>();

  /** By operator of the rewritten program: what it has in common with its partner. */
  private final List<Key> keys = new ArrayList<>();

  /** What operators that correspond have in common. */
  private record Key(int form, ImmutableList<Long> inputs) {}

  private OperatorMatch(Program original, Program rewritten, OperatorCatalog catalog) {
    this.original = original;
    this.rewritten = rewritten;
    this.catalog = catalog;
  }

  /**
   * Returns, by operator of the first block, the last earlier one that looks like it; -1 if there
   * is none.
   */
  static ImmutableIntArray lookAlikes(Program program, OperatorCatalog catalog) {
    ImmutableIntArray.Builder lookAlikes = ImmutableIntArray.builder();
    Map<Key, Integer> last = new HashMap<>();
    OperatorMatch match = new OperatorMatch(program, program, catalog);
    ValueNumbers values = ValueNumbers.of(program);
    for (Operation operation : program.block(0).operations()) {
      Integer earlier = last.put(match.key(program, operation, values), operation.index());
      lookAlikes.add(earlier == null ? NONE : earlier);
      match.follow(program, operation, operation.index(), values);
    }
    return lookAlikes.build();
  }

  /** Matches the operators of two programs. */
  static OperatorMatch of(Program original, Program rewritten, OperatorCatalog catalog) {
    OperatorMatch match = new OperatorMatch(original, rewritten, catalog);
    ValueNumbers before = ValueNumbers.of(original);
    ValueNumbers after = before.ofOther(rewritten);
    for (Operation operation : original.block(0).operations()) {
      Key key = match.key(original, operation, before);
      match.byKey.put(key, operation.index());
      match.byForm.put(key.form(), operation.index());
      match.silent.set(operation.index(), match.isSilent(original, operation));
      match.follow(original, operation, operation.index(), before);
    }
    for (Operation other : rewritten.block(0).operations()) {
      Key key = match.key(rewritten, other, after);
      int partner = match.isSilent(rewritten, other) ? NONE : match.partner(key, other);
      match.keys.add(key);
      match.partners.add(partner);
      match.follow(rewritten, other, partner, after);
      if (partner != NONE) {
        match.matched.set(partner);
      }
    }
    return match;
  }

  private Key key(Program program, Operation operation, ValueNumbers values) {
    return new Key(forms.of(program, operation), values.inputs(operation));
  }

  private void follow(Program program, Operation operation, int number, ValueNumbers values) {
    if (OperatorAlignment.isCopy(program, operation, catalog)) {
      values.copy(operation);
    } else if (!OperatorAlignment.isDeletion(operation)) {
      values.write(operation, number);
    }
  }

  private boolean isSilent(Program program, Operation operation) {
    return OperatorAlignment.isDeletion(operation)
        || OperatorAlignment.isCopy(program, operation, catalog);
  }

  private int partner(Key key, Operation other) {
    int partner = first(byKey.get(key), each -> true);
    if (partner == NONE) {
      partner = first(byForm.get(key.form()), each -> hasSameNames(each, other));
    }
    return partner == NONE ? first(byForm.get(key.form()), each -> true) : partner;
  }

  private int first(List<Integer> candidates, IntPredicate fits) {
    for (Iterator<Integer> all = candidates.iterator(); all.hasNext(); ) {
      int candidate = all.next();
      if (matched.get(candidate)) {
        all.remove();
      } else if (!silent.get(candidate) && fits.test(candidate)) {
        return candidate;
      }
    }
    return NONE;
  }

  private boolean hasSameNames(int candidate, Operation other) {
    Operation operation = original.block(0).operations().get(candidate);
    return names(original, operation).equals(names(rewritten, other));
  }

  private static List<String> names(Program program, Operation operation) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      names.add(name(program, operation.input(i)));
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      names.add(name(program, operation.output(i)));
    }
    return names;
  }

  private static String name(Program program, int variable) {
    return variable == Program.NO_VARIABLE ? "" : program.variable(variable).name();
  }

  /** The original. */
  Program original() {
    return original;
  }

  /** The rewritten program. */
  Program rewritten() {
    return rewritten;
  }

  /** Whether an operator of the original is a copy or a deletion, which may have no counterpart. */
  boolean isSilent(int operator) {
    return silent.get(operator);
  }

  /**
   * Returns the operator of the original for one of the rewritten program; -1 for copies and
   * deletions.
   */
  int partner(int other) {
    return partners.get(other);
  }

  /**
   * Returns the copies of the original that copy the same value as one of the rewritten program.
   */
  List<Integer> copiesLike(int other) {
    return OperatorAlignment.isCopy(rewritten, rewritten.block(0).operations().get(other), catalog)
        ? byKey.get(keys.get(other))
        : ImmutableList.of();
  }

  /** Whether all operators of both programs correspond, but for copies and deletions. */
  boolean isComplete() {
    for (Operation operation : original.block(0).operations()) {
      if (!matched.get(operation.index()) && !isSilent(original, operation)) {
        return false;
      }
    }
    for (Operation other : rewritten.block(0).operations()) {
      if (partners.get(other.index()) == NONE && !isSilent(rewritten, other)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all operators correspond, but in another order; copies and deletions do not count. */
  boolean isMoved() {
    int last = NONE;
    boolean isMoved = false;
    for (int partner : partners) {
      isMoved |= partner != NONE && partner < last;
      last = Math.max(last, partner);
    }
    return isMoved && isComplete();
  }

  /** Whether both programs have operators of the same forms in order, but for copies. */
  boolean keepsForms() {
    return forms(original).equals(forms(rewritten));
  }

  private List<Integer> forms(Program program) {
    List<Integer> sequence = new ArrayList<>();
    for (Operation operation : program.block(0).operations()) {
      if (!isSilent(program, operation)) {
        sequence.add(forms.of(program, operation));
      }
    }
    return sequence;
  }
}
