package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads what a statement, or a line of an op graph, computes.
 *
 * <pre>
 * expression: factor { operator factor }         or, xor, and, (== != &lt; &lt;= &gt; &gt;=), (+ -), (* /),
 *                                                the loosest first; from left to right, but a
 *                                                comparison of a comparison needs parentheses
 * factor:     "-" factor | "(" expression ")" | "$" name | number
 *           | function "(" expression { "," expression } ")"     exp(x), maximum(x, y), …
 *           | "choose" "(" condition "," expression "," expression ")"
 *           | "cast" "(" type "," expression ")"
 *           | "index" "(" index expression ")"
 *           | name …                                             what the caller makes of it
 * </pre>
 *
 * <p>Numbers are those of {@code Literals}: {@code 1.5} is a float32, {@code 3} an int64, {@code
 * 1.5f64}, {@code 3i32}, {@code true}, {@code -inf} speak for themselves. A sign is part of a
 * number that follows it. Functions have the names of {@link UnaryOperator} and {@link
 * BinaryOperator}.
 *
 * @param <V> what an expression becomes
 */
public final class ExpressionParser<V> {

  /**
   * What the parts of an expression become. Every method may throw an IllegalArgumentException,
   * which becomes an error at the part's place.
   */
  public interface Values<V> {

    /** A {@link Expression.FloatLiteral} or {@link Expression.IntegerLiteral}. */
    V literal(Expression literal);

    /** {@code $name}. */
    V parameter(String name);

    /** {@code index(…)}, from the cursor behind the parenthesis to the closing one. */
    V index(MicroCursor cursor);

    /** Anything else that begins with a name; the cursor is behind the name. */
    V named(String name, MicroCursor cursor);

    /** A function of one operand. */
    V unary(UnaryOperator operator, V operand);

    /** A function of two operands. */
    V binary(BinaryOperator operator, V left, V right);

    /** One of two values. */
    V choose(V condition, V ifTrue, V ifFalse);

    /** The same value in another type. */
    V cast(ElementType type, V operand);

    /** Takes note of where in the text something stood: of an infix operator its symbol. */
    default void found(V value, int position) {}
  }

  /**
   * The most parts in each other: neither the parser nor who walks over what it has read overflows
   * its stack.
   */
  static final int MAX_DEPTH = 200;

  private static final ImmutableMap<String, UnaryOperator> UNARY = unaryFunctions();
  private static final ImmutableMap<String, BinaryOperator> BINARY = binaryFunctions();

  private final MicroCursor cursor;
  private final Values<V> values;

  /** How many factors are being read, each a part of the one before. */
  private int depth;

  /** The height of the expression that was read last. */
  private int height;

  private ExpressionParser(MicroCursor cursor, Values<V> values) {
    this.cursor = requireNonNull(cursor, "cursor");
    this.values = requireNonNull(values, "values");
  }

  /**
   * Reads the expression that comes next, up to what cannot be a part of it. O(length).
   *
   * @throws MicroSyntaxException if none comes, or one that means nothing
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

  /** Operands and the operators between them that bind at least as strongly as one. */
  private V expression(int precedence) {
    V left = factor();
    boolean compared = false;
    while (true) {
      int start = cursor.position();
      Optional<Infix> infix = Infix.accept(cursor, precedence);
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

  /** The expression read last has parts of a height. */
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
      if (Literals.isSignedNext(cursor)) {
        Expression literal = Literals.read(cursor, "-");
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
    if (Literals.isNext(cursor)) {
      Expression literal = Literals.read(cursor, "");
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
