package dev.sublet.testing.simulate;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One simulated run: makes scopes, runs blocks, and looks at what is observed. */
final class Machine {

  private final Program program;
  private final ImmutableSet<String> feeds;
  private final Correspondence correspondence;
  private final Numbering numbering;
  private final Schedule schedule;
  private final Memory memory;
  private final Observer observer;
  private final StraightLine straightLine;
  private final ForwardControl forward;
  private final GradientControl gradient;

  /** Holds the persistable variables of all blocks. */
  private final Scope global = new Scope(null);

  Machine(
      Program program,
      ImmutableSet<String> feeds,
      Correspondence correspondence,
      Schedule schedule,
      Memory memory,
      Observer observer,
      StraightLine straightLine) {
    this.program = program;
    this.feeds = feeds;
    this.correspondence = correspondence;
    this.numbering = Numbering.of(program);
    this.schedule = schedule;
    this.memory = memory;
    this.observer = observer;
    this.straightLine = straightLine;
    this.forward = new ForwardControl(this, numbering, memory);
    this.gradient = new GradientControl(this, numbering, memory);
  }

  Observations run() {
    Scope scope = new Scope(global);
    createVariables(0, scope);
    for (Variable variable : program.variables()) {
      boolean isFeed = variable.block() == 0 && feeds.contains(variable.name());
      Cell cell = scope.find(variable.name());
      if (cell != null && (variable.isPersistable() || isFeed)) {
        memory.write(cell, 0, Values.mix(schedule.seed(), Values.of("given " + variable.name())));
      }
    }
    runBlock(0, scope);
    int end = 2 * numbering.count() - 1;
    for (VariableId id : observer.observed()) {
      // A persistable lives in the global scope, whichever block declares it.
      Cell cell = id.block() == 0 ? scope.find(id.name()) : global.local(id.name());
      if (cell != null) {
        observer.see("end " + id, memory.read(cell, end));
      }
    }
    return observer.observations();
  }

  /** Makes those variables of a block that the scope does not have yet. */
  void createVariables(int block, Scope scope) {
    for (Variable variable : program.block(block).variables()) {
      Scope home = variable.isPersistable() ? global : scope;
      home.bindIfAbsent(variable.name(), new Cell(variable, home));
    }
  }

  /** Runs a followed operator's body once. */
  void runBody(Operation operation, Scope scope) {
    int block = operation.blocks().get(0);
    runBlock(block, scope);
    for (VariableId id : observer.observed()) {
      Cell cell = id.block() == block ? scope.local(id.name()) : null;
      if (cell != null) {
        observer.see("body " + id, memory.read(cell, 2 * numbering.last(operation) + 1));
      }
    }
  }

  private void runBlock(int block, Scope scope) {
    for (Operation operation : program.block(block).operations()) {
      if (operation.blocks().isEmpty()) {
        if (operation.type().equals("fetch")) {
          fetch(operation, scope);
        } else if (!memory.skips(operation)) {
          straightLine.execute(operation, numbering.head(operation), scope);
        }
      } else if (!numbering.isFollowed(operation)) {
        runOpaque(operation, scope);
      } else {
        runControl(operation, scope);
      }
    }
  }

  private void fetch(Operation operation, Scope scope) {
    for (Slot slot : operation.inputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        Cell cell = scope.find(slot.argument(i));
        if (cell != null) {
          int original = correspondence.original(operation).index();
          long value = memory.read(cell, 2 * numbering.head(operation));
          observer.see("fetch " + operation.block() + ":" + original, value);
        }
      }
    }
  }

  private void runControl(Operation operation, Scope scope) {
    switch (operation.type()) {
      case "while" -> forward.runWhile(operation, scope);
      case "conditional_block", "conditional_block_infer" ->
          forward.runConditional(operation, scope);
      case "recurrent" -> forward.runRecurrent(operation, scope);
      case "while_grad" -> gradient.runWhileGradient(operation, scope);
      case "conditional_block_grad" -> gradient.runConditionalGradient(operation, scope);
      default ->
          throw new IllegalArgumentException(operation.type() + " is not simulated: " + operation);
    }
  }

  /** Nothing is known about the operator: its blocks run now or never, then it writes outputs. */
  private void runOpaque(Operation operation, Scope scope) {
    int trips = (int) Long.remainderUnsigned(decide(operation), 3);
    for (int block : operation.blocks()) {
      for (int i = 0; i < trips; i++) {
        Scope inner = new Scope(scope);
        createVariables(block, inner);
        runBlock(block, inner);
      }
    }
    straightLine.execute(operation, numbering.head(operation), scope);
  }

  private long decide(Operation operation) {
    long identity = correspondence.identity(operation);
    int visit = straightLine.visit(Values.mix(identity, 1));
    return Values.mix(Values.mix(schedule.seed(), identity), visit);
  }

  /** How often a loop runs this time. */
  int tripCount(Operation loop) {
    long identity = correspondence.identity(loop);
    return schedule.tripCount(identity, straightLine.visit(identity));
  }

  /** Reads a control operator's condition: whether all variables in the slot are true. */
  boolean condition(Operation operation, String slot, Scope scope) {
    boolean all = true;
    for (Cell cell : cells(operation.inputSlot(slot).orElse(null), scope)) {
      long value = memory.read(cell, 2 * numbering.head(operation));
      observer.seeCondition(operation, correspondence.original(operation), value);
      all &= Values.bit(value);
    }
    return all;
  }

  /** The scopes that a control operator keeps in the variable in its output or input slot. */
  List<Scope> keptScopes(@Nullable Slot slot, Scope scope) {
    ImmutableSet<Cell> cells = cells(slot, scope);
    return cells.isEmpty() ? new ArrayList<>() : cells.iterator().next().scopes;
  }

  private static ImmutableSet<Cell> cells(@Nullable Slot slot, Scope scope) {
    ImmutableSet.Builder<Cell> cells = ImmutableSet.builder();
    if (slot != null) {
      for (int i = 0; i < slot.size(); i++) {
        Cell cell = scope.find(slot.argument(i));
        if (cell != null) {
          cells.add(cell);
        }
      }
    }
    return cells.build();
  }

  boolean isGlobal(String name) {
    return global.local(name) != null;
  }

  Program program() {
    return program;
  }
}
