package dev.sublet.runtime.micro.text;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.MicroName;
import java.util.function.Supplier;

/**
 * Parses index expressions by recursive descent.
 *
 * <pre>
 * expression: term { ("+" | "-") term }
 * term:       factor { ("*" | "/") factor }
 * factor:     ("+" | "-") factor | "(" expression ")" | number | "i" number | "$" name
 *           | "d" letter [number] [ "[" "=" extent "]" ]     the extent of an operand's axis;
 *                                                            axis 0 if there is no number
 *           | "d" "(" name "," number ")"                    the extent of a tensor's axis
 *           | name "[" [ expression { "," expression } ] "]" an element of an integer tensor
 * </pre>
 *
 * <p>Operators of equal precedence are left-associative. A sign applies to its factor only; a sign
 * before a number is part of the number. Names may be quoted as {@link MicroName} describes. Blanks
 * are ignored.
 *
 * <p>Source: "NNC Micro Ops" (seed 003), "Describe Micro Ops"; {@code nnc.md} 3.2.
 */
public final class IndexParser {

  /** The meanings of the names in an expression. */
  public interface NameScope {

    /**
     * Returns the extent that {@code dA1} denotes. Throws IllegalArgumentException if there is
     * none.
     */
    IndexExpression axisOfOperand(char letter, int axis);

    /**
     * Returns the extent that {@code d(x, 1)} denotes. Throws IllegalArgumentException if there is
     * none.
     */
    IndexExpression axisOfTensor(String tensor, int axis);

    /**
     * Returns the parameter that {@code $name} denotes. Throws IllegalArgumentException if there is
     * none.
     */
    IndexExpression parameter(String name);

    /**
     * Returns the loop index that {@code i0} denotes. Throws IllegalArgumentException if there is
     * none.
     */
    IndexExpression loop(int id);

    /**
     * Returns the element that {@code x[i0]} denotes. Throws IllegalArgumentException if there is
     * none.
     */
    IndexExpression element(String tensor, ImmutableList<IndexExpression> at);

    /** Records that two extents must be equal. */
    void require(IndexExpression left, IndexExpression right);

    /** Records the position in the text of a name that one of the methods above resolved. */
    default void found(IndexExpression meaning, int position) {}
  }

  /**
   * The greatest nesting depth. It keeps the parser, and recursive code that walks the parsed
   * expression, from overflowing the stack.
   */
  static final int MAX_DEPTH = 200;

  private final MicroCursor cursor;
  private final NameScope scope;

  /** The number of factors being read, each nested in the previous one. */
  private int depth;

  /** The height of the expression read last. */
  private int height;

  private IndexParser(MicroCursor cursor, NameScope scope) {
    this.cursor = requireNonNull(cursor, "cursor");
    this.scope = requireNonNull(scope, "scope");
  }

  /**
   * Parses a text that is one expression. O(length).
   *
   * @throws MicroSyntaxException with the position of the error
   */
  public static IndexExpression parse(String text, NameScope scope) {
    MicroCursor cursor = MicroCursor.of(text);
    IndexExpression expression = next(cursor, scope);
    cursor.expectEnd();
    return expression;
  }

  /**
   * Parses a comma-separated list of expressions. A blank text is an empty list. O(length).
   *
   * @throws MicroSyntaxException with the position of the error
   */
  public static ImmutableList<IndexExpression> parseList(String text, NameScope scope) {
    MicroCursor cursor = MicroCursor.of(text);
    if (cursor.atEnd()) {
      return ImmutableList.of();
    }
    ImmutableList<IndexExpression> list = nextList(cursor, scope);
    cursor.expectEnd();
    return list;
  }

  /**
   * Reads the next expression, as far as it extends. O(length).
   *
   * @throws MicroSyntaxException if no expression follows
   */
  public static IndexExpression next(MicroCursor cursor, NameScope scope) {
    return new IndexParser(cursor, scope).expression();
  }

  /**
   * Reads a comma-separated list of at least one expression. O(length).
   *
   * @throws MicroSyntaxException if no expression follows
   */
  public static ImmutableList<IndexExpression> nextList(MicroCursor cursor, NameScope scope) {
    return new IndexParser(cursor, scope).list();
  }

  private ImmutableList<IndexExpression> list() {
    ImmutableList.Builder<IndexExpression> list = ImmutableList.builder();
    int highest = 0;
    do {
      list.add(expression());
      highest = Math.max(highest, height);
    } while (cursor.accept(","));
    height = highest;
    return list.build();
  }

  private IndexExpression expression() {
    IndexExpression left = term();
    while (true) {
      if (cursor.accept("+")) {
        left = arithmetic(Operator.ADD, left, this::term);
      } else if (cursor.accept("-")) {
        left = arithmetic(Operator.SUBTRACT, left, this::term);
      } else {
        return left;
      }
    }
  }

