package dev.sublet.runtime.memory;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One execution of an operator: its arguments as instances, and access to their tensors. The
 * operator reads at point {@code 2 * node} and writes at point {@code 2 * node + 1}.
 */
public final class Step {

  private final Operation operation;
  private final OperatorSpec spec;
  private final int node;
  private final Scope scope;
  private final Memory memory;
  private final ImmutableList<Argument> inputs;
  private final ImmutableList<Argument> outputs;

  /** Looks up the arguments of an operator in a scope. O(arguments). */
  public Step(Operation operation, OperatorSpec spec, int node, Scope scope, Memory memory) {
    this.operation = requireNonNull(operation, "operation");
    this.spec = requireNonNull(spec, "spec");
    this.node = node;
    this.scope = requireNonNull(scope, "scope");
    this.memory = requireNonNull(memory, "memory");
    this.inputs = arguments(operation.inputSlots());
    this.outputs = arguments(operation.outputSlots());
  }

  /** Returns the arguments whose names denote an instance; other names are skipped. */
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

  /** Returns the operator. */
  public Operation operation() {
    return operation;
  }

  /** Returns the catalog's description of the operator. */
  public OperatorSpec spec() {
    return spec;
  }

  /** Returns the operator's number in the {@link Numbering} of the program. */
  public int node() {
    return node;
  }

  /** Returns the scope that the operator runs in. */
  public Scope scope() {
    return scope;
  }

  /** Returns the input arguments, in file order. */
  public ImmutableList<Argument> inputs() {
    return inputs;
  }

  /** Returns the output arguments, in file order. */
  public ImmutableList<Argument> outputs() {
    return outputs;
  }

  /** The first argument of an input slot; null if it has none. */
  public @Nullable Argument inputOrNull(String slot) {
    return first(inputs, slot);
  }

  /** The first argument of an output slot; null if it has none. */
  public @Nullable Argument outputOrNull(String slot) {
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
  public Argument input(String slot) {
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
  public Argument output(String slot) {
    Argument argument = outputOrNull(slot);
    if (argument == null) {
      throw new OperatorException("output " + slot + " is missing");
    }
    return argument;
  }

  /** All arguments of an input slot. */
  public ImmutableList<Argument> inputs(String slot) {
    ImmutableList.Builder<Argument> found = ImmutableList.builder();
    for (Argument argument : inputs) {
      if (argument.slot().equals(slot)) {
        found.add(argument);
      }
    }
    return found.build();
  }

  /**
   * Returns the tensor of an input. If the operator needs no elements of the input, they are
   * undefined.
   *
   * @throws OperatorException if nothing has written it, or the memory has no location for it at
   *     the point
   */
  public LodTensor read(Argument argument) {
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

  /**
   * Returns the tensor that an output has before the operator writes a part of it. Its elements are
   * undefined if nothing reads the output later.
   *
   * @throws OperatorException if nothing has written it
   */
  public LodTensor readOld(Argument output) {
    LodTensor tensor = memory.readOld(output.cell(), 2 * node);
    if (tensor == null) {
      throw new OperatorException("nothing has written it before").at(output.name());
    }
    return tensor;
  }

  /** Returns the tensor of the first argument of an input slot. */
  public LodTensor read(String slot) {
    return read(input(slot));
  }

  /** Whether an input has a value. */
  public boolean isSet(Argument argument) {
    return shapeOf(argument) != null;
  }

  /**
   * Returns a tensor with the shape of an input and undefined elements; null if nothing has written
   * the input.
   */
  public @Nullable LodTensor shapeOf(Argument argument) {
    return memory.readShape(argument.cell(), 2 * node);
  }

  /**
   * Returns all input tensors by slot.
   *
   * @param mayLack the slots whose arguments are left out if nothing has written them
   */
  public ImmutableListMultimap<String, LodTensor> readAll(ImmutableSet<String> mayLack) {
    ImmutableListMultimap.Builder<String, LodTensor> tensors = ImmutableListMultimap.builder();
    for (Argument argument : inputs) {
      if (!mayLack.contains(argument.slot()) || isSet(argument)) {
        tensors.put(argument.slot(), read(argument));
      }
    }
    return tensors.build();
  }

  /** Writes a tensor to an output. */
  public void write(Argument argument, LodTensor tensor) {
    try {
      memory.write(argument.cell(), 2 * node + 1, tensor);
    } catch (OperatorException e) {
      throw e.at(argument.name());
    }
  }

  /** Writes a tensor to the first argument of an output slot. */
  public void write(String slot, LodTensor tensor) {
    write(output(slot), tensor);
  }

  /** Returns an element of an input array; null if nothing has written it. */
  public @Nullable LodTensor element(Argument array, int index) {
    return index < array.cell().array.size() ? memory.element(array.cell(), 2 * node, index) : null;
  }

  /** Returns the elements of an input array; null where nothing has written one. */
  public List<@Nullable LodTensor> elements(Argument array) {
    return memory.elements(array.cell(), 2 * node);
  }

  /** Sets an element of an output array. The array grows as needed. */
  public void setElement(Argument array, int index, LodTensor tensor) {
    memory.setElement(array.cell(), 2 * node + 1, index, tensor);
  }

  /** Replaces the elements of an output array; null for an index without an element. */
  public void setElements(Argument array, List<@Nullable LodTensor> elements) {
    memory.setElements(array.cell(), 2 * node + 1, elements);
  }

  /** Removes an argument's tensor. */
  public void clear(Argument argument) {
    memory.clear(argument.cell());
  }

  /** Makes the value of an argument an optional of ONNX that contains nothing. */
  public void writeEmptyOptional(Argument argument) {
    clear(argument);
    argument.cell().setEmptyOptional();
  }

  /** Whether an instance is among the inputs. O(inputs). */
  @SuppressWarnings("ReferenceEquality") // instances are compared by identity
  public boolean isInput(Cell cell) {
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
