package dev.sublet.verify;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;

/**
 * Runs a program over "which bytes hold the variable's value". A write takes the bytes from every
 * other variable that holds any of them, unless it only copies onto itself what they have in common
 * (a view); a read needs the value to be where the plan says that it is at that point.
 */
final class PlacementInterpreter extends Interpreter {

  private final Program program;
  private final DefUses accesses;
  private final SavedScopes training;
  private final ObservedVariables observed;
  private final ExclusivePattern exclusive;
  private final LoopExits exits;
  private final PlacedAllocations allocations;
  private final KeptValues steps;
  private final PhasedLocations sites;
  private final PlacementState state;
  private final PhasedLoops phased;
  private final PlacedOperators operators;
  private final LoopLosses losses;

  PlacementInterpreter(
      NodeOrder walk,
      DefUses accesses,
      SavedScopes training,
      ObservedVariables observed,
      ExclusivePattern exclusive,
      PlacedAllocations allocations,
      PhasedLocations sites,
      InPlaceRule inPlace,
      BufferGroups groups,
      KeptBytes kept,
      UnneededCopies copies,
      KeptValues steps,
      Violations violations) {
    super(walk, violations);
    this.program = walk.program();
    this.accesses = accesses;
    this.training = training;
    this.observed = observed;
    this.exclusive = exclusive;
    this.exits = LoopExits.of(walk, training);
    this.allocations = allocations;
    this.steps = steps;
    this.sites = sites;
    this.state = new PlacementState(program.variableCount(), sites);
    this.phased = new PhasedLoops(walk, sites, state);
    this.operators =
        new PlacedOperators(
            walk, accesses, allocations, sites, inPlace, groups, kept, copies, state, violations);
    this.losses = new LoopLosses(walk, accesses, allocations, sites, groups, kept, state);
  }

  @Override
  void start() {
    for (Variable variable : program.variables()) {
      int v = variable.index();
      if (!observed.isFeed(v) || !allocations.isPlanned(v)) {
        continue;
      }
      int site = sites.at(v, 0);
      if (site == PhasedLocations.NONE) {
        violations.add(variable, "has its value at the start, but no allocation there");
        continue;
      }
      IntList overlapping = new IntList();
      sites.findOverlapping(site, overlapping);
      for (int i = 0; i < overlapping.size(); i++) {
        violations.add(
            variable,
            "overlaps " + quote(overlapping.get(i)) + ", which has its value at the start too");
      }
      state.set(v, site);
    }
  }

  private String quote(int site) {
    return Violations.quote(program, sites.get(site).variable());
  }

  @Override
  void operation(int node) {
    operators.run(node);
  }

  @Override
  void enterControl(int head) {
    if (exits.loop(head) >= 0) {
      leaveLoop(head, exits.loop(head));
    }
    for (Variable local : program.block(walk.body(head)).variables()) {
      boolean imprecise = isOverBudget() && !observed.isOverwrittenFirst(local.index());
      state.set(local.index(), imprecise ? PlacementState.INVALID : PlacementState.UNWRITTEN);
    }
    ImmutableIntArray results = exclusive.results(head);
    for (int i = 0; i < results.length(); i++) {
      state.set(results.get(i), PlacementState.UNWRITTEN);
    }
    int[] phases = phased.reach(head);
    if (walk.control(head).isLoop()) {
      losses.lose(head);
    }
    state.enter(head, phases);
    if (phased.isPhased(head)) {
      phased.enter(head);
    }
  }

  /** The conditional block is skipped: the bodies around it end, and the loop looks and ends. */
  private void leaveLoop(int branch, int loop) {
    Operation operation = walk.operation(loop);
    operators.read(operation, LoopExits.condition(operation), 2 * loop, 2 * loop);
    for (int head = branch; head != loop; head = exits.around(head)) {
      checkObservedLocals(exits.around(head));
    }
    state.depart(loop, v -> !exits.isGoneBehind(loop, program.variable(v)));
  }