  private IndexExpression term() {
    IndexExpression left = factor();
    while (true) {
      if (cursor.accept("*")) {
        left = arithmetic(Operator.MULTIPLY, left, this::factor);
      } else if (cursor.accept("/")) {
        left = arithmetic(Operator.DIVIDE, left, this::factor);
      } else {
        return left;
      }
    }
  }

  private IndexExpression arithmetic(
      Operator operator, IndexExpression left, Supplier<IndexExpression> next) {
    int leftHeight = height;
    IndexExpression right = next.get();
    grow(Math.max(leftHeight, height));
    return new Arithmetic(operator, left, right);
  }

  /** Sets the height of the expression read last, from the height of its operands. */
  private void grow(int parts) {
    height = parts + 1;
    if (height > MAX_DEPTH) {
      throw tooDeep();
    }
  }

  private IndexExpression factor() {
    if (++depth > MAX_DEPTH) {
      throw tooDeep();
    }
    height = 1;
    IndexExpression factor = unguardedFactor();
    depth--;
    return factor;
  }

  private MicroSyntaxException tooDeep() {
    return cursor.error("more than " + MAX_DEPTH + " parts in each other");
  }

  private IndexExpression unguardedFactor() {
    if (cursor.accept("+")) {
      return factor();
    }
    if (cursor.accept("-")) {
      if (MicroName.isDigit(cursor.peek())) {
        return new Constant(number("-"));
      }
      IndexExpression operand = factor();
      grow(height);
      return new Negation(operand);
    }
    if (cursor.accept("(")) {
      IndexExpression inner = expression();
      cursor.expect(")");
      return inner;
    }
    int start = cursor.position();
    if (cursor.accept("$")) {
      String name = cursor.name();
      return resolved(start, () -> scope.parameter(name));
    }
    if (MicroName.isDigit(cursor.peek())) {
      return new Constant(number(""));
    }
    if (cursor.isName()) {
      return named(start);
    }
    throw cursor.error("expected an index expression");
  }

  private IndexExpression named(int start) {
    boolean plain = cursor.isWord();
    String name = cursor.name();
    if (plain && name.equals("d") && cursor.accept("(")) {
      String tensor = cursor.name();
      cursor.expect(",");
      int axis = cursor.number();
      cursor.expect(")");
      return resolved(start, () -> scope.axisOfTensor(tensor, axis));
    }
    if (cursor.accept("[")) {
      if (plain && isOperandAxis(name) && cursor.accept("=")) {
        return equalAxes(start, name);
      }
      ImmutableList<IndexExpression> at = cursor.isNext("]") ? ImmutableList.of() : list();
      grow(at.isEmpty() ? 0 : height);
      cursor.expect("]");
      return resolved(start, () -> scope.element(name, at));
    }
    if (plain && isOperandAxis(name)) {
      return operandAxis(start, name);
    }
    int id = MicroName.numberIn(name, 'i');
    if (plain && id >= 0) {
      return resolved(start, () -> scope.loop(id));
    }
    throw cursor.error(
        "'" + MicroCursor.shortened(name) + "' is not an index, an extent or an element", start);
  }

  private IndexExpression equalAxes(int start, String name) {
    IndexExpression left = operandAxis(start, name);
    int other = cursor.position();
    String otherName = cursor.name();
    if (!isOperandAxis(otherName)) {
      throw cursor.error("expected an extent such as dB0", other);
    }
    IndexExpression right = operandAxis(other, otherName);
    cursor.expect("]");
    return resolved(
        start,
        () -> {
          scope.require(left, right);
          return left;
        });
  }

  private static boolean isOperandAxis(String name) {
    return name.length() > 1
        && name.charAt(0) == 'd'
        && name.charAt(1) >= 'A'
        && name.charAt(1) <= 'Z'
        && (name.length() == 2 || MicroName.numberIn(name.substring(1), name.charAt(1)) >= 0);
  }

  private IndexExpression operandAxis(int start, String name) {
    int axis = name.length() == 2 ? 0 : MicroName.numberIn(name.substring(1), name.charAt(1));
    return resolved(start, () -> scope.axisOfOperand(name.charAt(1), axis));
  }

  private IndexExpression resolved(int start, Supplier<IndexExpression> what) {
    try {
      IndexExpression meaning = what.get();
      scope.found(meaning, start);
      return meaning;
    } catch (IllegalArgumentException e) {
      throw cursor.error(requireNonNull(e.getMessage()), start);
    }
  }

  private long number(String sign) {
    int start = cursor.position();
    String digits = cursor.digits();
    if (cursor.isInsideWord()) {
      throw cursor.error("expected an operator");
    }
    try {
      return Long.parseLong(sign + digits);
    } catch (NumberFormatException e) {
      throw cursor.error(MicroCursor.shortened(sign + digits) + " does not fit in 64 bits", start);
    }
  }
}
