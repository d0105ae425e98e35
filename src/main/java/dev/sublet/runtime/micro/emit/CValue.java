package dev.sublet.runtime.micro.emit;

import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.ExpressionTypes;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Locale;
import java.util.Optional;

/** Prints expressions as C. Every returned text can be an operand of any operator. */
final class CValue {

  private final CScope scope;
  private final CIndex index;
  private final ExpressionTypes types;

  CValue(CScope scope, CIndex index, ExpressionTypes types) {
    this.scope = scope;
    this.index = index;
    this.types = types;
  }

  /** Returns the text of an expression. */
  String text(Expression expression) {
    if (expression instanceof Expression.FloatLiteral literal) {
      return floating(literal.type(), literal.value());
    }
    if (expression instanceof Expression.IntegerLiteral literal) {
      return integer(literal.type(), literal.value());
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      return scope.parameter(parameter.name());
    }
    if (expression instanceof Expression.IndexValue value) {
      return index.atom(value.index());
    }
    if (expression instanceof Expression.Load load) {
      return load(load.access(), load.outside());
    }
    if (expression instanceof Expression.CarriedValue value) {
      return "c" + value.id();
    }
    if (expression instanceof Expression.Unary unary) {
      return unary(unary.operator(), types.of(unary), text(unary.operand()));
    }
    if (expression instanceof Expression.Binary binary) {
      ElementType type = types.of(binary.left());
      return binary(binary.operator(), type, text(binary.left()), text(binary.right()));
    }
    if (expression instanceof Expression.Conditional conditional) {
      return select(
          types.of(conditional),
          condition(conditional.condition()),
          text(conditional.ifTrue()),
          text(conditional.ifFalse()));
    }
    if (expression instanceof Expression.Cast cast) {
      return cast(types.of(cast.operand()), cast.type(), text(cast.operand()));
    }
    throw new AssertionError(expression);
  }

  private String select(ElementType type, String condition, String ifTrue, String ifFalse) {
    CHelper helper =
        switch (type) {
          case FLOAT32 -> CHelper.SELECT_F32;
          case FLOAT64 -> CHelper.SELECT_F64;
          case INT64 -> CHelper.SELECT_I64;
          case INT32 -> CHelper.SELECT_I32;
          case INT8 -> CHelper.SELECT_I8;
          case UINT8, BOOL -> CHelper.SELECT_U8;
          default -> throw new AssertionError(type);
        };
    return scope.call(helper, strip(condition), strip(ifTrue), strip(ifFalse));
  }

  /** Returns a boolean as a C condition. Compilers warn about plain numbers as conditions. */
  private String condition(Expression expression) {
    boolean compared = expression instanceof Expression.Binary;
    return text(expression) + (compared ? "" : " != 0");
  }

  private String load(Access access, double outside) {
    String element = index.element(access.tensor(), access.at());
    String inside = access.checked() ? index.inside(access.tensor(), access.at()) : "";
    if (inside.isEmpty()) {
      return element;
    }
    ElementType type = types.ofTensor(access.tensor());
    String otherwise =
        type.isFloating() ? floating(type, outside) : integer(type, integer(type, outside));
    return "(" + inside + " ? " + element + " : " + otherwise + ")";
  }

  /** Converts a load's value out of bounds to an integer type, as Java casts do. */
  private static long integer(ElementType type, double value) {
    return switch (type) {
      case INT32, UINT8, INT8 -> type.wrapped((int) value);
      case BOOL -> value != 0 ? 1 : 0;
      default -> (long) value;
    };
  }

  /** Returns a floating-point literal that C parses to exactly the same number. */
  static String floating(ElementType type, double value) {
    if (Double.isNaN(value)) {
      return type == ElementType.FLOAT32 ? "NAN" : "(double)NAN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "INFINITY" : "(-INFINITY)";
    }
    String text =
        type == ElementType.FLOAT32 ? Float.toString((float) value) + "f" : Double.toString(value);
    return text.startsWith("-") ? "(" + text + ")" : text;
  }

  /** Returns an integer or boolean literal. */
  static String integer(ElementType type, long value) {
    if (type == ElementType.INT64) {
      return value == Long.MIN_VALUE ? "INT64_MIN" : "INT64_C(" + value + ")";
    }
    if (value == Integer.MIN_VALUE) {
      return "INT32_MIN";
    }
    return value < 0 ? "(" + value + ")" : Long.toString(value);
  }

  private String unary(UnaryOperator operator, ElementType type, String x) {
    return scope.isStrict() && type.isFloating()
        ? strictly(operator, type, x)
        : plainly(operator, type, x);
  }

  /** Returns a function whose bits are those of the interpreter, which computes in FLOAT64. */
  private String strictly(UnaryOperator operator, ElementType type, String x) {
    Optional<StrictFunction> function = StrictFunction.of(operator);
    String wide = type == ElementType.FLOAT32 ? "(double)" + x : strip(x);
    String cast = type == ElementType.FLOAT32 ? "(float)" : "";
    if (function.isPresent()) {
      return cast + scope.call(function.get(), wide);
    }
    return operator == UnaryOperator.RSQRT && type == ElementType.FLOAT32
        ? "(float)(1 / sqrt(" + wide + "))"
        : plainly(operator, type, x);
  }

