package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.shape.OperatorTransfer.Mode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The abstract interpreter of a program on shapes: applies operators in order, joins the shapes
 * after a branch, and repeats loop bodies until a fixpoint.
 *
 * <p>It decides which block runs next. The shapes of an operator's outputs are found by {@link
 * OperatorTransfer}, the number of passes over a loop by {@link LoopFixpoint}.
 */
final class ShapeInterpreter {

  private final Program program;
  private final OperatorCatalog catalog;
  private final DeclaredShapes declared;
  private final ExtentExpressions formulas;
  private final ShapeState state;
  private final OperatorTransfer operators;
  private final BodyLinks links;
  private final LoopVariables loopVariables;
  private final Map<Operation, LoopFixpoint> fixpoints = new HashMap<>();

  ShapeInterpreter(
      Program program,
      OperatorCatalog catalog,
      FeedShapes feeds,
      DeclaredShapes declared,
      ExtentExpressions formulas) {
    this.program = program;
    this.catalog = catalog;
    this.declared = declared;
    this.formulas = formulas;
    this.state = new ShapeState(program, feeds);
    this.operators = new OperatorTransfer(program, catalog, feeds, declared, formulas, state);
    this.links = new BodyLinks(program, formulas, state);
    this.loopVariables = LoopVariables.find(program, catalog);
  }

  /** Interprets the whole program in a mode, except that branches are always lenient. */
  void run(Mode mode) {
    interpret(program.block(0), mode);
  }

  /** The shapes of the outputs of all operators that have run. */
  Definitions definitions() {
    return operators.definitions();
  }

  /**
   * The variables that may also get values without an operator that writes them by name: from the
   * start, or through a buffer that they share with another variable. The caller owns the set.
   */
  BitSet otherwiseWritten() {
    BitSet variables = operators.aliased();
    for (Variable variable : program.variables()) {
      int index = variable.index();
      if (state.start(index) != null || links.implicit(index) != null) {
        variables.set(index);
      }
    }
    return variables;
  }

  /** The initial shape of a variable that is read before any write; else null. */
  @Nullable AbstractShape start(int variable) {
    return state.start(variable);
  }

  /** The shape of the values that the runtime writes into a variable; null if there are none. */
  @Nullable AbstractShape implicit(int variable) {
    return links.implicit(variable);
  }

  private void interpret(Block block, Mode mode) {
    for (Operation operation : block.operations()) {
      int body = loopVariables.body(operation);
      if (body >= 0) {
        control(operation, program.block(body), mode);
      } else if (operation.blocks().isEmpty()) {
        operators.apply(operation, mode);
      } else {
        giveUp(operation, mode);
      }
    }
  }

