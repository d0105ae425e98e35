package dev.sublet.runtime.micro.text;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexValues;
import dev.sublet.runtime.micro.ir.RandomIndices;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.StringTokenizer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Index expressions print as what is read as themselves, and mean what their texts mean. */
final class IndexTextPropertyTest {

  private static final ProgramIndices ANY = new ProgramIndices(new SourcePositions());

  @Property(tries = 2000)
  void parse_ofPrinted_isTheSame(@ForAll long seed) {
    IndexExpression expression = RandomIndices.any(new Random(seed), 5);
    String text = expression.toString();
    assertWithMessage(text).that(IndexParser.parse(text, ANY)).isEqualTo(expression);
  }

  @Property(tries = 2000)
  void printed_hasTheSameValue(@ForAll long seed) {
    Random random = new Random(seed);
    IndexExpression expression = RandomIndices.arithmetic(random, 6);
    long[] loops = {random.nextInt(9) - 4, random.nextInt(100), -random.nextInt(100)};
    String text = expression.toString();
    String value;
    try {
      value = Long.toString(IndexValues.of(expression, loops));
    } catch (ArithmeticException e) {
      value = "none";
    }
    assertWithMessage(text).that(valueOfText(text, loops)).isEqualTo(value);
  }

  /** Texts that nobody would print: parentheses, blanks and signs everywhere. */
  @Property(tries = 2000)
  void parsed_hasTheValueOfTheText(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    writeSum(random, 4, text);
    long[] loops = {random.nextInt(9) - 4, random.nextInt(100), -random.nextInt(100)};
    IndexExpression expression = IndexParser.parse(text.toString(), ANY);
    String value;
    try {
      value = Long.toString(IndexValues.of(expression, loops));
    } catch (ArithmeticException e) {
      value = "none";
    }
    assertWithMessage("%s", text).that(valueOfText(text.toString(), loops)).isEqualTo(value);
    assertThat(IndexParser.parse(expression.toString(), ANY)).isEqualTo(expression);
  }

  private static void writeSum(Random random, int depth, StringBuilder text) {
    int factors = 1 + random.nextInt(4);
    for (int i = 0; i < factors; i++) {
      if (i > 0) {
        text.append(blanks(random)).append("+-*/".charAt(random.nextInt(4)));
      }
      text.append(blanks(random));
      for (int signs = random.nextInt(6) - 3; signs > 0; signs--) {
        text.append(random.nextInt(3) == 0 ? '+' : '-').append(blanks(random));
      }
      int kind = random.nextInt(depth > 0 ? 5 : 3);
      if (kind == 0) {
        text.append(random.nextInt(20));
      } else if (kind == 1) {
        text.append('i').append(random.nextInt(3));
      } else if (kind == 2) {
        text.append("$k");
      } else {
        text.append('(');
        writeSum(random, depth - 1, text);
        text.append(')');
      }
    }
    text.append(blanks(random));
  }

  private static String blanks(Random random) {
    return " ".repeat(Math.max(0, random.nextInt(4) - 2));
  }

  /**
   * The value by Dijkstra's shunting yard, from the text alone; none if it divides by zero. A sign
   * is an operator {@code ~} that binds more strongly than the others.
   */
  private static String valueOfText(String text, long[] loops) {
    Deque<Long> operands = new ArrayDeque<>();
    Deque<Character> operators = new ArrayDeque<>();
    StringTokenizer tokens = new StringTokenizer(text, "+-*/() ", /* returnDelims= */ true);
    boolean operandWanted = true;
    try {
      while (tokens.hasMoreTokens()) {
        String token = tokens.nextToken();
        char c = token.charAt(0);
        if (c == ' ') {
          continue;
        }
        if (c == '(') {
          operators.push(c);
        } else if (c == ')') {
          while (operators.peek() != '(') {
            apply(operators.pop(), operands);
          }
          operators.pop();
        } else if ("+-*/".indexOf(c) >= 0 && operandWanted) {
          operators.push(c == '-' ? '~' : '#');
        } else if ("+-*/".indexOf(c) >= 0) {
          while (!operators.isEmpty() && strength(operators.peek()) >= strength(c)) {
            apply(operators.pop(), operands);
          }
          operators.push(c);
          operandWanted = true;
        } else {
          operands.push(leaf(token, loops));
          operandWanted = false;
        }
        if (c == ')') {
          operandWanted = false;
        }
      }
      while (!operators.isEmpty()) {
        apply(operators.pop(), operands);
      }
      return Long.toString(operands.pop());
    } catch (ArithmeticException e) {
      return "none";
    }
  }

  private static long leaf(String token, long[] loops) {
    if (token.equals("$k")) {
      return IndexValues.K;
    }
    return token.startsWith("i")
        ? loops[Integer.parseInt(token.substring(1))]
        : Long.parseLong(token);
  }

  private static int strength(char operator) {
    return switch (operator) {
      case '~', '#' -> 3;
      case '*', '/' -> 2;
      case '+', '-' -> 1;
      default -> 0;
    };
  }

  private static void apply(char operator, Deque<Long> operands) {
    long right = operands.pop();
    switch (operator) {
      case '~' -> operands.push(-right);
      case '#' -> operands.push(right);
      case '+' -> operands.push(operands.pop() + right);
      case '-' -> operands.push(operands.pop() - right);
      case '*' -> operands.push(operands.pop() * right);
      case '/' -> operands.push(Math.floorDiv(operands.pop(), right));
      default -> throw new AssertionError(operator);
    }
  }
}
