package dev.sublet.codec.program;

import com.google.common.io.BaseEncoding;
import com.google.gson.stream.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.math.BigDecimal;

/**
 * Parses scalars in protobuf's JSON mapping. Numbers may be quoted; enumerations are names or
 * numbers; bytes are Base64. Source: the ProtoJSON chapter of the protobuf documentation.
 */
final class JsonScalars {

  private JsonScalars() {}

  /**
   * Returns the value for a field.
   *
   * @throws IllegalArgumentException if the value does not have the field's type; the message is
   *     the name of that type
   */
  static Object parse(FieldDescriptor field, JsonToken token, String value) {
    return switch (field.getJavaType()) {
      case INT -> Math.toIntExact(integer(token, value, Integer.MIN_VALUE, Integer.MAX_VALUE));
      case LONG -> integer(token, value, Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT -> parseFloat(token, value);
      case DOUBLE -> parseDouble(token, value);
      case BOOLEAN -> {
        check(token == JsonToken.BOOLEAN, "boolean");
        yield value.equals("true");
      }
      case STRING -> {
        check(token == JsonToken.STRING && isWellFormed(value), "Unicode string");
        yield value;
      }
      case BYTE_STRING -> {
        check(token == JsonToken.STRING && BaseEncoding.base64().canDecode(value), "Base64 string");
        yield ByteString.copyFrom(BaseEncoding.base64().decode(value));
      }
      case ENUM -> enumeration(field.getEnumType(), token, value);
      case MESSAGE -> throw new IllegalStateException("a message is not a scalar");
    };
  }

  private static void check(boolean condition, String type) {
    if (!condition) {
      throw new IllegalArgumentException(type);
    }
  }

  private static long integer(JsonToken token, String value, long least, long greatest) {
    String type = greatest == Long.MAX_VALUE ? "64-bit integer" : "32-bit integer";
    check(token != JsonToken.BOOLEAN, type);
    long integer;
    try {
      // 3.0 and 1e3 are integers too.
      integer = new BigDecimal(value).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(type, e);
    }
    check(least <= integer && integer <= greatest, type);
    return integer;
  }

  private static float parseFloat(JsonToken token, String value) {
    double wide = parseDouble(token, value);
    if (Double.isNaN(wide) || Double.isInfinite(wide)) {
      return (float) wide;
    }
    // Not a cast of the double: rounding twice could give a neighboring number.
    float number = Float.parseFloat(value);
    check(!Float.isInfinite(number), "32-bit floating-point number");
    return number;
  }

  private static double parseDouble(JsonToken token, String value) {
    return switch (value) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> finite(token, value);
    };
  }

  private static double finite(JsonToken token, String value) {
    String type = "floating-point number";
    check(token != JsonToken.BOOLEAN, type);
    double number;
    try {
      number = Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(type, e);
    }
    check(Double.isFinite(number), type);
    return number;
  }

  private static EnumValueDescriptor enumeration(
      EnumDescriptor type, JsonToken token, String value) {
    if (token == JsonToken.NUMBER) {
      long number = integer(token, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      return type.findValueByNumberCreatingIfUnknown((int) number);
    }
    EnumValueDescriptor named = type.findValueByName(value);
    if (named == null) {
      throw new IllegalArgumentException("name of " + type.getName());
    }
    return named;
  }

  /**
   * Whether a string has a UTF-8 form. An escaped lone surrogate has none and would silently become
   * a question mark.
   */
  private static boolean isWellFormed(String value) {
    for (int i = 0; i < value.length(); i++) {
      int character = value.codePointAt(i);
      if (Character.isSupplementaryCodePoint(character)) {
        i++;
      } else if (Character.isSurrogate((char) character)) {
        return false;
      }
    }
    return true;
  }
}
