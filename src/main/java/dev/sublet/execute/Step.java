package dev.sublet.execute;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import org.jspecify.annotations.Nullable;

/**
 * One operator that runs once: its arguments as instances, and access to their tensors. It reads at
 * point {@code 2 * node} and writes at {@code 2 * node + 1}.
 */
final class Step {

  private final Operation operation;
  private final OperatorSpec spec;
  private final int node;
  private final Scope scope;
  private final Memory memory;
  private final ImmutableList<Argument> inputs;
  private final ImmutableList<Argument> outputs;

  Step(Operation operation, OperatorSpec spec, int node, Scope scope, Memory memory) {
    this.operation = requireNonNull(operation, "operation");
    this.spec = requireNonNull(spec, "spec");
    this.node = node;
    this.scope = requireNonNull(scope, "scope");
    this.memory = requireNonNull(memory, "memory");
    this.inputs = arguments(operation.inputSlots());
    this.outputs = arguments(operation.outputSlots());
  }

  /** Arguments that stand for nothing are left out. */
  private ImmutableList<Argument> arguments(Iterable<Slot> slots) {
    ImmutableList.Builder<Argument> arguments = ImmutableList.builder();
    for (Slot slot : slots) {
      for (int i = 0; i < slot.size(); i++) {
        Cell cell = scope.find(slot.argument(i));
        if (cell != null) {
          arguments.add(new Argument(slot.name(), i, slot.argument(i), slot.variable(i), cell));
        }
      }
    }
    return arguments.build();
  }

  Operation operation() {
    return operation;
  }

  OperatorSpec spec() {
    return spec;
  }

  int node() {
    return node;
  }

  Scope scope() {
    return scope;
  }

  /** The input arguments, in file order. */
  ImmutableList<Argument> inputs() {
    return inputs;
  }

  /** The output arguments, in file order. */
  ImmutableList<Argument> outputs() {
    return outputs;
  }

  /** The first argument of an input slot; null if it has none. */
  @Nullable Argument inputOrNull(String slot) {
    return first(inputs, slot);
  }

  /** The first argument of an output slot; null if it has none. */
  @Nullable Argument outputOrNull(String slot) {
    return first(outputs, slot);
  }

  private static @Nullable Argument first(ImmutableList<Argument> arguments, String slot) {
    for (Argument argument : arguments) {
      if (argument.slot().equals(slot)) {
        return argument;
      }
    }
    return null;
  }

  /**
   * The first argument of an input slot.
   *
   * @throws OperatorException if it has none
   */
  Argument input(String slot) {
    Argument argument = inputOrNull(slot);
    if (argument == null) {
      throw new OperatorException("input " + slot + " is missing");
    }
    return argument;
  }

  /**
   * The first argument of an output slot.
   *
   * @throws OperatorException if it has none
   */
  Argument output(String slot) {
    Argument argument = outputOrNull(slot);
    if (argument == null) {
      throw new OperatorException("output " + slot + " is missing");
    }
    return argument;
  }

  /** All arguments of an input slot. */
  ImmutableList<Argument> inputs(String slot) {
    ImmutableList.Builder<Argument> found = ImmutableList.builder();
    for (Argument argument : inputs) {
      if (argument.slot().equals(slot)) {
        found.add(argument);
      }
    }
    return found.build();
  }

  /**
   * The tensor of an input.
   *
   * @throws OperatorException if nothing has written it, or it has no place here
   */
  LodTensor read(Argument argument) {
    boolean shapeOnly = spec.noNeedBuffer().contains(argument.slot());
    LodTensor tensor;
    try {
      tensor =
          shapeOnly
              ? memory.readShape(argument.cell(), 2 * node)
              : memory.read(argument.cell(), 2 * node);
    } catch (OperatorException e) {
      throw e.at(argument.name());
    }
    if (tensor == null) {
      String what =
          argument.cell().isArray() ? " is an array" : " has no value: nothing has written it";
      throw new OperatorException("input " + argument.slot() + what).at(argument.name());
    }
    return tensor;
  }

  /** The tensor of the first argument of an input slot. */
  LodTensor read(String slot) {
    return read(input(slot));
  }

  /** Whether something has written an input. */
  boolean isSet(Argument argument) {
    return shapeOf(argument) != null;
  }

  /** The tensor of an input, of which only the shape counts; null if nothing has written it. */
  @Nullable LodTensor shapeOf(Argument argument) {
    return memory.readShape(argument.cell(), 2 * node);
  }

  /** All input tensors by slot. */
  ImmutableListMultimap<String, LodTensor> readAll() {
    ImmutableListMultimap.Builder<String, LodTensor> tensors = ImmutableListMultimap.builder();
    for (Argument argument : inputs) {
      tensors.put(argument.slot(), read(argument));
    }
    return tensors.build();
  }

  /** Gives an output a tensor. */
  void write(Argument argument, LodTensor tensor) {
    try {
      memory.write(argument.cell(), 2 * node + 1, tensor);
    } catch (OperatorException e) {
      throw e.at(argument.name());
    }
  }

  /** Gives the first argument of an output slot a tensor. */
  void write(String slot, LodTensor tensor) {
    write(output(slot), tensor);
  }

  /** Takes an argument's tensor away. */
  void clear(Argument argument) {
    memory.clear(argument.cell());
  }

  /** Whether an instance is among the inputs. O(inputs). */
  @SuppressWarnings("ReferenceEquality") // an instance is itself
  boolean isInput(Cell cell) {
    for (Argument argument : inputs) {
      if (argument.cell() == cell) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return Names.display(operation.toString());
  }
}
