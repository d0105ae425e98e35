package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.protobuf.ByteString;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Builds an operator for a {@link ProgramBuilder}: a new operator, or a copy with other names. */
public final class OperationBuilder {

  /** The names of the arguments of a copy. */
  public interface Naming {
    /** Returns the name in the copy for a variable, given by its dense index in the original. */
    String name(int variable);
  }

  private final OpDesc.Builder message;

  private OperationBuilder(OpDesc.Builder message) {
    this.message = message;
  }

  /** Begins with an operator without arguments and attributes. */
  public static OperationBuilder of(String type) {
    return new OperationBuilder(OpDesc.newBuilder().setType(type));
  }

  /** Begins with a copy of an operator. */
  public static OperationBuilder copyOf(Operation operation) {
    return copyOf(operation.message());
  }

  static OperationBuilder copyOf(OpDesc operation) {
    return new OperationBuilder(operation.toBuilder());
  }

  /**
   * Begins with a copy of an operator, with other names. O(arguments and attributes).
   *
   * @param inputs the names of the copy's inputs, and of the variables that its attributes name
   * @param outputs the names of the copy's outputs
   * @throws IllegalStateException if an attribute names a variable that must keep its name, and
   *     {@code inputs} gives it another name
   */
  public static OperationBuilder copyOf(
      Program program, Operation operation, Naming inputs, Naming outputs) {
    OpDesc original = operation.message();
    OpDesc.Builder copy = original.toBuilder().clearInputs().clearOutputs();
    int argument = 0;
    for (OpDesc.Var slot : original.getInputsList()) {
      OpDesc.Var.Builder named = copy.addInputsBuilder().mergeFrom(slot).clearArguments();
      for (int i = 0; i < slot.getArgumentsCount(); i++) {
        named.addArgumentsBytes(
            renamed(operation.input(argument++), slot.getArgumentsBytes(i), inputs));
      }
    }
    argument = 0;
    for (OpDesc.Var slot : original.getOutputsList()) {
      OpDesc.Var.Builder named = copy.addOutputsBuilder().mergeFrom(slot).clearArguments();
      for (int i = 0; i < slot.getArgumentsCount(); i++) {
        named.addArgumentsBytes(
            renamed(operation.output(argument++), slot.getArgumentsBytes(i), outputs));
      }
    }
    OperationBuilder builder = new OperationBuilder(copy);
    for (AttributeReference reference : program.attributeReferences(operation)) {
      builder.rename(program, reference, inputs.name(reference.variable()));
    }
    return builder;
  }

  private static ByteString renamed(int variable, ByteString name, Naming names) {
    return variable == Program.NO_VARIABLE ? name : Names.encode(names.name(variable));
  }

  private void rename(Program program, AttributeReference reference, String name) {
    if (name.equals(program.variable(reference.variable()).name())) {
      return;
    }
    if (!reference.renamable()) {
      throw new IllegalStateException("the name in an attribute of " + message.getType());
    }
    for (OpDesc.Attr.Builder attribute : message.getAttrsBuilderList()) {
      if (attribute.getName().equals(reference.attribute())) {
        rename(attribute, reference.position(), Names.encode(name));
      }
    }
  }

  private static void rename(OpDesc.Attr.Builder attribute, int position, ByteString name) {
    switch (attribute.getType()) {
      case STRING -> attribute.setSBytes(name);
      case VAR -> attribute.setVarNameBytes(name);
      case STRINGS -> {
        List<ByteString> all = new ArrayList<>(attribute.getStringsList().asByteStringList());
        all.set(position, name);
        attribute.clearStrings();
        all.forEach(attribute::addStringsBytes);
      }
      default -> {
        List<ByteString> all = new ArrayList<>(attribute.getVarsNameList().asByteStringList());
        all.set(position, name);
        attribute.clearVarsName();
        all.forEach(attribute::addVarsNameBytes);
      }
    }
  }

  /** Adds an input slot. */
  @CanIgnoreReturnValue
  public OperationBuilder input(String slot, Iterable<String> names) {
    OpDesc.Var.Builder added = message.addInputsBuilder().setParameter(slot);
    names.forEach(name -> added.addArgumentsBytes(Names.encode(name)));
    return this;
  }

  /** Adds an output slot. */
  @CanIgnoreReturnValue
  public OperationBuilder output(String slot, Iterable<String> names) {
    OpDesc.Var.Builder added = message.addOutputsBuilder().setParameter(slot);
    names.forEach(name -> added.addArgumentsBytes(Names.encode(name)));
    return this;
  }

  /** Adds names to an output slot, without the names that are in the slot already. */
  @CanIgnoreReturnValue
  public OperationBuilder addToOutput(String slot, Iterable<String> names) {
    for (OpDesc.Var.Builder output : message.getOutputsBuilderList()) {
      if (output.getParameter().equals(slot)) {
        for (String name : names) {
          ByteString bytes = Names.encode(name);
          if (!output.getArgumentsList().asByteStringList().contains(bytes)) {
            output.addArgumentsBytes(bytes);
          }
        }
      }
    }
    return this;
  }

