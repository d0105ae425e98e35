package dev.sublet.runtime.micro.text;

import com.google.common.primitives.Longs;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.Expression.FloatLiteral;
import dev.sublet.runtime.micro.ir.Expression.IntegerLiteral;
import dev.sublet.runtime.micro.ir.Literals;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.tensor.ElementType;

/** Reads number literals, in the forms that {@link Literals} lists. */
final class LiteralReader {

  private LiteralReader() {}

  /** Whether a number without a sign comes next. */
  static boolean isNext(MicroCursor cursor) {
    return switch (cursor.peekWord()) {
      case "inf", "inf64", "nan", "nan64", "true", "false" -> !isTensorNext(cursor);
      default -> MicroName.isDigit(cursor.peek());
    };
  }

  /** Whether the next token is a number that would absorb a sign before it. */
  static boolean isSignedNext(MicroCursor cursor) {
    return switch (cursor.peekWord()) {
      case "inf", "inf64" -> !isTensorNext(cursor);
      default -> MicroName.isDigit(cursor.peek());
    };
  }

  private static boolean isTensorNext(MicroCursor cursor) {
    return cursor.isWordBefore("[") || cursor.isWordBefore("![");
  }

  /**
   * Reads the next number.
   *
   * @param sign the sign already read: {@code -}, or an empty string
   */
  static Expression read(MicroCursor cursor, String sign) {
    String word = cursor.peekWord();
    switch (word) {
      case "inf", "inf64", "nan", "nan64" -> {
        cursor.skip(word.length());
        double magnitude = word.startsWith("inf") ? Double.POSITIVE_INFINITY : Double.NaN;
        return new FloatLiteral(
            word.endsWith("64") ? ElementType.FLOAT64 : ElementType.FLOAT32,
            sign.isEmpty() ? magnitude : -magnitude);
      }
      case "true", "false" -> {
        cursor.skip(word.length());
        return new IntegerLiteral(ElementType.BOOL, word.equals("true") ? 1 : 0);
      }
      default -> {
        return number(cursor, sign);
      }
    }
  }

  /** Reads the next double: {@code -1.5}, {@code inf}. It has no type suffix. */
  static double readDouble(MicroCursor cursor) {
    String sign = cursor.accept("-") ? "-" : "";
    if (cursor.acceptWord("inf")) {
      return sign.isEmpty() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }
    if (cursor.acceptWord("nan")) {
      return Double.NaN;
    }
    int start = cursor.position();
    String digits = magnitude(cursor);
    if (digits.isEmpty() || cursor.isInsideWord()) {
      throw cursor.error("expected a number such as -1.5 or -inf", start);
    }
    return finite(cursor, Double.parseDouble(sign + digits), start);
  }

  private static Expression number(MicroCursor cursor, String sign) {
    int start = cursor.position();
    String digits = magnitude(cursor);
    boolean floating = digits.indexOf('.') >= 0 || digits.indexOf('e') >= 0;
    String suffix = cursor.isInsideWord() ? cursor.peekWord() : "";
    cursor.skip(suffix.length());
    String number = sign + digits;
    return switch (suffix) {
      case "" -> floating ? single(cursor, number, start) : integer(cursor, number, start);
      case "f32" -> single(cursor, number, start);
      case "f64" -> {
        double value = finite(cursor, Double.parseDouble(number), start);
        yield new FloatLiteral(ElementType.FLOAT64, value);
      }
      case "i8", "i32", "i64", "u8" -> {
        if (floating) {
          throw cursor.error(MicroCursor.shortened(number) + " is not an integer", start);
        }
        yield suffix.equals("i64")
            ? integer(cursor, number, start)
            : narrow(cursor, narrowType(suffix), number, start);
      }
      default ->
          throw cursor.error("a number ends with f32, f64, i8, i32, i64, u8 or itself", start);
    };
  }

  private static Expression single(MicroCursor cursor, String number, int start) {
    float value = Float.parseFloat(number);
    finite(cursor, value, start);
    return new FloatLiteral(ElementType.FLOAT32, value);
  }

  private static double finite(MicroCursor cursor, double value, int start) {
    if (Double.isInfinite(value)) {
      throw cursor.error("too large a number; write inf if you mean it", start);
    }
    return value;
  }

  private static ElementType narrowType(String suffix) {
    return switch (suffix) {
      case "i8" -> ElementType.INT8;
      case "u8" -> ElementType.UINT8;
      default -> ElementType.INT32;
    };
  }

  private static Expression narrow(MicroCursor cursor, ElementType type, String number, int start) {
    Long value = Longs.tryParse(number);
    if (value == null || value != type.wrapped(value)) {
      throw cursor.error(MicroCursor.shortened(number) + " does not fit in " + type, start);
    }
    return new IntegerLiteral(type, value);
  }

  private static Expression integer(MicroCursor cursor, String number, int start) {
    try {
      return new IntegerLiteral(ElementType.INT64, Long.parseLong(number));
    } catch (NumberFormatException e) {
      throw cursor.error(MicroCursor.shortened(number) + " does not fit in int64", start);
    }
  }

  /**
   * Reads digits, an optional fraction and an optional exponent, whose letter becomes lower case.
   */
  private static String magnitude(MicroCursor cursor) {
    String whole = cursor.digits();
    if (whole.isEmpty()) {
      return "";
    }
    StringBuilder number = new StringBuilder(whole);
    if (cursor.ahead(0) == '.' && MicroName.isDigit(cursor.ahead(1))) {
      cursor.skip(1);
      number.append('.').append(cursor.digits());
    }
    int sign = cursor.ahead(1) == '-' || cursor.ahead(1) == '+' ? 1 : 0;
    boolean exponent = cursor.ahead(0) == 'e' || cursor.ahead(0) == 'E';
    if (exponent && MicroName.isDigit(cursor.ahead(1 + sign))) {
      number.append(cursor.ahead(1) == '-' ? "e-" : "e");
      cursor.skip(1 + sign);
      number.append(cursor.digits());
    }
    return number.toString();
  }
}
