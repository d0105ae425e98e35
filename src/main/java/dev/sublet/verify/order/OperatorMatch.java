package dev.sublet.verify.order;

import com.google.common.collect.ArrayListMultimap;
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
 * first ones correspond: such <em>twins</em> must keep their order. Only if there is none does an
 * operator with the same names, or else with the same form, correspond; then some operator was
 * moved before one that it depends on.
 *
 * <pre>
 *   original      a = relu(x)   b = relu(x)   c = tanh(b)      a and b are twins
 *   rewritten     b = relu(x)   c = tanh(b)   a = relu(x)      the first relu is that of a
 * </pre>
 *
 * <p>Copies and {@code delete_var} may be in one program only. A copy of the original without a
 * counterpart runs as late as the dependences allow. O(arguments).
 */
final class OperatorMatch {

  private final Program original;
  private final Program rewritten;
  private final OperatorCatalog catalog;
  private final OperatorForms forms = new OperatorForms();
  private final ListMultimap<Key, Integer> byKey = LinkedListMultimap.create();
  private final ListMultimap<Integer, Integer> byForm = LinkedListMultimap.create();
  private final BitSet matched = new BitSet();
  private final List<Integer> order = new ArrayList<>();
  private boolean isComplete = true;

  /** What operators that correspond have in common. */
  private record Key(int form, ImmutableList<Long> inputs) {}

  private OperatorMatch(Program original, Program rewritten, OperatorCatalog catalog) {
    this.original = original;
    this.rewritten = rewritten;
    this.catalog = catalog;
  }

  /**
   * Returns, by operator of the first block, the last earlier one that is its twin; -1 if there is
   * none.
   */
  static ImmutableIntArray twins(Program program, OperatorCatalog catalog) {
    ImmutableIntArray.Builder twins = ImmutableIntArray.builder();
    Map<Key, Integer> last = new HashMap<>();
    OperatorMatch match = new OperatorMatch(program, program, catalog);
    ValueNumbers values = ValueNumbers.of(program);
    for (Operation operation : program.block(0).operations()) {
      Integer twin = last.put(match.key(program, operation, values), operation.index());
      twins.add(twin == null ? -1 : twin);
      match.follow(program, operation, operation.index(), values);
    }
    return twins.build();
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
      match.follow(original, operation, operation.index(), before);
    }
    for (Operation other : rewritten.block(0).operations()) {
      int partner = match.partner(other, after);
      match.isComplete &= partner >= 0 || match.isSilent(rewritten, other);
      match.follow(rewritten, other, partner, after);
      if (partner >= 0) {
        match.matched.set(partner);
        match.order.add(partner);
      }
    }
    return match;
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

  private int partner(Operation other, ValueNumbers after) {
    if (OperatorAlignment.isDeletion(other)) {
      return -1;
    }
    Key key = key(rewritten, other, after);
    if (OperatorAlignment.isCopy(rewritten, other, catalog)) {
      int sameName = first(byKey.get(key), each -> hasSameNames(each, other));
      return sameName >= 0 ? sameName : first(byKey.get(key), each -> true);
    }
    int partner = first(byKey.get(key), each -> true);
    if (partner < 0) {
      partner = first(byForm.get(key.form()), each -> hasSameNames(each, other));
    }
    return partner >= 0 ? partner : first(byForm.get(key.form()), each -> true);
  }

  private int first(List<Integer> candidates, IntPredicate fits) {
    for (Iterator<Integer> all = candidates.iterator(); all.hasNext(); ) {
      int candidate = all.next();
      if (matched.get(candidate)) {
        all.remove();
      } else if (fits.test(candidate)) {
        return candidate;
      }
    }
    return -1;
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

  /**
   * Returns the operators of the original's first block in the order of the rewritten program;
   * empty if some have no counterpart. A copy or deletion without a counterpart comes immediately
   * before the first operator that needs it.
   */
  ImmutableIntArray order(ImmutableList<Dependence> dependences) {
    int count = original.block(0).operations().size();
    BitSet silent = new BitSet();
    for (Operation operation : original.block(0).operations()) {
      if (!matched.get(operation.index())) {
        silent.set(operation.index());
        isComplete &= isSilent(original, operation);
      }
    }
    if (!isComplete) {
      return ImmutableIntArray.of();
    }
    ListMultimap<Integer, Integer> needs = ArrayListMultimap.create();
    for (Dependence each : dependences) {
      if (silent.get(each.before())) {
        needs.put(each.after(), each.before());
      }
    }
    ImmutableIntArray.Builder complete = ImmutableIntArray.builder(count);
    for (int operator : order) {
      BitSet wanted = new BitSet();
      List<Integer> open = new ArrayList<>(needs.get(operator));
      for (int i = 0; i < open.size(); i++) {
        int each = open.get(i);
        if (silent.get(each) && !wanted.get(each)) {
          wanted.set(each);
          open.addAll(needs.get(each));
        }
      }
      wanted.stream().forEach(complete::add);
      silent.andNot(wanted);
      complete.add(operator);
    }
    silent.stream().forEach(complete::add);
    return complete.build();
  }
}
