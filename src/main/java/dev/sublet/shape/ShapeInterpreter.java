package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.ViewCall;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
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
 * <p>Which block runs next is decided here, and how often a loop runs by {@link LoopFixpoint}.
 */
final class ShapeInterpreter {

  private final Program program;
  private final OperatorCatalog catalog;
  private final FeedShapes feeds;
  private final DeclaredShapes declared;
  private final ExtentExpressions formulas;
  private final boolean refusesContradictions;
  private final ShapeState state;
  private final Definitions definitions;
  private final LoopVariables loopVariables;

  /** The nesting depth of branches. A mismatch in a branch is no error: the branch may not run. */
  private int branches;

  /** Whether the current blocks run in an unknown order. */
  private boolean isInAnyOrder;

  private final BodyLinks links;

  private final Map<Operation, LoopFixpoint> fixpoints = new HashMap<>();

  ShapeInterpreter(
      Program program,
      OperatorCatalog catalog,
      FeedShapes feeds,
      DeclaredShapes declared,
      ExtentExpressions formulas,
      boolean refusesContradictions) {
    this.program = program;
    this.catalog = catalog;
    this.feeds = feeds;
    this.declared = declared;
    this.formulas = formulas;
    this.refusesContradictions = refusesContradictions;
    this.state = new ShapeState(program, feeds);
    this.definitions = new Definitions(program);
    this.links = new BodyLinks(program, formulas, state);
    this.loopVariables = LoopVariables.find(program, catalog);
  }

  /** Runs the program. */
  void run() {
    interpret(program.block(0));
  }

  Definitions definitions() {
    return definitions;
  }

  /** The initial shape of a variable that is read before any write; else null. */
  @Nullable AbstractShape start(int variable) {
    return state.start(variable);
  }

  /** The shape of the values that the runtime writes into a variable; null if there are none. */
  @Nullable AbstractShape implicit(int variable) {
    return links.implicit(variable);
  }

  private void interpret(Block block) {
    for (Operation operation : block.operations()) {
      int body = loopVariables.body(operation);
      if (body >= 0) {
        control(operation, catalog.lookup(operation.type()).control(), program.block(body));
      } else if (operation.blocks().isEmpty()) {
        compute(operation);
      } else {
        giveUp(operation);
      }
    }
  }

  private void compute(Operation operation) {
    if (operation.type().equals("feed") && operation.block() == 0) {
      for (int i = 0; i < operation.outputCount(); i++) {
        if (operation.output(i) != Program.NO_VARIABLE) {
          write(operation, i, feeds.start(operation.output(i)), Effect.MUST_WRITE);
        }
      }
      return;
    }
    OperatorSpec spec = catalog.lookup(operation.type());
    ShapeCall call = call(operation);
    if (!spec.effects().keptIfEmpty().isEmpty()) {
      noteEmptyInputs(operation, call);
    }
    String failure = applyRule(spec.shapeRule(), call);
    int output = 0;
    for (Slot slot : operation.outputSlots()) {
      for (int i = 0; i < slot.size(); i++, output++) {
        if (slot.variable(i) != Program.NO_VARIABLE) {
          boolean isArray = program.variable(slot.variable(i)).kind() == Variable.Kind.TENSOR_ARRAY;
          Effect effect =
              spec.effects().on(slot.name(), isArray, definitions.mayBeEmpty(operation));
          AbstractShape result = call.result(output);
          AbstractShape tensor = result == null ? notSet(operation, failure) : result;
          write(operation, output, declared.refine(slot.variable(i), tensor), effect);
        }
      }
    }
    for (InPlacePair pair : spec.inPlacePairs()) {
      comparePair(operation, spec, pair, call);
    }
    findViews(operation, spec, call);
  }

  private void noteEmptyInputs(Operation operation, ShapeCall call) {
    for (int i = 0; i < operation.inputCount(); i++) {
      int variable = operation.input(i);
      boolean isTensor =
          variable != Program.NO_VARIABLE
              && program.variable(variable).kind() == Variable.Kind.TENSOR;
      if (isTensor && !surelyHasElements(call.input(i))) {
        definitions.setMayBeEmpty(operation);
      }
    }
  }

  private static boolean surelyHasElements(AbstractShape tensor) {
    if (!tensor.hasRank()) {
      return false;
    }
    for (int i = 0; i < tensor.rank(); i++) {
      if (!tensor.dim(i).isExact() || tensor.dim(i).value() == 0) {
        return false;
      }
    }
    return true;
  }

