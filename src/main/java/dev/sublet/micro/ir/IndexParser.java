package dev.sublet.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.micro.ir.IndexExpression.Constant;
import dev.sublet.micro.ir.IndexExpression.Negation;
import dev.sublet.micro.ir.IndexExpression.Operator;
import java.util.function.Supplier;

/**
 * Reads index expressions by recursive descent.
 *
 * <pre>
 * expression: term { ("+" | "-") term }
 * term:       factor { ("*" | "/") factor }
 * factor:     ("+" | "-") factor | "(" expression ")" | number | "i" number | "$" name
 *           | "d" letter [number] [ "[" "=" extent "]" ]     the extent of an operand's axis, 0 if
 *                                                            no number stands there
 *           | "d" "(" name "," number ")"                    the extent of a tensor's axis
 *           | name "[" expression { "," expression } "]"     an element of an integer tensor
 * </pre>
 *
 * <p>Operators of one line bind from left to right; a sign binds its factor only. Blanks mean
 * nothing. What follows an expression is an error.
 *
 * <p>Source: "NNC Micro Ops" (seed 003), "Describe Micro Ops"; {@code nnc.md} 3.2.
 */
public final class IndexParser {

  /** What the names in an expression mean. */
  public interface Scope {

    /** The extent that {@code dA1} stands for. Throws IllegalArgumentException if nothing does. */
    IndexExpression axisOfOperand(char letter, int axis);

    /** What {@code d(x, 1)} stands for. Throws IllegalArgumentException if nothing does. */
    IndexExpression axisOfTensor(String tensor, int axis);

    /** What {@code $name} stands for. Throws IllegalArgumentException if nothing does. */
    IndexExpression parameter(String name);

    /** What {@code i0} stands for. Throws IllegalArgumentException if nothing does. */
    IndexExpression loop(int id);

    /** What {@code x[i0]} stands for. Throws IllegalArgumentException if nothing does. */
    IndexExpression element(String tensor, ImmutableList<IndexExpression> at);

    /** Takes note that two extents are equal. */
    void require(IndexExpression left, IndexExpression right);
  }

  /** A text cannot make the parser overflow its stack. */
  private static final int MAX_DEPTH = 200;

  private final String text;
  private final Scope scope;
  private int position;
  private int depth;

  private IndexParser(String text, Scope scope) {
    this.text = requireNonNull(text, "text");
    this.scope = requireNonNull(scope, "scope");
  }

  /**
   * Reads one expression. O(length).
   *
   * @throws MicroSyntaxException with the position of what cannot be read
   */
  public static IndexExpression parse(String text, Scope scope) {
    IndexParser parser = new IndexParser(text, scope);
    IndexExpression expression = parser.expression();
    parser.expectEnd();
    return expression;
  }

  /**
   * Reads expressions with commas between them; none if there are only blanks. O(length).
   *
   * @throws MicroSyntaxException with the position of what cannot be read
   */
  public static ImmutableList<IndexExpression> parseList(String text, Scope scope) {
    IndexParser parser = new IndexParser(text, scope);
    if (parser.peek() == '\0') {
      return ImmutableList.of();
    }
    ImmutableList<IndexExpression> list = parser.list();
    parser.expectEnd();
    return list;
  }

  private ImmutableList<IndexExpression> list() {
    ImmutableList.Builder<IndexExpression> list = ImmutableList.builder();
    do {
      list.add(expression());
    } while (accept(','));
    return list.build();
  }

  private IndexExpression expression() {
    IndexExpression left = term();
    while (true) {
      if (accept('+')) {
        left = new Arithmetic(Operator.ADD, left, term());
      } else if (accept('-')) {
        left = new Arithmetic(Operator.SUBTRACT, left, term());
      } else {
        return left;
      }
    }
  }

  private IndexExpression term() {
    IndexExpression left = factor();
    while (true) {
      if (accept('*')) {
        left = new Arithmetic(Operator.MULTIPLY, left, factor());
      } else if (accept('/')) {
        left = new Arithmetic(Operator.DIVIDE, left, factor());
      } else {
        return left;
      }
    }
  }

  private IndexExpression factor() {
    if (++depth > MAX_DEPTH) {
      throw error("more than " + MAX_DEPTH + " parts in each other", position);
    }
    IndexExpression factor = unguardedFactor();
    depth--;
    return factor;
  }

