package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.text.ExpressionParser;
import dev.sublet.runtime.micro.text.MicroCursor;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Map;
import java.util.Optional;

/** Builds values of a graph from the expressions in its text. */
final class GraphValues implements ExpressionParser.Values<MicroValue> {

  private static final ImmutableSet<String> INFIX_WORDS = ImmutableSet.of("and", "or", "xor");

  private final MicroGraphBuilder builder;
  private final Map<String, MicroValue> values;

  /**
   * Creates the values for a builder.
   *
   * @param values the meanings of names; consulted at each use
   */
  GraphValues(MicroGraphBuilder builder, Map<String, MicroValue> values) {
    this.builder = builder;
    this.values = values;
  }

  /**
   * Whether a keyword comes next and an operand follows it, so that the word is not the name of a
   * value.
   */
  static boolean isOpNext(MicroCursor line, String word) {
    return line.isWord(word) && isOperandAfterWord(line);
  }

  /** Consumes the next reduction if there is one, and returns it. */
  static Optional<Reduction> reductionNext(MicroCursor line) {
    for (Reduction reduction : Reduction.values()) {
      if (line.isWord(reduction.toString())) {
        boolean function = reduction == Reduction.MAXIMUM || reduction == Reduction.MINIMUM;
        boolean operand = isOperandAfterWord(line) || (!function && line.isWordBefore("("));
        return operand ? Optional.of(reduction) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static boolean isOperandAfterWord(MicroCursor line) {
    MicroCursor after = line.afterWord();
    char c = after.peek();
    return (after.isName() && !INFIX_WORDS.contains(after.peekWord()))
        || c == '$'
        || (c >= '0' && c <= '9');
  }

  @Override
  public MicroValue literal(Expression literal) {
    if (literal instanceof Expression.FloatLiteral number) {
      return builder.scalar(number.type(), number.value());
    }
    if (literal instanceof Expression.IntegerLiteral number) {
      return builder.scalar(number.type(), number.value());
    }
    throw new AssertionError(literal);
  }

  @Override
  public MicroValue parameter(String name) {
    return builder.parameterValue(name);
  }

  @Override
  public MicroValue index(MicroCursor cursor) {
    throw new IllegalArgumentException("an index becomes a value by 'position'");
  }

  @Override
  public MicroValue named(String name, MicroCursor cursor) {
    MicroValue value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no value " + name);
    }
    return value;
  }

  @Override
  public MicroValue unary(UnaryOperator operator, MicroValue operand) {
    return builder.unary(operator, operand);
  }

  @Override
  public MicroValue binary(BinaryOperator operator, MicroValue left, MicroValue right) {
    return builder.binary(operator, left, right);
  }

  @Override
  public MicroValue choose(MicroValue condition, MicroValue ifTrue, MicroValue ifFalse) {
    return builder.choose(condition, ifTrue, ifFalse);
  }

  @Override
  public MicroValue cast(ElementType type, MicroValue operand) {
    return builder.cast(type, operand);
  }
}
