package dev.sublet.runtime.micro.ir;

import dev.sublet.runtime.micro.text.ExpressionParser;
import java.util.Optional;

/**
 * Prints expressions in the form that {@link ExpressionParser} reads. It writes parentheses only
 * where the parser needs them and around signs that follow an operator.
 */
public final class ExpressionText {

  /** A precedence above that of every operator, for expressions that need no parentheses. */
  private static final int TIGHTEST = 10;

  private ExpressionText() {}

  /** Returns the text of an expression. O(length). */
  static String of(Expression expression) {
    if (expression instanceof Expression.FloatLiteral literal) {
      return Literals.text(literal);
    }
    if (expression instanceof Expression.IntegerLiteral literal) {
      return Literals.text(literal);
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      return "$" + MicroName.text(parameter.name());
    }
    if (expression instanceof Expression.IndexValue value) {
      return "index(" + value.index() + ")";
    }
    if (expression instanceof Expression.Load load) {
      return load(load);
    }
    if (expression instanceof Expression.CarriedValue carried) {
      return "c" + carried.id();
    }
    if (expression instanceof Expression.Unary unary) {
      return unary(unary);
    }
    if (expression instanceof Expression.Binary binary) {
      return binary(binary);
    }
    if (expression instanceof Expression.Conditional conditional) {
      return "choose("
          + conditional.condition()
          + ", "
          + conditional.ifTrue()
          + ", "
          + conditional.ifFalse()
          + ")";
    }
    if (expression instanceof Expression.Cast cast) {
      return "cast(" + cast.type() + ", " + cast.operand() + ")";
    }
    throw new AssertionError(expression);
  }

  /**
   * Returns the text of a function of one operand. The operand must be a name or in parentheses.
   */
  public static String unary(UnaryOperator operator, String operand) {
    return operator == UnaryOperator.NEGATE ? "-" + operand : operator + "(" + operand + ")";
  }

  /**
   * Returns the text of a function of two operands. The operands must be names or in parentheses.
   */
  public static String binary(BinaryOperator operator, String left, String right) {
    Optional<Infix> infix = Infix.of(operator);
    return infix.isPresent()
        ? left + " " + infix.get() + " " + right
        : operator + "(" + left + ", " + right + ")";
  }

  /** Returns the text of the value that a load out of bounds returns. */
  public static String outside(double value) {
    return Literals.text(value);
  }

  private static String load(Expression.Load load) {
    String access = load.access().toString();
    if (Double.doubleToLongBits(load.outside()) == 0) {
      return access;
    }
    String open = access.substring(0, access.length() - 1);
    return open
        + (load.access().at().isEmpty() ? "" : " ")
        + "outside "
        + Literals.text(load.outside())
        + "]";
  }

  private static String unary(Expression.Unary unary) {
    String operand = unary.operand().toString();
    // A sign directly before a number would be read as part of the number.
    boolean apart =
        unary.operator() == UnaryOperator.NEGATE
            && (precedence(unary.operand()) < TIGHTEST || isNumber(unary.operand()));
    return unary(unary.operator(), apart ? "(" + operand + ")" : operand);
  }

  private static boolean isNumber(Expression expression) {
    return expression instanceof Expression.FloatLiteral
        || expression instanceof Expression.IntegerLiteral;
  }

  private static String binary(Expression.Binary binary) {
    Optional<Infix> infix = Infix.of(binary.operator());
    if (infix.isEmpty()) {
      return binary(binary.operator(), binary.left().toString(), binary.right().toString());
    }
    int precedence = infix.get().precedence();
    int left = binary.operator().isComparison() ? precedence + 1 : precedence;
    return binary(
        binary.operator(), side(binary.left(), left), rightSide(binary.right(), precedence + 1));
  }

  private static String side(Expression operand, int weakest) {
    String text = operand.toString();
    return precedence(operand) < weakest ? "(" + text + ")" : text;
  }

  private static String rightSide(Expression operand, int weakest) {
    String text = side(operand, weakest);
    return text.startsWith("-") ? "(" + text + ")" : text;
  }

  private static int precedence(Expression expression) {
    return expression instanceof Expression.Binary binary
        ? Infix.of(binary.operator()).map(Infix::precedence).orElse(TIGHTEST)
        : TIGHTEST;
  }
}
