package dev.sublet.runtime.micro.text;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.Infix;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Parses expressions: the right-hand sides of statements and of the lines of an op graph.
 *
 * <pre>
 * expression: factor { operator factor }         or, xor, and, (== != &lt; &lt;= &gt; &gt;=), (+ -),
 *                                                (* /), loosest first; left-associative, but a
 *                                                comparison of a comparison needs parentheses
 * factor:     "-" factor | "(" expression ")" | "$" name | number
 *           | function "(" expression { "," expression } ")"     exp(x), maximum(x, y), …
 *           | "choose" "(" condition "," expression "," expression ")"
 *           | "cast" "(" type "," expression ")"
 *           | "index" "(" index expression ")"
 *           | name …                                             resolved by {@link Values#named}
 * </pre>
 *
 * <p>Numbers are those of {@code Literals}: {@code 1.5} is a float32, {@code 3} an int64, {@code
 * 1.5f64}, {@code 3i32}, {@code true}, {@code -inf} state their types too. A sign before a number
 * is part of the number. Functions have the names of {@link UnaryOperator} and {@link
 * BinaryOperator}.
 *
 * @param <V> the type that an expression is parsed into
 */
public final class ExpressionParser<V> {

  /**
   * The constructors of parsed expressions. Every method may throw an IllegalArgumentException,
   * which the parser reports as an error at the position of the part.
   */
  public interface Values<V> {

    /**
     * Returns the value of a {@link Expression.FloatLiteral} or {@link Expression.IntegerLiteral}.
     */
    V literal(Expression literal);

    /** Returns the value of {@code $name}. */
    V parameter(String name);

    /**
     * Reads {@code index(…)}. The cursor is after the opening parenthesis and stops at the closing
     * one.
     */
    V index(MicroCursor cursor);

    /** Reads any other expression that begins with a name. The cursor is after the name. */
    V named(String name, MicroCursor cursor);

    /** Returns a function of one operand. */
    V unary(UnaryOperator operator, V operand);

    /** Returns a function of two operands. */
    V binary(BinaryOperator operator, V left, V right);

    /** Returns the choice between two values. */
    V choose(V condition, V ifTrue, V ifFalse);

    /** Returns a value converted to another type. */
    V cast(ElementType type, V operand);

    /**
     * Records the position of a value in the text. The position of an infix operation is that of
     * its operator.
     */
    default void found(V value, int position) {}
  }

  /**
   * The greatest nesting depth. It keeps the parser, and recursive code that walks the parsed
   * expression, from overflowing the stack.
   */
  static final int MAX_DEPTH = 200;

  private static final ImmutableMap<String, UnaryOperator> UNARY = unaryFunctions();
  private static final ImmutableMap<String, BinaryOperator> BINARY = binaryFunctions();

  private final MicroCursor cursor;
  private final Values<V> values;

  /** The number of factors being read, each nested in the previous one. */
  private int depth;

  /** The height of the expression read last. */
  private int height;

  private ExpressionParser(MicroCursor cursor, Values<V> values) {
    this.cursor = requireNonNull(cursor, "cursor");
    this.values = requireNonNull(values, "values");
  }

  /**
   * Reads the next expression, as far as it extends. O(length).
   *
   * @throws MicroSyntaxException if no expression follows, or if the expression is meaningless
   */
  public static <V> V next(MicroCursor cursor, Values<V> values) {
    return new ExpressionParser<>(cursor, values).expression(Infix.LOOSEST);
  }

  private static ImmutableMap<String, UnaryOperator> unaryFunctions() {
    ImmutableMap.Builder<String, UnaryOperator> functions = ImmutableMap.builder();
    for (UnaryOperator operator : UnaryOperator.values()) {
      if (operator != UnaryOperator.NEGATE) {
        functions.put(operator.toString(), operator);
      }
    }
    return functions.buildOrThrow();
  }

  private static ImmutableMap<String, BinaryOperator> binaryFunctions() {
    ImmutableMap.Builder<String, BinaryOperator> functions = ImmutableMap.builder();
    for (BinaryOperator operator : BinaryOperator.values()) {
      if (Infix.of(operator).isEmpty()) {
        functions.put(operator.toString(), operator);
      }
    }
    return functions.buildOrThrow();
  }

  /** Reads operands joined by operators of at least a given precedence. */
  private V expression(int precedence) {
    V left = factor();
    boolean compared = false;
    while (true) {
      int start = cursor.position();
      Optional<Infix> infix = acceptInfix(precedence);
      if (infix.isEmpty()) {
        return left;
      }
      BinaryOperator operator = infix.get().operator();
      if (compared && operator.isComparison()) {
        throw cursor.error("a comparison of a comparison needs parentheses", start);
      }
      compared = operator.isComparison();
      int leftHeight = height;
      V operand = left;
      V right = expression(infix.get().precedence() + 1);
      grow(Math.max(leftHeight, height));
      left = resolved(start, () -> values.binary(operator, operand, right));
    }
  }

  /** Consumes the next infix operator if there is one with at least the given precedence. */
  private Optional<Infix> acceptInfix(int precedence) {
    for (Infix infix : Infix.values()) {
      String symbol = infix.toString();
      boolean isWord = MicroName.isStart(symbol.charAt(0));
      if (isWord ? cursor.isWord(symbol) : cursor.isNext(symbol)) {
        if (infix.precedence() < precedence) {
          return Optional.empty();
        }
        cursor.expect(symbol);
        return Optional.of(infix);
      }
    }
    return Optional.empty();
  }

  /** Sets the height of the expression read last, from the height of its operands. */
  private void grow(int parts) {
    height = parts + 1;
    if (height > MAX_DEPTH) {
      throw tooDeep();
    }
  }

  private MicroSyntaxException tooDeep() {
    return cursor.error("more than " + MAX_DEPTH + " parts in each other");
  }

  private V factor() {
    if (++depth > MAX_DEPTH) {
      throw tooDeep();
    }
    height = 1;
    V factor = unguardedFactor();
    depth--;
    return factor;
  }

  private V unguardedFactor() {
    int start = cursor.position();
    if (cursor.accept("-")) {
      if (LiteralReader.isSignedNext(cursor)) {
        Expression literal = LiteralReader.read(cursor, "-");
        return resolved(start, () -> values.literal(literal));
      }
      V operand = factor();
      grow(height);
      return resolved(start, () -> values.unary(UnaryOperator.NEGATE, operand));
    }
    if (cursor.accept("(")) {
      V inner = expression(Infix.LOOSEST);
      cursor.expect(")");
      return inner;
    }
    if (cursor.accept("$")) {
      String name = cursor.name();
      return resolved(start, () -> values.parameter(name));
    }
    if (LiteralReader.isNext(cursor)) {
      Expression literal = LiteralReader.read(cursor, "");
      return resolved(start, () -> values.literal(literal));
    }
    if (cursor.isWordBefore("(")) {
      return function(start);
    }
    if (!cursor.isName()) {
      throw cursor.error("expected a value");
    }
    String name = cursor.name();
    return resolved(start, () -> values.named(name, cursor));
  }

  private V function(int start) {
    String name = cursor.name();
    cursor.expect("(");
    V value = call(name, start);
    cursor.expect(")");
    return value;
  }

  private V call(String name, int start) {
    UnaryOperator unary = UNARY.get(name);
    if (unary != null) {
      V operand = expression(Infix.LOOSEST);
      grow(height);
      return resolved(start, () -> values.unary(unary, operand));
    }
    BinaryOperator binary = BINARY.get(name);
    if (binary != null) {
      V left = expression(Infix.LOOSEST);
      int leftHeight = height;
      V right = nextArgument();
      grow(Math.max(leftHeight, height));
      return resolved(start, () -> values.binary(binary, left, right));
    }
    return switch (name) {
      case "choose" -> choose(start);
      case "cast" -> cast(start);
      case "index" -> resolved(start, () -> values.index(cursor));
      default ->
          throw cursor.error("there is no function '" + MicroCursor.shortened(name) + "'", start);
    };
  }

  private V choose(int start) {
    V condition = expression(Infix.LOOSEST);
    int highest = height;
    V ifTrue = nextArgument();
    highest = Math.max(highest, height);
    V ifFalse = nextArgument();
    grow(Math.max(highest, height));
    return resolved(start, () -> values.choose(condition, ifTrue, ifFalse));
  }

  private V cast(int start) {
    ElementType type = cursor.elementType();
    V operand = nextArgument();
    grow(height);
    return resolved(start, () -> values.cast(type, operand));
  }

  private V nextArgument() {
    cursor.expect(",");
    return expression(Infix.LOOSEST);
  }

  private V resolved(int start, Supplier<V> what) {
    try {
      V value = what.get();
      values.found(value, start);
      return value;
    } catch (IllegalArgumentException e) {
      throw cursor.error(requireNonNull(e.getMessage()), start);
    }
  }
}
