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
  private final Accesses accesses;
  private final Training training;
  private final ObservedVariables observed;
  private final ExclusivePattern exclusive;
  private final LoopExits exits;
  private final PlacedAllocations allocations;
  private final InPlaceRule inPlace;
  private final BufferGroups groups;
  private final KeptBytes kept;
  private final UnneededCopies copies;
  private final KeptValues steps;
  private final Sites sites;
  private final PlacementState state;
  private final PhasedLoops phased;
  private final IntList overlapping = new IntList();

  /** By variable: the last node (plus 1) that wrote it in this visit, or that a loop writes. */
  private final int[] writtenBy;

  private final int[] writtenInLoop;

  /** Whether the operator reads its inputs at the node at which it writes. */
  private boolean isReading;

  private int visit;
  private int loopSerial;

  PlacementInterpreter(
      Walk walk,
      Accesses accesses,
      Training training,
      ObservedVariables observed,
      ExclusivePattern exclusive,
      PlacedAllocations allocations,
      Sites sites,
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
    this.inPlace = inPlace;
    this.groups = groups;
    this.kept = kept;
    this.copies = copies;
    this.steps = steps;
    this.sites = sites;
    this.state = new PlacementState(program.variableCount(), sites);
    this.phased = new PhasedLoops(walk, sites, state);
    this.writtenBy = new int[program.variableCount()];
    this.writtenInLoop = new int[program.variableCount()];
  }

  @Override
  void start() {
    for (Variable variable : program.variables()) {
      int v = variable.index();
      if (!observed.isFeed(v) || !allocations.isPlanned(v)) {
        continue;
      }
      int site = sites.at(v, 0);
      if (site == Sites.NONE) {
        violations.add(variable, "has its value at the start, but no allocation there");
        continue;
      }
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
    return Violations.quote(program, variable(site));
  }

  private int variable(int site) {
    return sites.get(site).variable();
  }

  @Override
  void operation(int node) {
    Operation operation = walk.operation(node);
    visit++;
    if (copies.isUnneeded(node)) {
      stay(node, operation);
      return;
    }
    for (int i = 0; i < operation.inputCount(); i++) {
      int v = operation.input(i);
      // Elements that the operator does not need may be gone, but a plan may not say otherwise.
      if (v != Program.NO_VARIABLE
          && (inPlace.needsBuffer(operation, v) || sites.at(v, 2 * node) != Sites.NONE)) {
        read(operation, v, 2 * node, 2 * node);
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int v = operation.output(i);
      if (v == Program.NO_VARIABLE) {
        continue;
      }
      if (accesses.effect(node, i) == Accesses.OutputEffect.READS_AND_WRITES) {
        read(operation, v, 2 * node, 2 * node);
      } else if (accesses.effect(node, i) == Accesses.OutputEffect.READS) {
        checkUntouched(operation, v);
      }
    }
    readAll(operation, walk.touches(node), 2 * node, 2 * node);
    isReading = true;
    int point = 2 * node + 1;
    for (int i = 0; i < operation.outputCount(); i++) {
      int v = operation.output(i);
      Accesses.OutputEffect effect = accesses.effect(node, i);
      if (v != Program.NO_VARIABLE && effect != Accesses.OutputEffect.READS) {
        write(operation, v, point, point, effect == Accesses.OutputEffect.KILLS);
      }
    }
    writeAll(operation, walk.touches(node), point, point);
    isReading = false;
  }

  /** The operator need not run: the target is where the source is, and no byte changes. */
  private void stay(int node, Operation operation) {
    int from = operation.input(0);
    int to = operation.output(0);
    read(operation, from, 2 * node, 2 * node);
    int source = sites.at(from, 2 * node);
    int target = sites.at(to, 2 * node + 1);
    if (source == Sites.NONE || target == Sites.NONE) {
      violations.add(
          operation.place(),
          "is listed as an unneeded copy, but of variables that are not allocated there");
    } else if (!sites.get(source).isSamePlace(sites.get(target))) {
      violations.add(
          operation.place(),
          "is listed as an unneeded copy, but its input is "
              + sites.describe(source)
              + " and its output "
              + sites.describe(target));
    }
    writtenBy[to] = visit;
    state.set(to, target == Sites.NONE ? PlacementState.INVALID : target);
  }

  /** A feed is there from the start; where exactly the operator fills it in does not matter. */
  private void checkUntouched(Operation operation, int v) {
    if (allocations.isPlanned(v) && state.get(v) == PlacementState.INVALID) {
      violations.add(
          operation, program.variable(v), "is fed, but its bytes were used for something else");
    }
  }

  private void readAll(Operation operation, ImmutableIntArray variables, int point, int other) {
    for (int i = 0; i < variables.length(); i++) {
      read(operation, variables.get(i), point, other);
    }
  }

  /** Reads at a point; an access between two nodes may be at the other point as well. */
  private void read(Operation operation, int v, int point, int otherPoint) {
    if (!allocations.isPlanned(v)) {
      return;
    }
    int site = sites.at(v, point);
    if (site == Sites.NONE) {
      site = sites.at(v, otherPoint);
    }
    if (site == Sites.NONE) {
      violations.add(
          operation, program.variable(v), "is read at point " + point + ", but not live there");
    } else if (state.get(v) == PlacementState.INVALID) {
      violations.add(
          operation,
          program.variable(v),
          "is read, but its bytes may hold another value " + sites.describe(site));
    } else if (state.get(v) != PlacementState.UNWRITTEN && state.get(v) != site) {
      violations.add(
          operation,
          program.variable(v),
          "is read " + sites.describe(site) + ", but its value is " + sites.describe(state.get(v)));
    }
  }

  private void writeAll(Operation operation, ImmutableIntArray variables, int point, int other) {
    for (int i = 0; i < variables.length(); i++) {
      write(operation, variables.get(i), point, other, /* kills= */ false);
    }
  }

  private void write(Operation operation, int v, int point, int otherPoint, boolean kills) {
    if (!allocations.isPlanned(v)) {
      return;
    }
    int site = sites.at(v, point);
    if (site == Sites.NONE) {
      site = sites.at(v, otherPoint);
    }
    if (site == Sites.NONE) {
      violations.add(
          operation, program.variable(v), "is written at point " + point + ", but not live there");
      state.set(v, PlacementState.INVALID);
      return;
    }
    sites.findOverlapping(site, overlapping);
    for (int i = 0; i < overlapping.size(); i++) {
      int other = variable(overlapping.get(i));
      if (other != v
          && !groups.areSame(v, other)
          && kept.changes(point / 2, v, site, overlapping.get(i))) {
        checkMeeting(operation, v, site, overlapping.get(i));
        state.set(other, PlacementState.INVALID);
      }
    }
    writtenBy[v] = visit;
    if (kills || state.get(v) == PlacementState.UNWRITTEN) {
      state.set(v, site);
    } else if (state.get(v) != site) {
      // Part of the value is here, part of it where it was: whoever reads it now is wrong.
      state.set(v, PlacementState.INVALID);
    }
  }

  /** The operator's output takes bytes that hold a value: not that of another output or input. */
  private void checkMeeting(Operation operation, int v, int site, int held) {
    int other = variable(held);
    if (writtenBy[other] == visit) {
      violations.add(operation, program.variable(v), "overlaps another output, " + quote(held));
    } else if (isReading
        && operation.countInputs(other) > 0
        && inPlace.needsBuffer(operation, other)
        && !(sites.get(site).isSamePlace(sites.get(held))
            && operation.countInputs(v) == 0
            && inPlace.allows(operation, other, v))) {
      violations.add(
          operation,
          program.variable(v),
          "overlaps the input " + quote(held) + ", which is not a legal in-place pair");
    }
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
      invalidateLost(head);
    }
    state.enter(head, phases);
    if (phased.isPhased(head)) {
      phased.enter(head);
    }
  }

  /** The conditional block is skipped: the bodies around it end, and the loop looks and ends. */
  private void leaveLoop(int branch, int loop) {
    Operation operation = walk.operation(loop);
    read(operation, LoopExits.condition(operation), 2 * loop, 2 * loop);
    for (int head = branch; head != loop; head = exits.around(head)) {
      checkObservedLocals(exits.around(head));
    }
    state.depart(loop, v -> !exits.isGoneBehind(loop, program.variable(v)));
  }

  /**
   * Whatever a loop's body overwrites without writing it anew is lost at the loop's head. Knowing
   * that before the first pass saves passes: without it their number doubles with each nesting.
   */
  private void invalidateLost(int head) {
    loopSerial++;
    int exit = walk.exitOf(head);
    Accesses.Visitor mark =
        new Accesses.Visitor() {
          @Override
          public void read(int node, int variable) {}

          @Override
          public void write(int node, int variable, boolean kills) {
            writtenInLoop[variable] = loopSerial;
          }
        };
    Accesses.Visitor invalidate =
        new Accesses.Visitor() {
          @Override
          public void read(int node, int variable) {}

          @Override
          public void write(int node, int variable, boolean kills) {
            invalidateOverlapping(node, variable);
          }
        };
    for (Accesses.Visitor visitor : new Accesses.Visitor[] {mark, invalidate}) {
      for (int node = head; node < exit; node++) {
        accesses.visit(node, visitor);
      }
      accesses.visitBodyEnd(exit, visitor);
    }
  }

  private void invalidateOverlapping(int node, int variable) {
    int site = allocations.isPlanned(variable) ? sites.at(variable, 2 * node + 1) : Sites.NONE;
    if (site == Sites.NONE) {
      return;
    }
    sites.findOverlapping(site, overlapping);
    for (int i = 0; i < overlapping.size(); i++) {
      int other = variable(overlapping.get(i));
      if (writtenInLoop[other] != loopSerial
          && !groups.areSame(variable, other)
          && kept.changes(node, variable, site, overlapping.get(i))) {
        state.set(other, PlacementState.INVALID);
      }
    }
  }

  @Override
  void startPass(int head) {
    Operation operation = walk.operation(head);
    visit++;
    for (int i = 0; i < operation.inputCount(); i++) {
      int v = operation.input(i);
      if (v != Program.NO_VARIABLE && !exclusive.isResult(head, v)) {
        read(operation, v, 2 * head, 2 * head);
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
    readAll(operation, implicit.entryReads(), 2 * head + 1, 2 * head + 2);
    writeAll(operation, implicit.entryWrites(), 2 * head + 1, 2 * head + 2);
  }

  @Override
  void endPass(int exit) {
    int head = walk.headOf(exit);
    Operation operation = walk.operation(exit);
    visit++;
    ImplicitAccesses implicit = accesses.implicit(head);
    readAll(operation, implicit.endReads(), 2 * exit, 2 * exit - 1);
    writeAll(operation, implicit.endWrites(), 2 * exit + 1, 2 * exit);
    checkObservedLocals(head);
    steps.endPass(head, state::get);
    if (walk.control(head).isLoop()) {
      restoreScoped(head);
    } else if (exclusive.isBranch(head)) {
      writeOutputs(exit);
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
    visit++;
    if (!exclusive.isBranch(head)) {
      writeOutputs(exit);
    }
  }

  private void writeOutputs(int exit) {
    Operation operation = walk.operation(exit);
    int point = 2 * exit + 1;
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        write(operation, operation.output(i), point, point, /* kills= */ false);
      }
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
