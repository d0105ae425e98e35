package dev.sublet.runtime.micro;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.fuse.Simplified;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.op.Differentiate;
import dev.sublet.runtime.micro.op.Gradient;
import dev.sublet.runtime.micro.op.GradientRequest;
import dev.sublet.runtime.micro.op.MicroGraph;
import dev.sublet.runtime.micro.op.MicroGraphText;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Where micro ops in libnnc, whose document they come from, were found to go wrong: one test a
 * case, with the right answer. The Javadoc says what NNC gives.
 *
 * <p>In all cases x = 1 2 3 4 5, y = 10 20 30 40 50, k = 3, and the gradient of the output is 1.
 * Each program runs as emitted and simplified. Three more defects have tests elsewhere: statements
 * that live in a block with dead ones ({@code RemoveDeadBlocksTest}), blocks that write what the
 * other reads or writes ({@code MergeBlocksTest}), and extents that are required to be equal in a
 * circle ({@code SimplifyProgramTest}).
 */
final class NncDefectsTest {

  private static final ImmutableMap<String, Tensor> TENSORS =
      ImmutableMap.of(
          "x", Tensor.of(ImmutableLongArray.of(5), 1f, 2, 3, 4, 5),
          "y", Tensor.of(ImmutableLongArray.of(5), 10f, 20, 30, 40, 50),
          "k", Tensor.of(ImmutableLongArray.of(1), 3L),
          "out_grad", Tensor.of(ImmutableLongArray.of(5), 1f, 1, 1, 1, 1));

  /** A crash: the expression says that it has two operands. */
  @Test
  void exp() {
    assertGives("2.7182817 7.389056 20.085537 54.59815 148.41316", "out = exp(x)");
  }

  /** A crash while loops are put into another order. */
  @Test
  void sumOverAllAxes_ofAProduct() {
    int blocks = assertGives("550", "out = sum x * y over 0");
    assertThat(blocks).isEqualTo(1);
  }

  /** Garbage such as 9.99999. */
  @Test
  void productMinusItsSum() {
    int blocks =
        assertGives(
            "-540 -510 -460 -390 -300",
            "p = x * y",
            "s = sum p over 0",
            "b = reindex s with x shape dA0 at 0",
            "out = p - b");
    assertThat(blocks).isEqualTo(2);
  }

  /** An assertion fails; the interpreter never divides. */
  @Test
  void mean() {
    assertGives("3", "out = mean x over 0");
  }

  /** x/y²: the sign is lost. */
  @Test
  void gradientOfAQuotient() {
    assertGradient("y", "-0.01 -0.005 -0.0033333334 -0.0025 -0.002", "out = x / y");
  }

  /** 1 2 3 4 5: the second use overwrites what the first one has added. */
  @Test
  void gradientOfASquare() {
    assertGradient("x", "2 4 6 8 10", "out = x * x");
  }

  /** 5 and then nothing: the minus covers all and is computed as a plus. */
  @Test
  void negatedIndex() {
    int blocks = assertGives("5 4 3 2 1", "out = reindex x shape dA0 at -i0 + 4");
    assertThat(blocks).isEqualTo(1);
  }

  /** 1: an index that is a tensor's element counts as 0. */
  @Test
  void select() {
    assertGives("4", "out = select x along 0 at k");
  }

  /** 0 0 3 2 1 or the like: fused although the reader wants another element. */
  @Test
  void reverseOfACopy() {
    int blocks =
        assertGives(
            "5 4 3 2 1",
            "copy = reindex x shape dA0 at i0",
            "out = reindex copy with x shape dA0 at dA0 - 1 - i0");
    assertThat(blocks).isEqualTo(1);
  }

  /** The output is never written. */
  @Test
  void diamondWithPathsOfUnequalLength() {
    int blocks = assertGives("30 100 210 360 550", "a = x * y", "b = a + y", "out = a + b");
    assertThat(blocks).isEqualTo(1);
  }