  @Override
  void startPass(int head) {
    Operation operation = walk.operation(head);
    operators.nextVisit();
    for (int i = 0; i < operation.inputCount(); i++) {
      int v = operation.input(i);
      if (v != Program.NO_VARIABLE && !exclusive.isResult(head, v)) {
        operators.read(operation, v, 2 * head, 2 * head);
      }
    }
    int body = walk.body(head);
    if (training.isFreshInEachRun(head, body)) {
      for (Variable local : program.block(body).variables()) {
        state.set(local.index(), PlacementState.UNWRITTEN);
      }
    }
    steps.startPass(head, state::set);
    ImplicitAccesses implicit = accesses.implicit(head);
    operators.readAll(operation, implicit.entryReads(), 2 * head + 1, 2 * head + 2);
    operators.writeAll(operation, implicit.entryWrites(), 2 * head + 1, 2 * head + 2);
  }

  @Override
  void endPass(int exit) {
    int head = walk.headOf(exit);
    Operation operation = walk.operation(exit);
    operators.nextVisit();
    ImplicitAccesses implicit = accesses.implicit(head);
    operators.readAll(operation, implicit.endReads(), 2 * exit, 2 * exit - 1);
    operators.writeAll(operation, implicit.endWrites(), 2 * exit + 1, 2 * exit);
    checkObservedLocals(head);
    steps.endPass(head, state::get);
    if (walk.control(head).isLoop()) {
      restoreScoped(head);
    } else if (exclusive.isBranch(head)) {
      operators.writeOutputs(exit);
      ImmutableIntArray results = exclusive.oppositeResults(head);
      for (int i = 0; i < results.length(); i++) {
        state.set(results.get(i), PlacementState.UNWRITTEN);
      }
    }
  }

  private void checkObservedLocals(int head) {
    for (Variable local : program.block(walk.body(head)).variables()) {
      checkObserved(local, 2 * walk.exitOf(head) - 1);
    }
  }

  private void restoreScoped(int head) {
    ChangedSince changed = state.changedInBody();
    for (int i = 0; i < changed.size(); i++) {
      Variable variable = program.variable(changed.variable(i));
      boolean local = variable.block() == walk.body(head);
      if (training.isFreshInEachRun(head, variable.block())
          || (local && observed.isOverwrittenFirst(variable.index()))) {
        state.set(variable.index(), changed.previous(i));
      }
    }
  }

  @Override
  boolean nextPhase(int head) {
    return phased.isPhased(head) && phased.nextPhase();
  }

  @Override
  boolean weakenHead(int head) {
    return phased.isPhased(head) ? phased.nextRound() : state.weaken();
  }

  @Override
  void exitControl(int exit) {
    int head = walk.headOf(exit);
    if (phased.isPhased(head)) {
      phased.leave(exit);
    } else if (walk.control(head).isLoop()) {
      state.leaveLoop();
    } else {
      state.leaveBranch(/* maySkip= */ exits.loop(head) < 0);
    }
    operators.nextVisit();
    if (!exclusive.isBranch(head)) {
      operators.writeOutputs(exit);
    }
  }

  @Override
  void finish() {
    for (Variable variable : program.variables()) {
      if (variable.block() == 0) {
        checkObserved(variable, 2 * walk.nodeCount() - 1);
      }
    }
  }

  /** What is observed must be where the plan says that it is at the last point. */
  private void checkObserved(Variable variable, int last) {
    int v = variable.index();
    if (!observed.isObserved(v)
        || !allocations.isPlanned(v)
        || state.get(v) == PlacementState.UNWRITTEN) {
      return;
    }
    if (state.get(v) == PlacementState.INVALID) {
      violations.add(variable, "is observed, but its bytes may hold another value at the end");
    } else if (sites.at(v, last) != state.get(v)) {
      violations.add(variable, "is observed, but its value is not live at point " + last);
    }
  }
}
