package dev.sublet.runtime.micro.fuse.fact;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Expressions that count as equal are equal whenever the requirements hold. */
final class RunExtentsTest {

  private static final int SIZES = 4;

  private static boolean areEqual(String declarations, String left, String right) {
    MicroProgram program =
        MicroProgramText.parse(
            "program test\n"
                + declarations
                + "temporary l: float32[%s]\ntemporary r: float32[%s]\n".formatted(left, right));
    return Extents.of(program).areEqual(new AxisSize("l", 0), new AxisSize("r", 0));
  }

  @Test
  void arithmetic_isCanonical() {
    String inputs = "input a: float32[?, ?]\n";

    assertThat(areEqual(inputs, "d(a, 0) + d(a, 1)", "d(a, 1) + d(a, 0)")).isTrue();
    assertThat(areEqual(inputs, "d(a, 0) * 3 - d(a, 0)", "2 * d(a, 0)")).isTrue();
    assertThat(
            areEqual(
                inputs,
                "(d(a, 0) + 1) * (d(a, 1) - 1)",
                "d(a, 0) * d(a, 1) - d(a, 0) + d(a, 1) - 1"))
        .isTrue();
    assertThat(areEqual(inputs, "d(a, 0)", "d(a, 1)")).isFalse();
    assertThat(areEqual(inputs, "d(a, 0) * 2 / 2", "d(a, 0) / 2 * 2")).isFalse();
  }

  @Test
  void declaredShapes_areReplaced() {
    String inputs = "input a: float32[?, 3]\ntemporary t: float32[d(a, 0) + d(a, 1)]\n";

    assertThat(areEqual(inputs, "d(t, 0)", "d(a, 0) + 3")).isTrue();
    assertThat(areEqual(inputs, "d(a, 1)", "3")).isTrue();
  }

  @Test
  void requirements_areEquations() {
    String inputs =
        """
        input a: float32[?, ?]
        input b: float32[?, ?]
        require d(a, 0) = d(b, 0)
        require d(b, 1) * 2 = d(b, 0) + d(a, 1)
        """;

    assertThat(areEqual(inputs, "d(a, 1)", "d(b, 1) + d(b, 1) - d(a, 0)")).isTrue();
    assertThat(areEqual(inputs, "d(a, 1) / 7", "(2 * d(b, 1) - d(b, 0)) / 7")).isTrue();
    assertThat(areEqual(inputs, "d(a, 1)", "d(b, 1)")).isFalse();
    assertThat(
            areEqual(inputs + "require 2 * d(a, 0) = 2 * d(b, 1)\n", "2 * d(b, 1)", "2 * d(b, 0)"))
        .isTrue();
  }

  /** Random requirements and expressions against all values of small extents. */
  @Test
  void equalExpressions_areEqualForAllSmallExtents() {
    int equal = 0;
    for (int seed = 0; seed < 20000; seed++) {
      Random random = new Random(seed);
      ImmutableList.Builder<Requirement> requirements = ImmutableList.builder();
      int count = random.nextInt(4);
      for (int i = 0; i < count; i++) {
        requirements.add(new Requirement(expression(random, 2), expression(random, 1)));
      }
      MicroProgram program = program(requirements.build());
      IndexExpression left = expression(random, 3);
      IndexExpression right =
          random.nextBoolean() ? expression(random, 1) : expression(new Random(seed / 2), 2);
      if (Extents.of(program).areEqual(left, right)) {
        equal++;
        assertEqual(program, left, right);
      }
    }
    assertThat(equal).isGreaterThan(500);
  }

  private static MicroProgram program(ImmutableList<Requirement> requirements) {
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    for (int size = 0; size < SIZES; size++) {
      String name = "a" + size;
      tensors.add(
          new TensorDeclaration(
              name, Role.INPUT, ElementType.FLOAT32, ImmutableList.of(new AxisSize(name, 0))));
    }
    return new MicroProgram(
        "test", ImmutableList.of(), tensors.build(), requirements, ImmutableList.of());
  }

  private static IndexExpression expression(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return random.nextInt(5) == 0
          ? new Constant(random.nextInt(4) - 1)
          : new AxisSize("a" + random.nextInt(SIZES), 0);
    }
    IndexExpression left = expression(random, depth - 1);
    IndexExpression right = expression(random, depth - 1);
    return switch (random.nextInt(7)) {
      case 0 -> new Negation(left);
      case 1, 2 -> new Arithmetic(Operator.SUBTRACT, left, right);
      case 3 -> new Arithmetic(Operator.MULTIPLY, left, right);
      case 4 -> new Arithmetic(Operator.DIVIDE, left, new Constant(1 + random.nextInt(3)));
      default -> new Arithmetic(Operator.ADD, left, right);
    };
  }

  private static void assertEqual(
      MicroProgram program, IndexExpression left, IndexExpression right) {
    for (int sizes = 0; sizes < 1 << (2 * SIZES); sizes++) {
      int values = sizes;
      boolean holds =
          program.requirements().stream()
              .allMatch(r -> value(r.left(), values) == value(r.right(), values));
      if (holds) {
        assertWithMessage("%s and %s under %s", left, right, program.requirements())
            .that(value(left, values))
            .isEqualTo(value(right, values));
      }
    }
  }

  /** The value where extent i is the i-th digit to the base 4. */
  private static long value(IndexExpression expression, int sizes) {
    if (expression instanceof Constant constant) {
      return constant.value();
    }
    if (expression instanceof AxisSize size) {
      return (sizes >> (2 * (size.tensor().charAt(1) - '0'))) & 3;
    }
    if (expression instanceof Negation negation) {
      return -value(negation.operand(), sizes);
    }
    Arithmetic arithmetic = (Arithmetic) expression;
    long left = value(arithmetic.left(), sizes);
    long right = value(arithmetic.right(), sizes);
    return switch (arithmetic.operator()) {
      case ADD -> left + right;
      case SUBTRACT -> left - right;
      case MULTIPLY -> left * right;
      case DIVIDE -> Math.floorDiv(left, right);
    };
  }
}