  private void findViews(Operation operation, OperatorSpec spec, ShapeCall call) {
    if (spec.viewRule() != null) {
      @Nullable AbstractShape[] outputs = new AbstractShape[operation.outputCount()];
      for (int i = 0; i < outputs.length; i++) {
        outputs[i] = definitions.get(definitions.number(operation, i));
      }
      definitions.setViews(operation, ViewCall.find(program, spec, call, outputs));
    }
  }

  /**
   * Records whether the two sides of an in-place pair are alike. They must have the same shape,
   * because the runtime may set the output's shape before the kernel reads the input's shape. For
   * views and operators of ONNX, equally many elements are enough.
   */
  private void comparePair(
      Operation operation, OperatorSpec spec, InPlacePair pair, ShapeCall call) {
    int input = operation.firstInput(pair.input());
    int output = operation.firstOutput(pair.output());
    if (input >= 0
        && output >= 0
        && operation.input(input) != Program.NO_VARIABLE
        && operation.output(output) != Program.NO_VARIABLE) {
      AbstractShape target = definitions.get(definitions.number(operation, output));
      boolean like =
          target != null
              && haveSameCount(call.input(input), target)
              && (spec.viewRule() != null
                  || spec.isOnnx()
                  || haveSameDims(call.input(input), target))
              && pair.allows(call);
      definitions.setLikeInput(operation, output, input, like);
    }
  }

