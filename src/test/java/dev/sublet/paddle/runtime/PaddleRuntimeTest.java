package dev.sublet.paddle.runtime;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever a model does, the tests go on: it gives outputs or a failure that says why not. */
final class PaddleRuntimeTest {

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  private static Model model(String... lines) {
    Program program = ProgramText.parse(lines);
    return Model.withRandomParameters("model", program, Feeds.none().withImage("x", 4, 4));
  }

  @Test
  void programWithoutParameters_runs_theSameEveryTime() {
    Model model = model("block 0", "feed x: fp32[4,4]", "y = tanh(x)", "fetch(y)");
    RunResult first = PaddleRuntime.run(model, Mode.PLAIN);
    assertThat(first.outputs().keySet()).containsExactly("y");
    assertThat(PaddleRuntime.run(model, Mode.PLAIN).differencesFrom(first)).isEmpty();
  }

  @Test
  void reshapeWithoutXShape_asNewVersionsWriteIt_runs() {
    Model model =
        model("block 0", "feed x: fp32[4,4]", "y = reshape2(x) {shape: [2, 8]}", "fetch(y)");
    TensorData y = PaddleRuntime.run(model, Mode.PLAIN).outputs().get("y");
    assertThat(String.valueOf(y)).isEqualTo("FP32[2, 8]");
  }

  @Test
  void refusedProgram_isAFailure_withTheRuntimesReason() {
    Model model =
        model(
            "block 0",
            "feed x: fp32[4,4]",
            "var w: fp32[3,3] persistable",
            "y = matmul_v2(x, w) {trans_x: false}",
            "fetch(y)");
    PaddleFailure failure =
        assertThrows(PaddleFailure.class, () -> PaddleRuntime.run(model, Mode.PLAIN));
    assertThat(failure.reason()).contains("InvalidArgumentError");
  }

  @Test
  void unknownOperator_isAFailure_withTheRuntimesReason() {
    Model model = model("block 0", "feed x: fp32[4,4]", "y = no_such_operator(x)", "fetch(y)");
    PaddleFailure failure =
        assertThrows(PaddleFailure.class, () -> PaddleRuntime.run(model, Mode.PLAIN));
    assertThat(failure.reason()).contains("no_such_operator");
  }

  /** So a rewritten program may not copy what nothing has written, although no result differs. */
  @Test
  void copyOfWhatNothingHasWritten_isAFailure_evenIfNothingReadsIt() {
    Model model =
        model(
            "block 0",
            "feed x: fp32[4,4]",
            "var a: fp32[4,4]",
            "var t: fp32[4,4]",
            "t = assign(a)",
            "a = tanh(x)",
            "t = assign(a)",
            "fetch(t)");
    PaddleFailure failure =
        assertThrows(PaddleFailure.class, () -> PaddleRuntime.run(model, Mode.PLAIN));
    assertThat(failure.reason()).contains("uninitialized Tensor");
  }

  @Test
  void endlessLoop_isKilled() {
    Model model =
        model(
            "block 0",
            "feed x: fp32[4,4]",
            "var c: bool[1]",
            "c = fill_constant() {shape: [1L], dtype: 0, value: 1.0, force_cpu: true}",
            "while(X: x c, Condition: c) -> (Out: c, StepScopes: s) {sub_block: 1, is_test: true}",
            "y = tanh(x)",
            "fetch(y)",
            "block 1 parent 0",
            "z = relu(x)");
    Duration limit = Duration.ofSeconds(3);
    PaddleFailure failure =
        assertThrows(PaddleFailure.class, () -> PaddleRuntime.run(model, Mode.PLAIN, limit));
    assertThat(failure.reason()).isEqualTo("model took over 3 s");
  }
}
