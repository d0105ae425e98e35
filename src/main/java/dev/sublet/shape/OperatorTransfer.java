package dev.sublet.shape;

import com.google.common.collect.ImmutableSet;
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
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.BitSet;
import java.util.Optional;

/**
 * The transfer function of operators: applies the shape rule of one operator to the current shapes
 * of its inputs, and writes the shapes of its outputs. One rule call per application.
 *
 * <pre>
 *   c = concat(a b) {axis: 0}      a is [2, 4], b is [3, 4], so c becomes [5, 4]
 * </pre>
 *
 * <p>If a rule leaves extents of an output open, the declared shape fills them.
 */
final class OperatorTransfer {

  /** The assumptions about the run of an operator. */
  enum Mode {
    /** The operator must accept its inputs; otherwise the program or a given shape is wrong. */
    STRICT,
    /**
     * As {@link #STRICT}, in the body of a loop, which may have no iterations: a value that no
     * branch in it can make is no error.
     */
    LOOP,
    /**
     * The operator may reject its inputs, as in a branch that need not run. Its outputs then have
     * their declared shapes, or unknown ones.
     */
    LENIENT,
    /**
     * As {@link #LENIENT}, in a branch of a program that accepts the given shapes otherwise: if an
     * operator surely rejects its inputs, its outputs are never made.
     */
    BRANCH,
    /**
     * As {@link #LENIENT}; in addition, the operator runs any number of times, so its outputs may
     * keep their earlier shapes.
     */
    UNORDERED
  }

  /** The input slots whose tensor such an operator shares; the others are indices and the like. */
  private static final ImmutableSet<String> SHARED_INPUTS =
      ImmutableSet.of("X", "x", "In", "Input", "input");

  private final Program program;
  private final OperatorCatalog catalog;
  private final FeedShapes feeds;
  private final DeclaredShapes declared;
  private final ExtentExpressions formulas;
  private final ShapeState state;
  private final Definitions definitions;

  /** The variables that may share a buffer with another variable at run time. */
  private final BitSet aliased;

  /** Creates the transfer function of a program's operators on a state. */
  OperatorTransfer(
      Program program,
      OperatorCatalog catalog,
      FeedShapes feeds,
      DeclaredShapes declared,
      ExtentExpressions formulas,
      ShapeState state) {
    this.program = program;
    this.catalog = catalog;
    this.feeds = feeds;
    this.declared = declared;
    this.formulas = formulas;
    this.state = state;
    this.definitions = new Definitions(program);
    this.aliased = aliased(program, catalog);
  }

