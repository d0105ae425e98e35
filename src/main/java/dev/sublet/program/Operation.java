package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Location;
import dev.sublet.proto.OpDesc;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One operator: its type, its slots and its attributes.
 *
 * <p>Slots of the same name in the file are joined into one, as Paddle does. The arguments of all
 * slots, flattened in file order, are dense variable indices, so an analysis never looks a name up:
 * {@link #inputCount}, {@link #input}, {@link #outputCount}, {@link #output}.
 */
public final class Operation {

  private final OpDesc written;
  private final OpDesc message;
  private final int block;
  private final int index;
  private final OperatorLayout layout;
  private final int[] inputs;
  private final int[] outputs;

  /** The blocks that the attributes name, read when they are first asked for; null before. */
  private @Nullable ImmutableList<Integer> blocks;

  /**
   * The resolved arguments of an operator.
   *
   * @param layout which of them belong to which slot
   * @param inputs the dense indices of the variables in all input slots
   * @param outputs the dense indices of the variables in all output slots
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Arguments(OperatorLayout layout, int[] inputs, int[] outputs) {}

  /**
   * Creates an operator with resolved arguments.
   *
   * @param written the message as it is in the file
   * @param message the same message without repeated slots, see {@link RepeatedSlots}
   */
  Operation(OpDesc written, OpDesc message, int block, int index, Arguments arguments) {
    this.written = written;
    this.message = message;
    this.block = block;
    this.index = index;
    this.layout = arguments.layout;
    this.inputs = arguments.inputs;
    this.outputs = arguments.outputs;
  }

  /** The index of the block that contains the operator. */
  public int block() {
    return block;
  }

  /** The operator's index in its block. */
  public int index() {
    return index;
  }

  /** The operator's type, such as {@code conv2d}. */
  public String type() {
    return layout.type();
  }

  /** Whether the writer marked the operator as a target, that is, requested its outputs. */
  public boolean isTarget() {
    return message.getIsTarget();
  }

  /** The number of input arguments over all slots. */
  public int inputCount() {
    return inputs.length;
  }

  /** The variable of the i-th input argument, or {@link Program#NO_VARIABLE}. */
  public int input(int i) {
    return inputs[i];
  }

  /** The number of input arguments that are the variable. O(arguments). */
  public int countInputs(int variable) {
    return count(inputs, variable);
  }

  /** The number of output arguments that are the variable. O(arguments). */
  public int countOutputs(int variable) {
    return count(outputs, variable);
  }

  private static int count(int[] arguments, int variable) {
    int count = 0;
    for (int argument : arguments) {
      count += argument == variable ? 1 : 0;
    }
    return count;
  }

  /** The number of output arguments over all slots. */
  public int outputCount() {
    return outputs.length;
  }

  /** The variable of the i-th output argument, or {@link Program#NO_VARIABLE}. */
  public int output(int i) {
    return outputs[i];
  }

  /** Adds the variables of all input and output arguments to a set. O(arguments). */
  public void addArgumentsTo(BitSet variables) {
    addTo(variables, inputs);
    addTo(variables, outputs);
  }

  private static void addTo(BitSet variables, int[] arguments) {
    for (int argument : arguments) {
      if (argument != Program.NO_VARIABLE) {
        variables.set(argument);
      }
    }
  }

  /** The input slots, in file order. O(slots). */
  public ImmutableList<Slot> inputSlots() {
    return slots(message.getInputsList(), layout.inputs(), inputs);
  }

  /** The output slots, in file order. O(slots). */
  public ImmutableList<Slot> outputSlots() {
    return slots(message.getOutputsList(), layout.outputs(), outputs);
  }

  /** The input slot of that name, if the operator has one. O(slots). */
  public Optional<Slot> inputSlot(String name) {
    return slot(message.getInputsList(), layout.inputs(), inputs, name);
  }

  /** The output slot of that name, if the operator has one. O(slots). */
  public Optional<Slot> outputSlot(String name) {
    return slot(message.getOutputsList(), layout.outputs(), outputs, name);
  }

  private static ImmutableList<Slot> slots(
      List<OpDesc.Var> messages, SlotLayout layout, int[] variables) {
    if (layout.count() == 1) {
      return ImmutableList.of(new Slot(messages, layout, variables, 0));
    }
    ImmutableList.Builder<Slot> slots = ImmutableList.builderWithExpectedSize(layout.count());
    for (int i = 0; i < layout.count(); i++) {
      slots.add(new Slot(messages, layout, variables, i));
    }
    return slots.build();
  }

  private static Optional<Slot> slot(
      List<OpDesc.Var> messages, SlotLayout layout, int[] variables, String name) {
    int index = layout.indexOf(name);
    return index < 0 ? Optional.empty() : Optional.of(new Slot(messages, layout, variables, index));
  }

  /**
   * The position of an input slot's first argument among all inputs; -1 if the slot has no
   * argument.
   */
  public int firstInput(String slot) {
    return inputAt(slot, 0);
  }

  /**
   * The position of an output slot's first argument among all outputs; -1 if the slot has no
   * argument.
   */
  public int firstOutput(String slot) {
    return outputAt(slot, 0);
  }

  /**
   * Returns the place of argument i of an input slot in the list of all inputs; -1 if the slot has
   * no such argument. In {@code concat(X: a b, AxisTensor: k)}, argument 0 of AxisTensor is input
   * 2. O(slots).
   */
  public int inputAt(String slot, int i) {
    return layout.inputs().position(slot, i);
  }

  /**
   * Returns the place of argument i of an output slot in the list of all outputs; -1 if the slot
   * has no such argument. O(slots).
   */
  public int outputAt(String slot, int i) {
    return layout.outputs().position(slot, i);
  }

  /** The name of the slot that contains the i-th input argument. O(log slots). */
  public String slotOfInput(int i) {
    return layout.inputs().nameAt(i);
  }

  /** The name of the slot that contains the i-th output argument. O(log slots). */
  public String slotOfOutput(int i) {
    return layout.outputs().nameAt(i);
  }

  /**
   * Whether two operators have the same slots in the same order, each with the same number of
   * arguments. O(slots).
   */
  public boolean hasSlotsOf(Operation other) {
    return layout.inputs().equals(other.layout.inputs())
        && layout.outputs().equals(other.layout.outputs());
  }

  /** The attributes, in file order. O(attributes). */
  public ImmutableList<Attribute> attributes() {
    ImmutableList.Builder<Attribute> attributes = ImmutableList.builder();
    for (OpDesc.Attr attribute : message.getAttrsList()) {
      attributes.add(new Attribute(attribute));
    }
    return attributes.build();
  }

  /**
   * The attribute of that name, if the operator has one. If several have the name, the last one, as
   * in Paddle. O(attributes).
   */
  public Optional<Attribute> attribute(String name) {
    for (int i = message.getAttrsCount() - 1; i >= 0; i--) {
      if (message.getAttrs(i).getName().equals(name)) {
        return Optional.of(new Attribute(message.getAttrs(i)));
      }
    }
    return Optional.empty();
  }

  /** The value of a boolean attribute; false if it is absent. O(attributes). */
  public boolean flag(String name) {
    Optional<Attribute> attribute = attribute(name);
    return attribute.isPresent() && attribute.get().asBoolean();
  }

  /**
   * The blocks that the operator names in attributes of type BLOCK and BLOCKS, in file order. The
   * attribute's type decides, not its name.
   */
  public ImmutableList<Integer> blocks() {
    ImmutableList<Integer> known = blocks;
    if (known == null) {
      known = readBlocks();
      blocks = known;
    }
    return known;
  }

  /**
   * Whether the operator has this type, and no block. A file can give any operator a block, and
   * nobody knows what {@code cast(x) {sub_block: 3}} does. O(1) after the first call.
   */
  public boolean isPlain(String type) {
    return type().equals(type) && blocks().isEmpty();
  }

  private ImmutableList<Integer> readBlocks() {
    ImmutableList.Builder<Integer> found = ImmutableList.builder();
    for (int i = 0; i < message.getAttrsCount(); i++) {
      OpDesc.Attr attribute = message.getAttrs(i);
      switch (attribute.getType()) {
        case BLOCK -> found.add(attribute.getBlockIdx());
        case BLOCKS -> found.addAll(attribute.getBlocksIdxList());
        default -> {}
      }
    }
    return found.build();
  }

  /**
   * Whether two operators are equal except for their type, attributes, and the names and arguments
   * of their slots. Compared are the target flag, the number of slots, and fields from newer
   * writers, in the operator and in each slot. O(slots).
   */
  public boolean hasSameFurtherFields(Operation other) {
    return isSameBesideArguments(message.getInputsList(), other.message.getInputsList())
        && isSameBesideArguments(message.getOutputsList(), other.message.getOutputsList())
        && message.hasIsTarget() == other.message.hasIsTarget()
        && message.getIsTarget() == other.message.getIsTarget()
        && message.getUnknownFields().equals(other.message.getUnknownFields());
  }

  private static boolean isSameBesideArguments(List<OpDesc.Var> slots, List<OpDesc.Var> others) {
    boolean isSame = slots.size() == others.size();
    for (int i = 0; isSame && i < slots.size(); i++) {
      isSame = slots.get(i).getUnknownFields().equals(others.get(i).getUnknownFields());
    }
    return isSame;
  }

  /** The location of this operator, for diagnostics. */
  public Location location() {
    return Location.operation(block, index, type());
  }

  /** The message without repeated slots: its slots are the slots of this operator. */
  OpDesc message() {
    return message;
  }

  /** The message as it is in the file. */
  OpDesc written() {
    return written;
  }

  static String argumentName(OpDesc.Var slot, int i) {
    String name = slot.getArguments(i);
    // U+FFFD may replace bytes that are not UTF-8: only then are the bytes decoded again.
    return name.indexOf('\uFFFD') < 0 ? name : Names.decode(slot.getArgumentsBytes(i));
  }

  @Override
  public String toString() {
    return location().toString();
  }
}
