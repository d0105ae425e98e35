package dev.sublet.runtime.micro.op;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.tensor.ElementType.FLOAT64;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.op.ExampleGraphs.Window;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Each example computes what plain loops do, and has the gradient of finite differences. */
final class ExampleGraphsTest {

  private static final ImmutableList<Window> WINDOWS =
      ImmutableList.of(Window.PLAIN, new Window(2, 1, 1), new Window(1, 2, 2), new Window(3, 1, 2));

  @Test
  void matmul() {
    Tensor a = FiniteDifferences.random(1, 2, 3);
    Tensor b = FiniteDifferences.random(2, 3, 4);
    Tensor c = check(ExampleGraphs.matmul(FLOAT64), ImmutableMap.of("a", a, "b", b), "c");
    assertThat(c.shape()).isEqualTo(ImmutableLongArray.of(2, 4));
    for (int m = 0; m < 2; m++) {
      for (int n = 0; n < 4; n++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
          sum += a.doubles()[m * 3 + k] * b.doubles()[k * 4 + n];
        }
        assertThat(c.doubles()[m * 4 + n]).isEqualTo(sum);
      }
    }
  }

  @Test
  void matmul_readsTheOtherMatrix() {
    MicroGraph graph = ExampleGraphs.matmul(FLOAT64);
    GradientRequest request = GradientRequest.fromInputs(graph).withGiven("c");
    assertThat(Differentiate.gradient(graph, request).requiredInputs())
        .containsExactly("a", "b", "c_grad")
        .inOrder();
    Gradient ofA = Differentiate.gradient(graph, request.wanting("a"));
    assertThat(ofA.requiredInputs()).containsExactly("b", "c_grad").inOrder();
  }

  /** As one would write it: all that was broadcast is gone. */
  @Test
  void matmul_gradientIsTwoProducts() {
    MicroGraph graph = ExampleGraphs.matmul(FLOAT64);
    Gradient gradient = Differentiate.gradient(graph, GradientRequest.fromInputs(graph));
    assertThat(MicroProgramText.print(SimplifyProgram.simplify(gradient.program()).program()))
        .isEqualTo(
            """
            program matmul_grad
            input a: float64[?, ?]
            input b: float64[?, ?]
            input c_grad: float64[d(a, 0), d(b, 1)]
            output b_grad: float64[d(a, 1), d(b, 1)]
            output a_grad: float64[d(a, 0), d(a, 1)]
            require d(a, 1) = d(b, 0)
            function b_grad
              block
                for i0 in 0..d(a, 1)
                  for i1 in 0..d(b, 1)
                    carry c0 = sum float64
                    for i2 in 0..d(a, 0)
                      c0 << c_grad![i2, i1] * a![i2, i0]
                    b_grad![i0, i1] = c0
            function a_grad
              block
                for i0 in 0..d(a, 0)
                  for i1 in 0..d(a, 1)
                    carry c0 = sum float64
                    for i2 in 0..d(b, 1)
                      c0 << c_grad![i0, i2] * b![i1, i2]
                    a_grad![i0, i1] = c0
            """);
  }

  @Test
  void conv2d() {
    for (Window window : WINDOWS) {
      Tensor x = FiniteDifferences.random(1, 1, 4, 4, 5);
      Tensor filter = FiniteDifferences.random(2, 2, 2, 3, 2);
      Tensor y =
          check(
              ExampleGraphs.conv2d(FLOAT64, window, 2),
              ImmutableMap.of("x", x, "filter", filter),
              "y");
      int height = (4 + 2 * window.pad() - window.dilation() * 2 - 1) / window.stride() + 1;
      int width = (5 + 2 * window.pad() - window.dilation() - 1) / window.stride() + 1;
      assertThat(y.shape()).isEqualTo(ImmutableLongArray.of(1, 2, height, width));
      for (int i = 0; i < y.length(); i++) {
        int[] at = {i / width / height, i / width % height, i % width};
        assertThat(y.doubles()[i]).isWithin(1e-12).of(convolved(x, filter, window, at));
      }
    }
  }

  /** At a channel, row and column; of two groups, each of two channels and one output. */
  private static double convolved(Tensor x, Tensor filter, Window window, int[] at) {
    double sum = 0;
    for (int c = 0; c < 2; c++) {
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++) {
          int row = at[1] * window.stride() + i * window.dilation() - window.pad();
          int column = at[2] * window.stride() + j * window.dilation() - window.pad();
          if (row >= 0 && row < 4 && column >= 0 && column < 5) {
            sum +=
                x.doubles()[((at[0] * 2 + c) * 4 + row) * 5 + column]
                    * filter.doubles()[((at[0] * 2 + c) * 3 + i) * 2 + j];
          }
        }
      }
    }
    return sum;
  }

  @Test
  void pooling() {
    for (Window window : WINDOWS) {
      ImmutableMap<String, Tensor> x =
          ImmutableMap.of("x", FiniteDifferences.random(1, 1, 2, 5, 5));
      Tensor largest = check(ExampleGraphs.maxPool2d(FLOAT64, 3, window), x, "y");
      Tensor mean = check(ExampleGraphs.averagePool2d(FLOAT64, 3, window), x, "y");
      for (int i = 0; i < mean.length(); i++) {
        assertThat(mean.doubles()[i]).isAtMost(Math.max(0, largest.doubles()[i]));
      }
    }
    double[] elements = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    ImmutableMap<String, Tensor> nine =
        ImmutableMap.of("x", Tensor.of(ImmutableLongArray.of(1, 1, 3, 3), elements));
    Window border = new Window(2, 1, 1);
    assertThat(check(ExampleGraphs.maxPool2d(FLOAT64, 2, border), nine, "y").doubles())
        .isEqualTo(new double[] {1, 3, 7, 9});
    assertThat(check(ExampleGraphs.averagePool2d(FLOAT64, 2, border), nine, "y").doubles())
        .isEqualTo(new double[] {0.25, 1.25, 2.75, 7});
  }

  @Test
  void softmax() {
    Tensor x = FiniteDifferences.random(1, 3, 4);
    Tensor y = check(ExampleGraphs.softmax(FLOAT64), ImmutableMap.of("x", x), "y");
    for (int i = 0; i < x.length(); i++) {
      double sum = 0;
      for (int j = i / 4 * 4; j < i / 4 * 4 + 4; j++) {
        sum += Math.exp(x.doubles()[j]);
      }
      assertThat(y.doubles()[i]).isWithin(1e-14).of(Math.exp(x.doubles()[i]) / sum);
    }
  }

  @Test
  void layerNorm() {
    Tensor x = FiniteDifferences.random(1, 3, 4);
    Tensor scale = FiniteDifferences.random(2, 4);
    Tensor bias = FiniteDifferences.random(3, 4);
    Tensor y =
        check(
            ExampleGraphs.layerNorm(FLOAT64, 1e-5),
            ImmutableMap.of("x", x, "scale", scale, "bias", bias),
            "y");
    for (int i = 0; i < x.length(); i++) {
      double mean = 0;
      double squares = 0;
      for (int j = i / 4 * 4; j < i / 4 * 4 + 4; j++) {
        mean += x.doubles()[j] / 4;
        squares += x.doubles()[j] * x.doubles()[j] / 4;
      }
      double normal = (x.doubles()[i] - mean) / Math.sqrt(squares - mean * mean + 1e-5);
      assertThat(y.doubles()[i])
          .isWithin(1e-12)
          .of(normal * scale.doubles()[i % 4] + bias.doubles()[i % 4]);
    }
  }

  @Test
  void crossEntropy() {
    Tensor x = FiniteDifferences.random(1, 3, 4);
    Tensor label = Tensor.of(ImmutableLongArray.of(3), new long[] {2, 0, 2});
    Tensor loss =
        check(ExampleGraphs.crossEntropy(FLOAT64), ImmutableMap.of("x", x, "label", label), "loss");
    double expected = 0;
    for (int row = 0; row < 3; row++) {
      double sum = 0;
      for (int j = 0; j < 4; j++) {
        sum += Math.exp(x.doubles()[row * 4 + j]);
      }
      expected -= Math.log(Math.exp(x.doubles()[row * 4 + (int) label.longs()[row]]) / sum) / 3;
    }
    assertThat(loss.doubles()[0]).isWithin(1e-14).of(expected);
  }

  @Test
  void embedding() {
    Tensor table = FiniteDifferences.random(1, 4, 3);
    Tensor ids = Tensor.of(ImmutableLongArray.of(5), new long[] {3, 0, 3, 1, 3});
    ImmutableMap<String, Tensor> inputs = ImmutableMap.of("table", table, "ids", ids);
    Tensor y = check(ExampleGraphs.embedding(FLOAT64), inputs, "y");
    for (int i = 0; i < y.length(); i++) {
      assertThat(y.doubles()[i]).isEqualTo(table.doubles()[(int) ids.longs()[i / 3] * 3 + i % 3]);
    }
    MicroGraph graph = ExampleGraphs.embedding(FLOAT64);
    Gradient gradient = Differentiate.gradient(graph, GradientRequest.fromInputs(graph));
    assertThat(gradient.onlyExtents()).containsExactly("table");
  }

  private static Tensor check(
      MicroGraph graph, ImmutableMap<String, Tensor> inputs, String output) {
    FiniteDifferences.check(graph, inputs);
    return requireNonNull(
        MicroInterpreter.run(graph.emit(), inputs, ImmutableMap.of()).get(output));
  }
}
