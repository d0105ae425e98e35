package dev.sublet.runtime.micro.op;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.micro.ir.BinaryOperator.ADD;
import static dev.sublet.runtime.micro.ir.BinaryOperator.DIVIDE;
import static dev.sublet.runtime.micro.ir.BinaryOperator.LESS;
import static dev.sublet.runtime.micro.ir.BinaryOperator.MAXIMUM;
import static dev.sublet.runtime.micro.ir.BinaryOperator.MINIMUM;
import static dev.sublet.runtime.micro.ir.BinaryOperator.MULTIPLY;
import static dev.sublet.runtime.micro.ir.BinaryOperator.POWER;
import static dev.sublet.runtime.micro.ir.BinaryOperator.SUBTRACT;
import static dev.sublet.runtime.tensor.ElementType.FLOAT32;
import static dev.sublet.runtime.tensor.ElementType.FLOAT64;
import static dev.sublet.runtime.tensor.ElementType.INT64;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.Doubles;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a gradient needs, what it is called, and values that can be said beforehand. */
final class DifferentiateTest {

  private final MicroGraphBuilder g = new MicroGraphBuilder("graph");

  // What is needed: the document's |g(y)|x|y| -> |g(x)|.

  @Test
  void exp_needsItsResultOrItsOperand() {
    g.output("y", g.unary(UnaryOperator.EXP, g.input("x", FLOAT64, 1)));
    assertThat(required("x", "y")).containsExactly("y", "y_grad").inOrder();
    assertThat(required("y")).containsExactly("y", "y_grad").inOrder();
    assertThat(required("x")).containsExactly("x", "y_grad").inOrder();
  }

  @Test
  void log_needsItsOperand() {
    g.output("y", g.unary(UnaryOperator.LOG, g.input("x", FLOAT64, 1)));
    assertThat(required("x", "y")).containsExactly("x", "y_grad").inOrder();
  }

