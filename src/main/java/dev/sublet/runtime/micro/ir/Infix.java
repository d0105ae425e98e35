package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * The infix operators and their precedences: {@code or} binds most loosely, then {@code xor},
 * {@code and}, comparisons, sums and products. Every other binary operator is written as a function
 * with the operator's name.
 */
public enum Infix {
  OR("or", BinaryOperator.OR, 1),
  XOR("xor", BinaryOperator.XOR, 2),
  AND("and", BinaryOperator.AND, 3),
  // An operator precedes its own prefixes: "<=" comes before "<".
  EQUAL("==", BinaryOperator.EQUAL, 4),
  NOT_EQUAL("!=", BinaryOperator.NOT_EQUAL, 4),
  LESS_EQUAL("<=", BinaryOperator.LESS_EQUAL, 4),
  LESS("<", BinaryOperator.LESS, 4),
  GREATER_EQUAL(">=", BinaryOperator.GREATER_EQUAL, 4),
  GREATER(">", BinaryOperator.GREATER, 4),
  ADD("+", BinaryOperator.ADD, 5),
  SUBTRACT("-", BinaryOperator.SUBTRACT, 5),
  MULTIPLY("*", BinaryOperator.MULTIPLY, 6),
  DIVIDE("/", BinaryOperator.DIVIDE, 6);

  /** The lowest precedence. */
  public static final int LOOSEST = 1;

  private static final ImmutableList<Infix> ALL = ImmutableList.copyOf(values());

  private final String symbol;
  private final BinaryOperator operator;
  private final int precedence;

  Infix(String symbol, BinaryOperator operator, int precedence) {
    this.symbol = symbol;
    this.operator = operator;
    this.precedence = precedence;
  }

  /** Returns the infix form of an operator; empty if the operator has none. */
  public static Optional<Infix> of(BinaryOperator operator) {
    return ALL.stream().filter(infix -> infix.operator == operator).findFirst();
  }

  /** The operator that the symbol denotes. */
  public BinaryOperator operator() {
    return operator;
  }

  /** The precedence; a higher one binds more tightly. */
  public int precedence() {
    return precedence;
  }

  @Override
  public String toString() {
    return symbol;
  }
}
