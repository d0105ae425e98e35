package dev.sublet.verify;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.UnrolledLoop.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the original and the rewritten program side by side over a {@link ValueNumbering}. */
final class ValueNumberingInterpreter extends Interpreter {

  /** A control operator that is being run. */
  private static final class Frame {
    final int head;

    /** The loop that ends if this operator does not run its body, or -1. */
    final int leaves;

    /** Of a loop: how its body was left since the head was last passed, and by which branches. */
    final List<ValueNumbering.Departure> departures = new ArrayList<>();

    final IntList branches = new IntList();

    int mark;
    int firstNumber;
    int firstOwned;

    /** The variables of the two programs that a loop may change. */
    IntList originals = new IntList();

    IntList written = new IntList();

    Frame(int head, int leaves) {
      this.head = head;
      this.leaves = leaves;
    }
  }

  private final Program original;
  private final Program rewritten;
  private final DefUses accesses;
  private final SavedScopes training;
  private final ObservedVariables observed;
  private final ExclusivePattern exclusive;
  private final LoopExits exits;
  private final Alignment alignment;
  private final NameAssignment tenancy;
  private final ExitFixups fixups;
  private final ValueNumbering relation;
  private final RelatedOperators operators;
  private final LoopWrites loopWrites;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();

  /** By forward head: what its locals held at its body's end. */
  private final Map<Integer, ValueNumbering.Snapshot> captured = new HashMap<>();

  ValueNumberingInterpreter(
      NodeOrder walk,
      DefUses accesses,
      SavedScopes training,
      ObservedVariables observed,
      ExclusivePattern exclusive,
      Alignment alignment,
      NameAssignment tenancy,
      ImmutableMap<Position, UnrolledLoop> unrolled,
      Violations violations) {
    super(walk, violations);
    this.original = walk.program();
    this.rewritten = alignment.rewritten();
    this.accesses = accesses;
    this.training = training;
    this.observed = observed;
    this.exclusive = exclusive;
    this.exits = LoopExits.of(walk, training);
    this.alignment = alignment;
    this.fixups = new ExitFixups(alignment, unrolled);
    this.tenancy = tenancy;
    this.relation = new ValueNumbering(original.variableCount(), rewritten.variableCount());
    this.operators = new RelatedOperators(walk, accesses, alignment, tenancy, relation, violations);
    this.loopWrites = new LoopWrites(walk, accesses, training, alignment, tenancy);
  }

  @Override
  void start() {
    for (int u = 0; u < original.variableCount(); u++) {
      Variable variable = original.variable(u);
      if (observed.isDefinedAtStart(u) || (variable.block() == 0 && isHolder(variable))) {
        operators.overwriteTwin(u);
      }
    }
  }

  /** Arrays and the like begin empty, which is a value too: operators add to it. */
  private static boolean isHolder(Variable variable) {
    return variable.kind() != Variable.Kind.TENSOR;
  }

  @Override
  void operation(int node) {
    operators.run(node);
  }

  @Override
  void enterControl(int head) {
    operators.runExtras(head);
    int leaves = exits.loop(head) >= 0 && isFollowedByNothing(head) ? exits.loop(head) : -1;
    if (leaves >= 0) {
      leaveLoop(head, leaves);
    }
    int body = walk.body(head);
    for (Variable local : original.block(body).variables()) {
      if (local.isPersistable()) {
        continue;
      }
      if (isOverBudget() && !observed.isOverwrittenFirst(local.index())) {
        relation.loseOriginal(local.index());
      } else {
        relation.undefineOriginal(local.index());
      }
    }
    renewLocals(body);
    ImmutableIntArray results = exclusive.results(head);
    for (int i = 0; i < results.length(); i++) {
      relation.undefineOriginal(results.get(i));
    }
    Frame frame = new Frame(head, leaves);
    if (walk.control(head).isLoop()) {
      loopWrites.find(head, relation);
      frame.originals = loopWrites.originals();
      frame.written = loopWrites.rewrittens();
      frame.firstOwned = relation.nextNumber();
      relation.separate(loopWrites.originals(), loopWrites.rewrittens());
    }
    frame.mark = relation.open();
    frame.firstNumber = relation.nextNumber();
    frames.push(frame);
  }

