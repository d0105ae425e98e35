package dev.sublet.verify;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Runs a program over "which allocation holds the variable's value". A write takes the bytes from
 * every other variable that holds any of them, unless it only copies onto itself what they have in
 * common (a view); a read needs the value to be where the plan says that it is at that point.
 */
final class PlacementInterpreter extends Interpreter {

  /** Not written since it was last undefined. */
  private static final int UNWRITTEN = -1;

  /** Overwritten by another variable, or in different places on different paths. */
  private static final int INVALID = -2;

  /** A control operator that is being run. */
  private static final class Frame {
    final int head;
    int mark;

    /** Of a loop: variables and their values where its body was left, since the latest pass. */
    final IntList departed = new IntList();

    final IntList departedValues = new IntList();

    Frame(int head, int mark) {
      this.head = head;
      this.mark = mark;
    }
  }

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
  private final KeptValues steps;

  /** By variable: an allocation, or one of the above. */
  private final int[] current;

  private final ChangeLog log = new ChangeLog();
  private final ChangedSince changed;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();
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
      InPlaceRule inPlace,
      BufferGroups groups,
      KeptBytes kept,
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
    this.steps = steps;
    this.current = new int[program.variableCount()];
    Arrays.fill(current, UNWRITTEN);
    this.changed = new ChangedSince(log, current.length, 0);
    this.writtenBy = new int[current.length];
    this.writtenInLoop = new int[current.length];
  }

  private void set(int variable, int value) {
    int previous = current[variable];
    if (previous == value) {
      return;
    }
    log.record(variable, previous);
    move(variable, value);
  }

  private void move(int variable, int value) {
    if (current[variable] >= 0) {
      allocations.release(current[variable]);
    }
    current[variable] = value;
    if (value >= 0) {
      allocations.hold(value);
    }
  }

  @Override
  void start() {
    for (Variable variable : program.variables()) {
      int v = variable.index();
      if (!observed.isFeed(v) || !allocations.isPlanned(v)) {
        continue;
      }
      int allocation = allocations.at(v, 0);
      if (allocation == PlacedAllocations.NONE) {
        violations.add(variable, "has its value at the start, but no allocation there");
        continue;
      }
      allocations.findOverlapping(allocation, overlapping);
      for (int i = 0; i < overlapping.size(); i++) {
        violations.add(
            variable,
            "overlaps " + quote(overlapping.get(i)) + ", which has its value at the start too");
      }
      set(v, allocation);
    }
  }

  private String quote(int allocation) {
    return Violations.quote(program, allocations.variable(allocation));
  }

  @Override
  void operation(int node) {
    Operation operation = walk.operation(node);
    visit++;
    for (int i = 0; i < operation.inputCount(); i++) {
      int v = operation.input(i);
      // Elements that the operator does not need may be gone, but a plan may not say otherwise.
      if (v != Program.NO_VARIABLE
          && (inPlace.needsBuffer(operation, v)
              || allocations.at(v, 2 * node) != PlacedAllocations.NONE)) {
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

  /** A feed is there from the start; where exactly the operator fills it in does not matter. */
  private void checkUntouched(Operation operation, int v) {
    if (allocations.isPlanned(v) && current[v] == INVALID) {
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
    int allocation = allocations.at(v, point);
    if (allocation == PlacedAllocations.NONE) {
      allocation = allocations.at(v, otherPoint);
    }
    if (allocation == PlacedAllocations.NONE) {
      violations.add(
          operation, program.variable(v), "is read at point " + point + ", but not live there");
    } else if (current[v] == INVALID) {
      violations.add(
          operation,
          program.variable(v),
          "is read, but its bytes may hold another value " + describe(allocation));
    } else if (current[v] != UNWRITTEN && current[v] != allocation) {
      violations.add(
          operation,
          program.variable(v),
          "is read " + describe(allocation) + ", but its value is " + describe(current[v]));
    }
  }

  private String describe(int allocation) {
    return "at offset "
        + allocations.get(allocation).offset()
        + " of arena "
        + allocations.get(allocation).arena();
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
    int allocation = allocations.at(v, point);
    if (allocation == PlacedAllocations.NONE) {
      allocation = allocations.at(v, otherPoint);
    }
    if (allocation == PlacedAllocations.NONE) {
      violations.add(
          operation, program.variable(v), "is written at point " + point + ", but not live there");
      set(v, INVALID);
      return;
    }
    allocations.findOverlapping(allocation, overlapping);
    for (int i = 0; i < overlapping.size(); i++) {
      int other = allocations.variable(overlapping.get(i));
      if (other != v
          && !groups.areSame(v, other)
          && kept.changes(point / 2, v, allocation, overlapping.get(i))) {
        checkMeeting(operation, v, allocation, overlapping.get(i));
        set(other, INVALID);
      }
    }
    writtenBy[v] = visit;
    if (kills || current[v] == UNWRITTEN) {
      set(v, allocation);
    } else if (current[v] != allocation) {
      // Part of the value is here, part of it where it was: whoever reads it now is wrong.
      set(v, INVALID);
    }
  }

  /** The operator's output takes bytes that hold a value: not that of another output or input. */
  private void checkMeeting(Operation operation, int v, int allocation, int held) {
    int other = allocations.variable(held);
    if (writtenBy[other] == visit) {
      violations.add(operation, program.variable(v), "overlaps another output, " + quote(held));
    } else if (isReading
        && operation.countInputs(other) > 0
        && inPlace.needsBuffer(operation, other)
        && !(allocations.areIdentical(allocation, held)
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
      set(local.index(), imprecise ? INVALID : UNWRITTEN);
    }
    ImmutableIntArray results = exclusive.results(head);
    for (int i = 0; i < results.length(); i++) {
      set(results.get(i), UNWRITTEN);
    }
    if (walk.control(head).isLoop()) {
      invalidateLost(head);
    }
    frames.push(new Frame(head, log.open()));
  }

  /** The conditional block is skipped: the bodies around it end, and the loop looks and ends. */
  private void leaveLoop(int branch, int loop) {
    Operation operation = walk.operation(loop);
    read(operation, LoopExits.condition(operation), 2 * loop, 2 * loop);
    for (int head = branch; head != loop; head = exits.around(head)) {
      checkObservedLocals(exits.around(head));
    }
    for (Frame frame : frames) {
      if (frame.head == loop) {
        changed.collect(frame.mark);
        for (int i = 0; i < changed.size(); i++) {
          int variable = changed.variable(i);
          if (!exits.isGoneBehind(loop, program.variable(variable))) {
            frame.departed.add(variable);
            frame.departedValues.add(current[variable]);
          }
        }
      }
    }
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
    int allocation =
        allocations.isPlanned(variable)
            ? allocations.at(variable, 2 * node + 1)
            : PlacedAllocations.NONE;
    if (allocation == PlacedAllocations.NONE) {
      return;
    }
    allocations.findOverlapping(allocation, overlapping);
    for (int i = 0; i < overlapping.size(); i++) {
      int other = allocations.variable(overlapping.get(i));
      if (writtenInLoop[other] != loopSerial
          && !groups.areSame(variable, other)
          && kept.changes(node, variable, allocation, overlapping.get(i))) {
        set(other, INVALID);
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
        set(local.index(), UNWRITTEN);
      }
    }
    steps.startPass(head, this::set);
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
    steps.endPass(head, variable -> current[variable]);
    if (walk.control(head).isLoop()) {
      restoreScoped(head);
    } else if (exclusive.isBranch(head)) {
      writeOutputs(exit);
      ImmutableIntArray results = exclusive.oppositeResults(head);
      for (int i = 0; i < results.length(); i++) {
        set(results.get(i), UNWRITTEN);
      }
    }
  }

  private void checkObservedLocals(int head) {
    for (Variable local : program.block(walk.body(head)).variables()) {
      checkObserved(local, 2 * walk.exitOf(head) - 1);
    }
  }

  private void restoreScoped(int head) {
    changed.collect(frames.getFirst().mark);
    for (int i = 0; i < changed.size(); i++) {
      Variable variable = program.variable(changed.variable(i));
      boolean local = variable.block() == walk.body(head);
      if (training.isFreshInEachRun(head, variable.block())
          || (local && observed.isOverwrittenFirst(variable.index()))) {
        set(variable.index(), changed.previous(i));
      }
    }
  }

  @Override
  boolean weakenHead(int head) {
    Frame frame = frames.getFirst();
    changed.collect(frame.mark);
    int[] common = new int[changed.size()];
    boolean weaker = false;
    for (int i = 0; i < common.length; i++) {
      common[i] = meet(changed.previous(i), current[changed.variable(i)]);
      weaker |= common[i] != changed.previous(i);
    }
    for (int i = 0; i < common.length; i++) {
      move(changed.variable(i), changed.previous(i));
    }
    log.truncate(frame.mark);
    for (int i = 0; weaker && i < common.length; i++) {
      set(changed.variable(i), common[i]);
    }
    frame.mark = log.size();
    if (weaker) {
      frame.departed.truncate(0);
      frame.departedValues.truncate(0);
    }
    return weaker;
  }

  private static int meet(int a, int b) {
    if (a == b || b == UNWRITTEN) {
      return a;
    }
    return a == UNWRITTEN ? b : INVALID;
  }

  @Override
  void exitControl(int exit) {
    int head = walk.headOf(exit);
    Frame frame = frames.pop();
    if (!walk.control(head).isLoop() && exits.loop(head) < 0) {
      changed.collect(frame.mark);
      for (int i = 0; i < changed.size(); i++) {
        int variable = changed.variable(i);
        set(variable, meet(changed.previous(i), current[variable]));
      }
    }
    for (int i = 0; i < frame.departed.size(); i++) {
      int variable = frame.departed.get(i);
      set(variable, meet(current[variable], frame.departedValues.get(i)));
    }
    log.close();
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
    if (!observed.isObserved(v) || !allocations.isPlanned(v) || current[v] == UNWRITTEN) {
      return;
    }
    if (current[v] == INVALID) {
      violations.add(variable, "is observed, but its bytes may hold another value at the end");
    } else if (allocations.at(v, last) != current[v]) {
      violations.add(variable, "is observed, but its value is not live at point " + last);
    }
  }
}
