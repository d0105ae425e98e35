package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.runtime.micro.fuse.PassText.blocks;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.micro.run.MicroInterpreter;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Operators of real networks end as few nests without large temporaries. */
final class SimplifyNetworksTest {

  private static List<String> temporaries(MicroProgram program) {
    List<String> temporaries = new ArrayList<>();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.TEMPORARY) {
        temporaries.add(tensor.name() + tensor.shape());
      }
    }
    return temporaries;
  }

  @Test
  void matmul_isOneNest() {
    Simplified simplified = SimplifyProgram.simplify(Networks.matmul());

    assertThat(PassText.functions(simplified.program()))
        .isEqualTo(
            blocks(
                "c",
                """
                for i0 in 0..d(a, 0)
                  for i1 in 0..d(b, 1)
                    carry c0 = sum float32
                    for i2 in 0..d(a, 1)
                      c0 << a![i0, i2] * b![i2, i1]
                    c![i0, i1] = c0
                """));
    assertThat(temporaries(simplified.program())).isEmpty();
    assertThat(simplified.blocksBefore()).isEqualTo(5);
    assertThat(simplified.blocksAfter()).isEqualTo(1);
    assertThat(simplified.removed()).hasSize(4);
    assertThat(simplified.removed().get(0).shape().toString())
        .isEqualTo("[d(a, 0), d(b, 1), d(a, 1)]");
  }

  @Test
  void convolution_isOneNest() {
    Simplified simplified = SimplifyProgram.simplify(Networks.convolution());

    // The input is read outside at the borders, so that access stays checked.
    assertThat(PassText.functions(simplified.program()))
        .isEqualTo(
            blocks(
                "y",
                """
                for i0 in 0..d(x, 0)
                  for i1 in 0..d(w, 0)
                    for i2 in 0..(d(x, 2) + 2 - d(w, 2)) / 2 + 1
                      for i3 in 0..(d(x, 3) + 2 - d(w, 3)) / 2 + 1
                        carry c0 = sum float32
                        for i4 in 0..d(x, 1)
                          for i5 in 0..d(w, 2)
                            for i6 in 0..d(w, 3)
                              c0 << x[i0, i4, i2 * 2 + i5 - 1, i3 * 2 + i6 - 1] * w![i1, i4, i5, i6]
                        y![i0, i1, i2, i3] = c0
                """));
    assertThat(temporaries(simplified.program())).isEmpty();
  }

  @Test
  void convolutionWithParametersBiasAndRelu_isOneNest() {
    Simplified simplified = SimplifyProgram.simplify(Networks.convolutionWithParameters());

    assertThat(simplified.blocksAfter()).isEqualTo(1);
    assertThat(temporaries(simplified.program())).isEmpty();
    assertThat(PassText.functions(simplified.program()))
        .contains("y![i0, i1, i2, i3] = maximum(c0 + b[i1], 0.0)");
  }

  @Test
  void softmax_keepsThePowersOnly() {
    Simplified simplified = SimplifyProgram.simplify(Networks.softmax());

    assertThat(simplified.blocksAfter()).isEqualTo(3);
    assertThat(temporaries(simplified.program()))
        .containsExactly("t1[d(x, 0), 1]", "t4[d(x, 0), d(x, 1)]", "t5[d(x, 0), 1]");
    assertThat(PassText.functions(simplified.program()))
        .contains(
            """
                  for i1 in 0..d(x, 1)
                    t4![i0, i1] = exp(x![i0, i1] - t1![i0, 0])
                    c0 << t4![i0, i1]
                  t5![i0, 0] = c0
            """);
  }

  @Test
  void layerNorm_keepsTwoNumbersARow() {
    Simplified simplified = SimplifyProgram.simplify(Networks.layerNorm());

    assertThat(simplified.blocksAfter()).isEqualTo(3);
    assertThat(temporaries(simplified.program()))
        .containsExactly("t4[d(x, 0), 1]", "t10[d(x, 0), 1]");
  }

  @Test
  void batchNorm_keepsOneNumberAChannel() {
    Simplified simplified = SimplifyProgram.simplify(Networks.batchNorm());

    assertThat(simplified.blocksAfter()).isEqualTo(2);
    assertThat(temporaries(simplified.program())).containsExactly("t7[d(x, 1)]");
  }

  @Test
  void meanSquaredError_isOneNest() {
    Simplified simplified = SimplifyProgram.simplify(Networks.meanSquaredError());

    assertThat(simplified.blocksAfter()).isEqualTo(1);
    assertThat(temporaries(simplified.program())).isEmpty();
    assertThat(PassText.functions(simplified.program()))
        .contains("c0 << (x![i1, i2] - y![i1, i2]) * (x![i1, i2] - y![i1, i2])");
  }

  @Test
  void networks_simplified_giveTheSameBits() {
    assertSame(Networks.matmul(), "3,4 4,2", "0,4 4,2", "2,0 0,3", "1,1 1,1");
    assertSame(Networks.convolution(), "2,3,5,4 2,3,3,2", "1,1,4,4 1,1,1,1", "1,0,4,4 2,0,3,3");
    assertSame(Networks.convolutionWithParameters(), "2,2,5,6 3,2,3,2 3", "1,1,4,4 2,1,2,2 1");
    assertSame(Networks.softmax(), "3,5", "2,1", "0,4", "4,0");
    assertSame(Networks.layerNorm(), "3,5 5 5", "2,1 1 1", "4,0 0 0");
    assertSame(Networks.batchNorm(), "2,3,2,2 3 3 3 3", "1,1,0,2 1 1 1 1");
    assertSame(Networks.meanSquaredError(), "3,4 3,4", "0,4 0,4", "1,1 1,1");
  }

  /** The shapes of the inputs, by blanks; extents by commas. */
  private static void assertSame(MicroProgram program, String... shapes) {
    MicroProgram simplified = SimplifyProgram.simplify(program).program();
    for (String all : shapes) {
      ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
      int number = 0;
      for (String shape : Splitter.on(' ').split(all)) {
        ImmutableLongArray.Builder extents = ImmutableLongArray.builder();
        for (String extent : Splitter.on(',').split(shape)) {
          extents.add(Long.parseLong(extent));
        }
        TensorDeclaration input = program.tensors().get(inputAt(program, number++));
        inputs.put(
            input.name(),
            RandomRuns.tensor(input.type(), extents.build(), new Random(all.hashCode())));
      }
      ImmutableMap<String, Number> parameters =
          ImmutableMap.of("stride", 2, "border", 1, "epsilon", 1e-3);
      assertWithMessage("%s of %s", program.name(), all)
          .that(MicroInterpreter.run(simplified, inputs.buildOrThrow(), parameters))
          .isEqualTo(MicroInterpreter.run(program, inputs.buildOrThrow(), parameters));
    }
  }

  private static int inputAt(MicroProgram program, int number) {
    int found = 0;
    for (int i = 0; i < program.tensors().size(); i++) {
      if (program.tensors().get(i).role() == Role.INPUT && found++ == number) {
        return i;
      }
    }
    throw new AssertionError(number);
  }
}
