package dev.sublet.runtime.micro.fuse.fact;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.RemoveBoundsChecks;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Proved indices are inside, and those that matter are proved. */
final class BoundsProverTest {

  /** Whether the only access of x in a block is proved to be inside. */
  private static boolean isProved(String shape, String declarations, String block) {
    MicroProgram program =
        MicroProgramText.parse(
            "program test\n"
                + declarations
                + "temporary x: float32["
                + shape
                + "]\noutput y: float32[]\nfunction f\n  block\n"
                + block.indent(4));
    ImmutableList<Loop> loops =
        NamedBlock.of(new RemoveBoundsChecks().apply(program)).get(0).block().loops();
    Loop loop = loops.get(loops.size() - 1);
    return Reads.of(loop.statements().get(0)).stream()
        .noneMatch(read -> read.tensor().equals("x") && read.checked());
  }

  private static final String SIZES = "input a: float32[?, ?, ?]\n";

  @Test
  void loopOverTheAxis_isInside() {
    assertThat(isProved("d(a, 0)", SIZES, "for i0 in 0..d(a, 0)\n  y[] = x[i0]\n")).isTrue();
    assertThat(isProved("d(a, 0)", SIZES, "for i0 in 0..d(a, 1)\n  y[] = x[i0]\n")).isFalse();
    assertThat(isProved("d(a, 0)", SIZES, "for i0 in 0..d(a, 0)\n  y[] = x[i0 + 1]\n")).isFalse();
    assertThat(isProved("d(a, 0)", SIZES, "for i0 in 1..d(a, 0)\n  y[] = x[i0 - 1]\n")).isTrue();
  }

  @Test
  void requiredExtent_isTheOther() {
    String required = SIZES + "require d(a, 0) = d(a, 1)\n";

    assertThat(isProved("d(a, 0)", required, "for i0 in 0..d(a, 1)\n  y[] = x[i0]\n")).isTrue();
  }

  @Test
  void reversedLoop_isInside() {
    assertThat(isProved("d(a, 0)", SIZES, "for i0 in 0..d(a, 0)\n  y[] = x[d(a, 0) - 1 - i0]\n"))
        .isTrue();
    assertThat(isProved("d(a, 0)", SIZES, "for i0 in 0..d(a, 0)\n  y[] = x[d(a, 0) - i0]\n"))
        .isFalse();
  }

  @Test
  void firstElement_isInsideOnlyIfThereIsOne() {
    assertThat(isProved("d(a, 0)", SIZES, "for i0 in 0..1\n  y[] = x[0]\n")).isFalse();
    assertThat(isProved("d(a, 0)", SIZES, "for i0 in 0..d(a, 0)\n  y[] = x[0]\n")).isTrue();
    assertThat(isProved("d(a, 0) + 1", SIZES, "for i0 in 0..1\n  y[] = x[0]\n")).isTrue();
  }

  @Test
  void rowByRow_isInside() {
    String block =
        """
        for i0 in 0..d(a, 0)
          for i1 in 0..d(a, 1)
            for i2 in 0..d(a, 2)
              y[] = x[(i0 * d(a, 1) + i1) * d(a, 2) + i2]
        """;

    assertThat(isProved("d(a, 0) * d(a, 1) * d(a, 2)", SIZES, block)).isTrue();
    assertThat(isProved("d(a, 0) * d(a, 1) * d(a, 2) - 1", SIZES, block)).isFalse();
  }

  @Test
  void quotientAndRemainder_areInside() {
    String block = "for i0 in 0..d(a, 0) * d(a, 1)\n  y[] = x[i0 / d(a, 1), %s]\n";
    String remainder = "i0 - i0 / d(a, 1) * d(a, 1)";

    assertThat(isProved("d(a, 0), d(a, 1)", SIZES, block.formatted(remainder))).isTrue();
    assertThat(isProved("d(a, 0), d(a, 1) - 1", SIZES, block.formatted(remainder))).isFalse();
    assertThat(isProved("d(a, 0) - 1, d(a, 1)", SIZES, block.formatted(remainder))).isFalse();
  }

  @Test
  void strides_areInsideWithoutABorder() {
    String block =
        """
        for i0 in 0..(d(a, 0) - d(a, 1)) / 3 + 1
          for i1 in 0..d(a, 1)
            y[] = x[i0 * 3 + i1%s]
        """;

    assertThat(isProved("d(a, 0)", SIZES, block.formatted(""))).isTrue();
    assertThat(isProved("d(a, 0)", SIZES, block.formatted(" - 1"))).isFalse();
    assertThat(isProved("d(a, 0) - 1", SIZES, block.formatted(""))).isFalse();
    assertThat(isProved("d(a, 0) + 1", SIZES, block.formatted(" + 1"))).isTrue();
  }

  @Test
  void triangle_isInside() {
    String block =
        """
        for i0 in 0..d(a, 0)
          for i1 in 0..i0 + 1
            y[] = x[i0 - i1]
        """;

    assertThat(isProved("d(a, 0)", SIZES, block)).isTrue();
  }

  @Test
  void parameters_areOfNoKnownSign() {
    String declarations = "parameter $p: int64\ninput a: float32[?]\n";

    assertThat(isProved("d(a, 0)", declarations, "for i0 in 0..d(a, 0)\n  y[] = x[i0 + $p]\n"))
        .isFalse();
    assertThat(
            isProved(
                "d(a, 0)", declarations, "for i0 in 0..d(a, 0) - $p\n  y[] = x[i0 + $p - $p]\n"))
        .isFalse();
    assertThat(
            isProved("d(a, 0)", declarations, "for i0 in $p..d(a, 0) + $p\n  y[] = x[i0 - $p]\n"))
        .isTrue();
  }

