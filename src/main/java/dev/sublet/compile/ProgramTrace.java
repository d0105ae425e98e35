package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.analysis.WantedVariables;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.diag.Diagnostic;
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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a program's operators in order, with tensors of which only type and shape are known.
 *
 * <pre>
 * s = shape(x); y = reshape(x, s); z = y      steps: y = reshape(x, constant); z is y
 * </pre>
 *
 * <p>Loops whose conditions do not depend on feeds are repeated, and of branches the one that is
 * taken remains. Each write of a variable is a value of its own. Values that do not depend on feeds
 * are computed here, by the kernels of the executor, and copies only give a value a second name.
 * O(operators), plus the time of the operators that run.
 */
final class ProgramTrace {

  /** The operators that are traced at most, counted in each iteration of loops. */
  private static final int MOST_OPERATORS = 200_000;

  private static final ImmutableSet<String> COPIES =
      ImmutableSet.of("assign", "print", "rnn_memory_helper", "share_data");

  private final Program program;
  private final ProgramFacts facts;
  private final Refusals refusals = new Refusals();
  private final OperatorTrace operators;

  private final TracedVariables variables;
  private final TracedArrays arrays = new TracedArrays();
  private int count;

  private final List<TracedValue> inputs = new ArrayList<>();
  private final List<TracedStep> steps = new ArrayList<>();
  private final TreeMap<Long, TracedProgram.Output> fetched = new TreeMap<>();

  private ProgramTrace(ProgramFacts facts) {
    this.program = facts.program();
    this.facts = facts;
    this.variables = new TracedVariables(facts);
    this.operators = new OperatorTrace(program, facts.catalog());
  }

  /**
   * Traces a program.
   *
   * @param parameters the tensors of persistable variables, by name
   * @param fetch more results, besides the variables that the program fetches
   * @throws ProgramException if an operator cannot be compiled (one error for all of them, exit
   *     code 4), a shape of a feed is not known, or an operator does not accept its inputs
   */
  static TracedProgram trace(
      ProgramFacts facts, ImmutableMap<String, Tensor> parameters, ImmutableSet<String> fetch) {
    ProgramTrace trace = new ProgramTrace(facts);
    trace.begin(parameters);
    trace.run(0);
    trace.refusals.check();
    return trace.result(WantedVariables.of(facts, fetch), fetch);
  }

  private void begin(ImmutableMap<String, Tensor> parameters) {
    for (Variable variable : program.block(0).variables()) {
      Tensor parameter = parameters.get(variable.name());
      if (variable.isPersistable() && parameter != null) {
        variables.set(variable.index(), LodTensor.of(parameter), /* isConstant= */ true);
      } else if (facts.liveness().observation().isFeed(variable.index())) {
        inputs.add(variables.feed(variable));
      }
    }
  }

  private void step(Operation operation) {
    count(operation);
    switch (operation.type()) {
      case "feed", "delete_var" -> {}
      case "fetch", "fetch_v2" -> fetch(operation);
      case "while" -> repeat(operation);
      case "conditional_block" -> choose(operation);
      case "select_input" -> select(operation);
      case "write_to_array" -> writeElement(operation);
      case "read_from_array" -> readElement(operation);
      case "lod_array_length" -> {
        long length = arrays.length(TracedVariables.input(operation, "X"));
        variables.setConstant(
            TracedVariables.output(operation, "Out"), Tensor.of(ImmutableLongArray.of(1), length));
      }
      case "tensor_array_to_tensor" -> join(operation);
      default -> {
        if (COPIES.contains(operation.type())) {
          copy(operation);
        } else {
          compute(operation);
        }
      }
    }
  }

  /** Counts an operator, or an iteration of a loop without operators. */
  private void count(Operation operation) {
    if (++count > MOST_OPERATORS) {
      throw ProgramException.of(
          Diagnostic.Kind.UNSUPPORTED,
          operation.location(),
          "loops are repeated in C, and more than " + MOST_OPERATORS + " operators are too many");
    }
  }

  private void run(int block) {
    program.block(block).operations().forEach(this::step);
  }

