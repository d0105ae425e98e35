package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.analysis.WantedVariables;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a program's operators in order, with tensors of which only type and shape are known.
 *
 * <pre>
 * s = shape(x); y = reshape(x, s); z = y      steps: y = reshape(x, constant); z is y
 * </pre>
 *
 * <p>Each write of a variable is a value of its own. Values that do not depend on feeds are
 * computed here, by the kernels of the executor, and copies only give a value a second name. {@link
 * ControlTrace} treats loops and branches. O(operators), plus the time of the operators that run.
 */
public final class ProgramTrace {

  private static final ImmutableSet<String> COPIES =
      ImmutableSet.of("assign", "print", "rnn_memory_helper", "share_data");

  private final Program program;
  private final ProgramFacts facts;
  private final OperatorTrace operators;
  private final ControlTrace control;
  private final List<TracedValue> inputs = new ArrayList<>();
  private final TraceState state;

  private ProgramTrace(ProgramFacts facts, long unrolled) {
    this.program = facts.program();
    this.facts = facts;
    this.state = new TraceState(facts);
    this.operators = new OperatorTrace(program, facts.catalog());
    this.control = new ControlTrace(program, state, operators, unrolled, this::run);
  }

  /**
   * Traces a program.
   *
   * @param parameters the tensors of persistable variables, by name
   * @param fetch more results, besides the variables that the program fetches
   * @param unrolled the operators up to which a loop is repeated here, if its condition is known
   * @throws ProgramException if an operator cannot be compiled (one error for all of them, exit
   *     code 4), a shape of a feed is not known, or an operator does not accept its inputs
   */
  public static TracedProgram trace(
      ProgramFacts facts,
      ImmutableMap<String, Tensor> parameters,
      ImmutableSet<String> fetch,
      long unrolled) {
    ProgramTrace trace = new ProgramTrace(facts, unrolled);
    trace.begin(parameters);
    trace.run(0);
    ImmutableSet<String> wanted = WantedVariables.of(facts, fetch);
    trace.refuseLost(wanted);
    trace.state.refusals().check();
    return trace.result(wanted, fetch);
  }

  private void begin(ImmutableMap<String, Tensor> parameters) {
    for (Variable variable : program.block(0).variables()) {
      Tensor parameter = parameters.get(variable.name());
      if (variable.isPersistable() && parameter != null) {
        state.variables().set(variable.index(), LodTensor.of(parameter), /* isConstant= */ true);
      } else if (facts.liveness().observation().isFeed(variable.index())) {
        inputs.add(state.variables().feed(variable));
      }
    }
  }

  private void run(int block) {
    program.block(block).operations().forEach(this::step);
  }

  private void step(Operation operation) {
    state.count(operation);
    switch (operation.type()) {
      case "feed", "delete_var" -> {}
      case "fetch", "fetch_v2" -> fetch(operation);
      case "while" -> control.repeat(operation);
      case "conditional_block" -> control.choose(operation);
      case "select_input" -> control.select(operation);
      case "write_to_array" -> ArrayTrace.write(operation, state);
      case "read_from_array" -> ArrayTrace.read(operation, state);
      case "lod_array_length" -> ArrayTrace.length(operation, state);
      case "onnx.Loop.collect", "onnx.Scan.collect" -> CollectTrace.add(operation, state);
      case "tensor_array_to_tensor" -> ArrayTrace.join(operation, state, operators);
      default -> {
        if (COPIES.contains(operation.type())) {
          copy(operation);
        } else {
          compute(operation);
        }
      }
    }
  }

  private void fetch(Operation operation) {
    TracedValue value =
        operation.inputCount() == 0 ? null : state.variables().value(operation.input(0));
    if (value == null) {
      state.refuseMissing(operation);
      return;
    }
    if (state.isInRegion()) {
      state.refuse(operation, "is in a loop or branch whose condition depends on data");
      return;
    }
    long column = operation.attribute("col").map(a -> a.asLong(0)).orElse(0L);
    String name = program.variable(operation.input(0)).name();
    state.fetched().put(column, new TracedProgram.Output(name, value, state.steps().size()));
  }

  private void copy(Operation operation) {
    TracedValue value =
        operation.inputCount() == 0 ? null : state.variables().value(operation.input(0));
    TracedArrays arrays = state.arrays();
    if (value == null && (operation.inputCount() == 0 || !arrays.isArray(operation.input(0)))) {
      state.refuseMissing(operation);
      return;
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      state.assign(operation, operation.output(i), value);
      arrays.copy(operation.input(0), operation.output(i));
    }
  }