  private String plainly(UnaryOperator operator, ElementType type, String x) {
    return switch (operator) {
      case NOT -> "(" + x + " == 0)";
      case NEGATE ->
          type.isFloating() ? "(-" + x + ")" : helper(BinaryOperator.SUBTRACT, type, "0", x);
      case ABSOLUTE ->
          switch (type) {
            case INT32 -> scope.call(CHelper.ABSOLUTE_I32, x);
            case INT64 -> scope.call(CHelper.ABSOLUTE_I64, x);
            default -> library("fabs", type, x);
          };
      case SIGN ->
          switch (type) {
            case INT32 -> scope.call(CHelper.SIGN_I32, x);
            case INT64 -> scope.call(CHelper.SIGN_I64, x);
            case FLOAT32 -> scope.call(CHelper.SIGN_F32, x);
            default -> scope.call(CHelper.SIGN_F64, x);
          };
      case SIGMOID ->
          scope.call(type == ElementType.FLOAT32 ? CHelper.SIGMOID_F32 : CHelper.SIGMOID_F64, x);
      case RECIPROCAL -> "(1 / " + x + ")";
      case RSQRT -> "(1 / " + library("sqrt", type, x) + ")";
      default -> library(operator.name().toLowerCase(Locale.ROOT), type, x);
    };
  }

  private static String library(String function, ElementType type, String operands) {
    return function + (type == ElementType.FLOAT32 ? "f" : "") + "(" + strip(operands) + ")";
  }

  /** Returns a text without the parentheses that enclose all of it. */
  static String strip(String text) {
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
      if (depth == 0) {
        boolean around = i == text.length() - 1 && i > 0 && text.charAt(0) == '(';
        return around ? text.substring(1, i) : text;
      }
    }
    return text;
  }

  /** Returns an operation on two values of a type. */
  String binary(BinaryOperator operator, ElementType type, String x, String y) {
    return switch (operator) {
      case ADD -> arithmetic(operator, type, x, "+", y);
      case SUBTRACT -> arithmetic(operator, type, x, "-", y);
      case MULTIPLY -> arithmetic(operator, type, x, "*", y);
      case DIVIDE -> arithmetic(operator, type, x, "/", y);
      case POWER ->
          !type.isFloating()
              ? helper(operator, type, x, y)
              : scope.isStrict() ? strictPower(type, x, y) : library("pow", type, x + ", " + y);
      case FLOOR_DIVIDE ->
          switch (type) {
            case FLOAT32 -> "(float)floor((double)" + x + " / (double)" + y + ")";
            case FLOAT64 -> "floor(" + x + " / " + y + ")";
            default -> helper(operator, type, x, y);
          };
      case MAXIMUM, MINIMUM, MODULO -> helper(operator, type, x, y);
      case EQUAL -> comparison(type, x, "==", y);
      case NOT_EQUAL -> comparison(type, x, "!=", y);
      case LESS -> comparison(type, x, "<", y);
      case LESS_EQUAL -> comparison(type, x, "<=", y);
      case GREATER -> comparison(type, x, ">", y);
      case GREATER_EQUAL -> comparison(type, x, ">=", y);
      case AND -> infix(x, "&", y);
      case OR -> infix(x, "|", y);
      case XOR -> infix(x, "^", y);
    };
  }

  private String strictPower(ElementType type, String x, String y) {
    return type == ElementType.FLOAT32
        ? "(float)" + scope.call(StrictFunction.POW, "(double)" + x + ", (double)" + y)
        : scope.call(StrictFunction.POW, x + ", " + y);
  }

  private String arithmetic(
      BinaryOperator operator, ElementType type, String x, String symbol, String y) {
    return type.isFloating() ? infix(x, symbol, y) : helper(operator, type, x, y);
  }

  /**
   * Returns a comparison. An integer compared with itself becomes a constant, because compilers
   * warn about it.
   */
  private static String comparison(ElementType type, String x, String symbol, String y) {
    if (x.equals(y) && !type.isFloating()) {
      return symbol.endsWith("=") && !symbol.equals("!=") ? "1" : "0";
    }
    return infix(x, symbol, y);
  }

  private static String infix(String x, String symbol, String y) {
    return "(" + x + " " + symbol + " " + y + ")";
  }

  private String helper(BinaryOperator operator, ElementType type, String x, String y) {
    String suffix =
        switch (type) {
          case FLOAT32 -> "F32";
          case FLOAT64 -> "F64";
          case INT32 -> "I32";
          case INT64 -> "I64";
          case BOOL -> "BOOL";
          default -> throw new AssertionError(operator + " of " + type);
        };
    return scope.call(CHelper.valueOf(operator.name() + "_" + suffix), x, y);
  }

  private String cast(ElementType from, ElementType to, String x) {
    if (to == ElementType.BOOL) {
      return "(" + x + " != 0)";
    }
    if (from.isFloating() && !to.isFloating()) {
      String integer = scope.call(to == ElementType.INT64 ? CHelper.TO_I64 : CHelper.TO_I32, x);
      return to.isNarrow() ? "(" + CScope.type(to) + ")" + integer : integer;
    }
    return "(" + CScope.type(to) + ")" + x;
  }
}
