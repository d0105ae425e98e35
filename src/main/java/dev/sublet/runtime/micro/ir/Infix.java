package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * The operators that stand between their operands, and how strongly they bind: {@code or} the
 * least, then {@code xor}, {@code and}, comparisons, sums and products. All other binary operators
 * are functions with the operator's name.
 */
enum Infix {
  OR("or", BinaryOperator.OR, 1),
  XOR("xor", BinaryOperator.XOR, 2),
  AND("and", BinaryOperator.AND, 3),
  // An operator comes before the one that it begins with.
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

  /** What binds the least. */
  static final int LOOSEST = 1;

  private static final ImmutableList<Infix> ALL = ImmutableList.copyOf(values());

  private final String symbol;
  private final BinaryOperator operator;
  private final int precedence;

  Infix(String symbol, BinaryOperator operator, int precedence) {
    this.symbol = symbol;
    this.operator = operator;
    this.precedence = precedence;
  }

  /** The form of an operator, if it stands between its operands. */
  static Optional<Infix> of(BinaryOperator operator) {
    return ALL.stream().filter(infix -> infix.operator == operator).findFirst();
  }

  /** Goes behind the operator that comes next, if there is one that binds strongly enough. */
  static Optional<Infix> accept(MicroCursor cursor, int precedence) {
    for (Infix infix : ALL) {
      if (infix.isNext(cursor)) {
        if (infix.precedence < precedence) {
          return Optional.empty();
        }
        cursor.expect(infix.symbol);
        return Optional.of(infix);
      }
    }
    return Optional.empty();
  }

  private boolean isNext(MicroCursor cursor) {
    return MicroName.isStart(symbol.charAt(0)) ? cursor.isWord(symbol) : cursor.isNext(symbol);
  }

  BinaryOperator operator() {
    return operator;
  }

  int precedence() {
    return precedence;
  }

  @Override
  public String toString() {
    return symbol;
  }
}
