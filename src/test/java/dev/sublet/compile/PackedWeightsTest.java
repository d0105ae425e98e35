package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sublet.program.Program;
import dev.sublet.runtime.micro.emit.PackedRows;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.text.ProgramText;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Constant factors of products are in the order in which the code reads them. */
final class PackedWeightsTest {

  private static final String PACKED = "packed in blocks of 8 rows";

  @TempDir private Path folder = Path.of("");

  @Test
  void rows_areTogetherForEachPoint() {
    PackedRows order =
        new PackedRows(/* rows= */ 16, /* points= */ 3, /* rowStep= */ 3, /* pointStep= */ 1);
    float[] factors = new float[2 * 16 * 3];
    for (int i = 0; i < factors.length; i++) {
      factors[i] = i;
    }
    float[] packed = order.pack(factors);
    for (int chunk = 0; chunk < 2; chunk++) {
      for (int row = 0; row < 16; row++) {
        for (int point = 0; point < 3; point++) {
          assertThat(packed[chunk * 48 + row / 8 * 24 + point * 8 + row % 8])
              .isEqualTo(factors[chunk * 48 + row * 3 + point]);
        }
      }
    }
  }

  @Test
  void filterOfOneConvolution_isPacked() throws Exception {
    assertThat(weights(convolutions(16, "y = conv2d(Input: x, Filter: f)"))).contains(PACKED);
  }

  @Test
  void filterOfTwoConvolutionsOfOneShape_isPackedOnce() throws Exception {
    String weights =
        weights(
            convolutions(
                16, "y = conv2d(Input: x, Filter: f)", "z = conv2d(Input: x2, Filter: f)"));
    assertThat(weights.split(PACKED, -1)).hasLength(2);
  }

  /** The sum of the filter reads the saved order. */
  @Test
  void filterThatSomethingElseReads_isNotPacked() throws Exception {
    assertThat(
            weights(
                convolutions(
                    16, "y = conv2d(Input: x, Filter: f)", "z = elementwise_add(X: x3, Y: f)")))
        .doesNotContain(PACKED);
  }

  @Test
  void twelveRows_areNotPacked() throws Exception {
    assertThat(weights(convolutions(12, "y = conv2d(Input: x, Filter: f)"))).doesNotContain(PACKED);
  }

  private static Program convolutions(int outputs, String... statements) {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n");
    text.append("feed x: fp32[1,8,6,6]\nfeed x2: fp32[1,8,6,6]\n");
    text.append("feed x3: fp32[OUT,8,1,1]\nvar f: fp32[OUT,8,1,1] persistable parameter\n");
    text.append("var y: fp32[1,OUT,6,6]\n");
    text.append(
        statements[statements.length - 1].contains("add")
            ? "var z: fp32[OUT,8,1,1]\n"
            : "var z: fp32[1,OUT,6,6]\n");
    for (String statement : statements) {
      text.append(
          statement.contains("conv2d")
              ? statement.replaceFirst("([yz]) =", "(Output: $1) =")
                  + " {strides: [1,1], dilations: [1,1], paddings: [0,0], groups: 1}\n"
              : statement + " {axis: -1}\n");
      text.append("fetch(").append(statement.charAt(0)).append(")\n");
    }
    return ProgramText.parse(text.toString().replace("OUT", "" + outputs).split("\n"));
  }

  /** Returns the source of the constants, after the results were compared. */
  private String weights(Program program) throws Exception {
    CompiledRun run = CompiledRun.of(program, ShapeOptions.defaults());
    CCompiler compiler = CCompiler.find();
    if (compiler.isPresent()) {
      run.check(compiler, folder, List.of(), "-O1");
      run.check(compiler, folder, List.of(), "-O2", "-march=native");
    }
    return new String(requireNonNull(run.model().files().get("test_weights.c")), UTF_8);
  }
}