  private void compute(Operation operation) {
    Optional<String> refusal = operators.refusal(operation);
    if (refusal.isPresent()) {
      state.refuse(operation, refusal.get());
      return;
    }
    ImmutableListMultimap<String, TracedValue> read = inputs(operation);
    if (read == null) {
      state.refuseMissing(operation);
      return;
    }
    OperatorTrace.Outcome outcome;
    try {
      outcome = operators.trace(operation, read);
    } catch (OperatorException e) {
      if (state.refusals().isEmpty()) {
        throw e.in(operation.location());
      }
      state.refusals().addDependent(); // an input of a refused operator may be other than assumed
      state.variables().forget(operation);
      return;
    }
    if (outcome.refusal().isPresent()) {
      state.refuse(operation, outcome.refusal().get());
      return;
    }
    write(operation, read, outcome);
  }

  private void write(
      Operation operation,
      ImmutableListMultimap<String, TracedValue> read,
      OperatorTrace.Outcome outcome) {
    ImmutableListMultimap.Builder<String, TracedValue> written = ImmutableListMultimap.builder();
    boolean isConstant = outcome.code().isEmpty();
    for (Slot slot : operation.outputSlots()) {
      ImmutableList<LodTensor> tensors = outcome.outputs().get(slot.name());
      for (int i = 0; i < slot.size(); i++) {
        int variable = slot.variable(i);
        if (variable == Program.NO_VARIABLE) {
          if (i < tensors.size()) {
            written.put(slot.name(), state.variables().unused(tensors.get(i)));
          }
        } else if (i >= tensors.size()) {
          state.variables().clear(operation, variable);
        } else if (program.variable(variable).isPersistable() && !isConstant) {
          state.refuseWrite(operation, variable);
        } else if (isConstant && !tensors.get(i).tensor().hasElements()) {
          state.assign(
              operation, variable, OperatorTrace.sameTensor(tensors.get(i), read).orElseThrow());
        } else if (outcome.isDynamic(slot.name(), i)) {
          TracedValue value = state.variables().setDynamic(variable, tensors.get(i));
          written.put(slot.name(), value);
          written.put(slot.name() + CRoutine.SHAPE, value.shape().orElseThrow());
        } else {
          TracedValue value = state.variables().set(variable, tensors.get(i), isConstant);
          for (TracedValue input : read.values()) {
            // An operator that reads a value whose shape depends on data passes the shape on.
            value = input.shape().map(value::withShape).orElse(value);
          }
          state.variables().put(variable, value);
          written.put(slot.name(), value);
        }
      }
    }
    if (!isConstant) {
      state
          .steps()
          .add(new TracedStep(operation, read, written.build(), outcome.code().orElseThrow()));
    }
  }

  /** Returns the values that an operator reads; null if one of them is not known. */
  private @Nullable ImmutableListMultimap<String, TracedValue> inputs(Operation operation) {
    ImmutableListMultimap.Builder<String, TracedValue> read = ImmutableListMultimap.builder();
    for (Slot slot : operation.inputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        if (slot.variable(i) == Program.NO_VARIABLE) {
          continue;
        }
        TracedValue value = state.variables().value(slot.variable(i));
        if (value == null) {
          return null;
        }
        read.put(slot.name(), value);
      }
    }
    return read.build();
  }

  /** Refuses operators because of which a result has no value. */
  private void refuseLost(ImmutableSet<String> wanted) {
    for (String name : wanted) {
      int variable = program.declared(0, name);
      Operation operation = state.lost().get(variable);
      if (operation != null && state.variables().value(variable) == null) {
        String shown = Names.display(name);
        state.refusals().add(operation, "the shape of '" + shown + "' after it depends on data");
      }
    }
  }

  private TracedProgram result(ImmutableSet<String> wanted, ImmutableSet<String> fetch) {
    List<TracedProgram.Output> outputs = new ArrayList<>(state.fetched().values());
    for (String name : wanted) {
      TracedValue value = state.variables().value(program.declared(0, name));
      if (value != null) {
        outputs.add(new TracedProgram.Output(name, value, state.steps().size()));
      } else if (fetch.contains(name)) {
        throw ProgramException.unreadable(
            Location.variable(0, Names.display(name)), "it has no value at the end of the program");
      }
    }
    return LiveSteps.of(
        ImmutableList.copyOf(inputs), state, TracedProgram.Output.withShapes(outputs));
  }
}