  private static BitSet aliased(Program program, OperatorCatalog catalog) {
    BitSet aliased = new BitSet();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (catalog.lookup(operation.type()).aliases(program.version())) {
          for (Slot slot : operation.inputSlots()) {
            if (SHARED_INPUTS.contains(slot.name()) && slot.size() > 0) {
              setIfPresent(slot.variable(0), aliased);
            }
          }
          for (int i = 0; i < operation.outputCount(); i++) {
            setIfPresent(operation.output(i), aliased);
          }
        }
      }
    }
    return aliased;
  }

  private static void setIfPresent(int variable, BitSet variables) {
    if (variable != Program.NO_VARIABLE) {
      variables.set(variable);
    }
  }

  /** The variables that may share a buffer with another variable at run time. */
  BitSet aliased() {
    return (BitSet) aliased.clone();
  }

  /** The shapes of the outputs of all operators that have been applied. */
  Definitions definitions() {
    return definitions;
  }

  /** Applies an operator, without its blocks. */
  void apply(Operation operation, Mode mode) {
    if (operation.type().equals("feed") && operation.block() == 0) {
      for (int i = 0; i < operation.outputCount(); i++) {
        if (operation.output(i) != Program.NO_VARIABLE) {
          write(operation, i, feeds.start(operation.output(i)), mode != Mode.UNORDERED);
        }
      }
      return;
    }
    OperatorSpec spec = catalog.lookup(operation.type());
    ShapeCall call = call(operation);
    definitions.findEmptyInputs(program, spec, call);
    String failure = applyRule(spec, call, mode);
    boolean isNeverMade = AbstractShape.unknown(failure).isNeverMade();
    boolean isEmpty = spec.effects().dependOnElements() && definitions.mayBeEmpty(operation);
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable != Program.NO_VARIABLE) {
        boolean isArray = program.variable(variable).kind() == Variable.Kind.TENSOR_ARRAY;
        Effect effect = spec.effects().on(operation.slotOfOutput(i), isArray, isEmpty);
        AbstractShape result = isNeverMade ? null : call.result(i);
        AbstractShape tensor = result == null ? notSet(operation, failure) : result;
        checkMade(operation, tensor, mode);
        boolean replaces = effect != Effect.MAY_WRITE && mode != Mode.UNORDERED;
        write(operation, i, declared.refine(variable, tensor), replaces);
      }
    }
    definitions.findLikeInputs(spec, call);
    definitions.findViews(program, spec, call);
  }

  /** Writes the outputs of a control operator whose body has been interpreted. */
  void applyAfterBody(Operation operation, Mode mode) {
    OperatorSpec spec = catalog.lookup(operation.type());
    ShapeCall call = call(operation);
    if (spec.control().isGradient()) {
      applyRule(spec, call, mode);
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable != Program.NO_VARIABLE) {
        AbstractShape result = call.result(i);
        AbstractShape found = result == null ? state.get(variable) : result;
        String reason = "nothing in the block of op '" + operation.type() + "' writes it";
        AbstractShape tensor = found == null ? AbstractShape.unknown(reason) : found;
        write(operation, i, declared.refine(variable, tensor), /* replaces= */ true);
      }
    }
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
  private String applyRule(OperatorSpec spec, ShapeCall call, Mode mode) {
    Operation operation = call.operation();
    ShapeRule rule = spec.shapeRule();
    if (rule == null) {
      return "no shape rule for op '" + operation.type() + "'";
    }
    try {
      spec.inferShapes(call);
      return "";
    } catch (UnknownShapeException e) {
      return e.reason();
    } catch (ShapeMismatchException e) {
      if (mode == Mode.STRICT || mode == Mode.LOOP) {
        throw contradiction(rule, call, e.contradiction());
      }
      if (mode == Mode.BRANCH && spec.rejectsSurely() && call.isConcrete()) {
        return AbstractShape.neverMadeReason(operation.type(), e.contradiction());
      }
      String shapes = mode == Mode.BRANCH ? "the given shapes" : "the declared shapes";
      return shapes + " contradict op '" + operation.type() + "': " + e.contradiction();
    }
  }

  /** Checks that a program without branches and loops around an operator can make a tensor. */
  private static void checkMade(Operation operation, AbstractShape tensor, Mode mode) {
    if (mode == Mode.STRICT && tensor.isNeverMade()) {
      throw ProgramException.usage(operation.location(), "an input is " + tensor.reason());
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

  /**
   * Writes the shape of an output.
   *
   * @param replaces whether nothing of the variable's earlier value is left; else the new shape is
   *     joined with the earlier one
   */
  void write(Operation operation, int output, AbstractShape found, boolean replaces) {
    int variable = operation.output(output);
    int number = definitions.number(operation, output);
    AbstractShape tensor =
        program.variable(variable).hasBindingShape() ? found : withEarlierPasses(found, number);
    definitions.set(operation, output, tensor);
    AbstractShape before = state.get(variable);
    if (aliased.get(variable)) {
      tensor = tensor.withElements(null); // an operator may write them under another name
    }
    state.set(
        variable,
        before == null || replaces ? tensor : before.or(tensor, formulas, "may " + number));
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
    if (earlier != null && found.isNeverMade()) {
      return earlier;
    }
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
}