  @Test
  void elementsOfTensors_areUnknown() {
    assertThat(isProved("4", "input k: int64[4]\n", "for i0 in 0..4\n  y[] = x[k[i0] - k[i0]]\n"))
        .isTrue();
  }

  /** Random indices under random loops against all values of small extents. */
  @Test
  void provedIndices_areInsideForAllSmallExtents() {
    int proved = 0;
    for (int seed = 0; seed < 20000; seed++) {
      Random random = new Random(seed);
      List<Loop> loops = new ArrayList<>();
      for (int id = 0; id < 1 + random.nextInt(3); id++) {
        IndexExpression start = new Constant(random.nextInt(5) == 0 ? 1 : 0);
        loops.add(new Loop(id, start, bound(random, id), ImmutableList.of(), ImmutableList.of()));
      }
      IndexExpression index = index(random, loops.size(), 3);
      IndexExpression extent = bound(random, 0);
      MicroProgram program = program(extent);
      if (new BoundsProver(Extents.of(program), loops).isInside("x", ImmutableList.of(index))) {
        proved++;
        for (int sizes = 0; sizes < 16; sizes++) {
          List<Long> values = new ArrayList<>(List.of(0L, 0L, 0L));
          assertInside(new Values(sizes % 4, sizes / 4, values), loops, 0, index, extent);
        }
      }
    }
    assertThat(proved).isGreaterThan(1000);
  }

  private static MicroProgram program(IndexExpression extent) {
    return new MicroProgram(
        "test",
        ImmutableList.of(),
        ImmutableList.of(
            new TensorDeclaration(
                "a",
                Role.INPUT,
                ElementType.FLOAT32,
                ImmutableList.of(new AxisSize("a", 0), new AxisSize("a", 1))),
            new TensorDeclaration(
                "x", Role.TEMPORARY, ElementType.FLOAT32, ImmutableList.of(extent))),
        ImmutableList.of(),
        ImmutableList.of());
  }

  /** An extent or the end of a loop. */
  private static IndexExpression bound(Random random, int loops) {
    IndexExpression size = new AxisSize("a", random.nextInt(2));
    return switch (random.nextInt(8)) {
      case 0 -> new Constant(1 + random.nextInt(6));
      case 1 -> new Arithmetic(Operator.ADD, size, new Constant(1 + random.nextInt(2)));
      case 2 -> new Arithmetic(Operator.MULTIPLY, size, new AxisSize("a", random.nextInt(2)));
      case 3 -> new Arithmetic(Operator.DIVIDE, size, new Constant(2));
      case 4 ->
          loops == 0
              ? size
              : new Arithmetic(Operator.ADD, new LoopIndex(random.nextInt(loops)), new Constant(1));
      case 5 -> new Arithmetic(Operator.MULTIPLY, new Constant(2), size);
      default -> size;
    };
  }

  private static IndexExpression index(Random random, int loops, int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return switch (random.nextInt(6)) {
        case 0 -> new Constant(random.nextInt(4));
        case 1 -> new AxisSize("a", random.nextInt(2));
        default -> new LoopIndex(random.nextInt(loops));
      };
    }
    IndexExpression left = index(random, loops, depth - 1);
    return switch (random.nextInt(6)) {
      case 0 -> new Negation(left);
      case 1 ->
          new Arithmetic(
              Operator.DIVIDE,
              left,
              random.nextBoolean()
                  ? new Constant(2 + random.nextInt(2))
                  : new AxisSize("a", random.nextInt(2)));
      case 2 ->
          new Arithmetic(
              Operator.MULTIPLY,
              left,
              random.nextBoolean() ? new Constant(2) : index(random, loops, 0));
      case 3 -> new Arithmetic(Operator.SUBTRACT, left, index(random, loops, depth - 1));
      default -> new Arithmetic(Operator.ADD, left, index(random, loops, depth - 1));
    };
  }

  /** Extents and loop indices of one run; dividing by 0 ends it. */
  private record Values(long first, long second, List<Long> loops) {

    long of(IndexExpression expression) {
      if (expression instanceof Constant constant) {
        return constant.value();
      }
      if (expression instanceof LoopIndex loop) {
        return loops.get(loop.id());
      }
      if (expression instanceof AxisSize size) {
        return size.axis() == 0 ? first : second;
      }
      if (expression instanceof Negation negation) {
        return -of(negation.operand());
      }
      Arithmetic arithmetic = (Arithmetic) expression;
      long left = of(arithmetic.left());
      long right = of(arithmetic.right());
      return switch (arithmetic.operator()) {
        case ADD -> left + right;
        case SUBTRACT -> left - right;
        case MULTIPLY -> left * right;
        case DIVIDE -> Math.floorDiv(left, right);
      };
    }
  }

  private static void assertInside(
      Values values, List<Loop> loops, int depth, IndexExpression index, IndexExpression extent) {
    try {
      if (depth == loops.size()) {
        long at = values.of(index);
        assertWithMessage("%s of %s in %s with %s", index, extent, loops, values)
            .that(at >= 0 && at < values.of(extent))
            .isTrue();
        return;
      }
      Loop loop = loops.get(depth);
      for (long i = values.of(loop.start()); i < values.of(loop.end()); i++) {
        values.loops().set(loop.id(), i);
        assertInside(values, loops, depth + 1, index, extent);
      }
    } catch (ArithmeticException divisionByZero) {
      // Such a run fails anyway.
    }
  }
}
