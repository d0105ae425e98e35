package dev.sublet.compile.trace;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of variables while a program is traced. All methods are O(arguments). */
final class TracedVariables {

  private final Program program;
  private final ProgramFacts facts;

  /** The current value of each variable; null if it has none. */
  private final @Nullable TracedValue[] values;

  /** The variables whose value a loop or branch has written that may not have run. */
  private final Set<Integer> uncertain = new HashSet<>();

  private final Map<String, Integer> numbers = new HashMap<>();

  TracedVariables(ProgramFacts facts) {
    this.program = facts.program();
    this.facts = facts;
    this.values = new TracedValue[program.variableCount()];
  }

  /** The values at one operator. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Saved(@Nullable TracedValue[] values, ImmutableSet<Integer> uncertain) {}

  /** Returns the current values. O(variables). */
  Saved save() {
    return new Saved(values.clone(), ImmutableSet.copyOf(uncertain));
  }

  /** Returns to earlier values. O(variables). */
  void restore(Saved saved) {
    System.arraycopy(saved.values(), 0, values, 0, values.length);
    uncertain.clear();
    uncertain.addAll(saved.uncertain());
  }

  /** Gives a variable a value that has a name already, or none. */
  void put(int variable, @Nullable TracedValue value) {
    values[variable] = value;
    uncertain.remove(variable);
  }

  /** Gives a variable the value that a loop or branch has written, which may not have run. */
  void putUncertain(int variable, @Nullable TracedValue value) {
    put(variable, value);
    uncertain.add(variable);
  }

  /** Whether a loop or branch has written the value of a variable, and may not have run. */
  boolean isUncertain(int variable) {
    return uncertain.contains(variable);
  }

  /** Gives a feed its value, of which only type, shape and sequences are known. */
  TracedValue feed(Variable variable) {
    LodTensor feed = new LodTensor(shapeOf(variable), sequences(variable));
    return set(variable.index(), feed, /* isConstant= */ false);
  }

  private ImmutableList<ImmutableLongArray> sequences(Variable variable) {
    return facts.shapes().lod().getOrDefault(variable.name(), ImmutableList.of());
  }

  private Tensor shapeOf(Variable variable) {
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

  /** Gives a variable a new value. */
  TracedValue set(int variable, LodTensor tensor, boolean isConstant) {
    String name = unique(program.variable(variable).name());
    TracedValue value = new TracedValue(name, tensor, isConstant);
    put(variable, value);
    return value;
  }

  /** Gives a variable a new value with the type, shape and sequences of another one. */
  TracedValue setLike(int variable, TracedValue like) {
    return set(variable, withoutElements(like), /* isConstant= */ false);
  }

  /** Returns a new value of no variable, with the type, shape and sequences of another one. */
  TracedValue like(TracedValue value) {
    return new TracedValue(unique(value.name()), withoutElements(value), /* isConstant= */ false);
  }

  /** Returns a value of no variable, which nothing reads: it keeps the position of an output. */
  TracedValue unused(LodTensor tensor) {
    return new TracedValue(unique(Names.EMPTY), tensor, /* isConstant= */ false);
  }

  private static LodTensor withoutElements(TracedValue value) {
    Tensor tensor = value.tensor().tensor();
    return new LodTensor(
        Tensor.withoutElements(tensor.type(), tensor.shape()), value.tensor().lod());
  }

  private String unique(String name) {
    int number = numbers.merge(name, 1, Integer::sum);
    String unique = number == 1 ? name : name + '#' + number;
    while (number > 1 && numbers.putIfAbsent(unique, 1) != null) {
      unique += "#";
    }
    return unique;
  }

  /** Gives a variable a new value whose extents are computed, and a value for the extents. */
  TracedValue setDynamic(int variable, LodTensor tensor) {
    TracedValue value = set(variable, tensor, /* isConstant= */ false);
    String name = value.name() + CRoutine.SHAPE;
    while (numbers.putIfAbsent(name, 1) != null) {
      name += "#";
    }
    ImmutableLongArray extents = ImmutableLongArray.of(tensor.tensor().rank());
    value =
        value.withShape(
            new TracedValue(
                name,
                LodTensor.of(Tensor.withoutElements(ElementType.INT64, extents)),
                /* isConstant= */ false));
    values[variable] = value;
    return value;
  }

  void setConstant(int variable, Tensor tensor) {
    if (variable != Program.NO_VARIABLE) {
      set(variable, LodTensor.of(tensor), /* isConstant= */ true);
    }
  }

  @Nullable TracedValue value(int variable) {
    return variable == Program.NO_VARIABLE ? null : values[variable];
  }

  /** Returns the only element of a variable, if it does not depend on feeds. */
  Optional<Long> number(int variable) {
    TracedValue value = value(variable);
    boolean isKnown = value != null && value.tensor().tensor().hasElements();
    return isKnown && requireNonNull(value).tensor().tensor().length() == 1
        ? Optional.of(value.tensor().tensor().getLong(0))
        : Optional.empty();
  }

  Optional<Long> number(Operation operation, String slot) {
    return number(input(operation, slot));
  }

  /** Returns the first argument of a slot; {@link Program#NO_VARIABLE} if there is none. */
  static int input(Operation operation, String slot) {
    int position = operation.firstInput(slot);
    return position < 0 ? Program.NO_VARIABLE : operation.input(position);
  }

  static int output(Operation operation, String slot) {
    int position = operation.firstOutput(slot);
    return position < 0 ? Program.NO_VARIABLE : operation.output(position);
  }

  /**
   * Removes the value of a variable that an operator should have written, unless it is an input.
   */
  void clear(Operation operation, int variable) {
    if (operation.countInputs(variable) == 0) {
      values[variable] = null;
    }
  }

  /** Gives the outputs of a refused operator the shapes that inference knows. */
  void forget(Operation operation) {
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
}
