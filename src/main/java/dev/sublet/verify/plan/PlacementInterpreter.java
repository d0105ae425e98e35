package dev.sublet.verify.plan;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.ChangedSince;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.ExclusivePattern;
import dev.sublet.verify.graph.ImplicitDefUses;
import dev.sublet.verify.graph.InPlaceRule;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.Interpreter;
import dev.sublet.verify.graph.LoopExits;
import dev.sublet.verify.graph.ObservedVariables;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.SavedScopes;
import dev.sublet.verify.graph.Violations;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * Runs a program over the locations of its values.
 *
 * <p>A write takes the bytes from every other variable whose value has any of them, unless the
 * operator only copies the common bytes onto themselves (a view). A read needs the value where the
 * plan has it at that point. See the example in the package comment.
 */
final class PlacementInterpreter extends Interpreter {

  private final Program program;
  private final DefUses accesses;
  private final SavedScopes savedScopes;
  private final ObservedVariables observed;
  private final ExclusivePattern exclusive;
  private final LoopExits exits;
  private final PlacedAllocations allocations;
  private final KeptValues steps;
  private final PhasedLocations locations;
  private final PlacementState state;
  private final PhasedLoops phased;
  private final PlacedOperators operators;
  private final LoopLosses losses;

  /** By the head of a second branch that is still to end: the state after the first one. */
  private final Map<Integer, SortedMap<Integer, Integer>> afterFirst = new HashMap<>();

  PlacementInterpreter(
      ProgramGraph graph,
      PlacementFacts placement,
      InPlaceRule inPlace,
      KeptValues steps,
      Violations violations) {
    super(graph.nodes(), violations);
    this.program = graph.program();
    this.accesses = graph.accesses();
    this.savedScopes = graph.savedScopes();
    this.observed = graph.observed();
    this.exclusive = graph.exclusive();
    this.exits = LoopExits.of(nodes, savedScopes);
    this.allocations = placement.allocations();
    this.steps = steps;
    this.locations = placement.locations();
    this.state = new PlacementState(program.variableCount(), locations);
    this.phased = new PhasedLoops(nodes, locations, state);
    this.operators = new PlacedOperators(graph, placement, inPlace, state, violations);
    this.losses = new LoopLosses(graph, placement, state);
  }

  @Override
  protected void start() {
    for (Variable variable : program.variables()) {
      int v = variable.index();
      if (!observed.isFeed(v) || !allocations.isPlanned(v)) {
        continue;
      }
      int location = locations.at(v, 0);
      if (location == PhasedLocations.NONE) {
        violations.add(variable, "has its value at the start, but no allocation there");
        continue;
      }
      IntList overlapping = new IntList();
      locations.findOverlapping(location, overlapping);
      for (int i = 0; i < overlapping.size(); i++) {
        violations.add(
            variable,
            "overlaps " + quote(overlapping.get(i)) + ", which has its value at the start too");
      }
      state.set(v, location);
    }
  }

  private String quote(int location) {
    return Violations.quote(program, locations.get(location).variable());
  }

  @Override
  protected void operation(int node) {
    operators.run(node);
    if (state.isOutermost() && node + 1 < nodes.nodeCount()) {
      operators.dropEnded(node);
    }
  }

  @Override
  protected void enterControl(int head) {
    if (exits.loop(head) >= 0) {
      leaveLoop(head, exits.loop(head));
    }
    for (Variable local : program.block(nodes.body(head)).variables()) {
      boolean imprecise = isOverBudget() && !observed.isOverwrittenFirst(local.index());
      state.set(local.index(), imprecise ? PlacementState.INVALID : PlacementState.UNWRITTEN);
    }
    ImmutableIntArray results = exclusive.results(head);
    for (int i = 0; i < results.length(); i++) {
      state.set(results.get(i), PlacementState.UNWRITTEN);
    }
    int[] phases = phased.reach(head);
    if (nodes.control(head).isLoop()) {
      losses.lose(head);
    }
    state.enter(head, phases);
    if (phased.isPhased(head)) {
      phased.enter(head);
    }
  }

  /**
   * Skips a conditional block: the enclosing bodies end, and the loop tests its condition and ends.
   */
  private void leaveLoop(int branch, int loop) {
    Operation operation = nodes.operation(loop);
    operators.read(operation, LoopExits.condition(operation), 2 * loop, 2 * loop);
    for (int head = branch; head != loop; head = exits.around(head)) {
      checkObservedLocals(exits.around(head), 2 * branch + 1);
    }
    state.depart(loop, v -> !exits.isGoneBehind(loop, program.variable(v)));
  }

