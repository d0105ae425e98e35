package dev.sublet.runtime.micro.op;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every operator against finite differences, in its domain and away from where it jumps or bends;
 * those without a gradient give zeros. An operator that is new fails to compile here.
 */
final class GradientOfOperatorsTest {

  private static final ImmutableLongArray SHAPE = ImmutableLongArray.of(3, 5);

  /** Where a function is smooth. */
  private record Domain(double low, double high) {

    Tensor random(int seed) {
      return FiniteDifferences.random(new Random(seed), SHAPE, low, high);
    }
  }

  private static Domain domain(UnaryOperator operator) {
    return switch (operator) {
      case LOG, SQRT, RSQRT, RECIPROCAL -> new Domain(0.2, 3);
      case LOG1P -> new Domain(-0.5, 2);
      case FLOOR, CEIL -> new Domain(1.1, 1.9);
      case ROUND -> new Domain(1.6, 2.4);
      case TAN -> new Domain(-1.2, 1.2);
      case ASIN, ACOS -> new Domain(-0.9, 0.9);
      case NEGATE, ABSOLUTE, SIGN, NOT, EXP, EXPM1, TANH, SIGMOID, ERF -> new Domain(-2, 2);
      case SIN, COS, ATAN, SINH, COSH -> new Domain(-2, 2);
    };
  }

  @ParameterizedTest
  @EnumSource(value = UnaryOperator.class, mode = EnumSource.Mode.EXCLUDE, names = "NOT")
  void unary_isItsFiniteDifference(UnaryOperator operator) {
    FiniteDifferences.check(
        unary(operator, ElementType.FLOAT64), ImmutableMap.of("x", domain(operator).random(1)));
  }

  @ParameterizedTest
  @EnumSource(value = UnaryOperator.class, mode = EnumSource.Mode.EXCLUDE, names = "NOT")
  void unary_withoutGradient_needsNothing(UnaryOperator operator) {
    MicroGraph graph = unary(operator, ElementType.FLOAT64);
    Gradient gradient = Differentiate.gradient(graph, GradientRequest.fromInputs(graph));
    assertThat(gradient.outputGradients().isEmpty())
        .isEqualTo(!GradientFlow.isDifferentiable(operator));
  }

  /** The same formulas in FLOAT32: literals have the right type, nothing overflows early. */
  @ParameterizedTest
  @EnumSource(value = UnaryOperator.class, mode = EnumSource.Mode.EXCLUDE, names = "NOT")
  void unary_ofFloats_isNearThatOfDoubles(UnaryOperator operator) {
    Tensor x = domain(operator).random(2);
    Tensor dy = FiniteDifferences.random(3, 3, 5);
    Tensor doubles = run(unary(operator, ElementType.FLOAT64), x, dy);
    Tensor floats = run(unary(operator, ElementType.FLOAT32), floats(x), floats(dy));
    for (int i = 0; i < x.length(); i++) {
      assertWithMessage("element %s", i)
          .that(floats.getDouble(i))
          .isWithin(1e-5 * Math.max(1, Math.abs(doubles.getDouble(i))))
          .of(doubles.getDouble(i));
    }
  }

  @ParameterizedTest
  @EnumSource(BinaryOperator.class)
  void binary_isItsFiniteDifference(BinaryOperator operator) {
    if (operator.isLogical()) {
      assertThat(GradientFlow.isDifferentiable(operator)).isFalse();
      return;
    }
    Domain domain =
        switch (operator) {
          case ADD, SUBTRACT, MULTIPLY, MAXIMUM, MINIMUM -> new Domain(-2, 2);
          case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL -> new Domain(-2, 2);
          case DIVIDE, POWER, MODULO, FLOOR_DIVIDE -> new Domain(0.5, 4);
          case AND, OR, XOR -> throw new AssertionError(operator);
        };
    MicroGraphBuilder g = new MicroGraphBuilder("binary");
    MicroValue x = g.input("x", ElementType.FLOAT64, 2);
    MicroValue y = g.input("y", ElementType.FLOAT64, 2);
    MicroValue z = g.binary(operator, x, y);
    if (operator.isComparison()) {
      z = g.cast(ElementType.FLOAT64, z);
    }
    g.output("z", z);
    ImmutableMap<String, Tensor> inputs =
        ImmutableMap.of("x", domain.random(4), "y", domain.random(5));
    FiniteDifferences.check(g.build(), inputs);
    GradientRequest request = GradientRequest.fromInputs(g.build());
    FiniteDifferences.check(g.build(), request.wanting("y"), inputs, ImmutableMap.of());
    assertThat(Differentiate.gradient(g.build(), request).outputGradients().isEmpty())
        .isEqualTo(!GradientFlow.isDifferentiable(operator));
  }

  @ParameterizedTest
  @EnumSource(Reduction.class)
  void reduction_isItsFiniteDifference(Reduction reduction) {
    int[][] axes = {{0}, {1}, {2}, {0, 2}, {1, 2}, {0, 1, 2}};
    for (int[] reduced : axes) {
      MicroGraphBuilder g = new MicroGraphBuilder("reduce");
      MicroValue x = g.input("x", ElementType.FLOAT64, 3);
      MicroValue y = g.reduce(reduction, x, reduced);
      g.output("y", g.type(y).isFloating() ? y : g.cast(ElementType.FLOAT64, y));
      FiniteDifferences.check(
          g.build(), ImmutableMap.of("x", FiniteDifferences.random(6, 2, 3, 4)));
      GradientRequest request = GradientRequest.fromInputs(g.build());
      assertThat(Differentiate.gradient(g.build(), request).outputGradients().isEmpty())
          .isEqualTo(!GradientFlow.isDifferentiable(reduction));
    }
  }

  private static MicroGraph unary(UnaryOperator operator, ElementType type) {
    MicroGraphBuilder g = new MicroGraphBuilder("unary");
    g.output("y", g.unary(operator, g.input("x", type, 2)));
    return g.build();
  }

  private static Tensor run(MicroGraph graph, Tensor x, Tensor dy) {
    return requireNonNull(
        FiniteDifferences.gradients(
                Differentiate.gradient(graph, GradientRequest.fromInputs(graph)),
                ImmutableMap.of("x", x),
                ImmutableMap.of("y", dy),
                ImmutableMap.of())
            .get("x"));
  }

  private static Tensor floats(Tensor doubles) {
    float[] floats = new float[doubles.length()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) doubles.doubles()[i];
    }
    return Tensor.of(doubles.shape(), floats);
  }
}