  /** Whether the rewritten program does nothing either between a loop's exit and its head. */
  private boolean isFollowedByNothing(int exit) {
    int head = exit;
    while (head != exits.loop(exit)) {
      head = exits.around(head);
      if (!alignment.extrasBefore(walk.exitOf(head)).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** The conditional block is skipped: the bodies around it end, and the loop looks and ends. */
  private void leaveLoop(int branch, int loop) {
    Operation operation = walk.operation(loop);
    int u = LoopExits.condition(operation);
    operators.checkRead(operation, u, LoopExits.condition(alignment.requireCounterpart(loop)));
    for (int head = branch; head != loop; head = exits.around(head)) {
      checkObservedLocals(walk.body(exits.around(head)));
    }
    for (Frame frame : frames) {
      if (frame.head == loop) {
        frame.departures.add(
            relation.departure(frame.mark, key -> !exits.isGoneBehind(loop, variable(key))));
        frame.branches.add(branch);
      }
    }
  }

  private Variable variable(int key) {
    return key >= 0 ? original.variable(key) : rewritten.variable(~key);
  }

  /** The rewritten program's locals hold nothing, but empty arrays are empty in both. */
  private void renewLocals(int body) {
    for (Variable local : rewritten.block(body).variables()) {
      if (!local.isPersistable()) {
        relation.loseRewritten(local.index());
      }
    }
    for (Variable local : original.block(body).variables()) {
      if (!local.isPersistable() && isHolder(local)) {
        operators.overwriteTwin(local.index());
      }
    }
  }

  @Override
  void startPass(int head) {
    Operation operation = walk.operation(head);
    Operation other = alignment.requireCounterpart(head);
    for (int i = 0; i < operation.inputCount(); i++) {
      int u = operation.input(i);
      if (u != Program.NO_VARIABLE && !exclusive.isResult(head, u)) {
        operators.checkRead(operation, u, other.input(i));
      }
    }
    int body = walk.body(head);
    if (training.isFreshInEachRun(head, body)) {
      for (Variable local : original.block(body).variables()) {
        if (!local.isPersistable()) {
          relation.undefineOriginal(local.index());
        }
      }
      renewLocals(body);
    } else if (walk.control(head).isLoop()) {
      // Not every runtime carries locals over to the next run: they may stand for locals only.
      relation.restore(captureLocals(body));
    }
    if (training.forwardHead(head) >= 0) {
      restoreForwardLocals(training.forwardHead(head));
    }
    ImplicitAccesses implicit = accesses.implicit(head);
    operators.checkTwins(operation, implicit.entryReads());
    operators.writeTwins(implicit.entryWrites());
  }

  private void restoreForwardLocals(int forward) {
    ValueNumbering.Snapshot snapshot = captured.get(forward);
    if (snapshot != null) {
      relation.restore(snapshot);
      return;
    }
    // The gradient comes first. Its forward operator's locals may not be renamed at all.
    for (Variable local : original.block(walk.body(forward)).variables()) {
      operators.overwriteTwin(local.index());
    }
  }

  @Override
  void endPass(int exit) {
    int head = walk.headOf(exit);
    if (!fixups.isFixup(walk.body(head))) {
      operators.runExtras(exit); // fix-ups have run where their loop was left
    }
    Operation operation = walk.operation(exit);
    ImplicitAccesses implicit = accesses.implicit(head);
    operators.checkTwins(operation, implicit.endReads());
    operators.writeTwins(implicit.endWrites());
    int body = walk.body(head);
    checkObservedLocals(body);
    if (training.isKept(body) && !walk.control(head).isGradient()) {
      captured.put(head, captureLocals(body));
    }
    if (walk.control(head).isLoop()) {
      restoreScoped(head);
    } else if (exclusive.isBranch(head)) {
      operators.writeOutputs(exit);
      ImmutableIntArray results = exclusive.oppositeResults(head);
      for (int i = 0; i < results.length(); i++) {
        relation.undefineOriginal(results.get(i));
      }
    }
  }

  private void checkObservedLocals(int body) {
    for (Variable local : original.block(body).variables()) {
      if (observed.isObserved(local.index()) && !local.isPersistable()) {
        checkObserved(local);
      }
    }
  }

  private ValueNumbering.Snapshot captureLocals(int body) {
    return relation.capture(locals(original.block(body)), locals(rewritten.block(body)));
  }

  private static int[] locals(Block block) {
    IntList locals = new IntList();
    for (Variable local : block.variables()) {
      if (!local.isPersistable()) {
        locals.add(local.index());
      }
    }
    return locals.toArray();
  }

  private void checkObserved(Variable variable) {
    int twin = tenancy.twin(variable.index());
    if (twin != Program.NO_VARIABLE && !relation.areRelated(variable.index(), twin)) {
      violations.add(variable, "is observed, but may not hold its value at the end");
    }
  }

  /** What is fresh in each run of a loop's body, or overwritten first, never reaches the head. */
  private void restoreScoped(int head) {
    ChangedSince changed = relation.changesSince(frames.getFirst().mark);
    for (int i = 0; i < changed.size(); i++) {
      Variable variable =
          changed.isOriginal(i)
              ? original.variable(changed.variable(i))
              : rewritten.variable(changed.variable(i));
      boolean overwritten =
          changed.isOriginal(i)
              && variable.block() == walk.body(head)
              && observed.isOverwrittenFirst(variable.index());
      if (!variable.isPersistable()
          && (overwritten || training.isFreshInEachRun(head, variable.block()))) {
        relation.restore(changed, i);
      }
    }
  }

  @Override
  boolean weakenHead(int head) {
    Frame frame = frames.getFirst();
    if (relation.holdsSince(frame.mark, frame.originals, frame.written, frame.firstOwned)) {
      relation.undo(frame.mark);
      return false;
    }
    relation.intersectAtMark(frame.mark, frame.firstNumber);
    frame.mark = relation.logSize();
    frame.firstNumber = relation.nextNumber();
    frame.departures.clear();
    frame.branches.truncate(0);
    return true;
  }

  @Override
  void exitControl(int exit) {
    int head = walk.headOf(exit);
    Frame frame = frames.pop();
    if (!walk.control(head).isLoop() && frame.leaves < 0) {
      relation.intersect(frame.mark, frame.firstNumber);
    }
    if (walk.control(head).isLoop()) {
      joinDepartures(frame);
    }
    relation.close();
    if (!exclusive.isBranch(head)) {
      operators.writeOutputs(exit);
    }
  }

  /** The paths that leave a loop meet behind it, each with its values put back where they were. */
  private void joinDepartures(Frame frame) {
    fixups.run(frame.head, frame.head, relation);
    for (int i = 0; i < frame.departures.size(); i++) {
      int branch = frame.branches.get(i);
      relation.join(
          frame.departures.get(i),
          frame.mark,
          frame.firstNumber,
          () -> fixups.run(frame.head, branch, relation));
    }
    if (!fixups.suit(frame.head, frame.departures.size())) {
      violations.add(walk.operation(frame.head).place(), "its copies do not all end the loop");
    }
  }

  @Override
  void finish() {
    operators.runExtras(walk.nodeCount());
    for (Variable variable : original.variables()) {
      if (observed.isObserved(variable.index())
          && (variable.block() == 0 || variable.isPersistable())) {
        checkObserved(variable);
      }
    }
  }
}