  @Override
  protected void startPass(int head) {
    Operation operation = nodes.operation(head);
    operators.nextVisit();
    for (int i = 0; i < operation.inputCount(); i++) {
      int v = operation.input(i);
      if (v != Program.NO_VARIABLE && !exclusive.isResult(head, v)) {
        operators.readInput(operation, v, 2 * head);
      }
    }
    int body = nodes.body(head);
    boolean isFresh = savedScopes.isFreshInEachRun(head, body);
    for (Variable local : program.block(body).variables()) {
      // An array of a body is emptied before each iteration.
      if (isFresh || local.kind() == Variable.Kind.TENSOR_ARRAY) {
        state.set(local.index(), PlacementState.UNWRITTEN);
      }
    }
    steps.startPass(head, state::set);
    ImplicitDefUses implicit = accesses.implicit(head);
    operators.readAll(operation, implicit.entryReads(), 2 * head + 1, 2 * head + 2);
    operators.writeAll(operation, implicit.entryWrites(), 2 * head + 1, 2 * head + 2);
  }

  @Override
  protected void endPass(int exit) {
    int head = nodes.headOf(exit);
    Operation operation = nodes.operation(exit);
    operators.nextVisit();
    ImplicitDefUses implicit = accesses.implicit(head);
    operators.readAll(operation, implicit.endReads(), 2 * exit, 2 * exit - 1);
    operators.writeAll(operation, implicit.endWrites(), 2 * exit + 1, 2 * exit);
    checkObservedLocals(head, 2 * exit - 1);
    steps.endPass(head, state::get);
    if (nodes.control(head).isLoop()) {
      restoreScoped(head);
    } else if (exclusive.isBranch(head)) {
      operators.writeOutputs(exit);
      ImmutableIntArray results = exclusive.oppositeResults(head);
      for (int i = 0; i < results.length(); i++) {
        state.set(results.get(i), PlacementState.UNWRITTEN);
      }
    }
  }

  private void checkObservedLocals(int head, int last) {
    for (Variable local : program.block(nodes.body(head)).variables()) {
      checkObserved(local, last);
    }
  }

  private void restoreScoped(int head) {
    ChangedSince changed = state.changedInBody();
    for (int i = 0; i < changed.size(); i++) {
      Variable variable = program.variable(changed.variable(i));
      boolean local = variable.block() == nodes.body(head);
      if (savedScopes.isFreshInEachRun(head, variable.block())
          || (local && observed.isOverwrittenFirst(variable.index()))) {
        state.set(variable.index(), changed.previous(i));
      }
    }
  }

  @Override
  protected boolean nextPhase(int head) {
    return phased.isPhased(head) && phased.nextPhase();
  }

  @Override
  protected boolean weakenHead(int head) {
    return phased.isPhased(head) ? phased.nextRound() : state.weaken();
  }

  @Override
  protected void exitControl(int exit) {
    int head = nodes.headOf(exit);
    if (phased.isPhased(head)) {
      phased.leave(exit);
    } else if (nodes.control(head).isLoop()) {
      state.leaveLoop();
    } else {
      leaveBranch(exit);
    }
    operators.nextVisit();
    if (!exclusive.isBranch(head)) {
      operators.writeOutputs(exit);
    }
  }

  /**
   * Leaves a branch. The second of two exclusive branches that follow one another runs from the
   * state before the first one, and both ends meet after it: no run skips both.
   */
  private void leaveBranch(int exit) {
    int head = nodes.headOf(exit);
    int second = exclusive.secondBranch(head);
    SortedMap<Integer, Integer> first = afterFirst.remove(head);
    if (first != null) {
      state.leaveSecondBranch(first);
    } else if (second < 0 || exits.loop(head) >= 0 || exits.loop(second) >= 0) {
      state.leaveBranch(/* maySkip= */ exits.loop(head) < 0);
    } else {
      // If the first branch has run, the second one reads its condition, and nothing else.
      Operation skipped = nodes.operation(second);
      int condition = skipped.inputSlot("Cond").orElseThrow().variable(0);
      operators.nextVisit();
      operators.read(skipped, condition, 2 * second, 2 * second);
      afterFirst.put(second, state.leaveFirstBranch());
    }
  }

  @Override
  protected void finish() {
    for (Variable variable : program.variables()) {
      if (variable.block() == 0) {
        checkObserved(variable, 2 * nodes.nodeCount() - 1);
      }
    }
  }

  /** Checks that an observed variable is where the plan has it at the last point of its block. */
  private void checkObserved(Variable variable, int last) {
    int v = variable.index();
    if (!observed.isObserved(v)
        || !allocations.isPlanned(v)
        || state.get(v) == PlacementState.UNWRITTEN) {
      return;
    }
    if (state.get(v) == PlacementState.INVALID) {
      violations.add(variable, "is observed, but its bytes may hold another value at the end");
    } else if (locations.at(v, last) != state.get(v)) {
      violations.add(variable, "is observed, but its value is not live at point " + last);
    }
  }
}
