package dev.sublet.runtime.micro.text;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexValues;
import dev.sublet.runtime.micro.ir.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What index expressions mean, and where they are wrong. */
final class IndexParserTest {

  /** Operands A with three axes and B with two, $k, loops up to i4, and an integer tensor x. */
  private static final class TestScope implements IndexParser.NameScope {

    final List<Requirement> requirements = new ArrayList<>();

    @Override
    public IndexExpression axisOfOperand(char letter, int axis) {
      if (letter > 'B' || axis >= (letter == 'A' ? 3 : 2)) {
        throw new IllegalArgumentException("no axis");
      }
      return new IndexExpression.AxisSize(Character.toString(letter), axis);
    }

    @Override
    public IndexExpression axisOfTensor(String tensor, int axis) {
      if (tensor.isEmpty()) {
        throw new IllegalArgumentException("no tensor");
      }
      return new IndexExpression.AxisSize(tensor, axis);
    }

    @Override
    public IndexExpression parameter(String name) {
      if (!name.equals("k")) {
        throw new IllegalArgumentException("no parameter");
      }
      return new IndexExpression.Parameter(name);
    }

    @Override
    public IndexExpression loop(int id) {
      if (id > 4) {
        throw new IllegalArgumentException("no loop");
      }
      return new IndexExpression.LoopIndex(id);
    }

    @Override
    public IndexExpression element(String tensor, ImmutableList<IndexExpression> at) {
      return new IndexExpression.Element(tensor, at);
    }

    @Override
    public void require(IndexExpression left, IndexExpression right) {
      requirements.add(new Requirement(left, right));
    }
  }

  private static IndexExpression parse(String text) {
    return IndexParser.parse(text, new TestScope());
  }

  /** The tree, every operation in parentheses, a sign as {@code ~}. */
  private static String tree(IndexExpression expression) {
    if (expression instanceof IndexExpression.Negation negation) {
      return "~(" + tree(negation.operand()) + ")";
    }
    if (expression instanceof IndexExpression.Arithmetic arithmetic) {
      String operator = arithmetic.operator().toString();
      return "(" + tree(arithmetic.left()) + operator + tree(arithmetic.right()) + ")";
    }
    return expression.toString();
  }

  private static void assertTree(String text, String tree) {
    assertWithMessage(text).that(tree(parse(text))).isEqualTo(tree);
  }

  private static void assertError(String text, int position, String message) {
    MicroSyntaxException e = assertThrows(MicroSyntaxException.class, () -> parse(text));
    assertWithMessage(text).that(e.getMessage()).isEqualTo(message);
    assertWithMessage(text).that(e.position()).isEqualTo(position);
  }

  @Test
  void leaves() {
    assertTree("i0", "i0");
    assertTree("i4", "i4");
    assertTree("0", "0");
    assertTree("007", "7");
    assertTree("9223372036854775807", "9223372036854775807");
    assertTree("$k", "$k");
    assertTree("dA2", "d(A, 2)");
    assertTree("dB", "d(B, 0)");
    assertTree("d(x, 1)", "d(x, 1)");
    assertTree("d(d, 1)", "d(d, 1)");
    assertTree("d(\"a b\", 1)", "d(\"a b\", 1)");
    assertTree("x[i0, 2]", "x[i0, 2]");
    assertTree("x[]", "x[]");
    assertTree("i0[i1]", "i0[i1]");
    assertTree("dA1[i1]", "dA1[i1]");
  }

  @Test
  void products_bindMoreStronglyThanSums_andAllFromLeftToRight() {
    assertTree("1 + 2 * i0", "(1+(2*i0))");
    assertTree("1 * 2 + i0", "((1*2)+i0)");
    assertTree("1 - 2 - i0", "((1-2)-i0)");
    assertTree("1 - 2 + i0", "((1-2)+i0)");
    assertTree("1 / 2 * i0", "((1/2)*i0)");
    assertTree("1 / 2 / i0", "((1/2)/i0)");
    assertTree("1 - (2 - i0)", "(1-(2-i0))");
    assertTree("1 / (2 * i0)", "(1/(2*i0))");
    assertTree("(1 + 2) * i0", "((1+2)*i0)");
    assertTree("i0*$k+i3", "((i0*$k)+i3)");
    assertTree("\ti0\n-\r\n 1 ", "(i0-1)");
    assertTree("x[i0 + 1 * 2] - 1", "(x[i0 + 1 * 2]-1)");
  }

  @Test
  void aSign_bindsItsFactorOnly() {
    assertTree("-i0 + 4", "(~(i0)+4)");
    assertTree("-i0 * 4", "(~(i0)*4)");
    assertTree("4 - -i0", "(4-~(i0))");
    assertTree("4 * -i0", "(4*~(i0))");
    assertTree("-(i0 + 4)", "~((i0+4))");
    assertTree("--i0", "~(~(i0))");
    assertTree("+i0", "i0");
    assertTree("-+-i0", "~(~(i0))");
    assertTree("-$k - 1", "(~($k)-1)");
  }

