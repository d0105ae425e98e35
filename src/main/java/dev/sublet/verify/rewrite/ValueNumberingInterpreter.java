package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.ChangedSince;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.ExclusivePattern;
import dev.sublet.verify.graph.ImplicitDefUses;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.Interpreter;
import dev.sublet.verify.graph.LoopExits;
import dev.sublet.verify.graph.ObservedVariables;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.SavedScopes;
import dev.sublet.verify.graph.Violations;
import dev.sublet.verify.rewrite.UnrolledLoop.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the original and the rewritten program side by side over a {@link ValueNumbering}.
 *
 * <p>At each node the counterparts must read related variables; then their outputs get the same new
 * number. A loop runs until the relation at its head no longer changes.
 */
final class ValueNumberingInterpreter extends Interpreter {

  /** A control operator that is being run. */
  private static final class Frame {
    final int head;

    /** The head of the loop that ends if this operator does not run its body, or -1. */
    final int leaves;

    /**
     * For a loop: the changes on each path that left its body since the head was last passed, and
     * the branches at which the paths left it.
     */
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
  private final SavedScopes savedScopes;
  private final ObservedVariables observed;
  private final ExclusivePattern exclusive;
  private final LoopExits exits;
  private final OperatorAlignment alignment;
  private final NameAssignment assignment;
  private final ExitFixups fixups;
  private final ValueNumbering numbering;
  private final RelatedOperators operators;
  private final LoopWrites loopWrites;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();

  /** By forward head: the values of its locals at the end of its body. */
  private final Map<Integer, ValueNumbering.Snapshot> captured = new HashMap<>();

  ValueNumberingInterpreter(
      ProgramGraph graph,
      OperatorAlignment alignment,
      NameAssignment assignment,
      ImmutableMap<Position, UnrolledLoop> unrolled,
      Violations violations) {
    super(graph.nodes(), violations);
    this.original = graph.program();
    this.rewritten = alignment.rewritten();
    this.accesses = graph.accesses();
    this.savedScopes = graph.savedScopes();
    this.observed = graph.observed();
    this.exclusive = graph.exclusive();
    this.exits = LoopExits.of(nodes, savedScopes);
    this.alignment = alignment;
    this.fixups = new ExitFixups(alignment, unrolled);
    this.assignment = assignment;
    this.numbering =
        new ValueNumbering(original.variableCount(), rewritten.variableCount(), observed::isUnseen);
    this.operators =
        new RelatedOperators(nodes, accesses, alignment, assignment, numbering, violations);
    this.loopWrites = new LoopWrites(nodes, accesses, savedScopes, alignment, assignment);
  }

  @Override
  protected void start() {
    for (int u = 0; u < original.variableCount(); u++) {
      Variable variable = original.variable(u);
      if (observed.isDefinedAtStart(u) || (variable.block() == 0 && isHolder(variable))) {
        operators.overwriteTwin(u);
      }
    }
  }

  /**
   * Whether a variable is an array or another container, which begins empty. Being empty is a value
   * too, because operators add to it.
   */
  private static boolean isHolder(Variable variable) {
    return variable.kind() != Variable.Kind.TENSOR;
  }

  @Override
  protected void operation(int node) {
    operators.run(node);
  }

  @Override
  protected void enterControl(int head) {
    operators.runExtras(head);
    int leaves = exits.loop(head) >= 0 && isFollowedByNothing(head) ? exits.loop(head) : -1;
    if (leaves >= 0) {
      leaveLoop(head, leaves);
    }
    int body = nodes.body(head);
    for (Variable local : original.block(body).variables()) {
      if (local.isPersistable()) {
        continue;
      }
      if (isOverBudget() && !observed.isOverwrittenFirst(local.index())) {
        numbering.loseOriginal(local.index());
      } else {
        numbering.undefineOriginal(local.index());
      }
    }
    renewLocals(body);
    ImmutableIntArray results = exclusive.results(head);
    for (int i = 0; i < results.length(); i++) {
      numbering.undefineOriginal(results.get(i));
    }
    Frame frame = new Frame(head, leaves);
    if (nodes.control(head).isLoop()) {
      loopWrites.find(head, numbering);
      frame.originals = loopWrites.originals();
      frame.written = loopWrites.rewrittens();
      frame.firstOwned = numbering.nextNumber();
      numbering.separate(loopWrites.originals(), loopWrites.rewrittens());
    }
    frame.mark = numbering.open();
    frame.firstNumber = numbering.nextNumber();
    frames.push(frame);
  }

