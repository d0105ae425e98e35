package dev.sublet.verify.graph;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Location;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.List;

/** Collects violations in order; can forget those of a pass over a loop that is run again. */
public final class Violations {

  private final List<Violation> first = new ArrayList<>();
  private int count;

  /** Adds one, unless it is listed already. */
  public void add(Location place, String message) {
    if (first.size() < ValidationResult.MAXIMUM_REPORTED) {
      Violation violation = new Violation(place, message);
      if (first.contains(violation)) {
        return;
      }
      first.add(violation);
    }
    count++;
  }

  /** Puts one before all others, since it explains them. */
  public void explain(Variable variable, String message) {
    if (first.size() == ValidationResult.MAXIMUM_REPORTED) {
      first.remove(first.size() - 1);
    }
    Location place = Location.variable(variable.block(), Names.display(variable.name()));
    first.add(0, new Violation(place, message));
    count++;
  }

  /** Adds a violation. */
  public void add(Operation operation, Variable variable, String message) {
    add(operation.place().at(Names.display(variable.name())), message);
  }

  /** Adds a violation. */
  public void add(Variable variable, String message) {
    add(Location.variable(variable.block(), Names.display(variable.name())), message);
  }

  /** A variable's name as people see it. */
  public static String display(Variable variable) {
    return Names.display(variable.name());
  }

  /** A variable's name as messages quote it. */
  public static String quote(Variable variable) {
    return "'" + display(variable) + "'";
  }

  /** The name of a variable that an argument may lack. */
  public static String quote(Program program, int variable) {
    return variable == Program.NO_VARIABLE ? Names.EMPTY : quote(program.variable(variable));
  }

  /** Whether there is no violation. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** A mark to {@link #rewind} to. */
  int mark() {
    return count;
  }

  /** Forgets everything that was added since the mark was taken. */
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