  @Test
  void multiply_needsBothOperands_addNone() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.input("y", FLOAT64, 1);
    g.output("z", g.binary(MULTIPLY, x, y));
    assertThat(required("x", "y", "z")).containsExactly("x", "y", "z_grad").inOrder();
    MicroGraphBuilder sum = new MicroGraphBuilder("sum");
    sum.output("z", sum.binary(ADD, sum.input("x", FLOAT64, 1), sum.input("y", FLOAT64, 1)));
    Gradient gradient =
        Differentiate.gradient(sum.build(), GradientRequest.fromInputs(sum.build()).withGiven("z"));
    assertThat(gradient.requiredInputs()).containsExactly("z_grad");
    assertThat(gradient.program().requirements()).isEmpty();
  }

  @Test
  void oneFactor_needsTheOther() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("z", g.binary(MULTIPLY, x, g.input("y", FLOAT64, 1)));
    Gradient gradient =
        Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()).wanting("x"));
    assertThat(gradient.requiredInputs()).containsExactly("y", "z_grad").inOrder();
    assertThat(gradient.inputGradients()).containsExactly("x", "x_grad");
  }

  @Test
  void sum_needsOnlyTheExtentsOfItsOperand() {
    g.output("y", g.reduce(Reduction.SUM, g.input("x", FLOAT64, 2), 1));
    Gradient gradient =
        Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()).withGiven("y"));
    assertThat(gradient.requiredInputs()).containsExactly("x", "y_grad").inOrder();
    assertThat(gradient.onlyExtents()).containsExactly("x");
    FiniteDifferences.check(g.build(), ImmutableMap.of("x", FiniteDifferences.random(1, 3, 2)));
  }

  /** The extent of x is known as that of y_grad, even if an index contains it twice. */
  @Test
  void extentOfOperandTwiceInAnIndex_isTakenFromTheGradientOfTheResult() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue r = g.reindex(x, List.of(x), "dA0", "i0");
    g.output("y", g.reindex(r, List.of(x), "dA0", "(dA0 - 1) + (dA0 - 1) - i0"));
    assertThat(required()).containsExactly("y_grad");
    Gradient gradient = Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()));
    assertThat(gradient.program().toString()).doesNotContain("d(x, 0)");
  }

  @Test
  void sumOverFixedExtents_needsNothing() {
    MicroValue x = g.input("x", FLOAT64, shape(2, 3));
    g.output("y", g.reduce(Reduction.SUM, x, 1));
    assertThat(required()).containsExactly("y_grad");
  }

  @Test
  void givenOutputInTheMiddle_isNotComputedAgain() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue middle = g.unary(UnaryOperator.SIN, x);
    g.output("middle", middle);
    g.output("y", g.unary(UnaryOperator.LOG, middle));
    GradientRequest request =
        new GradientRequest(
            ImmutableSet.of("x", "middle"), ImmutableSet.of("y"), ImmutableSet.of("x"));
    Gradient gradient = Differentiate.gradient(g.build(), request);
    assertThat(gradient.requiredInputs()).containsExactly("x", "middle", "y_grad").inOrder();
    assertThat(gradient.program().functions()).hasSize(2);
    FiniteDifferences.check(
        g.build(), request, ImmutableMap.of("x", doubles(0.3, 1, 2)), ImmutableMap.of());
  }

  @Test
  void resultThatIsComputedAnyway_isRead() {
    MicroValue power = g.unary(UnaryOperator.EXP, g.input("x", FLOAT64, 1));
    g.output("y", g.unary(UnaryOperator.LOG, g.reduce(Reduction.SUM, power, 0)));
    Gradient gradient = Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()));
    String text = MicroProgramText.print(gradient.program());
    assertThat(text.indexOf("exp(")).isGreaterThan(0);
    assertThat(text.indexOf("exp(")).isEqualTo(text.lastIndexOf("exp("));
    FiniteDifferences.check(g.build(), ImmutableMap.of("x", doubles(1, 2, 0.5)));
  }

  @Test
  void extents_areSaidByWhatIsThere() {
    MicroValue x = g.input("x", FLOAT64, 2);
    MicroValue longer = g.reindex(x, List.of(x), "dA0 + 2, dA1", "i0 - 1, i1");
    g.output("y", g.unary(UnaryOperator.EXP, longer));
    g.output("z", g.reindex(longer, List.of(longer), "dA1, dA0", "i1, dA1 - 1 - i0"));
    FiniteDifferences.check(g.build(), ImmutableMap.of("x", FiniteDifferences.random(1, 3, 2)));
    Gradient gradient =
        Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()).withGiven("y"));
    assertThat(gradient.requiredInputs()).containsExactly("x", "y", "y_grad", "z_grad").inOrder();
    assertThat(gradient.onlyExtents()).containsExactly("x");
    TensorDeclaration xGrad = gradient.program().tensor("x_grad");
    assertThat(xGrad.shape().toString()).isEqualTo("[d(x, 0), d(x, 1)]");
  }

  @Test
  void extents_areSaidByAnEqualOne() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.input("y", FLOAT64, 1);
    g.output("z", g.binary(SUBTRACT, x, y));
    GradientRequest request =
        new GradientRequest(ImmutableSet.of(), ImmutableSet.of("z"), ImmutableSet.of("y"));
    Gradient gradient = Differentiate.gradient(g.build(), request);
    assertThat(gradient.program().tensor("y_grad").shape().toString()).isEqualTo("[d(z_grad, 0)]");
  }

  @Test
  void extents_areSaidByAnotherGivenTensor() {
    MicroValue x = g.input("x", FLOAT64, 2);
    g.output("y", g.unary(UnaryOperator.EXP, x));
    g.output("z", g.reduce(Reduction.SUM, x, 1));
    GradientRequest request =
        new GradientRequest(ImmutableSet.of("y"), ImmutableSet.of("z"), ImmutableSet.of("x"));
    assertThat(Differentiate.gradient(g.build(), request).onlyExtents()).containsExactly("y");
    FiniteDifferences.check(
        g.build(),
        request,
        ImmutableMap.of("x", FiniteDifferences.random(1, 3, 2)),
        ImmutableMap.of());
  }

  @Test
  void extents_areSaidInParts() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("y", g.unary(UnaryOperator.EXP, x));
    MicroValue longer = g.reindex(x, List.of(x), "dA0 + 1", "i0");
    g.output("sum", g.reduce(Reduction.SUM, g.input("w", FLOAT64, g.shape(longer)), 0));
    GradientRequest request =
        new GradientRequest(ImmutableSet.of("y"), ImmutableSet.of("sum"), ImmutableSet.of("w"));
    Gradient gradient = Differentiate.gradient(g.build(), request);
    assertThat(gradient.program().tensor("w_grad").shape().toString()).isEqualTo("[d(y, 0) + 1]");
  }

  @Test
  void extents_areSaidAsAWhole() {
    MicroValue x = g.input("x", FLOAT64, 2);
    MicroValue row = g.reindex(x, List.of(x), "dA0 * dA1", "i0 / dA1, i0 - i0 / dA1 * dA1");
    g.output("row", row);
    g.output("sum", g.reduce(Reduction.SUM, g.input("w", FLOAT64, g.shape(row)), 0));
    GradientRequest request =
        new GradientRequest(ImmutableSet.of("row"), ImmutableSet.of("sum"), ImmutableSet.of("w"));
    assertThat(Differentiate.gradient(g.build(), request).onlyExtents()).containsExactly("row");
    FiniteDifferences.check(
        g.build(),
        request,
        ImmutableMap.of(
            "x", FiniteDifferences.random(1, 3, 2), "w", FiniteDifferences.random(2, 6)),
        ImmutableMap.of());
  }

  // What is refused.

  @Test
  void missingInput_isNamed() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("y", g.binary(MULTIPLY, x, g.unary(UnaryOperator.SIN, g.input("w", FLOAT64, 1))));
    assertThat(refused(ImmutableSet.of("x"), ImmutableSet.of("y"), ImmutableSet.of("x")))
        .isEqualTo("the gradient of graph reads what is not given: [w]");
  }

  @Test
  void missingExtent_isNamed() {
    g.output("y", g.reduce(Reduction.SUM, g.input("x", FLOAT64, 2), 1));
    assertThat(refused(ImmutableSet.of("y"), ImmutableSet.of("y"), ImmutableSet.of("x")))
        .isEqualTo("the gradient needs extent 1 of x, which is not given");
  }

  @Test
  void unknownNames_areNamed() {
    g.output("y", g.unary(UnaryOperator.SIN, g.input("x", FLOAT64, 1)));
    ImmutableSet<String> x = ImmutableSet.of("x");
    ImmutableSet<String> y = ImmutableSet.of("y");
    ImmutableSet<String> q = ImmutableSet.of("q");
    assertThat(refused(q, y, x)).isEqualTo("graph has no inputs or outputs named [q]");
    assertThat(refused(x, q, x)).isEqualTo("there is no output q in graph");
    assertThat(refused(x, y, q)).isEqualTo("there is no input q in graph");
    assertThat(refused(x, y, ImmutableSet.of())).isEqualTo("no gradient is wanted");
  }

  @Test
  void integers_haveNoGradient() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue n = g.input("n", INT64, 1);
    g.output("y", g.reduce(Reduction.ARGMAX, x, 0));
    g.output("z", g.binary(ADD, n, n));
    ImmutableSet<String> none = ImmutableSet.of();
    assertThat(refused(none, ImmutableSet.of("y"), ImmutableSet.of("x")))
        .isEqualTo("output y is int64: no gradient");
    assertThat(refused(none, none, ImmutableSet.of("n")))
        .isEqualTo("input n is int64: no gradient");
    GradientRequest all = GradientRequest.fromInputs(g.build());
    assertThat(all.outputs()).isEmpty();
    assertThat(all.wanted()).containsExactly("x");
  }

  // What it is called.

  @Test
  void names_areUnique() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.binary(MULTIPLY, x, g.input("x_grad", FLOAT64, 1));
    g.output("y", y);
    g.output("y_grad", g.unary(UnaryOperator.SIN, y));
    g.output("other", y);
    Gradient gradient = Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()));
    assertThat(gradient.inputGradients()).containsExactly("x", "x_grad_2", "x_grad", "x_grad_grad");
    assertThat(gradient.outputGradients())
        .containsExactly("y", "y_grad_2", "y_grad", "y_grad_grad", "other", "other_grad");
    FiniteDifferences.check(
        g.build(), ImmutableMap.of("x", doubles(1, 2), "x_grad", doubles(3, 4)));
  }

  @Test
  void outputThatIsAnInput_passesItsGradientOn() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("y", x);
    g.output("z", x);
    g.output("w", g.unary(UnaryOperator.SIN, x));
    FiniteDifferences.check(g.build(), ImmutableMap.of("x", doubles(1, 2)));
  }

  @Test
  void unreachedInput_hasZeros() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("y", g.unary(UnaryOperator.SIN, g.input("w", FLOAT64, 1)));
    g.output("z", g.unary(UnaryOperator.FLOOR, x));
    FiniteDifferences.check(g.build(), ImmutableMap.of("x", doubles(1.5), "w", doubles(1, 2)));
  }

  @Test
  void outputWithAReaderWithoutGradient_keepsItsOwn() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.unary(UnaryOperator.SIN, x);
    g.output("y", y);
    g.output("z", g.binary(ADD, g.unary(UnaryOperator.FLOOR, y), x));
    FiniteDifferences.check(g.build(), ImmutableMap.of("x", doubles(1, 2, 3)));
  }

  @Test
  void outputsWithoutGradient_countAsZero() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("y", g.unary(UnaryOperator.SIN, x));
    g.output("z", g.unary(UnaryOperator.EXP, x));
    GradientRequest request =
        new GradientRequest(ImmutableSet.of("x"), ImmutableSet.of("z"), ImmutableSet.of("x"));
    FiniteDifferences.check(
        g.build(), request, ImmutableMap.of("x", doubles(1, 2)), ImmutableMap.of());
    assertThat(Differentiate.gradient(g.build(), request).requiredInputs())
        .containsExactly("x", "z_grad");
  }

  @Test
  void outputsWithoutGradient_needNothing() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("y", g.unary(UnaryOperator.SIN, x));
    g.output("z", g.binary(MULTIPLY, x, g.input("w", FLOAT64, 1)));
    GradientRequest request =
        new GradientRequest(ImmutableSet.of("x"), ImmutableSet.of("y"), ImmutableSet.of("x"));
    assertThat(Differentiate.gradient(g.build(), request).requiredInputs())
        .containsExactly("x", "y_grad");
  }

  @Test
  void parameters_areKept() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue slope = g.parameter("slope", FLOAT64);
    g.indexParameter("stride");
    MicroValue strided = g.reindex(x, List.of(x), "dA0 / $stride", "i0 * $stride");
    g.output("y", g.binary(POWER, g.binary(MULTIPLY, strided, slope), slope));
    GradientRequest request = GradientRequest.fromInputs(g.build());
    FiniteDifferences.check(
        g.build(),
        request,
        ImmutableMap.of("x", doubles(1, 2, 3, 4, 5)),
        ImmutableMap.of("slope", 2.5, "stride", 2));
  }

  // The defects of nnc.md 3.9, and values that are known.

  @Test
  void square_fansOut() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("y", g.binary(MULTIPLY, x, x));
    assertThat(gradientOf("x", doubles(1, 2, 3))).containsExactly(2.0, 4.0, 6.0).inOrder();
  }

  @Test
  void hundredsOfReaders_makeAShallowSum() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue sum = x;
    for (int i = 0; i < 511; i++) {
      sum = g.binary(ADD, sum, x);
    }
    g.output("y", sum);
    assertThat(gradientOf("x", doubles(1, 2))).containsExactly(512.0, 512.0);
    Gradient gradient = Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()));
    LoopBlock last = gradient.program().functions().get(510).blocks().get(0);
    assertThat(depth(last.loops().get(0).statements().get(0).value())).isEqualTo(10);
  }

  private static int depth(Expression expression) {
    return expression instanceof Expression.Binary binary
        ? 1 + Math.max(depth(binary.left()), depth(binary.right()))
        : 1;
  }

  @Test
  void quotient_hasTheSign() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.input("y", FLOAT64, 1);
    g.output("z", g.binary(DIVIDE, x, y));
    ImmutableMap<String, Tensor> inputs = ImmutableMap.of("x", doubles(6, 8), "y", doubles(2, -4));
    assertThat(gradientOf("x", inputs)).containsExactly(0.5, -0.25).inOrder();
    assertThat(gradientOf("y", inputs)).containsExactly(-1.5, -0.5).inOrder();
  }

  @Test
  void ties_followTheirRules() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.input("y", FLOAT64, 1);
    g.output("larger", g.binary(MAXIMUM, x, y));
    ImmutableMap<String, Tensor> inputs =
        ImmutableMap.of("x", doubles(1, 2, 3), "y", doubles(2, 2, 2));
    assertThat(gradientOf("x", inputs)).containsExactly(0.0, 0.0, 1.0).inOrder();
    assertThat(gradientOf("y", inputs)).containsExactly(1.0, 1.0, 0.0).inOrder();
  }

  @Test
  void smallerOfTwo_followsItsRule() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.input("y", FLOAT64, 1);
    g.output("smaller", g.binary(MINIMUM, x, y));
    ImmutableMap<String, Tensor> inputs =
        ImmutableMap.of("x", doubles(1, 2, 3), "y", doubles(2, 2, 2));
    assertThat(gradientOf("x", inputs)).containsExactly(1.0, 0.0, 0.0).inOrder();
    assertThat(gradientOf("y", inputs)).containsExactly(0.0, 1.0, 1.0).inOrder();
  }

  @Test
  void largest_goesToAllThatEqualIt() {
    g.output("y", g.reduce(Reduction.MAXIMUM, g.input("x", FLOAT64, 1), 0));
    assertThat(gradientOf("x", doubles(3, 1, 3, 2))).containsExactly(1.0, 0.0, 1.0, 0.0).inOrder();
  }

  @Test
  void smallest_goesToAllThatEqualIt() {
    g.output("y", g.reduce(Reduction.MINIMUM, g.input("x", FLOAT64, 1), 0));
    assertThat(gradientOf("x", doubles(3, 1, 3, 1))).containsExactly(0.0, 1.0, 0.0, 1.0).inOrder();
  }

  @Test
  void mean_dividesByTheCount() {
    g.output("y", g.reduce(Reduction.MEAN, g.input("x", FLOAT64, 1), 0));
    assertThat(gradientOf("x", doubles(1, 2, 3, 6)))
        .containsExactly(0.25, 0.25, 0.25, 0.25)
        .inOrder();
  }

  @Test
  void product_isRightWithZeros() {
    g.output("y", g.reduce(Reduction.PRODUCT, g.input("x", FLOAT64, 1), 0));
    assertThat(gradientOf("x", doubles(2, 3, 4))).containsExactly(12.0, 8.0, 6.0).inOrder();
    assertThat(gradientOf("x", doubles(2, 0, 4))).containsExactly(0.0, 8.0, 0.0).inOrder();
    assertThat(gradientOf("x", doubles(0, 0, 4))).containsExactly(0.0, 0.0, 0.0).inOrder();
  }

  @Test
  void power_isRightAtZero() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.input("y", FLOAT64, 1);
    g.output("z", g.binary(POWER, x, y));
    ImmutableMap<String, Tensor> inputs =
        ImmutableMap.of("x", doubles(0, 0, 0, -2, 2), "y", doubles(0, 1, 2, 3, 0));
    assertThat(gradientOf("x", inputs)).containsExactly(0.0, 1.0, 0.0, 12.0, 0.0).inOrder();
    List<Double> y0 = gradientOf("y", inputs);
    assertThat(y0.subList(0, 3)).containsExactly(0.0, 0.0, 0.0).inOrder();
    assertThat(y0.get(3)).isNaN();
    assertThat(y0.get(4)).isEqualTo(Math.log(2));
  }

  @Test
  void powerOfANumber_isRightAtZero() {
    MicroValue x = g.input("x", FLOAT64, 1);
    g.output("none", g.binary(POWER, x, g.scalar(FLOAT64, 0.0)));
    g.output("one", g.binary(POWER, x, g.scalar(FLOAT64, 1.0)));
    g.output("two", g.binary(POWER, x, g.scalar(FLOAT64, 2.0)));
    assertThat(gradientOf("x", doubles(0, 3))).containsExactly(1.0, 7.0).inOrder();
  }

  @Test
  void absolute_isFlatAtZero() {
    g.output("y", g.unary(UnaryOperator.ABSOLUTE, g.input("x", FLOAT64, 1)));
    assertThat(gradientOf("x", doubles(-2, 0, 2))).containsExactly(-1.0, 0.0, 1.0).inOrder();
  }

  @Test
  void unevenDiamond_addsUp() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.input("y", FLOAT64, 1);
    MicroValue a = g.binary(MULTIPLY, x, y);
    MicroValue b = g.binary(ADD, a, y);
    g.output("o", g.binary(ADD, a, b));
    ImmutableMap<String, Tensor> inputs = ImmutableMap.of("x", doubles(1, 2), "y", doubles(10, 20));
    assertThat(gradientOf("x", inputs)).containsExactly(20.0, 40.0).inOrder();
    assertThat(gradientOf("y", inputs)).containsExactly(3.0, 5.0).inOrder();
  }

  // Ops that move elements.

  @Test
  void choice_goesToWhatWasChosen() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue y = g.input("y", FLOAT64, 1);
    MicroValue less = g.binary(LESS, x, y);
    g.output("z", g.choose(less, x, g.binary(MULTIPLY, y, y)));
    ImmutableMap<String, Tensor> inputs = ImmutableMap.of("x", doubles(1, 5), "y", doubles(2, 3));
    assertThat(gradientOf("x", inputs)).containsExactly(1.0, 0.0).inOrder();
    assertThat(gradientOf("y", inputs)).containsExactly(0.0, 6.0).inOrder();
    assertThat(required("x", "y")).containsExactly("x", "y", "z_grad");
    FiniteDifferences.check(g.build(), inputs);
  }

  @Test
  void select_addsWhereTheIndexPoints() {
    MicroValue x = g.input("x", FLOAT64, 2);
    MicroValue index = g.input("index", INT64, 2);
    g.output("y", g.select(0, x, index));
    Tensor table = FiniteDifferences.random(1, 3, 2);
    Tensor at = Tensor.of(ImmutableLongArray.of(4, 2), new long[] {0, 1, 0, 7, 2, -1, 0, 1});
    ImmutableMap<String, Tensor> inputs = ImmutableMap.of("x", table, "index", at);
    assertThat(gradientOf("x", inputs)).containsExactly(3.0, 0.0, 0.0, 2.0, 1.0, 0.0).inOrder();
    FiniteDifferences.check(g.build(), inputs);
    assertThat(required("x", "index", "y")).containsExactly("x", "index", "y_grad");
  }

  @Test
  void cast_goesBackToTheTypeBefore() {
    MicroValue x = g.input("x", FLOAT64, 1);
    MicroValue single = g.cast(FLOAT32, x);
    MicroValue integer = g.cast(FLOAT32, g.cast(INT64, x));
    g.output("y", g.binary(MULTIPLY, single, integer));
    Gradient gradient = Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()));
    assertThat(gradient.program().tensor("x_grad").type()).isEqualTo(FLOAT64);
    ImmutableLongArray shape = ImmutableLongArray.of(2);
    ImmutableMap<String, Tensor> gradients =
        FiniteDifferences.gradients(
            gradient,
            ImmutableMap.of("x", doubles(3.5, 4.25)),
            ImmutableMap.of("y", Tensor.of(shape, new float[] {1, 2})),
            ImmutableMap.of());
    assertThat(gradients.get("x")).isEqualTo(doubles(3, 8));
  }

  @Test
  void numberWithoutAxes_collectsFromAllElements() {
    MicroValue x = g.input("x", FLOAT64, 2);
    MicroValue scale = g.input("scale", FLOAT64, 0);
    g.output("y", g.binary(MULTIPLY, scale, x));
    g.output("z", g.unary(UnaryOperator.EXP, scale));
    g.output("w", g.reindex(scale, List.of(x), "dA1", ""));
    g.output("v", g.choose(g.binary(LESS, x, scale), scale, x));
    FiniteDifferences.check(
        g.build(),
        ImmutableMap.of(
            "x", FiniteDifferences.random(1, 2, 3), "scale", FiniteDifferences.random(2)));
  }

  @Test
  void reindexing_inEveryWay() {
    String[][] cases = {
      {"dA1, dA0", "i1, i0"}, // a transposition
      {"dA0, dA1", "dA0 - 1 - i0, i1"}, // backwards
      {"dA0 + 3, dA1 - 1", "i0 - 2, 1 + i1"}, // zeros around, a part
      {"dA0, dA1", "-i0 + 2, -(i1 - 1)"},
      {"dA0, 5, dA1, 2", "i0, i2"}, // repeated
      {"dA0, 1, dA1", "i0, i2"}, // an axis more
      {"dA1", "1, i0"}, // a row
      {"dA0", "i0, 0"},
      {"dA0 * dA1", "i0 / dA1, i0 - i0 / dA1 * dA1"}, // all in one axis
      {"3", "i0, i0"}, // a diagonal
      {"2, 2, 2, 2", "i0 + i2, i1 + i3"}, // overlapping windows
      {"2, 2, 3, 3", "i0 * 2 + i2 - 1, i1 + 2 * i3 - 1"}, // with stride, dilation and padding
      {"4, 4", "i0 / 2, i1 / 2"}, // each twice in each direction
      {"0, dA1", "i0, i1"}, // nothing
      {"2 * dA0, dA1", "i0, i1"}, // out of bounds behind
      {"dA0, dA1", "i0 + i1, i1"}, // sheared
      {"dA0, dA1", "i0 * 0, i1"},
    };
    for (String[] reindex : cases) {
      MicroGraphBuilder one = new MicroGraphBuilder(reindex[1]);
      MicroValue x = one.input("x", FLOAT64, 2);
      one.output("y", one.reindex(x, List.of(x), reindex[0], reindex[1], /* outside= */ 0.5));
      FiniteDifferences.check(one.build(), ImmutableMap.of("x", FiniteDifferences.random(1, 3, 4)));
    }
  }

  @Test
  void reindexing_ofSingleExtents() {
    MicroValue x = g.input("x", FLOAT64, 2);
    MicroValue rows = g.reduce(Reduction.SUM, x, 1);
    g.output("y", g.binary(SUBTRACT, x, g.reindex(rows, List.of(x), "dA0, dA1", "i0, 0")));
    g.output("z", g.reindex(rows, List.of(x), "dA0", "i0, 0"));
    FiniteDifferences.check(g.build(), ImmutableMap.of("x", FiniteDifferences.random(1, 3, 4)));
  }

  /** Turned round, a transposition or padding is one assignment: nothing is zeroed and added to. */
  @Test
  void movingElements_isOneBlock() {
    MicroValue x = g.input("x", FLOAT64, 2);
    g.output("y", g.reindex(x, List.of(x), "dA1 + 1, 4, dA0", "i2, dA1 - i0"));
    Gradient gradient = Differentiate.gradient(g.build(), GradientRequest.fromInputs(g.build()));
    assertThat(gradient.program().functions()).hasSize(1);
    assertThat(gradient.program().functions().get(0).blocks()).hasSize(1);
  }

  private ImmutableList<IndexExpression> shape(long... extents) {
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    for (long extent : extents) {
      shape.add(new IndexExpression.Constant(extent));
    }
    return shape.build();
  }

  private ImmutableSet<String> required(String... given) {
    GradientRequest all = GradientRequest.fromInputs(g.build());
    return Differentiate.gradient(
            g.build(), new GradientRequest(ImmutableSet.copyOf(given), all.outputs(), all.wanted()))
        .requiredInputs();
  }

  private String refused(
      ImmutableSet<String> given, ImmutableSet<String> outputs, ImmutableSet<String> wanted) {
    return requireNonNull(
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    Differentiate.gradient(g.build(), new GradientRequest(given, outputs, wanted)))
            .getMessage());
  }

  private List<Double> gradientOf(String input, Tensor x) {
    return gradientOf(input, ImmutableMap.of("x", x));
  }

  /** The gradient of an input if that of each element of each output is 1. */
  private List<Double> gradientOf(String input, ImmutableMap<String, Tensor> inputs) {
    MicroGraph graph = g.build();
    ImmutableMap<String, Tensor> outputs =
        MicroInterpreter.run(graph.emit(), inputs, ImmutableMap.of());
    ImmutableMap.Builder<String, Tensor> ones = ImmutableMap.builder();
    outputs.forEach(
        (name, y) -> {
          double[] elements = new double[y.length()];
          Arrays.fill(elements, 1);
          ones.put(name, Tensor.of(y.shape(), elements));
        });
    Tensor gradient =
        FiniteDifferences.gradients(
                Differentiate.gradient(graph, GradientRequest.fromInputs(graph).wanting(input)),
                inputs,
                ones.buildOrThrow(),
                ImmutableMap.of())
            .get(input);
    return Doubles.asList(requireNonNull(gradient).doubles());
  }

  private static Tensor doubles(double... elements) {
    return Tensor.of(ImmutableLongArray.of(elements.length), elements);
  }
}