  /**
   * Whether the rewritten program too has no operator between a loop's exit by a branch and the
   * loop's head.
   */
  private boolean isFollowedByNothing(int exit) {
    int head = exit;
    while (head != exits.loop(exit)) {
      head = exits.around(head);
      if (!alignment.extrasBefore(nodes.exitOf(head)).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Skips a conditional block: the enclosing bodies end, and the loop tests its condition and ends.
   */
  private void leaveLoop(int branch, int loop) {
    Operation operation = nodes.operation(loop);
    int u = LoopExits.condition(operation);
    operators.checkRead(operation, u, LoopExits.condition(alignment.requireCounterpart(loop)));
    for (int head = branch; head != loop; head = exits.around(head)) {
      checkObservedLocals(nodes.body(exits.around(head)));
    }
    for (Frame frame : frames) {
      if (frame.head == loop) {
        frame.departures.add(
            numbering.departure(frame.mark, key -> !exits.isGoneBehind(loop, variable(key))));
        frame.branches.add(branch);
      }
    }
  }

  private Variable variable(int key) {
    return key >= 0 ? original.variable(key) : rewritten.variable(~key);
  }

  /** Makes the rewritten program's locals undefined; arrays are empty in both programs. */
  private void renewLocals(int body) {
    for (Variable local : rewritten.block(body).variables()) {
      if (!local.isPersistable()) {
        numbering.loseRewritten(local.index());
      }
    }
    for (Variable local : original.block(body).variables()) {
      if (!local.isPersistable() && isHolder(local)) {
        operators.overwriteTwin(local.index());
      }
    }
  }

  @Override
  protected void startPass(int head) {
    Operation operation = nodes.operation(head);
    Operation other = alignment.requireCounterpart(head);
    for (int i = 0; i < operation.inputCount(); i++) {
      int u = operation.input(i);
      if (u != Program.NO_VARIABLE && !exclusive.isResult(head, u)) {
        operators.checkRead(operation, u, other.input(i));
      }
    }
    int body = nodes.body(head);
    if (savedScopes.isFreshInEachRun(head, body)) {
      for (Variable local : original.block(body).variables()) {
        if (!local.isPersistable()) {
          numbering.undefineOriginal(local.index());
        }
      }
      renewLocals(body);
    } else if (nodes.control(head).isLoop()) {
      // Not every runtime keeps locals for the next iteration, so they may stand for locals only.
      numbering.restore(captureLocals(body));
    }
    if (savedScopes.forwardHead(head) >= 0) {
      restoreForwardLocals(savedScopes.forwardHead(head));
    }
    ImplicitDefUses implicit = accesses.implicit(head);
    operators.checkTwins(operation, implicit.entryReads());
    operators.writeTwins(implicit.entryWrites());
  }

  private void restoreForwardLocals(int forward) {
    ValueNumbering.Snapshot snapshot = captured.get(forward);
    if (snapshot != null) {
      numbering.restore(snapshot);
      return;
    }
    // The gradient comes first. Its forward operator's locals must all keep their names.
    for (Variable local : original.block(nodes.body(forward)).variables()) {
      operators.overwriteTwin(local.index());
    }
  }

  @Override
  protected void endPass(int exit) {
    int head = nodes.headOf(exit);
    if (!fixups.isFixup(nodes.body(head))) {
      operators.runExtras(exit); // fix-ups were run where their loop was left
    }
    Operation operation = nodes.operation(exit);
    ImplicitDefUses implicit = accesses.implicit(head);
    operators.checkTwins(operation, implicit.endReads());
    operators.writeTwins(implicit.endWrites());
    int body = nodes.body(head);
    checkObservedLocals(body);
    if (savedScopes.isKept(body) && !nodes.control(head).isGradient()) {
      captured.put(head, captureLocals(body));
    }
    if (nodes.control(head).isLoop()) {
      restoreScoped(head);
    } else if (exclusive.isBranch(head)) {
      operators.writeOutputs(exit);
      ImmutableIntArray results = exclusive.oppositeResults(head);
      for (int i = 0; i < results.length(); i++) {
        numbering.undefineOriginal(results.get(i));
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
    return numbering.capture(locals(original.block(body)), locals(rewritten.block(body)));
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
    int twin = assignment.twin(variable.index());
    if (twin != Program.NO_VARIABLE && !numbering.areRelated(variable.index(), twin)) {
      violations.add(variable, "is observed, but may not hold its value at the end");
    }
  }

  /**
   * Restores the variables that are fresh in each run of a loop's body, or overwritten first: their
   * values never reach the loop's head.
   */
  private void restoreScoped(int head) {
    ChangedSince changed = numbering.changesSince(frames.getFirst().mark);
    for (int i = 0; i < changed.size(); i++) {
      Variable variable =
          changed.isOriginal(i)
              ? original.variable(changed.variable(i))
              : rewritten.variable(changed.variable(i));
      boolean overwritten =
          changed.isOriginal(i)
              && variable.block() == nodes.body(head)
              && observed.isOverwrittenFirst(variable.index());
      if (!variable.isPersistable()
          && (overwritten || savedScopes.isFreshInEachRun(head, variable.block()))) {
        numbering.restore(changed, i);
      }
    }
  }

  @Override
  protected boolean weakenHead(int head) {
    Frame frame = frames.getFirst();
    if (numbering.holdsSince(frame.mark, frame.originals, frame.written, frame.firstOwned)) {
      numbering.undo(frame.mark);
      return false;
    }
    numbering.intersectAtMark(frame.mark, frame.firstNumber);
    frame.mark = numbering.logSize();
    frame.firstNumber = numbering.nextNumber();
    frame.departures.clear();
    frame.branches.truncate(0);
    return true;
  }

  @Override
  protected void exitControl(int exit) {
    int head = nodes.headOf(exit);
    Frame frame = frames.pop();
    if (!nodes.control(head).isLoop() && frame.leaves < 0) {
      numbering.intersect(frame.mark, frame.firstNumber);
    }
    if (nodes.control(head).isLoop()) {
      joinDepartures(frame);
    }
    numbering.close();
    if (!exclusive.isBranch(head)) {
      operators.writeOutputs(exit);
    }
  }

  /** Joins the paths that leave a loop, each after its fix-ups. */
  private void joinDepartures(Frame frame) {
    fixups.run(frame.head, frame.head, numbering);
    for (int i = 0; i < frame.departures.size(); i++) {
      int branch = frame.branches.get(i);
      numbering.join(
          frame.departures.get(i),
          frame.mark,
          frame.firstNumber,
          () -> fixups.run(frame.head, branch, numbering));
    }
    if (!fixups.suit(frame.head, frame.departures.size())) {
      violations.add(nodes.operation(frame.head).location(), "its copies do not all end the loop");
    }
  }

  @Override
  protected void finish() {
    operators.runExtras(nodes.nodeCount());
    for (Variable variable : original.variables()) {
      if (observed.isObserved(variable.index())
          && (variable.block() == 0 || variable.isPersistable())) {
        checkObserved(variable);
      }
    }
  }
}
