package dev.sublet.verify.graph;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Location;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.List;

/**
 * A list of violations in order. The violations of a pass over a loop can be removed when the loop
 * is run again.
 */
public final class Violations {

  private final List<Violation> first = new ArrayList<>();
  private int count;

  /** Adds a violation, unless it is listed already. */
  public void add(Location location, String message) {
    if (first.size() < ValidationResult.MAXIMUM_REPORTED) {
      Violation violation = new Violation(location, message);
      if (first.contains(violation)) {
        return;
      }
      first.add(violation);
    }
    count++;
  }

  /** Puts a violation before all others, because it explains them. */
  public void explain(Variable variable, String message) {
    if (first.size() == ValidationResult.MAXIMUM_REPORTED) {
      first.remove(first.size() - 1);
    }
    Location location = Location.variable(variable.block(), Names.display(variable.name()));
    first.add(0, new Violation(location, message));
    count++;
  }

  /** Adds a violation. */
  public void add(Operation operation, Variable variable, String message) {
    add(operation.location().at(Names.display(variable.name())), message);
  }

  /** Adds a violation. */
  public void add(Variable variable, String message) {
    add(Location.variable(variable.block(), Names.display(variable.name())), message);
  }

  /** Returns a variable's name as it is shown to the user. */
  public static String display(Variable variable) {
    return Names.display(variable.name());
  }

  /** Returns a variable's name in quotes, for messages. */
  public static String quote(Variable variable) {
    return "'" + display(variable) + "'";
  }

  /**
   * Returns a variable's name in quotes, or {@link Names#EMPTY} for an argument without a variable.
   */
  public static String quote(Program program, int variable) {
    return variable == Program.NO_VARIABLE ? Names.EMPTY : quote(program.variable(variable));
  }

  /** Whether there is no violation. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns a mark for {@link #rewind}. */
  int mark() {
    return count;
  }

  /** Removes all violations that were added since the mark was taken. */
  void rewind(int mark) {
    count = mark;
    while (first.size() > mark) {
      first.remove(first.size() - 1);
    }
  }

  /** Returns the violations so far. */
  public ValidationResult result() {
    return new ValidationResult(ImmutableList.copyOf(first), count);
  }
}