  /** Repeats the body of a loop for as long as its condition is known to be true. */
  private void repeat(Operation operation) {
    int condition = operation.firstInput("Condition");
    int block = operation.blocks().get(0);
    while (true) {
      Optional<Long> isTrue =
          condition < 0 ? Optional.empty() : variables.number(operation.input(condition));
      if (isTrue.isEmpty()) {
        refusals.add(operation, "its condition depends on data");
        variables.forget(operation);
        return;
      }
      if (isTrue.get() == 0) {
        return;
      }
      for (Variable variable : program.block(block).variables()) {
        arrays.clear(variable.index());
      }
      run(block);
      count(operation); // a loop without operators ends, too
    }
  }

  /** Runs a block if its condition is known to be true, and not if it is known to be false. */
  private void choose(Operation operation) {
    Optional<Long> isTrue = Optional.empty();
    if (operation.flag("is_scalar_condition")) {
      int condition = operation.firstInput("Cond");
      isTrue = condition < 0 ? Optional.empty() : variables.number(operation.input(condition));
    }
    if (isTrue.isEmpty()) {
      refusals.add(operation, "its condition depends on data");
      variables.forget(operation);
    } else if (isTrue.get() != 0) {
      int block = operation.blocks().get(0);
      for (Variable variable : program.block(block).variables()) {
        variables.put(variable.index(), null);
        arrays.clear(variable.index());
      }
      run(block);
    }
  }

  /** Gives a variable a value that has a name already. */
  private void assign(Operation operation, int variable, @Nullable TracedValue value) {
    if (variable == Program.NO_VARIABLE) {
      return;
    }
    if (program.variable(variable).isPersistable()) {
      refuseWrite(operation, variable);
    }
    variables.put(variable, value);
  }

  private void refuseWrite(Operation operation, int variable) {
    String name = Names.display(program.variable(variable).name());
    refusals.add(operation, "writes '" + name + "', which outlives a run");
  }

  private void select(Operation operation) {
    Optional<Long> choice = variables.number(operation, "Mask");
    Optional<Slot> choices = operation.inputSlot("X");
    if (choice.isEmpty()
        || choices.isEmpty()
        || choice.get() < 0
        || choice.get() >= choices.get().size()) {
      refusals.add(operation, "its choice depends on data");
      variables.forget(operation);
      return;
    }
    int chosen = choices.get().variable(Math.toIntExact(choice.get()));
    assign(operation, TracedVariables.output(operation, "Out"), variables.value(chosen));
    arrays.copy(chosen, TracedVariables.output(operation, "Out"));
  }

  private void writeElement(Operation operation) {
    Optional<Long> index = variables.number(operation, "I");
    TracedValue value = variables.value(TracedVariables.input(operation, "X"));
    if (index.isEmpty() || value == null || index.get() < 0 || index.get() > MOST_OPERATORS) {
      refusals.add(operation, "its index or its value depends on data");
    } else {
      arrays.set(TracedVariables.output(operation, "Out"), Math.toIntExact(index.get()), value);
    }
  }

  private void readElement(Operation operation) {
    Optional<Long> index = variables.number(operation, "I");
    TracedValue value =
        index.isEmpty() ? null : arrays.get(TracedVariables.input(operation, "X"), index.get());
    if (value == null) {
      refusals.add(operation, "its index depends on data, or it reads an element without a value");
      variables.forget(operation);
    } else {
      assign(operation, TracedVariables.output(operation, "Out"), value);
    }
  }

  /** Joins the elements of an array: an operator {@code concat} or {@code stack}. */
  private void join(Operation operation) {
    ImmutableList<TracedValue> parts = arrays.elements(TracedVariables.input(operation, "X"));
    int output = TracedVariables.output(operation, "Out");
    if (parts.isEmpty() || output == Program.NO_VARIABLE) {
      refusals.add(operation, "its array is empty, or has an element without a value");
      variables.forget(operation);
      return;
    }
    boolean stacks = operation.flag("use_stack");
    int axis = Math.toIntExact(operation.attribute("axis").map(a -> a.asLong(0)).orElse(0L));
    Operation joined = TracedArrays.join(parts, stacks, axis);
    ImmutableListMultimap<String, TracedValue> read =
        ImmutableListMultimap.<String, TracedValue>builder().putAll("X", parts).build();
    OperatorTrace.Outcome outcome;
    try {
      outcome = operators.trace(joined, read);
    } catch (OperatorException e) {
      throw e.in(operation.location());
    }
    if (outcome.refusal().isPresent()) {
      refusals.add(operation, outcome.refusal().get());
      variables.forget(operation);
      return;
    }
    String slot = stacks ? "Y" : "Out";
    boolean isConstant = outcome.code().isEmpty();
    TracedValue value = variables.set(output, outcome.outputs().get(slot).get(0), isConstant);
    if (!isConstant) {
      ImmutableListMultimap<String, TracedValue> written = ImmutableListMultimap.of(slot, value);
      steps.add(new TracedStep(joined, read, written, outcome.code().orElseThrow()));
    }
    variables.setConstant(
        TracedVariables.output(operation, "OutIndex"), TracedArrays.extents(parts, stacks, axis));
  }

