package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.ByteString;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;

/** An operator's attribute. A view; two are equal if their names, types and values are. */
public final class Attribute {

  private final OpDesc.Attr message;

  Attribute(OpDesc.Attr message) {
    this.message = message;
  }

  /** The attribute's name. */
  public String name() {
    return message.getName();
  }

  /** Whether the value is one block or a list of blocks. */
  public boolean holdsBlocks() {
    AttrType type = message.getType();
    return type == AttrType.BLOCK || type == AttrType.BLOCKS;
  }

  /** The blocks, for an attribute that {@link #holdsBlocks}; otherwise empty. */
  public ImmutableList<Integer> blocks() {
    return switch (message.getTypeValue()) {
      case AttrType.BLOCK_VALUE -> ImmutableList.of(message.getBlockIdx());
      case AttrType.BLOCKS_VALUE -> ImmutableList.copyOf(message.getBlocksIdxList());
      default -> ImmutableList.of();
    };
  }

  /** Whether the value is a string, or a list of strings, or names variables by its type. */
  public boolean holdsStrings() {
    return switch (message.getTypeValue()) {
      case AttrType.STRING_VALUE, AttrType.STRINGS_VALUE, AttrType.VAR_VALUE, AttrType.VARS_VALUE ->
          true;
      default -> false;
    };
  }

  /** Whether the attribute's type says that its strings are variable names: VAR and VARS. */
  public boolean holdsVariables() {
    return switch (message.getTypeValue()) {
      case AttrType.VAR_VALUE, AttrType.VARS_VALUE -> true;
      default -> false;
    };
  }

  /** The strings of an attribute that {@link #holdsStrings}; otherwise empty. */
  public ImmutableList<String> strings() {
    return switch (message.getTypeValue()) {
      case AttrType.STRING_VALUE -> ImmutableList.of(Names.decode(message.getSBytes()));
      case AttrType.VAR_VALUE -> ImmutableList.of(Names.decode(message.getVarNameBytes()));
      case AttrType.STRINGS_VALUE -> decode(message.getStringsList().asByteStringList());
      case AttrType.VARS_VALUE -> decode(message.getVarsNameList().asByteStringList());
      default -> ImmutableList.of();
    };
  }

  /** The value of a boolean attribute; false for any other type. */
  public boolean asBoolean() {
    return message.getType() == AttrType.BOOLEAN && message.getB();
  }

  /** The value of an INT or LONG attribute; the default for any other type. */
  public long asLong(long defaultValue) {
    return switch (message.getTypeValue()) {
      case AttrType.INT_VALUE -> message.getI();
      case AttrType.LONG_VALUE -> message.getL();
      default -> defaultValue;
    };
  }

  private static ImmutableList<String> decode(Iterable<ByteString> list) {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (ByteString bytes : list) {
      names.add(Names.decode(bytes));
    }
    return names.build();
  }

  OpDesc.Attr message() {
    return message;
  }

  /** Whether the two have the same name and type, whatever their values. */
  public boolean hasSameNameAndType(Attribute other) {
    return name().equals(other.name()) && message.getTypeValue() == other.message.getTypeValue();
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof Attribute other && message.equals(other.message);
  }

  @Override
  public int hashCode() {
    return message.hashCode();
  }
}
