package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** The current value of each variable; null if it has none. */
  private final @Nullable TracedValue[] values;

  private final TracedArrays arrays = new TracedArrays();
  private int count;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<TracedValue> inputs = new ArrayList<>();
  private final List<TracedStep> steps = new ArrayList<>();
  private final TreeMap<Long, TracedProgram.Output> fetched = new TreeMap<>();

  private ProgramTrace(ProgramFacts facts) {
    this.program = facts.program();
    this.facts = facts;
    this.values = new TracedValue[program.variableCount()];
    this.operators = new OperatorTrace(program, facts.catalog());
  }

  /**
   * Traces a program.
   *
   * @param parameters the tensors of persistable variables, by name
   * @param wanted the variables that are results besides those that the program fetches
   * @throws ProgramException if an operator cannot be compiled (one error for all of them, exit
   *     code 4), a shape of a feed is not known, or an operator does not accept its inputs
   */
  static TracedProgram trace(
      ProgramFacts facts, ImmutableMap<String, Tensor> parameters, ImmutableSet<String> wanted) {
    ProgramTrace trace = new ProgramTrace(facts);
    trace.begin(parameters);
    trace.run(0);
    trace.refusals.check();
    return trace.result(wanted);
  }

  private void begin(ImmutableMap<String, Tensor> parameters) {
    for (Variable variable : program.block(0).variables()) {
      Tensor parameter = parameters.get(variable.name());
      if (variable.isPersistable() && parameter != null) {
        set(variable.index(), LodTensor.of(parameter), /* isConstant= */ true);
      } else if (facts.liveness().observation().isFeed(variable.index())) {
        LodTensor feed = new LodTensor(feed(variable), sequences(variable));
        inputs.add(set(variable.index(), feed, /* isConstant= */ false));
      }
    }
  }

  private ImmutableList<ImmutableLongArray> sequences(Variable variable) {
    return facts.shapes().lod().getOrDefault(variable.name(), ImmutableList.of());
  }

  private Tensor feed(Variable variable) {
    ImmutableLongArray shape = facts.sizes().dims(variable.index());
    if (!facts.sizes().isKnown(variable.index()) || shape.contains(-1)) {
      throw ProgramException.usage(
          "the shape of feed '" + Names.display(variable.name()) + "' is not known; give --shape");
    }
    return Tensor.withoutElements(
        ElementTypes.find(facts.sizes().dataType(variable.index()))
            .filter(type -> type.carrier() == type)
            .orElseThrow(
                () ->
                    ProgramException.of(
                        Diagnostic.Kind.UNSUPPORTED,
                        Location.variable(0, Names.display(variable.name())),
                        "feeds of "
                            + facts.sizes().dataType(variable.index())
                            + " cannot be compiled to C")),
        shape);
  }

  private TracedValue set(int variable, LodTensor tensor, boolean isConstant) {
    String name = program.variable(variable).name();
    int number = numbers.merge(name, 1, Integer::sum);
    String unique = number == 1 ? name : name + '#' + number;
    while (number > 1 && numbers.putIfAbsent(unique, 1) != null) {
      unique += "#";
    }
    TracedValue value = new TracedValue(unique, tensor, isConstant);
    values[variable] = value;
    return value;
  }

  private void step(Operation operation) {
    if (++count > MOST_OPERATORS) {
      throw ProgramException.of(
          Diagnostic.Kind.UNSUPPORTED,
          operation.location(),
          "loops are repeated in C, and more than " + MOST_OPERATORS + " operators are too many");
    }
    switch (operation.type()) {
      case "feed", "delete_var" -> {}
      case "fetch", "fetch_v2" -> fetch(operation);
      case "while" -> repeat(operation);
      case "conditional_block" -> choose(operation);
      case "select_input" -> select(operation);
      case "write_to_array" -> writeElement(operation);
      case "read_from_array" -> readElement(operation);
      case "lod_array_length" -> {
        long length = arrays.length(operation.input(0));
        Tensor tensor = Tensor.of(ImmutableLongArray.of(1), length);
        set(operation.output(0), LodTensor.of(tensor), /* isConstant= */ true);
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

  private void run(int block) {
    program.block(block).operations().forEach(this::step);
  }

  /** Repeats the body of a loop for as long as its condition is known to be true. */
  private void repeat(Operation operation) {
    int condition = operation.firstInput("Condition");
    int block = operation.blocks().get(0);
    while (true) {
      Optional<Long> isTrue = condition < 0 ? Optional.empty() : number(operation.input(condition));
      if (isTrue.isEmpty()) {
        refusals.add(operation, "its condition depends on data");
        forget(operation);
        return;
      }
      if (isTrue.get() == 0) {
        return;
      }
      for (Variable variable : program.block(block).variables()) {
        arrays.clear(variable.index());
      }
      run(block);
      step(); // a loop without operators ends, too
    }
  }

  private void step() {
    count++;
  }

  /** Runs a block if its condition is known to be true, and not if it is known to be false. */
  private void choose(Operation operation) {
    Optional<Long> isTrue = Optional.empty();
    if (operation.flag("is_scalar_condition")) {
      int condition = operation.firstInput("Cond");
      isTrue = condition < 0 ? Optional.empty() : number(operation.input(condition));
    }
    if (isTrue.isEmpty()) {
      refusals.add(operation, "its condition depends on data");
      forget(operation);
    } else if (isTrue.get() != 0) {
      int block = operation.blocks().get(0);
      for (Variable variable : program.block(block).variables()) {
        values[variable.index()] = null;
        arrays.clear(variable.index());
      }
      run(block);
    }
  }

  /** Returns the only element of a variable, if it does not depend on feeds. */
  private Optional<Long> number(int variable) {
    TracedValue value = value(variable);
    boolean isKnown = value != null && value.tensor().tensor().hasElements();
    return isKnown && requireNonNull(value).tensor().tensor().length() == 1
        ? Optional.of(value.tensor().tensor().getLong(0))
        : Optional.empty();
  }

  private Optional<Long> number(Operation operation, String slot) {
    int input = operation.firstInput(slot);
    return input < 0 ? Optional.empty() : number(operation.input(input));
  }

  private void select(Operation operation) {
    Optional<Long> choice = number(operation, "Mask");
    Optional<Slot> choices = operation.inputSlot("X");
    if (choice.isEmpty() || choices.isEmpty() || choice.get() >= choices.get().size()) {
      refusals.add(operation, "its choice depends on data");
      forget(operation);
      return;
    }
    int chosen = choices.get().variable(Math.toIntExact(choice.get()));
    values[operation.output(0)] = value(chosen);
    arrays.copy(chosen, operation.output(0));
  }

  private void writeElement(Operation operation) {
    Optional<Long> index = number(operation, "I");
    TracedValue value = value(operation.input(operation.firstInput("X")));
    if (index.isEmpty() || value == null) {
      refusals.add(operation, "its index or its value depends on data");
    } else {
      arrays.set(operation.output(0), Math.toIntExact(index.get()), value);
    }
  }

  private void readElement(Operation operation) {
    Optional<Long> index = number(operation, "I");
    TracedValue value =
        index.isEmpty()
            ? null
            : arrays.get(operation.input(operation.firstInput("X")), index.get());
    if (value == null) {
      refusals.add(operation, "its index depends on data, or it reads an element without a value");
      forget(operation);
    } else {
      values[operation.output(0)] = value;
    }
  }

  /** Joins the elements of an array: an operator {@code concat} or {@code stack}. */
  private void join(Operation operation) {
    ImmutableList<TracedValue> parts = arrays.elements(operation.input(0));
    if (parts.isEmpty()) {
      refusals.add(operation, "its array is empty, or has an element without a value");
      forget(operation);
      return;
    }
    boolean stacks = operation.flag("use_stack");
    int axis = Math.toIntExact(operation.attribute("axis").map(a -> a.asLong(0)).orElse(0L));
    Operation joined = TracedArrays.join(parts, stacks, axis);
    int output = operation.output(operation.firstOutput("Out"));
    String slot = stacks ? "Y" : "Out";
    ImmutableListMultimap<String, TracedValue> read =
        ImmutableListMultimap.<String, TracedValue>builder().putAll("X", parts).build();
    OperatorTrace.Outcome outcome = operators.trace(joined, read);
    boolean isConstant = outcome.translation().isEmpty();
    TracedValue value = set(output, outcome.outputs().get(slot).get(0), isConstant);
    if (!isConstant) {
      ImmutableListMultimap<String, TracedValue> written = ImmutableListMultimap.of(slot, value);
      steps.add(new TracedStep(joined, read, written, outcome.translation().orElseThrow()));
    }
    int index = operation.firstOutput("OutIndex");
    if (index >= 0 && operation.output(index) != Program.NO_VARIABLE) {
      set(
          operation.output(index),
          LodTensor.of(TracedArrays.extents(parts, stacks, axis)),
          /* isConstant= */ true);
    }
  }

  private void fetch(Operation operation) {
    TracedValue value = operation.inputCount() == 0 ? null : value(operation.input(0));
    if (value == null) {
      refusals.addDependent();
      return;
    }
    long column = operation.attribute("col").map(a -> a.asLong(0)).orElse(0L);
    String name = program.variable(operation.input(0)).name();
    fetched.put(column, new TracedProgram.Output(name, value, steps.size()));
  }

  private void copy(Operation operation) {
    TracedValue value = operation.inputCount() == 0 ? null : value(operation.input(0));
    if (value == null && !arrays.isArray(operation.input(0))) {
      refusals.addDependent();
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      values[operation.output(i)] = value;
      arrays.copy(operation.input(0), operation.output(i));
    }
  }

  private @Nullable TracedValue value(int variable) {
    return variable == Program.NO_VARIABLE ? null : values[variable];
  }

  private void compute(Operation operation) {
    Optional<String> refusal = operators.refusal(operation);
    if (refusal.isPresent()) {
      refusals.add(operation, refusal.get());
      forget(operation);
      return;
    }
    ImmutableListMultimap<String, TracedValue> read = inputs(operation);
    if (read == null) {
      refusals.addDependent();
      forget(operation);
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
      forget(operation);
      return;
    }
    if (outcome.refusal().isPresent()) {
      refusals.add(operation, outcome.refusal().get());
      forget(operation);
      return;
    }
    write(operation, read, outcome);
  }

  private void write(
      Operation operation,
      ImmutableListMultimap<String, TracedValue> read,
      OperatorTrace.Outcome outcome) {
    ImmutableListMultimap.Builder<String, TracedValue> written = ImmutableListMultimap.builder();
    boolean isConstant = outcome.translation().isEmpty();
    for (Slot slot : operation.outputSlots()) {
      ImmutableList<LodTensor> tensors = outcome.outputs().get(slot.name());
      for (int i = 0; i < slot.size(); i++) {
        int variable = slot.variable(i);
        if (variable == Program.NO_VARIABLE) {
          continue;
        }
        if (i >= tensors.size()) {
          clear(operation, variable);
        } else if (program.variable(variable).isPersistable() && !isConstant) {
          String name = Names.display(program.variable(variable).name());
          refusals.add(operation, "writes '" + name + "', which outlives a run");
        } else if (isConstant && !tensors.get(i).tensor().hasElements()) {
          values[variable] = OperatorTrace.sameTensor(tensors.get(i), read).orElseThrow();
        } else {
          written.put(slot.name(), set(variable, tensors.get(i), isConstant));
        }
      }
    }
    if (!isConstant) {
      steps.add(
          new TracedStep(operation, read, written.build(), outcome.translation().orElseThrow()));
    }
  }

  /**
   * Removes the value of a variable that an operator should have written, unless it is an input.
   */
  private void clear(Operation operation, int variable) {
    if (operation.countInputs(variable) == 0) {
      values[variable] = null;
    }
  }

  /** Gives the outputs of a refused operator the shapes that inference knows. */
  private void forget(Operation operation) {
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable != Program.NO_VARIABLE && !program.variable(variable).isPersistable()) {
        values[variable] = null;
        ImmutableLongArray dims = facts.sizes().dims(variable);
        ElementType type = ElementTypes.find(facts.sizes().dataType(variable)).orElse(null);
        if (facts.sizes().isKnown(variable) && !dims.contains(-1) && type != null) {
          set(variable, LodTensor.of(Tensor.withoutElements(type, dims)), /* isConstant= */ false);
        }
      }
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
        TracedValue value = values[slot.variable(i)];
        if (value == null) {
          return null;
        }
        read.put(slot.name(), value);
      }
    }
    return read.build();
  }

  private TracedProgram result(ImmutableSet<String> wanted) {
    List<TracedProgram.Output> outputs = new ArrayList<>(fetched.values());
    for (String name : wanted) {
      TracedValue value = value(program.declared(0, name));
      if (value != null) {
        outputs.add(new TracedProgram.Output(name, value, steps.size()));
      }
    }
    return LiveSteps.of(ImmutableList.copyOf(inputs), steps, outputs);
  }
}
