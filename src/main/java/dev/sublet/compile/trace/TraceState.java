package dev.sublet.compile.trace;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The values of variables and the steps at one operator of a trace. */
final class TraceState {

  /** The operators that are traced at most, counted in each iteration of loops. */
  static final int MOST_OPERATORS = 200_000;

  private final Program program;
  private final TracedVariables variables;
  private TracedArrays arrays = new TracedArrays();
  private Refusals refusals = new Refusals();
  private final List<TracedStep> steps = new ArrayList<>();
  private final List<TracedRegion> regions = new ArrayList<>();
  private final Set<String> lasting = new TreeSet<>();
  private TreeMap<Long, TracedProgram.Output> fetched = new TreeMap<>();
  private int count;

  /** The operators that were traced, those of abandoned trials too. */
  private long work;

  /** For variables without a value after an operator: the operator. */
  private final Map<Integer, Operation> lost = new TreeMap<>();

  /** The number of regions around the current operator. */
  private int depth;

  TraceState(ProgramFacts facts) {
    this.program = facts.program();
    this.variables = new TracedVariables(facts);
  }

  /** A state to which a trace can return. */
  record Saved(
      TracedVariables.Saved variables,
      TracedArrays arrays,
      Refusals refusals,
      int steps,
      int regions,
      SortedMap<Long, TracedProgram.Output> fetched,
      int count,
      int depth) {}

  /** Returns the current state. O(variables + elements of arrays). */
  Saved save() {
    return new Saved(
        variables.save(),
        arrays.copy(),
        refusals.copy(),
        steps.size(),
        regions.size(),
        new TreeMap<>(fetched),
        count,
        depth);
  }

  /** Forgets all steps since a state was saved. */
  void restore(Saved saved) {
    variables.restore(saved.variables());
    arrays = saved.arrays().copy();
    refusals = saved.refusals().copy();
    steps.subList(saved.steps(), steps.size()).clear();
    regions.subList(saved.regions(), regions.size()).clear();
    fetched = new TreeMap<>(saved.fetched());
    count = saved.count();
    depth = saved.depth();
  }

  TracedVariables variables() {
    return variables;
  }

  TracedArrays arrays() {
    return arrays;
  }

  Refusals refusals() {
    return refusals;
  }

  List<TracedStep> steps() {
    return steps;
  }

  List<TracedRegion> regions() {
    return regions;
  }

  /** The names of values that may be of an earlier iteration of a loop. */
  Set<String> lasting() {
    return lasting;
  }

  SortedMap<Long, TracedProgram.Output> fetched() {
    return fetched;
  }

  long work() {
    return work;
  }

  /** The variables that have no value any more because of an operator, and the operator. */
  Map<Integer, Operation> lost() {
    return lost;
  }

  boolean isInRegion() {
    return depth > 0;
  }

  /** Begins a region, whose steps are those that follow; returns its number. */
  int open() {
    depth++;
    return regions.size();
  }

  /** Ends the region that was begun last, before which there are {@code inner} others. */
  void close(int inner, TracedRegion region) {
    depth--;
    regions.add(inner, region);
  }

  /** Inserts steps before those of the regions from a number on. */
  void insert(int position, List<TracedStep> inserted, int firstRegion) {
    steps.addAll(position, inserted);
    for (int i = firstRegion; i < regions.size(); i++) {
      TracedRegion region = regions.get(i);
      int by = inserted.size();
      regions.set(i, region.withSteps(region.begin() + by, region.end() + by));
    }
  }

  /** Counts an operator, or an iteration of a loop without operators. */
  void count(Operation operation) {
    work++;
    if (++count > MOST_OPERATORS) {
      throw ProgramException.of(
          Diagnostic.Kind.UNSUPPORTED,
          operation.location(),
          "this loop is repeated in C, and more than "
              + MOST_OPERATORS
              + " operators are too many");
    }
  }

  /** Gives a variable a value that has a name already. */
  void assign(Operation operation, int variable, @Nullable TracedValue value) {
    if (variable == Program.NO_VARIABLE) {
      return;
    }
    if (program.variable(variable).isPersistable()) {
      refuseWrite(operation, variable);
    }
    variables.put(variable, value);
  }

  /** Refuses an operator that writes a parameter. */
  void refuseWrite(Operation operation, int variable) {
    String name = Names.display(program.variable(variable).name());
    refusals.add(operation, "writes '" + name + "', which outlives a run");
  }

  /** Refuses an operator, and gives its outputs the shapes that inference knows. */
  void refuse(Operation operation, String reason) {
    refusals.add(operation, reason);
    variables.forget(operation);
  }

  /** Refuses an operator that reads a variable without a value. */
  void refuseMissing(Operation operation) {
    if (refusals.isEmpty()) {
      refusals.add(operation, "reads a variable that has no value, or is an array");
    } else {
      refusals.addDependent();
    }
    variables.forget(operation);
  }
}
