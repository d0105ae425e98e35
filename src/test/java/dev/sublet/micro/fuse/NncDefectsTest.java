package dev.sublet.micro.fuse;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.micro.ir.BinaryOperator.ADD;
import static dev.sublet.micro.ir.BinaryOperator.DIVIDE;
import static dev.sublet.micro.ir.BinaryOperator.MULTIPLY;
import static dev.sublet.micro.ir.BinaryOperator.SUBTRACT;
import static dev.sublet.tensor.ElementType.FLOAT32;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.micro.op.MicroGraphBuilder;
import dev.sublet.micro.op.MicroValue;
import dev.sublet.micro.op.Reduction;
import dev.sublet.micro.run.MicroInterpreter;
import dev.sublet.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What NNC's own simplification gets wrong, with the right answers. */
final class NncDefectsTest {

  /**
   * The output of a graph over x = 1 2 3 4 5 and y = 10 20 30 40 50, simplified; and its blocks.
   */
  private record Answer(int blocks, String elements) {

    static Answer of(GraphOfTwo graph) {
      MicroGraphBuilder g = new MicroGraphBuilder("test");
      MicroValue x = g.input("x", FLOAT32, 1);
      MicroValue y = g.input("y", FLOAT32, 1);
      g.output("out", graph.build(g, x, y));
      Simplified simplified = SimplifyProgram.simplify(g.build().emit());
      ImmutableLongArray shape = ImmutableLongArray.of(5);
      ImmutableMap<String, Tensor> outputs =
          MicroInterpreter.run(
              simplified.program(),
              ImmutableMap.of(
                  "x",
                  Tensor.of(shape, 1f, 2, 3, 4, 5),
                  "y",
                  Tensor.of(shape, 10f, 20, 30, 40, 50)),
              ImmutableMap.of());
      StringBuilder elements = new StringBuilder();
      for (float element : outputs.values().iterator().next().floats()) {
        elements.append(elements.isEmpty() ? "" : " ").append((int) element);
      }
      return new Answer(simplified.blocksAfter(), elements.toString());
    }
  }

  private interface GraphOfTwo {
    MicroValue build(MicroGraphBuilder g, MicroValue x, MicroValue y);
  }

  @Test
  void sumOverAllAxesOfAProduct() {
    Answer answer = Answer.of((g, x, y) -> g.reduce(Reduction.SUM, g.binary(MULTIPLY, x, y), 0));

    assertThat(answer).isEqualTo(new Answer(1, "550"));
  }

  @Test
  void productMinusItsSum() {
    Answer answer =
        Answer.of(
            (g, x, y) -> {
              MicroValue product = g.binary(MULTIPLY, x, y);
              MicroValue sum = g.reduce(Reduction.SUM, product, 0);
              return g.binary(SUBTRACT, product, g.reindex(sum, List.of(x), "dA0", "0"));
            });

    assertThat(answer).isEqualTo(new Answer(2, "-540 -510 -460 -390 -300"));
  }

  @Test
  void unevenDiamond() {
    Answer answer =
        Answer.of(
            (g, x, y) -> {
              MicroValue a = g.binary(MULTIPLY, x, y);
              MicroValue b = g.binary(ADD, a, y);
              return g.binary(ADD, a, b);
            });

    assertThat(answer).isEqualTo(new Answer(1, "30 100 210 360 550"));
  }

  @Test
  void reverseOfACopy() {
    Answer answer =
        Answer.of(
            (g, x, y) -> {
              MicroValue copy = g.reindex(x, List.of(x), "dA0", "i0");
              return g.reindex(copy, List.of(x), "dA0", "dA0 - 1 - i0");
            });

    assertThat(answer).isEqualTo(new Answer(1, "5 4 3 2 1"));
  }

  @Test
  void reverseOfAReverse() {
    Answer answer =
        Answer.of(
            (g, x, y) -> {
              MicroValue once = g.reindex(x, List.of(x), "dA0", "dA0 - 1 - i0");
              return g.reindex(once, List.of(x), "dA0", "dA0 - 1 - i0");
            });

    assertThat(answer).isEqualTo(new Answer(1, "1 2 3 4 5"));
  }

  @Test
  void reverseOfSomethingReadTwice() {
    Answer answer =
        Answer.of(
            (g, x, y) -> {
              MicroValue product = g.binary(DIVIDE, y, x);
              MicroValue squares = g.binary(MULTIPLY, product, product);
              MicroValue sum = g.binary(ADD, squares, g.binary(MULTIPLY, x, product));
              return g.binary(SUBTRACT, sum, g.reindex(sum, List.of(x), "dA0", "dA0 - 1 - i0"));
            });

    assertThat(answer.elements()).isEqualTo("-40 -20 0 20 40");
  }

  @Test
  void negatedIndex() {
    Answer answer = Answer.of((g, x, y) -> g.reindex(x, List.of(x), "dA0", "-i0 + 4"));

    assertThat(answer).isEqualTo(new Answer(1, "5 4 3 2 1"));
  }

  @Test
  void paddedByReindex() {
    Answer answer =
        Answer.of(
            (g, x, y) ->
                g.reindex(
                    g.binary(MULTIPLY, x, y), List.of(x), "dA0 + 2", "i0 - 1", /* outside= */ 7));

    assertThat(answer.elements()).isEqualTo("7 10 40 90 160 250 7");
  }
}
