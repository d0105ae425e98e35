package dev.sublet.runtime.micro.ir;

import dev.sublet.runtime.micro.ir.Expression.FloatLiteral;
import dev.sublet.runtime.micro.ir.Expression.IntegerLiteral;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Number literals in program texts.
 *
 * <pre>
 * 1.5  1e-3  inf  -inf  nan          float32
 * 1.5f64  1e-3f64  inf64  nan64      float64
 * 3  -3                              int64
 * 3i32                               int32
 * 3i8  3u8                           int8, uint8
 * true  false                        bool
 * </pre>
 *
 * <p>{@code f32} and {@code i64} are accepted as suffixes too. A number prints with enough digits
 * to distinguish it from every other number of its type.
 */
public final class Literals {

  private Literals() {}

  /** Returns the text of a floating-point literal. */
  static String text(FloatLiteral literal) {
    boolean single = literal.type() == ElementType.FLOAT32;
    double value = literal.value();
    if (!Double.isFinite(value)) {
      return text(value) + (single ? "" : "64");
    }
    return single ? Float.toString((float) value) : value + "f64";
  }

  /** Returns the text of an integer or boolean literal. */
  static String text(IntegerLiteral literal) {
    return switch (literal.type()) {
      case BOOL -> literal.value() == 0 ? "false" : "true";
      case INT32 -> literal.value() + "i32";
      case UINT8 -> literal.value() + "u8";
      case INT8 -> literal.value() + "i8";
      default -> Long.toString(literal.value());
    };
  }

  /**
   * Returns the text of a double without a type suffix: the value that a load out of bounds
   * returns.
   */
  static String text(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return Double.isFinite(value) ? Double.toString(value) : value < 0 ? "-inf" : "inf";
  }
}
