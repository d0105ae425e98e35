package dev.sublet.shape;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The abstract shape of every variable at the current operator, with a log of changes. Because of
 * the log, a join at the end of a body costs O(changes in the body), not O(variables).
 *
 * <p>Also keeps the initial shapes of the variables that are read before any write.
 */
final class ShapeState {

  private final FeedShapes feeds;
  private final @Nullable AbstractShape[] tensors;

  /** The initial shapes of the variables that are read before any write, by variable. */
  private final @Nullable AbstractShape[] starts;

  private int[] logVariables = new int[64];
  private final List<@Nullable AbstractShape> logTensors = new ArrayList<>();
  private final int[] seen;
  private int sweep;

  /** The state before the first operator: arrays are empty, and nothing has been written. */
  ShapeState(Program program, FeedShapes feeds) {
    this.feeds = feeds;
    this.tensors = new AbstractShape[program.variableCount()];
    this.starts = new AbstractShape[program.variableCount()];
    this.seen = new int[program.variableCount()];
    for (Variable variable : program.variables()) {
      if (variable.kind() == Variable.Kind.TENSOR_ARRAY) {
        set(variable.index(), AbstractShape.emptyArray());
      }
    }
  }

  /**
   * The unique name of the place where two shapes of a variable meet, because of a control
   * operator. See {@link AbstractShape#or}.
   */
  static String choice(Operation operation, int variable) {
    return operation.block() + "/" + operation.index() + "/" + variable;
  }

  /** The abstract shape of a variable that an operator reads: if unwritten, its initial shape. */
  AbstractShape read(int variable) {
    AbstractShape tensor = tensors[variable];
    if (tensor == null) {
      tensor = feeds.start(variable);
      starts[variable] = tensor;
      set(variable, tensor);
    }
    return tensor;
  }

  /**
   * The abstract shape of a variable, or its initial shape; null if nothing has written the
   * variable and it has no value when the program starts.
   */
  @Nullable AbstractShape getOrStart(int variable) {
    AbstractShape tensor = tensors[variable];
    return tensor == null && feeds.hasValueAtStart(variable) ? read(variable) : tensor;
  }

  /**
   * The initial shape of a variable that an operator may leave as it is; null if the variable has
   * no value when the program starts.
   */
  @Nullable AbstractShape startOf(int variable) {
    if (feeds.hasValueAtStart(variable)) {
      starts[variable] = feeds.start(variable);
    }
    return starts[variable];
  }

  /** The initial shape of a variable that was read before any write; else null. */
  @Nullable AbstractShape start(int variable) {
    return starts[variable];
  }

  /** The abstract shape of a variable; null if nothing has written or read the variable. */
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

  /** The current position in the log, for {@link #changesSince}. */
  int mark() {
    return logTensors.size();
  }

  /** A variable that has been set since a mark, and its abstract shape at the mark. */
  record Change(int variable, @Nullable AbstractShape before) {}

  /** The variables that have been set since a mark, ordered by first change. O(changes). */
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

  /** Removes all changes since a mark from the log, except the first change of each variable. */
  void compact(int mark) {
    compact(mark, variable -> true);
  }

  /**
   * Removes all changes since a mark from the log, except the first change of each variable for
   * which {@code isAskedFor} holds.
   */
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
