package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of values that the runtime itself, not an operator, copies into or out of the
 * variables of a body: steps of sequences, states of the previous step, gradients. O(arguments) for
 * each body.
 */
final class BodyLinks {

  private final Program program;
  private final ExtentExpressions formulas;
  private final ShapeState state;

  /** The shapes that the runtime, or an operator that is not followed, writes, by variable. */
  private final @Nullable AbstractShape[] implicit;

  /** Creates an object without links. */
  BodyLinks(Program program, ExtentExpressions formulas, ShapeState state) {
    this.program = program;
    this.formulas = formulas;
    this.state = state;
    this.implicit = new AbstractShape[program.variableCount()];
  }

  /** The shape of the values that the runtime writes into a variable; null if there are none. */
  @Nullable AbstractShape implicit(int variable) {
    return implicit[variable];
  }

  /** Sets the shape of a variable that the runtime writes, not an operator of the body. */
  void link(int variable, AbstractShape tensor) {
    if (variable == Program.NO_VARIABLE) {
      return;
    }
    if (program.variable(variable).kind() == Variable.Kind.TENSOR) {
      AbstractShape before = implicit[variable];
      implicit[variable] =
          before == null ? tensor : before.or(tensor, formulas, "implicit " + variable);
    }
    state.set(variable, tensor);
  }

  /** Links the values that the runtime copies into a body before each iteration. */
  void linkInto(Operation operation, ControlKind kind, Block body) {
    switch (kind) {
      case WHILE_GRAD -> linkOutputGradients(operation, body);
      case RECURRENT -> linkSteps(operation, body);
      case RECURRENT_GRAD -> linkGradientSteps(operation, body);
      case WHILE, CONDITIONAL, CONDITIONAL_GRAD, NONE -> {}
    }
  }

  /** Links the values that the runtime copies out of a body after each iteration. */
  void linkOutOf(Operation operation, ControlKind kind, Block body) {
    if (kind == ControlKind.RECURRENT) {
      linkOutputs(operation, body);
    }
  }

  /** Links the gradients of {@code while_grad}: each inner one shares the outer gradient's data. */
  private void linkOutputGradients(Operation operation, Block body) {
    Optional<Attribute> names = operation.attribute("original_output_grad");
    Optional<Slot> outer = operation.inputSlot("Out@GRAD");
    if (names.isEmpty() || outer.isEmpty()) {
      return;
    }
    for (int i = 0; i < Math.min(names.get().strings().size(), outer.get().size()); i++) {
      int inner = program.resolve(body.index(), names.get().strings().get(i));
      if (outer.get().variable(i) != Program.NO_VARIABLE && inner != outer.get().variable(i)) {
        link(inner, state.read(outer.get().variable(i)));
      }
    }
  }

  /**
   * Links the inputs of a {@code recurrent} body: one step of each input, and the states of the
   * previous step.
   */
  private void linkSteps(Operation operation, Block body) {
    operation.inputSlot("inputs").ifPresent(slot -> linkSlices(slot, body));
    Optional<Slot> initial = operation.inputSlot("initial_states");
    ImmutableList<String> previous = strings(operation, "ex_states");
    ImmutableList<String> states = strings(operation, "states");
    if (initial.isEmpty()) {
      return;
    }
    for (int i = 0; i < Math.min(previous.size(), initial.get().size()); i++) {
      int inner = program.resolve(body.index(), previous.get(i));
      int outer = initial.get().variable(i);
      if (inner == Program.NO_VARIABLE || outer == Program.NO_VARIABLE) {
        continue;
      }
      int next =
          i < states.size() ? program.resolve(body.index(), states.get(i)) : Program.NO_VARIABLE;
      AbstractShape last = next == Program.NO_VARIABLE ? null : state.get(next);
      AbstractShape first = state.read(outer);
      link(
          inner,
          last == null ? first : first.or(last, formulas, ShapeState.choice(operation, inner)));
    }
  }

  private void linkSlices(Slot slot, Block body) {
    for (int i = 0; i < slot.size(); i++) {
      int inner = program.declared(body.index(), slot.argument(i));
      if (inner == Program.NO_VARIABLE || slot.variable(i) == Program.NO_VARIABLE) {
        continue;
      }
      AbstractShape whole = state.read(slot.variable(i));
      boolean sliceable = whole.hasRank() && whole.rank() > 0;
      link(
          inner,
          sliceable
              ? AbstractShape.of(whole.dims().subList(1, whole.rank()))
              : AbstractShape.unknown(whole.reason()));
    }
  }

  /** Links the outputs of {@code recurrent}: each stacks the values of its body's variable. */
  private void linkOutputs(Operation operation, Block body) {
    Optional<Slot> inputs = operation.inputSlot("inputs");
    Optional<Slot> outputs = operation.outputSlot("outputs");
    if (inputs.isEmpty() || outputs.isEmpty() || inputs.get().size() == 0) {
      return;
    }
    int first = inputs.get().variable(0);
    AbstractShape sequence = first == Program.NO_VARIABLE ? null : state.read(first);
    for (int i = 0; i < outputs.get().size(); i++) {
      int inner = program.declared(body.index(), outputs.get().argument(i));
      int outer = outputs.get().variable(i);
      AbstractShape step = inner == Program.NO_VARIABLE ? null : state.get(inner);
      if (outer == Program.NO_VARIABLE || step == null || sequence == null) {
        continue;
      }
      boolean known = step.hasRank() && sequence.hasRank() && sequence.rank() > 0;
      ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
      if (known) {
        dims.add(sequence.dim(0)).addAll(step.dims());
      }
      link(
          outer,
          known
              ? AbstractShape.of(dims.build())
              : AbstractShape.unknown(step.reason() + sequence.reason()));
    }
  }

  /**
   * Links the inputs of a {@code recurrent_grad} body: one step of each output's gradient, and the
   * gradients of the states.
   */
  private void linkGradientSteps(Operation operation, Block body) {
    operation.inputSlot("outputs@GRAD").ifPresent(slot -> linkSlices(slot, body));
    for (String name : strings(operation, "states")) {
      int value = program.resolve(body.index(), name);
      int gradient = program.resolve(body.index(), name + "@GRAD");
      AbstractShape tensor = value == Program.NO_VARIABLE ? null : state.get(value);
      if (gradient != Program.NO_VARIABLE && tensor != null) {
        link(gradient, tensor.withElements(null));
      }
    }
  }

  private static ImmutableList<String> strings(Operation operation, String attribute) {
    return operation.attribute(attribute).map(Attribute::strings).orElse(ImmutableList.of());
  }
}