  private static boolean haveSameDims(AbstractShape source, AbstractShape target) {
    if (source.rank() != target.rank()) {
      return false;
    }
    for (int i = 0; i < source.rank(); i++) {
      if (!source.dim(i).isSame(target.dim(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean haveSameCount(AbstractShape source, AbstractShape target) {
    return source.hasRank() && target.hasRank() && source.count().isSame(target.count());
  }

  private ShapeCall call(Operation operation) {
    AbstractShape[] inputs = new AbstractShape[operation.inputCount()];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] =
          operation.input(i) == Program.NO_VARIABLE
              ? AbstractShape.unknown("an input has no variable")
              : state.read(operation.input(i));
    }
    AbstractShape[] previous = new AbstractShape[operation.outputCount()];
    for (int i = 0; i < previous.length; i++) {
      previous[i] =
          operation.output(i) == Program.NO_VARIABLE ? null : state.get(operation.output(i));
    }
    return new ShapeCall(program, operation, inputs, previous, formulas);
  }

  /** The shape of an output that the operator's rule has not set. */
  private static AbstractShape notSet(Operation operation, String failure) {
    return AbstractShape.unknown(
        failure.isEmpty()
            ? "the shape rule of op '" + operation.type() + "' does not cover it"
            : failure);
  }

  /** Applies a rule; returns the reason why it failed, or nothing. */
  private String applyRule(@Nullable ShapeRule rule, ShapeCall call) {
    Operation operation = call.operation();
    if (rule == null) {
      return "no shape rule for op '" + operation.type() + "'";
    }
    try {
      rule.infer(call);
      return "";
    } catch (UnknownShapeException e) {
      return e.reason();
    } catch (ShapeMismatchException e) {
      if (refusesContradictions && branches == 0) {
        throw contradiction(rule, call, e.contradiction());
      }
      return "the declared shapes contradict op '" + operation.type() + "': " + e.contradiction();
    }
  }

  /** The error of an operator that does not accept its inputs: the mistake of a feed or a fault. */
  private ProgramException contradiction(ShapeRule rule, ShapeCall call, String fault) {
    Location place = call.operation().location();
    Optional<String> rank = feeds.rankMistake();
    if (rank.isPresent()) {
      return ProgramException.usage(place, fault + "; " + rank.get());
    }
    return isContradictedByFeeds(rule, call)
        ? ProgramException.usage(place, fault)
        : ProgramException.unreadable(place, fault + ", whatever is fed");
  }

  /** Whether an operator that does not accept its inputs may accept the inputs of other feeds. */
  private static boolean isContradictedByFeeds(ShapeRule rule, ShapeCall call) {
    try {
      rule.infer(call.withoutFeeds());
      return true;
    } catch (UnknownShapeException e) {
      return true;
    } catch (ShapeMismatchException e) {
      return false;
    }
  }

  private void write(Operation operation, int output, AbstractShape found, Effect effect) {
    int variable = operation.output(output);
    int number = definitions.number(operation, output);
    AbstractShape tensor =
        program.variable(variable).hasBindingShape() ? found : withEarlierPasses(found, number);
    definitions.set(operation, output, tensor);
    AbstractShape before = state.get(variable);
    state.set(
        variable,
        before == null || (effect != Effect.MAY_WRITE && !isInAnyOrder)
            ? tensor
            : before.or(tensor, formulas, "may " + number));
  }

  /**
   * Joins the output of an operator in this pass over a loop with the output in earlier passes.
   *
   * <p>Each pass has less precise inputs than the pass before, so the output of this pass normally
   * covers the earlier ones. The exception: if a rule has rejected some inputs, a declaration was
   * used instead of its output. A promised shape is true in all passes.
   */
  private AbstractShape withEarlierPasses(AbstractShape found, int number) {
    AbstractShape earlier = definitions.get(number);
    return earlier == null || covers(found, earlier)
        ? found
        : earlier.or(found, formulas, "passes " + number);
  }

  private static boolean covers(AbstractShape now, AbstractShape earlier) {
    if (!now.hasRank() || !earlier.hasRank()) {
      return true;
    }
    boolean covers = now.rank() == earlier.rank();
    for (int i = 0; covers && i < now.rank(); i++) {
      SymbolicExtent extent = now.dim(i);
      SymbolicExtent other = earlier.dim(i);
      boolean isLarger = !extent.isExact() && extent.value() > other.value();
      boolean isSame = extent.value() == other.value() && (other.isExact() || !extent.isExact());
      covers = !extent.isKnown() || !other.isKnown() || isLarger || isSame;
    }
    return covers;
  }

  /**
   * Interprets an operator whose blocks may run in any order, any number of times. A variable that
   * they write may have its declared shape, or any shape that their operators make of the others.
   */
  private void giveUp(Operation operation) {
    compute(operation);
    ImmutableList<Operation> inside = inside(operation);
    isInAnyOrder = true;
    branches++;
    LoopFixpoint fixpoint = fixpoint(operation);
    for (boolean runs = fixpoint.enter(); runs; runs = fixpoint.endPass()) {
      inside.forEach(this::compute);
    }
    branches--;
    isInAnyOrder = false;
    AbstractShape tensor =
        AbstractShape.unknown("it is touched by a block of op '" + operation.type() + "'");
    for (Operation inner : inside) {
      for (int i = 0; i < inner.outputCount(); i++) {
        int variable = inner.output(i);
        if (variable != Program.NO_VARIABLE) {
          AbstractShape told = declared.refine(variable, tensor);
          AbstractShape made = state.get(variable);
          links.link(
              variable,
              made == null
                  ? told
                  : told.or(made, formulas, ShapeState.choice(operation, variable)));
        }
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      AbstractShape touched = variable == Program.NO_VARIABLE ? null : links.implicit(variable);
      if (touched != null) {
        write(operation, i, touched, Effect.MAY_WRITE);
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

  private void control(Operation operation, ControlKind kind, Block body) {
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        state.read(operation.input(i));
      }
    }
    if (kind.isLoop()) {
      loop(operation, kind, body);
    } else {
      branch(operation, body);
    }
    ShapeCall call = call(operation);
    if (kind.isGradient()) {
      applyRule(catalog.lookup(operation.type()).shapeRule(), call);
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable != Program.NO_VARIABLE) {
        AbstractShape result = call.result(i);
        AbstractShape found = result == null ? state.get(variable) : result;
        String reason = "nothing in the block of op '" + operation.type() + "' writes it";
        AbstractShape tensor =
            declared.refine(variable, found == null ? AbstractShape.unknown(reason) : found);
        write(operation, i, tensor, Effect.MUST_WRITE);
      }
    }
  }

  private void branch(Operation operation, Block body) {
    int mark = state.mark();
    branches++;
    interpret(body);
    branches--;
    for (ShapeState.Change change : state.changesSince(mark)) {
      AbstractShape after = state.get(change.variable());
      if (change.before() != null && after != null && !change.before().isSame(after)) {
        state.set(
            change.variable(),
            change.before().or(after, formulas, ShapeState.choice(operation, change.variable())));
      }
    }
    state.compact(mark);
  }

  private void loop(Operation operation, ControlKind kind, Block body) {
    LoopFixpoint fixpoint = fixpoint(operation);
    for (boolean runs = fixpoint.enter(); runs; runs = fixpoint.endPass()) {
      links.linkInto(operation, kind, body);
      interpret(body);
      links.linkOutOf(operation, kind, body);
    }
  }

  private LoopFixpoint fixpoint(Operation operation) {
    return fixpoints.computeIfAbsent(
        operation, key -> new LoopFixpoint(key, loopVariables, state, declared, formulas));
  }
}
