package dev.sublet.testing.text;

import com.google.common.collect.ImmutableBiMap;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;
import java.util.ArrayList;
import java.util.List;

/** The attributes of operators in program text: {@code {axis: -1, sub_block: 1, names: ["x"]}}. */
final class AttributeText {

  /** What stands before a value whose type its first character does not tell. */
  private static final ImmutableBiMap<String, AttrType> KEYWORDS =
      ImmutableBiMap.<String, AttrType>builder()
          .put("block", AttrType.BLOCK)
          .put("blocks", AttrType.BLOCKS)
          .put("var", AttrType.VAR)
          .put("vars", AttrType.VARS)
          .put("float64", AttrType.FLOAT64)
          .put("float64s", AttrType.FLOAT64S)
          .put("ints", AttrType.INTS)
          .put("longs", AttrType.LONGS)
          .put("floats", AttrType.FLOATS)
          .put("strings", AttrType.STRINGS)
          .put("bools", AttrType.BOOLEANS)
          .buildOrThrow();

  private AttributeText() {}

  /** Reads attributes in braces. */
  static void parse(LineScanner line, OpDesc.Builder operation) {
    while (!line.take("}")) {
      OpDesc.Attr.Builder attribute = OpDesc.Attr.newBuilder();
      attribute.setName(line.name("an attribute's name"));
      line.expect(":");
      parseValue(line, attribute);
      operation.addAttrs(attribute);
      if (!line.sees("}")) {
        line.expect(",");
      }
    }
  }

  private static void parseValue(LineScanner line, OpDesc.Attr.Builder attribute) {
    for (String keyword : KEYWORDS.keySet()) {
      if (line.takeWord(keyword)) {
        attribute.setType(KEYWORDS.getOrDefault(keyword, AttrType.INT));
        parseItems(line, attribute);
        return;
      }
    }
    boolean list = line.take("[");
    AttrType type = typeOfNextItem(line, list);
    boolean isBlock = type == AttrType.INT && attribute.getName().equals("sub_block");
    attribute.setType(isBlock ? AttrType.BLOCK : type);
    parseItem(line, attribute);
    while (list && !line.take("]")) {
      line.expect(",");
      parseItem(line, attribute);
    }
  }

  private static void parseItems(LineScanner line, OpDesc.Attr.Builder attribute) {
    switch (attribute.getType()) {
      case BLOCK, VAR, FLOAT64 -> parseItem(line, attribute);
      default -> {
        line.expect("[");
        while (!line.take("]")) {
          parseItem(line, attribute);
          if (!line.sees("]")) {
            line.expect(",");
          }
        }
      }
    }
  }

  /** The type that the next item's look tells. */
  private static AttrType typeOfNextItem(LineScanner line, boolean list) {
    if (line.sees("\"")) {
      return list ? AttrType.STRINGS : AttrType.STRING;
    }
    if (line.sees("true") || line.sees("false")) {
      return list ? AttrType.BOOLEANS : AttrType.BOOLEAN;
    }
    String number = line.peekNumber();
    if (number.endsWith("L")) {
      return list ? AttrType.LONGS : AttrType.LONG;
    }
    if (number.indexOf('.') >= 0) {
      return list ? AttrType.FLOATS : AttrType.FLOAT;
    }
    return list ? AttrType.INTS : AttrType.INT;
  }

  private static void parseItem(LineScanner line, OpDesc.Attr.Builder attribute) {
    try {
      switch (attribute.getType()) {
        case INT -> attribute.setI(line.integer("the value"));
        case INTS -> attribute.addInts(line.integer("the value"));
        case BLOCK -> attribute.setBlockIdx(line.integer("the block"));
        case BLOCKS -> attribute.addBlocksIdx(line.integer("the block"));
        case LONG -> attribute.setL(parseLong(line));
        case LONGS -> attribute.addLongs(parseLong(line));
        case FLOAT -> attribute.setF(Float.parseFloat(line.number("a number")));
        case FLOATS -> attribute.addFloats(Float.parseFloat(line.number("a number")));
        case FLOAT64 -> attribute.setFloat64(Double.parseDouble(line.number("a number")));
        case FLOAT64S -> attribute.addFloat64S(Double.parseDouble(line.number("a number")));
        case BOOLEAN -> attribute.setB(parseBoolean(line));
        case BOOLEANS -> attribute.addBools(parseBoolean(line));
        case STRING -> attribute.setS(line.quoted());
        case STRINGS -> attribute.addStrings(line.name("a string"));
        case VAR -> attribute.setVarName(line.name("a name"));
        case VARS -> attribute.addVarsName(line.name("a name"));
        default -> throw new AssertionError(attribute.getType());
      }
    } catch (NumberFormatException e) {
      throw line.error("malformed number (" + e.getMessage() + ")");
    }
  }

  private static long parseLong(LineScanner line) {
    String number = line.number("a number");
    return Long.parseLong(number.endsWith("L") ? number.substring(0, number.length() - 1) : number);
  }

  private static boolean parseBoolean(LineScanner line) {
    if (line.takeWord("true")) {
      return true;
    }
    line.expect("false");
    return false;
  }

  /** An attribute's name and value. */
  static String print(OpDesc.Attr attribute) {
    return ProgramTextPrinter.quote(attribute.getName()) + ": " + value(attribute);
  }

  private static String value(OpDesc.Attr attribute) {
    return switch (attribute.getType()) {
      case INT -> Integer.toString(attribute.getI());
      case LONG -> attribute.getL() + "L";
      case FLOAT -> Float.toString(attribute.getF());
      case BOOLEAN -> Boolean.toString(attribute.getB());
      case STRING -> ProgramTextPrinter.quoteAlways(attribute.getS());
      case BLOCK ->
          (attribute.getName().equals("sub_block") ? "" : "block ") + attribute.getBlockIdx();
      case VAR -> "var " + ProgramTextPrinter.quote(attribute.getVarName());
      case FLOAT64 -> "float64 " + attribute.getFloat64();
      case INTS -> list(attribute, attribute.getIntsList(), "");
      case LONGS -> list(attribute, attribute.getLongsList(), "L");
      case FLOATS -> list(attribute, attribute.getFloatsList(), "");
      case BOOLEANS -> list(attribute, attribute.getBoolsList(), "");
      case STRINGS -> list(attribute, quoted(attribute.getStringsList()), "");
      case BLOCKS -> "blocks " + attribute.getBlocksIdxList();
      case VARS -> "vars " + quoted(attribute.getVarsNameList());
      case FLOAT64S -> "float64s " + attribute.getFloat64SList();
      default ->
          throw new IllegalArgumentException(
              "no notation for the attribute "
                  + attribute.getName()
                  + " of type "
                  + attribute.getType());
    };
  }

  /** A list in brackets; an empty one behind its keyword, since no item tells the type. */
  private static String list(OpDesc.Attr attribute, List<?> items, String suffix) {
    if (items.isEmpty()) {
      return KEYWORDS.inverse().get(attribute.getType()) + " []";
    }
    List<String> texts = new ArrayList<>();
    for (Object item : items) {
      texts.add(item + suffix);
    }
    return texts.toString();
  }

  private static List<String> quoted(List<String> strings) {
    List<String> texts = new ArrayList<>();
    for (String string : strings) {
      texts.add(ProgramTextPrinter.quoteAlways(string));
    }
    return texts;
  }
}