  private IndexExpression unguardedFactor() {
    if (accept('+')) {
      return factor();
    }
    if (accept('-')) {
      IndexExpression operand = factor();
      return operand instanceof Constant constant
          ? new Constant(-constant.value())
          : new Negation(operand);
    }
    if (accept('(')) {
      IndexExpression inner = expression();
      expect(')');
      return inner;
    }
    if (accept('$')) {
      int start = position;
      String name = name();
      return resolved(start, () -> scope.parameter(name));
    }
    char next = peek();
    if (isDigit(next)) {
      return new Constant(number());
    }
    if (isNameStart(next)) {
      return named();
    }
    throw error("expected an index expression", position);
  }

  private IndexExpression named() {
    int start = position;
    String name = name();
    if (name.equals("d") && accept('(')) {
      String tensor = name();
      expect(',');
      int axis = axis();
      expect(')');
      return resolved(start, () -> scope.axisOfTensor(tensor, axis));
    }
    if (accept('[')) {
      if (isOperandAxis(name) && accept('=')) {
        return equalAxes(start, name);
      }
      ImmutableList<IndexExpression> at = list();
      expect(']');
      return resolved(start, () -> scope.element(name, at));
    }
    if (isOperandAxis(name)) {
      return operandAxis(start, name);
    }
    if (name.length() > 1 && name.charAt(0) == 'i' && allDigits(name, 1)) {
      int id = smallNumber(name.substring(1), start);
      return resolved(start, () -> scope.loop(id));
    }
    throw error("'" + name + "' is not an index, an extent or an element", start);
  }

  private IndexExpression equalAxes(int start, String name) {
    IndexExpression left = operandAxis(start, name);
    peek();
    int other = position;
    String otherName = name();
    if (!isOperandAxis(otherName)) {
      throw error("expected an extent such as dB0", other);
    }
    scope.require(left, operandAxis(other, otherName));
    expect(']');
    return left;
  }

  private static boolean isOperandAxis(String name) {
    return name.length() > 1
        && name.charAt(0) == 'd'
        && name.charAt(1) >= 'A'
        && name.charAt(1) <= 'Z'
        && allDigits(name, 2);
  }

  private IndexExpression operandAxis(int start, String name) {
    int axis = name.length() == 2 ? 0 : smallNumber(name.substring(2), start);
    return resolved(start, () -> scope.axisOfOperand(name.charAt(1), axis));
  }

  private IndexExpression resolved(int start, Supplier<IndexExpression> what) {
    try {
      return what.get();
    } catch (IllegalArgumentException e) {
      throw error(requireNonNull(e.getMessage()), start);
    }
  }

  private int axis() {
    peek();
    int start = position;
    return smallNumber(Long.toString(number()), start);
  }

  private int smallNumber(String digits, int start) {
    if (digits.length() > 4) {
      throw error(digits + " is too large here", start);
    }
    return Integer.parseInt(digits);
  }

  private long number() {
    peek();
    int start = position;
    while (position < text.length() && isDigit(text.charAt(position))) {
      position++;
    }
    if (start == position) {
      throw error("expected a number", start);
    }
    if (position < text.length() && isNameStart(text.charAt(position))) {
      throw error("expected an operator", position);
    }
    try {
      return Long.parseLong(text.substring(start, position));
    } catch (NumberFormatException e) {
      throw error(text.substring(start, position) + " does not fit in 64 bits", start);
    }
  }

  private String name() {
    peek();
    int start = position;
    while (position < text.length() && isNamePart(text.charAt(position))) {
      position++;
    }
    if (start == position) {
      throw error("expected a name", start);
    }
    return text.substring(start, position);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c);
  }

  private static boolean allDigits(String name, int from) {
    for (int i = from; i < name.length(); i++) {
      if (!isDigit(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** The next character that is no blank, or NUL at the end. */
  private char peek() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
    return position < text.length() ? text.charAt(position) : '\0';
  }

  private boolean accept(char c) {
    if (peek() != c) {
      return false;
    }
    position++;
    return true;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw error("expected '" + c + "'", position);
    }
  }

  private void expectEnd() {
    if (peek() != '\0') {
      throw error("expected nothing after the expression", position);
    }
  }

  private static MicroSyntaxException error(String message, int position) {
    return new MicroSyntaxException(message, position);
  }
}
