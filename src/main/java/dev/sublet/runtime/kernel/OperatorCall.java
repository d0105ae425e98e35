package dev.sublet.runtime.kernel;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Optional;

/**
 * The call of one operator: its attributes, the tensors in its input slots, and the output slots
 * that have arguments. Lookups are O(slots) and O(attributes).
 */
public final class OperatorCall {

  private final Operation operation;
  private final ImmutableListMultimap<String, LodTensor> inputs;
  private final ImmutableSet<String> outputs;

  /** The types of inputs that were converted, before the conversion, by slot. */
  private final ImmutableMap<String, ElementType> writtenTypes;

  /**
   * Creates a call.
   *
   * @param inputs the inputs by slot, in the order of the arguments; slots without arguments are
   *     absent
   * @param outputs the output slots that have an argument
   */
  public OperatorCall(
      Operation operation,
      ImmutableListMultimap<String, LodTensor> inputs,
      ImmutableSet<String> outputs) {
    this(operation, inputs, outputs, ImmutableMap.of());
  }

  private OperatorCall(
      Operation operation,
      ImmutableListMultimap<String, LodTensor> inputs,
      ImmutableSet<String> outputs,
      ImmutableMap<String, ElementType> writtenTypes) {
    this.writtenTypes = writtenTypes;
    this.operation = requireNonNull(operation, "operation");
    this.inputs = requireNonNull(inputs, "inputs");
    this.outputs = requireNonNull(outputs, "outputs");
  }

  /**
   * Returns the same call with inputs that were converted to other types.
   *
   * @param types the types before the conversion, by slot
   */
  public OperatorCall converted(
      ImmutableListMultimap<String, LodTensor> others, ImmutableMap<String, ElementType> types) {
    return new OperatorCall(operation, others, outputs, types);
  }

  /** Returns the type that an input had before it was converted for the kernel. */
  public ElementType writtenType(String slot) {
    ElementType type = writtenTypes.get(slot);
    return type == null ? input(slot).type() : type;
  }

  /** Returns the operator. */
  public Operation operation() {
    return operation;
  }

  /** Returns the operator's type. */
  public String type() {
    return operation.type();
  }

  /** Whether an input slot has an argument. */
  public boolean has(String slot) {
    return inputs.containsKey(slot);
  }

  /** Whether an output slot has an argument. */
  public boolean wants(String slot) {
    return outputs.contains(slot);
  }

  /** Returns the arguments of all input slots. */
  public ImmutableListMultimap<String, LodTensor> inputs() {
    return inputs;
  }

  /**
   * Returns the tensor of the first argument of an input slot.
   *
   * @throws OperatorException if it has none
   */
  public Tensor input(String slot) {
    return lodInput(slot).tensor();
  }

  /** Returns an input that is a single number. */
  public Tensor scalarInput(String slot) {
    Tensor tensor = input(slot);
    if (tensor.length() == 0) {
      throw new OperatorException(slot + " has no element");
    }
    return tensor;
  }

  /**
   * Returns the first argument of an input slot with its LoD.
   *
   * @throws OperatorException if it has none
   */
  public LodTensor lodInput(String slot) {
    ImmutableList<LodTensor> arguments = inputs.get(slot);
    if (arguments.isEmpty()) {
      throw new OperatorException("input " + slot + " is missing");
    }
    return arguments.get(0);
  }

  /** Returns all arguments of an input slot. */
  public ImmutableList<LodTensor> arguments(String slot) {
    return inputs.get(slot);
  }

  /** Returns the extents of the first argument of an input slot. */
  public ImmutableLongArray shape(String slot) {
    return input(slot).shape();
  }

  /**
   * Returns the extents of the first argument of an input slot, which must have {@code rank} axes.
   *
   * @throws OperatorException if there is no such argument, or it has another number of axes
   */
  public ImmutableLongArray shape(String slot, int rank) {
    Shapes.ofRank(rank, shape(slot).toArray(), slot);
    return shape(slot);
  }

  /**
   * Returns the extents of the first argument of an input slot, which must have at least {@code
   * leastRank} axes.
   *
   * @throws OperatorException if there is no such argument, or it has fewer axes
   */
  public ImmutableLongArray shapeFrom(String slot, int leastRank) {
    Shapes.ofRankFrom(leastRank, shape(slot).toArray(), slot);
    return shape(slot);
  }

  /** Returns an integer attribute, or the default. */
  public long integer(String name, long absent) {
    Optional<Attribute> attribute = operation.attribute(name);
    return attribute.isPresent() ? attribute.get().asLong(absent) : absent;
  }

  /** Returns a number attribute of any width, or the default. */
  public double real(String name, double absent) {
    Optional<Attribute> attribute = operation.attribute(name);
    return attribute.isPresent() ? attribute.get().asDouble(absent) : absent;
  }

  /** Returns a boolean attribute, or the default. */
  public boolean flag(String name, boolean absent) {
    Optional<Attribute> attribute = operation.attribute(name);
    return attribute.isPresent() ? attribute.get().asBoolean() : absent;
  }

  /** Returns a string attribute, or the default. */
  public String text(String name, String absent) {
    Optional<Attribute> attribute = operation.attribute(name);
    return attribute.isPresent() && attribute.get().strings().size() == 1
        ? attribute.get().strings().get(0)
        : absent;
  }

  /** Returns an attribute that is a list of integers or a single integer; empty if absent. */
  public ImmutableList<Long> integers(String name) {
    return operation.attribute(name).map(Attribute::longs).orElse(ImmutableList.of());
  }

  /** Returns an attribute that is a list of numbers or a single number; empty if absent. */
  public ImmutableList<Double> reals(String name) {
    return operation.attribute(name).map(Attribute::doubles).orElse(ImmutableList.of());
  }
}