  /** Adds all attributes of another operator. */
  @CanIgnoreReturnValue
  public OperationBuilder withAttributesOf(Operation operation) {
    message.addAllAttrs(operation.message().getAttrsList());
    return this;
  }

  /** Adds a boolean attribute. */
  @CanIgnoreReturnValue
  public OperationBuilder attribute(String name, boolean value) {
    message.addAttrsBuilder().setName(name).setType(AttrType.BOOLEAN).setB(value);
    return this;
  }

  /** Adds an integer attribute. */
  @CanIgnoreReturnValue
  public OperationBuilder attribute(String name, int value) {
    message.addAttrsBuilder().setName(name).setType(AttrType.INT).setI(value);
    return this;
  }

  /** Adds a single precision attribute. */
  @CanIgnoreReturnValue
  public OperationBuilder attribute(String name, float value) {
    message.addAttrsBuilder().setName(name).setType(AttrType.FLOAT).setF(value);
    return this;
  }

  /** Adds an attribute that is a list of one long integer. */
  @CanIgnoreReturnValue
  public OperationBuilder listAttribute(String name, long value) {
    message.addAttrsBuilder().setName(name).setType(AttrType.LONGS).addLongs(value);
    return this;
  }

  /** Adds a long integer attribute. */
  @CanIgnoreReturnValue
  public OperationBuilder attribute(String name, long value) {
    message.addAttrsBuilder().setName(name).setType(AttrType.LONG).setL(value);
    return this;
  }

  /** Adds a string attribute. */
  @CanIgnoreReturnValue
  public OperationBuilder attribute(String name, String value) {
    message.addAttrsBuilder().setName(name).setType(AttrType.STRING).setS(value);
    return this;
  }

  /** Adds an attribute that is a list of integers. */
  @CanIgnoreReturnValue
  public OperationBuilder intsAttribute(String name, Iterable<Integer> values) {
    message.addAttrsBuilder().setName(name).setType(AttrType.INTS).addAllInts(values);
    return this;
  }

  /** Adds an attribute that is a list of long integers. */
  @CanIgnoreReturnValue
  public OperationBuilder longsAttribute(String name, Iterable<Long> values) {
    message.addAttrsBuilder().setName(name).setType(AttrType.LONGS).addAllLongs(values);
    return this;
  }

  /** Adds an attribute that is a list of single precision numbers. */
  @CanIgnoreReturnValue
  public OperationBuilder floatsAttribute(String name, Iterable<Float> values) {
    message.addAttrsBuilder().setName(name).setType(AttrType.FLOATS).addAllFloats(values);
    return this;
  }

  /** Adds an attribute that is a list of double precision numbers. */
  @CanIgnoreReturnValue
  public OperationBuilder doublesAttribute(String name, Iterable<Double> values) {
    message.addAttrsBuilder().setName(name).setType(AttrType.FLOAT64S).addAllFloat64S(values);
    return this;
  }

  /** Adds an attribute that is a list of strings. */
  @CanIgnoreReturnValue
  public OperationBuilder textsAttribute(String name, Iterable<String> values) {
    message.addAttrsBuilder().setName(name).setType(AttrType.STRINGS).addAllStrings(values);
    return this;
  }

  /** Adds an attribute that names a block. */
  @CanIgnoreReturnValue
  public OperationBuilder blockAttribute(String name, int block) {
    message.addAttrsBuilder().setName(name).setType(AttrType.BLOCK).setBlockIdx(block);
    return this;
  }

  /** Replaces the arguments of slots, given by slot name; the other slots keep their arguments. */
  @CanIgnoreReturnValue
  public OperationBuilder withArguments(ImmutableMap<String, ImmutableList<String>> arguments) {
    message.getInputsBuilderList().forEach(slot -> replace(slot, arguments));
    message.getOutputsBuilderList().forEach(slot -> replace(slot, arguments));
    return this;
  }

  private static void replace(
      OpDesc.Var.Builder slot, ImmutableMap<String, ImmutableList<String>> arguments) {
    ImmutableList<String> replacement = arguments.get(slot.getParameter());
    if (replacement != null) {
      slot.clearArguments();
      replacement.forEach(name -> slot.addArgumentsBytes(Names.encode(name)));
    }
  }

  /**
   * Replaces the block indices in attributes that name blocks.
   *
   * @param blockOf maps the index in the attribute to the new index
   */
  @CanIgnoreReturnValue
  public OperationBuilder withBlocks(IntUnaryOperator blockOf) {
    for (OpDesc.Attr.Builder attribute : message.getAttrsBuilderList()) {
      switch (attribute.getType()) {
        case BLOCK -> attribute.setBlockIdx(blockOf.applyAsInt(attribute.getBlockIdx()));
        case BLOCKS -> {
          for (int i = 0; i < attribute.getBlocksIdxCount(); i++) {
            attribute.setBlocksIdx(i, blockOf.applyAsInt(attribute.getBlocksIdx(i)));
          }
        }
        default -> {}
      }
    }
    return this;
  }

  OpDesc build() {
    return message.build();
  }
}
