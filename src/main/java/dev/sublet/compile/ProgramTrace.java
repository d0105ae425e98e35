package dev.sublet.compile;

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
 * <p>Each write of a variable is a value of its own. Values that do not depend on feeds are
 * computed here, by the kernels of the executor, and copies only give a value a second name.
 * O(operators), plus the time of the operators that run.
 */
final class ProgramTrace {

  private static final ImmutableSet<String> COPIES =
      ImmutableSet.of("assign", "print", "rnn_memory_helper", "share_data");

  private final Program program;
  private final ProgramFacts facts;
  private final Refusals refusals = new Refusals();
  private final OperatorTrace operators;

  /** The current value of each variable; null if it has none. */
  private final @Nullable TracedValue[] values;

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
    for (Operation operation : trace.program.block(0).operations()) {
      trace.step(operation);
    }
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
    switch (operation.type()) {
      case "feed", "delete_var" -> {}
      case "fetch", "fetch_v2" -> fetch(operation);
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
    if (value == null) {
      refusals.addDependent();
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      values[operation.output(i)] = value;
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
