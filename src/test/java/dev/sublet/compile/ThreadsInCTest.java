package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.text.ProgramText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operators in parts that run at the same time: the results have the bits of the executor, and
 * ThreadSanitizer finds no data race.
 */
final class ThreadsInCTest {

  private static final int OPERATORS = 12;

  private static final Pattern SPLIT = Pattern.compile("_split\\(threads, ");

  private final CCompiler compiler = CCompiler.find();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void needsCompiler() {
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1 << 20})
  void products(long panels) throws Exception {
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n");
    Random random = new Random(panels + 3);
    for (int i = 0; i < OPERATORS; i++) {
      switch (i % 3) {
        case 0 -> RandomProducts.matrixProduct(text, i, random, /* most= */ 160);
        case 1 -> {
          int channels = 40 + random.nextInt(60);
          RandomProducts.convolution(text, i, random, "depthwise_conv2d", channels, channels);
        }
        default -> {
          int groups = 1 + random.nextInt(2);
          int outputs = groups * (40 + random.nextInt(120));
          RandomProducts.convolution(text, i, random, "conv2d", groups, outputs);
        }
      }
    }
    assertThat(splits(text.toString(), panels)).isAtLeast(OPERATORS / 3);
  }

  /** Of the ten operators, only the sum over all elements is one part. */
  @Test
  void others() throws Exception {
    assertThat(
            splits(
                """
                version 2004000
                block 0
                feed x: fp32[6,40,41,8]
                feed y: fp32[6,40,41,8]
                var s: fp32[6,40,41,8]
                s = softmax(X: x) {axis: -1}
                fetch(s)
                var t: fp32[40,6,41,8]
                (Out: t) = transpose2(X: x) {axis: [1,0,2,3]}
                fetch(t)
                var p: fp32[6,40,20,4]
                p = pool2d(X: x) {pooling_type: "max", ksize: [2,2], strides: [2,2], paddings: [0,0]}
                fetch(p)
                var l: fp32[6,40,41,8]
                (Y: l) = layer_norm(X: x) {begin_norm_axis: 2, epsilon: 0.00001f}
                fetch(l)
                var r: fp32[6,41,8]
                r = reduce_sum(X: x) {dim: [1], keep_dim: false, reduce_all: false}
                fetch(r)
                var all: fp32[1]
                all = reduce_sum(X: x) {dim: [0], keep_dim: false, reduce_all: true}
                fetch(all)
                var a: fp32[6,40,41,8]
                a = elementwise_add(X: x, Y: y) {axis: -1}
                var b: fp32[6,40,41,8]
                b = relu(X: a)
                var c: fp32[6,40,41,8]
                c = elementwise_mul(X: b, Y: a) {axis: -1}
                fetch(c)
                var m: int64[6,40,41]
                m = arg_max(X: x) {axis: 3, keepdims: false, dtype: 3}
                fetch(m)
                """,
                /* panels= */ 0))
        .isEqualTo(9);
  }

  /** Returns the number of operators with several parts, after the results were compared. */
  private long splits(String text, long panels) throws Exception {
    CompiledRun run =
        CompiledRun.of(ProgramText.parse(text.split("\n")), ShapeOptions.defaults())
            .withPanels(panels)
            .withThreads(3);
    Path fast = Files.createDirectory(folder.resolve("fast"));
    run.check(compiler, fast, List.of(), "-O3", "-march=native", "-pthread");
    Path sanitized = Files.createDirectory(folder.resolve("sanitized"));
    run.check(compiler, sanitized, List.of(), "-fsanitize=thread", "-O1", "-g", "-pthread");
    String source = new String(run.model().files().get("test.c"), StandardCharsets.UTF_8);
    return SPLIT.matcher(source).results().count();
  }
}