  @Test
  void aSign_isPartOfTheNumberBehindIt() {
    assertThat(parse("-5")).isEqualTo(new IndexExpression.Constant(-5));
    assertThat(parse("- 5")).isEqualTo(new IndexExpression.Constant(-5));
    assertThat(parse("-9223372036854775808"))
        .isEqualTo(new IndexExpression.Constant(Long.MIN_VALUE));
    assertTree("-(5)", "~(5)");
    assertTree("--5", "~(-5)");
    assertTree("1 -5", "(1-5)");
  }

  /** NNC lets the sign cover the rest of the expression and drops it: 5 and then nothing. */
  @Test
  void minusI0Plus4_isWhatItSays() {
    IndexExpression index = parse("-i0 + 4");
    List<Long> values = new ArrayList<>();
    for (int i = -1; i < 4; i++) {
      values.add(IndexValues.of(index, new long[] {i}));
    }
    assertThat(values).containsExactly(5L, 4L, 3L, 2L, 1L).inOrder();
  }

  @Test
  void division_roundsTowardsMinusInfinity() {
    IndexExpression index = parse("(i0 - 1) / 2");
    List<Long> values = new ArrayList<>();
    for (int i = -2; i < 4; i++) {
      values.add(IndexValues.of(index, new long[] {i}));
    }
    assertThat(values).containsExactly(-2L, -1L, -1L, 0L, 0L, 1L).inOrder();
  }

  @Test
  void equalExtents_areRequired() {
    TestScope scope = new TestScope();
    ImmutableList<IndexExpression> shape =
        IndexParser.parseList("dA0, dB1, dA1[=dB0] * 2, dA[ = dB ]", scope);
    assertThat(shape.toString()).isEqualTo("[d(A, 0), d(B, 1), d(A, 1) * 2, d(A, 0)]");
    assertThat(scope.requirements)
        .containsExactly(
            new Requirement(parse("dA1"), parse("dB0")), new Requirement(parse("dA"), parse("dB")))
        .inOrder();
  }

  @Test
  void lists() {
    assertThat(IndexParser.parseList("", new TestScope())).isEmpty();
    assertThat(IndexParser.parseList("  ", new TestScope())).isEmpty();
    assertThat(IndexParser.parseList("i0, -1", new TestScope())).hasSize(2);
    assertThrows(MicroSyntaxException.class, () -> IndexParser.parseList("i0,", new TestScope()));
    assertThrows(MicroSyntaxException.class, () -> IndexParser.parseList(", i0", new TestScope()));
  }

  @Test
  void errors_tellTheirPlace() {
    assertError("", 0, "expected an index expression");
    assertError("1 +", 3, "expected an index expression");
    assertError("1 + * 2", 4, "expected an index expression");
    assertError("(1 + 2", 6, "expected ')'");
    assertError("x[1, 2", 6, "expected ']'");
    assertError("1 % 2", 2, "expected nothing more");
    assertError("1 2", 2, "expected nothing more");
    assertError("i0)", 2, "expected nothing more");
    assertError("i0, i1", 2, "expected nothing more");
    assertError("2i0", 1, "expected an operator");
    assertError("1 + i", 4, "'i' is not an index, an extent or an element");
    assertError("ix", 0, "'ix' is not an index, an extent or an element");
    assertError("dC0x", 0, "'dC0x' is not an index, an extent or an element");
    assertError("i99999999999", 0, "'i99999999999' is not an index, an extent or an element");
    assertError("i0 + 9223372036854775808", 5, "9223372036854775808 does not fit in 64 bits");
    assertError("-9223372036854775809", 1, "-9223372036854775809 does not fit in 64 bits");
    assertError("i0 + i5", 5, "no loop");
    assertError("2 * $stride", 4, "no parameter");
    assertError("$", 1, "expected a name");
    assertError("1 + dC0", 4, "no axis");
    assertError("1 + dA3", 4, "no axis");
    assertError("d(x)", 3, "expected ','");
    assertError("d(x, y)", 5, "expected a number");
    assertError("d(x, 99999999999)", 5, "99999999999 is too large here");
    assertError("d(\"\", 0)", 0, "no tensor");
    assertError("dA1[=2]", 5, "expected a name");
    assertError("dA1[=x]", 5, "expected an extent such as dB0");
    assertError("dA1[=dB7]", 5, "no axis");
    assertError("dA1[=dB1", 8, "expected ']'");
    assertError("i0 \0", 3, "expected nothing more");
    assertError("\"abc", 0, "a name without its closing quote");
  }

  @Test
  void hostileDepths_areErrors() {
    int many = 100_000;
    for (String text :
        List.of(
            "(".repeat(many) + "1" + ")".repeat(many),
            "-".repeat(many) + "i0",
            "+".repeat(many) + "1",
            "1" + " + 1".repeat(many),
            "1" + " * i0".repeat(many),
            "x[".repeat(many) + "1" + "]".repeat(many))) {
      MicroSyntaxException e = assertThrows(MicroSyntaxException.class, () -> parse(text));
      assertThat(e).hasMessageThat().isEqualTo("more than 200 parts in each other");
    }
  }
}
