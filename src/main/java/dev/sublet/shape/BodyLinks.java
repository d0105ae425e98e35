package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is put into the variables of a body, or taken out of them, by the runtime itself: steps of
 * sequences, states of the step before, gradients. O(arguments) for each body.
 */
final class BodyLinks {

  private final Program program;
  private final ExtentExpressions formulas;
  private final ShapeState state;
  private final IntFunction<AbstractShape> read;

  /** What the runtime itself, or an operator that is not followed, writes into variables. */
  private final @Nullable AbstractShape[] implicit;

  /**
   * Links nothing so far.
   *
   * @param read what a variable is, which is noted if nothing has written it
   */
  BodyLinks(
      Program program,
      ExtentExpressions formulas,
      ShapeState state,
      IntFunction<AbstractShape> read) {
    this.program = program;
    this.formulas = formulas;
    this.state = state;
    this.read = read;
    this.implicit = new AbstractShape[program.variableCount()];
  }

  /** What is written into a variable behind the back of all operators; null if nothing is. */
  @Nullable AbstractShape implicit(int variable) {
    return implicit[variable];
  }

  /** Gives a variable what is put into it without an operator of the body that writes it. */
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

  /** {@code while_grad} lets each inner gradient name share the outer gradient's data. */
  void linkOutputGradients(Operation operation, Block body) {
    Optional<Attribute> names = operation.attribute("original_output_grad");
    Optional<Slot> outer = operation.inputSlot("Out@GRAD");
    if (names.isEmpty() || outer.isEmpty()) {
      return;
    }
    for (int i = 0; i < Math.min(names.get().strings().size(), outer.get().size()); i++) {
      int inner = program.resolve(body.index(), names.get().strings().get(i));
      if (outer.get().variable(i) != Program.NO_VARIABLE && inner != outer.get().variable(i)) {
        link(inner, read.apply(outer.get().variable(i)));
      }
    }
  }

  /** {@code recurrent} gives its body one step of each input, and the states of the step before. */
  void linkSteps(Operation operation, Block body) {
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
      AbstractShape first = read.apply(outer);
      link(
          inner,
          last == null
              ? first
              : first.or(last, formulas, ShapeInterpreter.choice(operation, inner)));
    }
  }

  private void linkSlices(Slot slot, Block body) {
    for (int i = 0; i < slot.size(); i++) {
      int inner = program.declared(body.index(), slot.argument(i));
      if (inner == Program.NO_VARIABLE || slot.variable(i) == Program.NO_VARIABLE) {
        continue;
      }
      AbstractShape whole = read.apply(slot.variable(i));
      boolean sliceable = whole.hasRank() && whole.rank() > 0;
      link(
          inner,
          sliceable
              ? AbstractShape.of(whole.dims().subList(1, whole.rank()))
              : AbstractShape.unknown(whole.reason()));
    }
  }

  /** Each output of {@code recurrent} holds what its body's variable of that name is, by step. */
  void linkOutputs(Operation operation, Block body) {
    Optional<Slot> inputs = operation.inputSlot("inputs");
    Optional<Slot> outputs = operation.outputSlot("outputs");
    if (inputs.isEmpty() || outputs.isEmpty() || inputs.get().size() == 0) {
      return;
    }
    int first = inputs.get().variable(0);
    AbstractShape sequence = first == Program.NO_VARIABLE ? null : read.apply(first);
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

  /** {@code recurrent_grad} gives its body one step of each gradient, and those of its states. */
  void linkGradientSteps(Operation operation, Block body) {
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