  private void control(Operation operation, Block body, Mode mode) {
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        state.read(operation.input(i));
      }
    }
    ControlKind kind = catalog.lookup(operation.type()).control();
    SymbolicExtent condition = kind == ControlKind.CONDITIONAL ? condition(operation) : null;
    if (condition != null && condition.is(0)) {
      skip(operation, condition.isConstant());
      return;
    }
    if (kind.isLoop()) {
      loop(operation, kind, body, mode);
    } else {
      branch(operation, body, condition, mode);
    }
    operators.applyAfterBody(operation, mode);
  }

  /** The condition of a branch as a number, 0 or 1, if it is known for the given shapes. */
  private @Nullable SymbolicExtent condition(Operation operation) {
    Optional<Slot> slot = operation.inputSlot("Cond");
    if (slot.isEmpty() || slot.get().size() != 1 || !operation.flag("is_scalar_condition")) {
      return null;
    }
    int variable = slot.get().variable(0);
    AbstractShape tensor = variable == Program.NO_VARIABLE ? null : state.get(variable);
    if (tensor == null || !tensor.hasElements() || tensor.elements().size() != 1) {
      return null;
    }
    SymbolicExtent element = tensor.elements().get(0);
    return element.isExact() ? element : null;
  }

  /**
   * Skips a branch that does not run for the given shapes. If it may run for others, what it would
   * write keeps its shape in this run only.
   */
  private void skip(Operation operation, boolean inEveryRun) {
    skipOutputs(operation, operation, inEveryRun);
    for (Operation inner : inside(operation)) {
      skipOutputs(operation, inner, inEveryRun);
    }
  }

  private void skipOutputs(Operation branch, Operation skipped, boolean inEveryRun) {
    operators.definitions().skip(skipped);
    for (int i = 0; i < skipped.outputCount(); i++) {
      int variable = skipped.output(i);
      if (variable == Program.NO_VARIABLE) {
        continue;
      }
      AbstractShape before = state.getOrStart(variable);
      if (before == null) {
        state.set(variable, AbstractShape.unwritten(inEveryRun));
      } else if (!inEveryRun) {
        state.set(variable, onlyNow(before, branch, variable));
      }
    }
  }

  private AbstractShape onlyNow(AbstractShape tensor, Operation operation, int variable) {
    String choice = ShapeState.choice(operation, variable) + " in this run";
    return tensor.inThisRun(AbstractShape.unknown(""), formulas, choice);
  }

  /**
   * Interprets a body that may run or not, unless its condition is known. A mismatch in it is no
   * error, since it may not run.
   *
   * @param condition 1 if the body runs for the given shapes; null if that is not known
   */
  private void branch(
      Operation operation, Block body, @Nullable SymbolicExtent condition, Mode mode) {
    int mark = state.mark();
    boolean isLenient = mode == Mode.LENIENT || mode == Mode.UNORDERED;
    interpret(body, isLenient ? Mode.LENIENT : Mode.BRANCH);
    boolean runsAlways = condition != null && condition.isConstant();
    List<ShapeState.Change> changes = state.changesSince(mark);
    for (ShapeState.Change change : runsAlways ? List.<ShapeState.Change>of() : changes) {
      int variable = change.variable();
      AbstractShape before = change.before() == null ? state.startOf(variable) : change.before();
      AbstractShape after = state.get(variable);
      if (before == null || after == null || before.isNeverWritten() || before.isSame(after)) {
        continue;
      }
      boolean takesAfter = condition != null || before.isUnwritten();
      String choice = ShapeState.choice(operation, variable);
      state.set(
          variable,
          takesAfter ? onlyNow(after, operation, variable) : before.or(after, formulas, choice));
    }
    state.compact(mark);
  }

  private void loop(Operation operation, ControlKind kind, Block body, Mode mode) {
    int mark = state.mark();
    LoopFixpoint fixpoint = fixpoint(operation, testedVariable(operation, kind));
    for (boolean runs = fixpoint.enter(); runs; runs = fixpoint.endPass()) {
      if (kind == ControlKind.WHILE) {
        emptyArrays(body);
      }
      links.linkInto(operation, kind, body);
      interpret(body, mode == Mode.STRICT ? Mode.LOOP : mode);
      links.linkOutOf(operation, kind, body);
    }
    for (ShapeState.Change change : state.changesSince(mark)) {
      AbstractShape after = state.get(change.variable());
      if (after != null && after.isNeverMade()) {
        // Without iterations, the loop ends, and a collected result is there, without elements.
        String without = "op '" + operation.type() + "' may have no iterations; else ";
        state.set(change.variable(), AbstractShape.unknown(without + after.reason()));
      }
    }
  }

  /** Empties the arrays of the body of a loop, as the runtime does before each iteration. */
  private void emptyArrays(Block body) {
    for (Variable variable : body.variables()) {
      if (variable.kind() == Variable.Kind.TENSOR_ARRAY && !variable.isPersistable()) {
        state.set(variable.index(), AbstractShape.emptyArray());
      }
    }
  }

  /** The variable that a loop tests after each iteration; or none. */
  private static int testedVariable(Operation operation, ControlKind kind) {
    Optional<Slot> slot = operation.inputSlot("Condition");
    return kind == ControlKind.WHILE && slot.isPresent() && slot.get().size() == 1
        ? slot.get().variable(0)
        : Program.NO_VARIABLE;
  }

  private LoopFixpoint fixpoint(Operation operation, int condition) {
    return fixpoints.computeIfAbsent(
        operation,
        key -> new LoopFixpoint(key, condition, loopVariables, state, declared, formulas));
  }

  /**
   * Interprets an operator whose blocks may run in any order, any number of times. A variable that
   * they write may have its declared shape, or any shape that their operators make of the others.
   */
  private void giveUp(Operation operation, Mode mode) {
    operators.apply(operation, mode);
    ImmutableList<Operation> inside = inside(operation);
    LoopFixpoint fixpoint = fixpoint(operation, Program.NO_VARIABLE);
    for (boolean runs = fixpoint.enter(); runs; runs = fixpoint.endPass()) {
      inside.forEach(inner -> operators.apply(inner, Mode.UNORDERED));
    }
    AbstractShape unknown =
        AbstractShape.unknown("it is touched by a block of op '" + operation.type() + "'");
    for (Operation inner : inside) {
      for (int i = 0; i < inner.outputCount(); i++) {
        int variable = inner.output(i);
        if (variable != Program.NO_VARIABLE) {
          AbstractShape told = declared.refine(variable, unknown);
          AbstractShape made = state.get(variable);
          String choice = ShapeState.choice(operation, variable);
          links.link(variable, made == null ? told : told.or(made, formulas, choice));
        }
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      AbstractShape touched = variable == Program.NO_VARIABLE ? null : links.implicit(variable);
      if (touched != null) {
        operators.write(operation, i, touched, /* replaces= */ false);
      }
    }
  }

  /** The operators of the blocks that an operator names, directly or through other operators. */
  private ImmutableList<Operation> inside(Operation operation) {
    ImmutableList.Builder<Operation> inside = ImmutableList.builder();
    List<Integer> pending = new ArrayList<>(operation.blocks());
    BitSet seen = new BitSet();
    while (!pending.isEmpty()) {
      int block = pending.remove(pending.size() - 1);
      if (!seen.get(block)) {
        seen.set(block);
        for (Operation inner : program.block(block).operations()) {
          inside.add(inner);
          pending.addAll(inner.blocks());
        }
      }
    }
    return inside.build();
  }
}
