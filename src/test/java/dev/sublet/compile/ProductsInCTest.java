package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sublet.TranspileOptions;
import dev.sublet.operator.InPlaceOptions;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.shape.ShapeOptions;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random convolutions and matrix products in C: with panels, planes, and neither, they have the
 * bits of the executor.
 */
public final class ProductsInCTest {

  private static final int OPERATORS = 24;

  private static final List<String> SANITIZED = List.of("env", "ASAN_OPTIONS=detect_leaks=0");

  private final CCompiler compiler = CCompiler.find();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void needsCompiler() {
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 700, 1 << 20})
  void depthwiseConvolutions(long panels) throws Exception {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n");
    Random random = new Random(panels);
    for (int i = 0; i < OPERATORS; i++) {
      int channels = 1 + random.nextInt(4);
      convolution(text, i, random, "depthwise_conv2d", channels, channels);
    }
    String source = check(text.toString(), panels);
    if (panels > 0) {
      assertThat(source).contains("_planes(");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 700, 1 << 20})
  void convolutions(long panels) throws Exception {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n");
    Random random = new Random(panels + 1);
    for (int i = 0; i < OPERATORS; i++) {
      int groups = random.nextInt(3) == 0 ? 2 : 1;
      convolution(text, i, random, "conv2d", groups, groups * (1 + random.nextInt(20)));
    }
    String source = check(text.toString(), panels);
    assertThat(source).contains("_products(");
    assertThat(source).containsMatch("conv2d \\+ (elementwise_add|batch_norm|relu|hard_swish) ->");
    assertThat(source).doesNotContainMatch("op \\d+: (relu|batch_norm|elementwise_add) ");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1 << 20})
  void matrixProducts(long panels) throws Exception {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n");
    Random random = new Random(panels + 2);
    for (int i = 0; i < OPERATORS; i++) {
      int m = 1 + random.nextInt(40);
      int k = 1 + random.nextInt(40);
      int n = 1 + random.nextInt(70);
      boolean turnsX = random.nextBoolean();
      boolean turnsY = random.nextBoolean();
      text.append("feed x%d: fp32[2,%s]\n".formatted(i, turnsX ? k + "," + m : m + "," + k));
      text.append("feed y%d: fp32[%s]\n".formatted(i, turnsY ? n + "," + k : k + "," + n));
      text.append("var o%d: fp32[2,%d,%d]\n".formatted(i, m, n));
      text.append(
          "o%d = matmul_v2(X: x%d, Y: y%d) {trans_x: %s, trans_y: %s}\n"
              .formatted(i, i, i, turnsX, turnsY));
      text.append("fetch(o%d)\n".formatted(i));
    }
    check(text.toString(), panels);
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

  /** Appends a convolution of random extents, strides, dilations and paddings, and its feeds. */
  private static void convolution(
      StringBuilder text, int i, Random random, String type, int groups, int outputs) {
    int[] extent = new int[2];
    int[] kernel = new int[2];
    int[] stride = new int[2];
    int[] dilation = new int[2];
    int[] paddings = new int[4];
    int[] result = new int[2];
    for (int axis = 0; axis < 2; axis++) {
      kernel[axis] = 1 + random.nextInt(5);
      stride[axis] = 1 + random.nextInt(3);
      dilation[axis] = 1 + random.nextInt(2);
      paddings[2 * axis] = random.nextInt(4);
      paddings[2 * axis + 1] = random.nextInt(4);
      int reach = (kernel[axis] - 1) * dilation[axis] + 1;
      int padded = reach + random.nextInt(axis == 0 ? 20 : 70);
      extent[axis] = Math.max(1, padded - paddings[2 * axis] - paddings[2 * axis + 1]);
      padded = extent[axis] + paddings[2 * axis] + paddings[2 * axis + 1];
      result[axis] = (padded - reach) / stride[axis] + 1;
    }
    int images = 1 + random.nextInt(2);
    int inputs = type.startsWith("depthwise") ? groups : groups * (1 + random.nextInt(4));
    text.append("feed x%d: fp32[%d,%d,%d,%d]\n".formatted(i, images, inputs, extent[0], extent[1]));
    text.append(
        "feed f%d: fp32[%d,%d,%d,%d]\n"
            .formatted(i, outputs, inputs / groups, kernel[0], kernel[1]));
    text.append("var o%d: fp32[%d,%d,%d,%d]\n".formatted(i, images, outputs, result[0], result[1]));
    text.append(
        "(Output: o%d) = %s(Input: x%d, Filter: f%d) {strides: [%d,%d], dilations: [%d,%d],"
            .formatted(i, type, i, i, stride[0], stride[1], dilation[0], dilation[1]));
    text.append(
        " paddings: [%d,%d,%d,%d], groups: %d, padding_algorithm: \"EXPLICIT\"}\n"
            .formatted(paddings[0], paddings[1], paddings[2], paddings[3], groups));
    String shape = "fp32[%d,%d,%d,%d]".formatted(images, outputs, result[0], result[1]);
    text.append("fetch(%s)\n".formatted(tail(text, "o" + i, shape, outputs, random)));
  }

  /** Appends up to three operators that join the one before them; returns the last result. */
  private static String tail(
      StringBuilder text, String from, String shape, int channels, Random random) {
    String last = from;
    for (int k = random.nextInt(4); k > 0; k--) {
      String next = last + "t";
      text.append("var %s: %s\n".formatted(next, shape));
      switch (random.nextInt(4)) {
        case 0 -> {
          for (String role : List.of("m", "v", "s", "b")) {
            text.append(
                "var %s%s: fp32[%d] persistable parameter\n".formatted(next, role, channels));
          }
          text.append(
              "(Y: %s) = batch_norm(X: %s, Mean: %sm, Variance: %sv, Scale: %ss, Bias: %sb)"
                  .formatted(next, last, next, next, next, next));
          text.append(" {is_test: true, epsilon: 0.00001f, data_layout: \"NCHW\"}\n");
        }
        case 1 -> {
          text.append("var %sb: fp32[%d] persistable parameter\n".formatted(next, channels));
          text.append(
              "%s = elementwise_add(X: %s, Y: %sb) {axis: 1}\n".formatted(next, last, next));
        }
        case 2 -> text.append("%s = relu(X: %s)\n".formatted(next, last));
        default ->
            text.append(
                "%s = hard_swish(X: %s) {threshold: 6.0f, scale: 6.0f, offset: 3.0f}\n"
                    .formatted(next, last));
      }
      last = next;
    }
    return last;
  }

  /** Returns the C source of a program after its results were compared. */
  private String check(String text, long panels) throws Exception {
    Program program = ProgramText.parse(text.split("\n"));
    CompiledRun run = CompiledRun.of(program, ShapeOptions.defaults()).withPanels(panels);
    Path fast = Files.createDirectory(folder.resolve("fast"));
    run.check(compiler, fast, List.of(), "-O3", "-march=native");
    if (System.getProperty("os.arch").equals("amd64")) {
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
