package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.protobuf.ByteString;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.Scalar;

/**
 * An operator's attribute: an immutable view of its message. Two attributes are equal if their
 * names, types and values are equal.
 */
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

  /** The indices of the blocks if the attribute {@link #holdsBlocks}; otherwise empty. */
  public ImmutableList<Integer> blocks() {
    return switch (message.getTypeValue()) {
      case AttrType.BLOCK_VALUE -> ImmutableList.of(message.getBlockIdx());
      case AttrType.BLOCKS_VALUE -> ImmutableList.copyOf(message.getBlocksIdxList());
      default -> ImmutableList.of();
    };
  }

  /**
   * Whether the value is a string or a list of strings. Names of variables (types VAR and VARS)
   * count.
   */
  public boolean holdsStrings() {
    return switch (message.getTypeValue()) {
      case AttrType.STRING_VALUE, AttrType.STRINGS_VALUE, AttrType.VAR_VALUE, AttrType.VARS_VALUE ->
          true;
      default -> false;
    };
  }

  /** Whether the strings are variable names by the attribute's type: VAR or VARS. */
  public boolean holdsVariables() {
    return switch (message.getTypeValue()) {
      case AttrType.VAR_VALUE, AttrType.VARS_VALUE -> true;
      default -> false;
    };
  }

  /** The strings if the attribute {@link #holdsStrings}; otherwise empty. */
  public ImmutableList<String> strings() {
    return switch (message.getTypeValue()) {
      case AttrType.STRING_VALUE -> ImmutableList.of(Names.decode(message.getSBytes()));
      case AttrType.VAR_VALUE -> ImmutableList.of(Names.decode(message.getVarNameBytes()));
      case AttrType.STRINGS_VALUE -> decode(message.getStringsList().asByteStringList());
      case AttrType.VARS_VALUE -> decode(message.getVarsNameList().asByteStringList());
      default -> ImmutableList.of();
    };
  }

  /**
   * The value of a boolean attribute. Old programs store some booleans as INT, which Paddle
   * converts ({@code ExtractAttribute<bool>}): any number but 0 is true. False for any other type.
   */
  public boolean asBoolean() {
    return message.getType() == AttrType.BOOLEAN ? message.getB() : asLong(0) != 0;
  }

  /** The value of an INT or LONG attribute; the default for any other type. */
  public long asLong(long defaultValue) {
    return switch (message.getTypeValue()) {
      case AttrType.INT_VALUE -> message.getI();
      case AttrType.LONG_VALUE -> message.getL();
      default -> defaultValue;
    };
  }

  /** The value of a numeric attribute of any width; the default for any other type. */
  public double asDouble(double defaultValue) {
    return switch (message.getTypeValue()) {
      case AttrType.FLOAT_VALUE -> message.getF();
      case AttrType.FLOAT64_VALUE -> message.getFloat64();
      case AttrType.SCALAR_VALUE -> number(message.getScalar());
      case AttrType.INT_VALUE, AttrType.LONG_VALUE -> (double) asLong(0);
      default -> defaultValue;
    };
  }

  private static double number(Scalar scalar) {
    return switch (scalar.getType()) {
      case BOOLEAN -> scalar.getB() ? 1 : 0;
      case LONG -> scalar.getI();
      default -> scalar.getR();
    };
  }

  /**
   * The numbers of an INTS or LONGS attribute, or the one number of an INT or LONG; otherwise
   * empty.
   */
  public ImmutableList<Long> longs() {
    return switch (message.getTypeValue()) {
      case AttrType.INTS_VALUE -> {
        ImmutableList.Builder<Long> longs = ImmutableList.builder();
        for (int i = 0; i < message.getIntsCount(); i++) {
          longs.add((long) message.getInts(i));
        }
        yield longs.build();
      }
      case AttrType.LONGS_VALUE -> ImmutableList.copyOf(message.getLongsList());
      case AttrType.INT_VALUE, AttrType.LONG_VALUE -> ImmutableList.of(asLong(0));
      default -> ImmutableList.of();
    };
  }

  /**
   * The numbers of a list attribute of any width, or the one number of a numeric attribute;
   * otherwise empty.
   */
  public ImmutableList<Double> doubles() {
    ImmutableList.Builder<Double> doubles = ImmutableList.builder();
    switch (message.getTypeValue()) {
      case AttrType.FLOATS_VALUE -> message.getFloatsList().forEach(f -> doubles.add((double) f));
      case AttrType.FLOAT64S_VALUE -> doubles.addAll(message.getFloat64SList());
      case AttrType.SCALARS_VALUE ->
          message.getScalarsList().forEach(scalar -> doubles.add(number(scalar)));
      case AttrType.BOOLEANS_VALUE ->
          message.getBoolsList().forEach(bool -> doubles.add(bool ? 1.0 : 0.0));
      case AttrType.INTS_VALUE, AttrType.LONGS_VALUE ->
          longs().forEach(number -> doubles.add((double) number));
      case AttrType.FLOAT_VALUE, AttrType.FLOAT64_VALUE, AttrType.SCALAR_VALUE ->
          doubles.add(asDouble(0));
      case AttrType.INT_VALUE, AttrType.LONG_VALUE -> doubles.add((double) asLong(0));
      default -> {}
    }
    return doubles.build();
  }

  /** The whole value as text for people, with strings in quotes. O(length). */
  public String display() {
    return switch (message.getTypeValue()) {
      case AttrType.BOOLEAN_VALUE -> String.valueOf(message.getB());
      case AttrType.INT_VALUE, AttrType.LONG_VALUE -> String.valueOf(asLong(0));
      case AttrType.FLOAT_VALUE -> String.valueOf(message.getF());
      case AttrType.FLOAT64_VALUE, AttrType.SCALAR_VALUE -> String.valueOf(asDouble(0));
      case AttrType.STRING_VALUE, AttrType.VAR_VALUE -> quoted(strings().get(0));
      case AttrType.STRINGS_VALUE, AttrType.VARS_VALUE ->
          "[" + String.join(", ", Lists.transform(strings(), Attribute::quoted)) + "]";
      case AttrType.INTS_VALUE, AttrType.LONGS_VALUE -> longs().toString();
      case AttrType.FLOATS_VALUE -> message.getFloatsList().toString();
      case AttrType.BOOLEANS_VALUE -> message.getBoolsList().toString();
      case AttrType.FLOAT64S_VALUE, AttrType.SCALARS_VALUE -> doubles().toString();
      case AttrType.BLOCK_VALUE, AttrType.BLOCKS_VALUE -> "blocks " + blocks();
      default -> "of type " + message.getTypeValue();
    };
  }

  private static String quoted(String text) {
    return "'" + Names.display(text) + "'";
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

  /** Whether two attributes are equal except for their strings. O(length). */
  public boolean hasSameFurtherFields(Attribute other) {
    return withoutStrings(message).equals(withoutStrings(other.message));
  }

  private static OpDesc.Attr withoutStrings(OpDesc.Attr message) {
    return message.toBuilder().clearS().clearStrings().clearVarName().clearVarsName().build();
  }

  /** Whether two attributes have the same name and type, whatever their values. */
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
