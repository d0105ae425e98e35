package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sublet.TranspileOptions;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.text.ProgramText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loops and branches whose conditions depend on feeds, in C: the bits of the executor. */
final class CompiledControlTest {

  private static final List<String> SANITIZED =
      List.of("env", "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0");

  private final CCompiler compiler = CCompiler.find();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void needsCompiler() {
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
  }

  /** Returns the C source of a program after its results were compared. */
  private String check(String... lines) throws Exception {
    Program program = ProgramText.parse(lines);
    CompiledRun run =
        CompiledRun.of(program, RandomTensors.parameters(program), TranspileOptions.defaults());
    run.check(compiler, folder, SANITIZED, "-fsanitize=address,undefined", "-DMODEL_CHECK");
    run.check(compiler, folder, List.of(), "-O3");
    if (Boolean.getBoolean("show")) {
      System.out.println(new String(run.model().files().get("test.c"), StandardCharsets.UTF_8));
    }
    return new String(run.model().files().get("test.c"), StandardCharsets.UTF_8);
  }

  @Test
  void loop_untilASumIsLarge() throws Exception {
    String source =
        check(
            "version 2004000",
            "default fp32[64]",
            "block 0",
            "  feed x: fp32[64]",
            "  var n: fp32[1]",
            "  var limit: fp32[1]",
            "  var c: bool[1]",
            "  n = reduce_max(X: x) {reduce_all: true, keep_dim: false}",
            "  limit = fill_constant() {shape: [1], value: 100.0, dtype: 5}",
            "  c = less_than(X: n, Y: limit)",
            "  while(Condition: c, X: x n limit) -> (Out: x n c, StepScopes: s) {sub_block: 1}",
            "  fetch(x)",
            "  fetch(n)",
            "block 1 parent 0",
            "  y = scale(X: x) {scale: 1.5, bias: 0.25}",
            "  x = assign(X: y)",
            "  n = reduce_max(X: y) {reduce_all: true, keep_dim: false}",
            "  c = less_than(X: n, Y: limit)");
    assertThat(source).contains("while (");
    assertThat(source).doesNotContain("memcpy(a + 256, a");
  }
}
