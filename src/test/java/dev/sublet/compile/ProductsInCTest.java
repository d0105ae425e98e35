package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sublet.TranspileOptions;
import dev.sublet.operator.InPlaceOptions;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.text.ProgramText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random convolutions and matrix products in C: with panels, planes, and neither, they have the
 * bits of the executor.
 */
public final class ProductsInCTest {

  private static final int OPERATORS = LongForm.tries(/* usual= */ 12, /* all= */ 24);

  /** Room for all panels. */
  private static final long ENOUGH = 1 << 20;

  /** Room for some of the panels, and for some of the points of others. */
  private static final long SOME = 700;

  private static final List<String> SANITIZED = List.of("env", "ASAN_OPTIONS=detect_leaks=0");

  private final CCompiler compiler = CCompiler.find();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void needsCompiler() {
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, SOME, ENOUGH})
  void depthwiseConvolutions(long panels) throws Exception {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n");
    Random random = new Random(panels);
    for (int i = 0; i < OPERATORS; i++) {
      int channels = 1 + random.nextInt(4);
      RandomProducts.convolution(text, i, random, "depthwise_conv2d", channels, channels);
    }
    String source = check(text.toString(), panels);
    if (panels > 0) {
      assertThat(source).contains("_planes(");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, SOME, ENOUGH})
  void convolutions(long panels) throws Exception {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n");
    Random random = new Random(panels + 1);
    for (int i = 0; i < OPERATORS; i++) {
      int groups = random.nextInt(3) == 0 ? 2 : 1;
      RandomProducts.convolution(
          text, i, random, "conv2d", groups, groups * (1 + random.nextInt(20)));
    }
    String source = check(text.toString(), panels);
    assertThat(source).contains("_products(");
    assertThat(source).containsMatch("conv2d \\+ (elementwise_add|batch_norm|relu|hard_swish) ->");
    assertThat(source).doesNotContainMatch("op \\d+: (relu|batch_norm|elementwise_add) ");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, ENOUGH})
  void matrixProducts(long panels) throws Exception {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n");
    Random random = new Random(panels + 2);
    for (int i = 0; i < OPERATORS; i++) {
      RandomProducts.matrixProduct(text, i, random, /* most= */ 40);
    }
    check(text.toString(), panels);
  }

  /** A single operator leaves no byte free: its panel is filled several times. */
  @ParameterizedTest
  @CsvSource({"16, 32, 4, 1, parameter", "5, 13, 9, 2, feed", "9, 1, 6, 1, parameter"})
  void shortPanels(int inputs, int outputs, int side, int stride, String filter) throws Exception {
    int result = (side - 1) / stride + 1;
    String declaration = "f: fp32[%d,%d,3,3]".formatted(outputs, inputs);
    String source =
        check(
            String.join(
                "\n",
                "version 2004000",
                "block 0",
                "feed x: fp32[2,%d,%d,%d]".formatted(inputs, side, side),
                filter.equals("feed")
                    ? "feed " + declaration
                    : "var " + declaration + " persistable parameter",
                "var y: fp32[2,%d,%d,%d]".formatted(outputs, result, result),
                "(Output: y) = conv2d(Input: x, Filter: f) {strides: [%d,%d], dilations: [1,1],"
                        .formatted(stride, stride)
                    + " paddings: [1,1], groups: 1}",
                "fetch(y)"),
            SOME);
    assertThat(source).contains("_products_more(");
  }

  /** The points of images with 32 x 32 elements are a page apart: a panel is faster. */
  @ParameterizedTest
  @ValueSource(longs = {0, ENOUGH})
  void pages(long panels) throws Exception {
    String text =
        """
        version 2004000
        block 0
        feed x: fp32[1,16,32,32]
        feed f: fp32[40,16,1,1]
        var y: fp32[1,40,32,32]
        (Output: y) = conv2d(Input: x, Filter: f) {strides: [1,1], dilations: [1,1],\
         paddings: [0,0], groups: 1}
        fetch(y)
        """;
    String source = check(text, panels);
    assertThat(source.contains("panels")).isEqualTo(panels > 0);
  }

  /** Nests that overwrite an input have no panel, though their step has memory for one. */
  @Test
  void productInPlace() throws Exception {
    Program program =
        ProgramText.parse(
            "version 2003000",
            "block 0",
            "feed x: fp32[50,7]",
            "feed y: fp32[7,9]",
            "feed b: fp32[50,9]",
            "var r: fp32[50,9]",
            "var o: fp32[50,9]",
            "var xx: fp32[50,7]",
            "var s: fp32[50,9]",
            "r = relu(X: b)",
            "s = exp(X: r)",
            "xx = relu(X: x)",
            "o = addmm(Input: s, X: xx, Y: y) {Alpha: 1.0f, Beta: 1.0f}",
            "fetch(o)");
    TranspileOptions options =
        TranspileOptions.defaults()
            .withInPlace(new InPlaceOptions(InPlaceMode.VERIFIED, /* runtime= */ 2_003_000));
    CompiledRun.of(program, RandomTensors.parameters(program), options)
        .withPanels(1 << 20)
        .check(compiler, folder, List.of(), "-O3");
  }

  /** Returns the C source of a program after its results were compared. */
  private String check(String text, long panels) throws Exception {
    Program program = ProgramText.parse(text.split("\n"));
    CompiledRun run = CompiledRun.of(program, ShapeOptions.defaults()).withPanels(panels);
    Path fast = Files.createDirectory(folder.resolve("fast"));
    run.check(compiler, fast, List.of(), "-O3", "-march=native");
    if (panels != 0 && System.getProperty("os.arch").equals("amd64")) {
      // With the vectors of AVX, if the machine has them, and with those of SSE2.
      Path avx = Files.createDirectory(folder.resolve("avx"));
      run.check(compiler, avx, List.of(), "-O1", "-march=native", "-mno-avx512f");
      Path sse = Files.createDirectory(folder.resolve("sse"));
      run.check(compiler, sse, List.of(), "-O1");
    }
    // Without vectors, as for a small machine.
    Path sanitized = Files.createDirectory(folder.resolve("sanitized"));
    run.check(
        compiler,
        sanitized,
        SANITIZED,
        "-fsanitize=address,undefined",
        "-DMODEL_CHECK",
        "-U__SSE2__");
    return new String(run.model().files().get("test.c"), StandardCharsets.UTF_8);
  }
}