  private void fetch(Operation operation) {
    TracedValue value = operation.inputCount() == 0 ? null : variables.value(operation.input(0));
    if (value == null) {
      refuseMissing(operation);
      return;
    }
    long column = operation.attribute("col").map(a -> a.asLong(0)).orElse(0L);
    String name = program.variable(operation.input(0)).name();
    fetched.put(column, new TracedProgram.Output(name, value, steps.size()));
  }

  private void copy(Operation operation) {
    TracedValue value = operation.inputCount() == 0 ? null : variables.value(operation.input(0));
    if (value == null && (operation.inputCount() == 0 || !arrays.isArray(operation.input(0)))) {
      refuseMissing(operation);
      return;
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      assign(operation, operation.output(i), value);
      arrays.copy(operation.input(0), operation.output(i));
    }
  }

  /** Refuses an operator that reads a variable without a value. */
  private void refuseMissing(Operation operation) {
    if (refusals.isEmpty()) {
      refusals.add(operation, "reads a variable that has no value, or is an array");
    } else {
      refusals.addDependent();
    }
    variables.forget(operation);
  }

  private void compute(Operation operation) {
    Optional<String> refusal = operators.refusal(operation);
    if (refusal.isPresent()) {
      refusals.add(operation, refusal.get());
      variables.forget(operation);
      return;
    }
    ImmutableListMultimap<String, TracedValue> read = inputs(operation);
    if (read == null) {
      refuseMissing(operation);
      return;
    }
    OperatorTrace.Outcome outcome;
    try {
      outcome = operators.trace(operation, read);
    } catch (OperatorException e) {
      if (refusals.isEmpty()) {
        throw e.in(operation.location());
      }
      refusals.addDependent(); // an input of a refused operator may be another one than assumed
      variables.forget(operation);
      return;
    }
    if (outcome.refusal().isPresent()) {
      refusals.add(operation, outcome.refusal().get());
      variables.forget(operation);
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
          continue;
        }
        if (i >= tensors.size()) {
          variables.clear(operation, variable);
        } else if (program.variable(variable).isPersistable() && !isConstant) {
          refuseWrite(operation, variable);
        } else if (isConstant && !tensors.get(i).tensor().hasElements()) {
          assign(operation, variable, OperatorTrace.sameTensor(tensors.get(i), read).orElseThrow());
        } else if (outcome.isDynamic(slot.name(), i)) {
          TracedValue value = variables.setDynamic(variable, tensors.get(i));
          written.put(slot.name(), value);
          written.put(slot.name() + CRoutine.SHAPE, value.shape().orElseThrow());
        } else {
          TracedValue value = variables.set(variable, tensors.get(i), isConstant);
          for (TracedValue input : read.values()) {
            // An operator that reads a value whose shape depends on data passes the shape on.
            value = input.shape().map(value::withShape).orElse(value);
          }
          variables.put(variable, value);
          written.put(slot.name(), value);
        }
      }
    }
    if (!isConstant) {
      steps.add(new TracedStep(operation, read, written.build(), outcome.code().orElseThrow()));
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
        TracedValue value = variables.value(slot.variable(i));
        if (value == null) {
          return null;
        }
        read.put(slot.name(), value);
      }
    }
    return read.build();
  }

  private TracedProgram result(ImmutableSet<String> wanted, ImmutableSet<String> fetch) {
    List<TracedProgram.Output> outputs = new ArrayList<>(fetched.values());
    for (String name : wanted) {
      TracedValue value = variables.value(program.declared(0, name));
      if (value != null) {
        outputs.add(new TracedProgram.Output(name, value, steps.size()));
      } else if (fetch.contains(name)) {
        throw ProgramException.unreadable(
            Location.variable(0, Names.display(name)), "it has no value at the end of the program");
      }
    }
    return LiveSteps.of(
        ImmutableList.copyOf(inputs), steps, TracedProgram.Output.withShapes(outputs));
  }
}
