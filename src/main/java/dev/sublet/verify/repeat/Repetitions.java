package dev.sublet.verify.repeat;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.OperatorForms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Operators that do again what an earlier one did, into new variables.
 *
 * <pre>
 *   a = relu(x); …; a2 = relu(x); y = add(a2, b)       undone: a = relu(x); …; y = add(a, b)
 * </pre>
 *
 * <p>The two have one form and the same inputs, which keep their values in between. The outputs of
 * each are written nowhere else, and those of the first one keep their values until the last read
 * of the second ones.
 */
final class Repetitions {

  /** What an operator and its repetition have in common. */
  private record Key(int form, List<Integer> inputs) {}

  private final NewVariables variables;
  private final OperatorForms forms = OperatorForms.ofComputations();

  Repetitions(NewVariables variables) {
    this.variables = variables;
  }

  /** Returns the program without the first such operator. O(accesses). */
  Optional<Program> undone() {
    ListMultimap<Key, Integer> earlier = ArrayListMultimap.create();
    for (int node = 0; node < variables.nodeCount(); node++) {
      Operation operation = variables.operation(node);
      if (!variables.isPlain(node) || !variables.dependsOnArguments(operation)) {
        continue;
      }
      Key key = new Key(forms.of(variables.program(), operation), inputs(operation));
      if (!hasNewOutput(operation)) {
        earlier.put(key, node);
        continue;
      }
      for (int first : earlier.get(key)) {
        if (isRepetition(first, node)) {
          return Optional.of(without(first, node));
        }
      }
    }
    return Optional.empty();
  }

  private boolean hasNewOutput(Operation operation) {
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE && variables.isNew(operation.output(i))) {
        return true;
      }
    }
    return false;
  }

  private static List<Integer> inputs(Operation operation) {
    List<Integer> inputs = new ArrayList<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      inputs.add(operation.input(i));
    }
    return inputs;
  }

  private boolean isRepetition(int first, int second) {
    Operation one = variables.operation(first);
    Operation other = variables.operation(second);
    boolean isSame = other.outputCount() > 0;
    for (int i = 0; i < other.inputCount(); i++) {
      int input = other.input(i);
      isSame &=
          input == Program.NO_VARIABLE || variables.keepsValue(input, first, second, Set.of());
    }
    for (int i = 0; i < other.outputCount() && isSame; i++) {
      int a = one.output(i);
      int b = other.output(i);
      isSame =
          (a == Program.NO_VARIABLE && b == Program.NO_VARIABLE)
              || (a != Program.NO_VARIABLE
                  && b != Program.NO_VARIABLE
                  && hasSameValue(first, a, second, b));
    }
    return isSame;
  }

  /**
   * Whether all readers of b may read a instead. Of several variables with that value, its name
   * says which one.
   */
  private boolean hasSameValue(int first, int a, int second, int b) {
    Variable variable = variables.program().variable(a);
    if (variables.onlyWriter(a) != first
        || variables.onlyWriter(b) != second
        || !variables.isBetweenOperators(b)
        || !variables.program().variable(b).name().equals(OperatorEdits.again(variable.name()))
        || !variable.hasSameType(variables.program().variable(b))) {
      return false;
    }
    List<Integer> readers = variables.readers(b);
    int last = readers.isEmpty() ? second : readers.get(readers.size() - 1);
    // The second operator writes the value that a has.
    return variables.keepsValue(a, first + 1, last - 1, Set.of(second))
        && variables.keepsValue(b, second + 1, last - 1, Set.of());
  }

  private Program without(int first, int second) {
    Program program = variables.program();
    Operation one = variables.operation(first);
    Operation other = variables.operation(second);
    List<Integer> kept = new ArrayList<>();
    for (Operation operation : program.block(0).operations()) {
      if (operation.index() != other.index()) {
        kept.add(operation.index());
      }
    }
    Map<String, String> names = new LinkedHashMap<>();
    for (int i = 0; i < other.outputCount(); i++) {
      if (other.output(i) != Program.NO_VARIABLE) {
        names.put(program.variable(other.output(i)).name(), program.variable(one.output(i)).name());
      }
    }
    return OperatorEdits.arranged(program, kept, names, variables.original());
  }
}