  /** The borders are not written. */
  @Test
  void paddingByReindex() {
    assertGives("0 1 2 3 4 5 0", "out = reindex x shape dA0 + 2 at i0 - 1");
  }

  /** 0: the interpreter knows no comparison, on which the gradient depends. */
  @Test
  void gradientOfAMaximum() {
    assertGradient("x", "0 0 1 1 1", "out = maximum(x, 2.5)");
  }

  /** 0: the same. */
  @Test
  void gradientOfAMinimum() {
    assertGradient("x", "1 1 0 0 0", "out = minimum(x, 2.5)");
  }

  /** The interpreter knows no negation. */
  @Test
  void negation() {
    assertGives("-1 -2 -3 -4 -5", "out = -x");
  }

  /** Right there, too. */
  @Test
  void reverseOfAProduct() {
    assertGives(
        "250 160 90 40 10", "p = x * y", "out = reindex p with x shape dA0 at dA0 - 1 - i0");
  }

  /** Right there, too. */
  @Test
  void sumOverAllAxes() {
    assertGives("15", "out = sum x over 0");
  }

  /** Right there, too. */
  @Test
  void sumOfSquares_byRow() {
    assertGives(
        "14 77",
        "rows = reindex x shape 2, 3 at i0 * 3 + i1 outside 6",
        "out = sum rows * rows over 1");
  }

  /** Right there, too. */
  @Test
  void shiftedIndex() {
    assertGives("2 3 4", "out = reindex x shape 3 at i0 + 2 * 1 - 1");
  }

  /** A reverse of a reverse may be fused, and is x. */
  @Test
  void reverseOfAReverse() {
    int blocks =
        assertGives(
            "1 2 3 4 5",
            "once = reindex x shape dA0 at dA0 - 1 - i0",
            "out = reindex once with x shape dA0 at dA0 - 1 - i0");
    assertThat(blocks).isEqualTo(1);
  }

  /** What is read in two orders. */
  @Test
  void reverseOfSomethingReadTwice() {
    assertGives(
        "-40 -20 0 20 40",
        "q = y / x",
        "s = q * q + x * q",
        "r = reindex s with x shape dA0 at dA0 - 1 - i0",
        "out = s - r");
  }

  private static MicroGraph graph(String... lines) {
    return MicroGraphText.parse(
        "micro test\ninput x: float32[?]\ninput y: float32[d(x, 0)]\ninput k: int64[1]\n"
            + String.join("\n", lines)
            + "\noutput out\n");
  }

  /** Checks the output of a graph; returns the number of blocks when it is simplified. */
  private static int assertGives(String expected, String... lines) {
    return assertGives(expected, graph(lines).emit(), "out");
  }

  /** Checks the gradient of an input. */
  private static void assertGradient(String input, String expected, String... lines) {
    MicroGraph graph = graph(lines);
    GradientRequest request = GradientRequest.fromInputs(graph).wanting(input);
    Gradient gradient = Differentiate.gradient(graph, request);
    assertGives(expected, gradient.program(), input + "_grad");
  }

  private static int assertGives(String expected, MicroProgram program, String output) {
    Simplified simplified = SimplifyProgram.simplify(program);
    assertOutput(expected, program, output);
    assertOutput(expected, simplified.program(), output);
    return simplified.blocksAfter();
  }

  private static void assertOutput(String expected, MicroProgram program, String output) {
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == TensorDeclaration.Role.INPUT) {
        inputs.put(tensor.name(), requireNonNull(TENSORS.get(tensor.name())));
      }
    }
    ImmutableMap<String, Tensor> outputs =
        MicroInterpreter.run(program, inputs.buildOrThrow(), ImmutableMap.of());
    List<Float> wanted = new ArrayList<>();
    for (String element : Splitter.on(' ').split(expected)) {
      wanted.add(Float.valueOf(element));
    }
    assertWithMessage(MicroProgramText.print(program))
        .that(requireNonNull(outputs.get(output)).floats())
        .usingTolerance(1e-6)
        .containsExactlyElementsIn(wanted)
        .inOrder();
  }
}
