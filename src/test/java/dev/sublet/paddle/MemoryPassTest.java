package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableSet;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The computed clusters of Paddle's memory pass, judged by the log of the real one. */
final class MemoryPassTest {

  /** Three of the corpus that run fast; {@link MemoryPassTable} has all. */
  private static final ImmutableSet<String> SMALL =
      ImmutableSet.of("clas_huxj", "luong_infer", "t66y");

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  @Test
  void tensorsOfDifferentSizes_haveTheSameClusters() {
    Program program =
        ProgramText.parse(
            "version 2003002",
            "block 0",
            "feed x: fp32[4,8]",
            "var w1: fp32[8,10] persistable",
            "var w2: fp32[10,6] persistable",
            "var w3: fp32[6,12] persistable",
            "var w4: fp32[12,7] persistable",
            "var w5: fp32[8,7] persistable",
            "var a: fp32[4,10]",
            "var b: fp32[4,6]",
            "var c: fp32[4,12]",
            "var d: fp32[4,7]",
            "var y: fp32[4,7]",
            "a = matmul_v2(x, w1) {trans_x: false, trans_y: false}",
            "b = matmul_v2(a, w2) {trans_x: false, trans_y: false}",
            "c = matmul_v2(b, w3) {trans_x: false, trans_y: false}",
            "d = matmul_v2(c, w4) {trans_x: false, trans_y: false}",
            "y = matmul_v2(x, w5) {trans_x: false, trans_y: false}",
            "d = elementwise_add(d, y) {axis: -1}",
            "var z: fp32[4,7]",
            "z = tanh(d)",
            "fetch(z)");
    Model model =
        Model.withRandomParameters("memory_pass", program, Feeds.none().withImage("x", 4, 8));
    MemoryPassTable.Row row = MemoryPassTable.measure(model);

    // {c, a, y}, {x}, {d, b}
    assertThat(row.computed().asList()).containsExactly(192L, 128L, 112L).inOrder();
    assertThat(row.logged().asList()).containsExactlyElementsIn(row.computed().asList());
  }

  static List<String> small() {
    return CorpusModels.names().stream().filter(SMALL::contains).toList();
  }

  /** Equally large tensors come in another order in Paddle, so that it needs no fewer bytes. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("small")
  void realProgram_hasAsManyClusters(String name) {
    MemoryPassTable.Row row = MemoryPassTable.measure(CorpusModels.read(name));
    assertThat(row.computed().length()).isEqualTo(row.logged().length());
    assertWithMessage("%s", row).that(row.ratio()).isAtLeast(1);
    assertWithMessage("%s", row).that(row.ratio()).isAtMost(1.27);
  }
}
