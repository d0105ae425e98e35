package dev.sublet.verify.order;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.OperatorForms;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Finds the operator of the original for each operator of one block of the rewritten program.
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
final class BlockMatch {

  private static final int NONE = -1;

  private final Program original;
  private final Program rewritten;
  private final int block;
  private final OperatorCatalog catalog;
  private final OperatorForms forms;
  private final ListMultimap<Key, Integer> byKey = LinkedListMultimap.create();
  private final ListMultimap<Integer, Integer> byForm = LinkedListMultimap.create();
  private final Map<Key, Integer> latest = new HashMap<>();
  private final BitSet matched = new BitSet();

  /** The copies and deletions of the original. */
  private final BitSet silent = new BitSet();

  /** By operator of the original: the last earlier one with the same form and inputs, or -1. */
  private final ImmutableIntArray.Builder lookAlikes = ImmutableIntArray.builder();

  /** By operator of the rewritten program: the operator of the original; -1 if there is none. */
  private final List<Integer> partners = new ArrayList<>();

  /** By operator of the rewritten program: what it has in common with its partner. */
  private final List<Key> keys = new ArrayList<>();

  /** What operators that correspond have in common. */
  private record Key(int form, ImmutableList<Long> inputs) {}

  /**
   * Creates a match without operators.
   *
   * @param block the block, in both programs
   * @param forms the forms of operators of both programs
   */
  BlockMatch(
      Program original,
      Program rewritten,
      int block,
      OperatorCatalog catalog,
      OperatorForms forms) {
    this.original = original;
    this.rewritten = rewritten;
    this.block = block;
    this.catalog = catalog;
    this.forms = forms;
  }

  /** Adds the next operator of the original. */
  void addOriginal(Operation operation, ImmutableList<Long> inputs) {
    Key key = new Key(forms.of(original, operation), inputs);
    Integer earlier = latest.put(key, operation.index());
    lookAlikes.add(earlier == null ? NONE : earlier);
    byKey.put(key, operation.index());
    byForm.put(key.form(), operation.index());
    silent.set(operation.index(), isSilent(original, operation));
  }

  /**
   * Adds the next operator of the rewritten program, after all of the original.
   *
   * @return its partner in the original; -1 if there is none
   */
  int addRewritten(Operation other, ImmutableList<Long> inputs) {
    Key key = new Key(forms.of(rewritten, other), inputs);
    int partner = isSilent(rewritten, other) ? NONE : partner(key, other);
    keys.add(key);
    partners.add(partner);
    if (partner != NONE) {
      matched.set(partner);
    }
    return partner;
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
    Operation operation = originalOperations().get(candidate);
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

  /**
   * Returns, by operator of the original, the last earlier one that looks like it; -1 if there is
   * none.
   */
  ImmutableIntArray lookAlikes() {
    return lookAlikes.build();
  }

  /** The block. */
  int block() {
    return block;
  }

  /** The operators of the block in the original. */
  ImmutableList<Operation> originalOperations() {
    return original.block(block).operations();
  }

  /** The operators of the block in the rewritten program. */
  ImmutableList<Operation> rewrittenOperations() {
    return rewritten.block(block).operations();
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
    return OperatorAlignment.isCopy(rewritten, rewrittenOperations().get(other), catalog)
        ? byKey.get(keys.get(other))
        : ImmutableList.of();
  }

  /** Whether all operators of both programs correspond, but for copies and deletions. */
  boolean isComplete() {
    for (Operation operation : originalOperations()) {
      if (!matched.get(operation.index()) && !isSilent(original, operation)) {
        return false;
      }
    }
    for (Operation other : rewrittenOperations()) {
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
    return forms(original, originalOperations()).equals(forms(rewritten, rewrittenOperations()));
  }

  private List<Integer> forms(Program program, ImmutableList<Operation> operations) {
    List<Integer> sequence = new ArrayList<>();
    for (Operation operation : operations) {
      if (!isSilent(program, operation)) {
        sequence.add(forms.of(program, operation));
      }
    }
    return sequence;
  }
}
