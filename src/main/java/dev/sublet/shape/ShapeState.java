package dev.sublet.shape;

import dev.sublet.operator.infer.AbstractShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is known of every variable at the operator that is being looked at, with a log of changes,
 * so that joining the ends of a body costs what the body changed and not the number of variables.
 */
final class ShapeState {

  private final @Nullable AbstractShape[] tensors;
  private int[] logVariables = new int[64];
  private final List<@Nullable AbstractShape> logTensors = new ArrayList<>();
  private final int[] seen;
  private int sweep;

  ShapeState(int variableCount) {
    this.tensors = new AbstractShape[variableCount];
    this.seen = new int[variableCount];
  }

  /** What is known of a variable; null if nothing has written it. */
  @Nullable AbstractShape get(int variable) {
    return tensors[variable];
  }

  void set(int variable, AbstractShape tensor) {
    int size = logTensors.size();
    if (size == logVariables.length) {
      logVariables = Arrays.copyOf(logVariables, 2 * size);
    }
    logVariables[size] = variable;
    logTensors.add(tensors[variable]);
    tensors[variable] = tensor;
  }

  /** A mark that changes can be asked for later. */
  int mark() {
    return logTensors.size();
  }

  /** A variable that has been set since a mark, and what was known of it at the mark. */
  record Change(int variable, @Nullable AbstractShape before) {}

  /** The variables that have been set since a mark, in order of the first time. O(changes). */
  List<Change> changesSince(int mark) {
    sweep++;
    List<Change> changes = new ArrayList<>();
    for (int i = mark; i < logTensors.size(); i++) {
      if (seen[logVariables[i]] != sweep) {
        seen[logVariables[i]] = sweep;
        changes.add(new Change(logVariables[i], logTensors.get(i)));
      }
    }
    return changes;
  }

  /** Forgets what lies between a mark and now, but for the first change of each variable. */
  void compact(int mark) {
    compact(mark, variable -> true);
  }

  /** The same, and forgets all changes of the variables that nobody will ask for. */
  void compact(int mark, IntPredicate isAskedFor) {
    List<Change> changes = changesSince(mark);
    logTensors.subList(mark, logTensors.size()).clear();
    for (Change change : changes) {
      if (isAskedFor.test(change.variable())) {
        logVariables[logTensors.size()] = change.variable();
        logTensors.add(change.before());
      }
    }
  }
}
