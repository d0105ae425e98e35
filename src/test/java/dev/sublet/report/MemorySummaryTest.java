package dev.sublet.report;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.testing.text.ProgramText;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How much memory a program needs, and what the figures leave out. */
final class MemorySummaryTest {

  private static PlanResult plan(String... lines) {
    return Transpiler.plan(
        ProgramText.parse(String.join("\n", lines)), TranspileOptions.defaults());
  }

  private static PlanReport report(String... lines) {
    return new PlanReport(
        plan(lines), TranspileOptions.defaults(), ImmutableList.of(), ImmutableList.of());
  }

  @Test
  void parameters_areCounted_withTheirBytes() {
    PlanReport report =
        report(
            "default fp32[4,8]",
            "block 0",
            "feed x: fp32[4,8]",
            "var w: fp32[8,8] persistable",
            "h = matmul_v2(x, w) {trans_x: false, trans_y: false}",
            "fetch(h)");

    assertThat(report.text()).containsMatch("\nparameters +256 +256 B +1, kept by the runtime\n");
    assertThat(report.text()).startsWith("memory ");
    JsonObject parameters =
        JsonParser.parseString(report.json()).getAsJsonObject().getAsJsonObject("parameters");
    assertThat(parameters.toString()).isEqualTo("{\"count\":1,\"bytes\":256,\"unknown\":0}");
  }

  @Test
  void aPlanThatLeavesVariablesOut_saysSoFirst_andWhatWouldBindThem() {
    PlanReport report =
        report(
            "block 0",
            "feed x: fp32[-1,3,-1]",
            "var a: fp32[-1,3,-1]",
            "var b: fp32[7]",
            "a = relu(x)",
            "b = fill_constant() {shape: [7], value: 0.0, dtype: 5}",
            "fetch(a, b)");

    assertThat(report.text())
        .startsWith(
            """
            not planned: 2 of 3 activations; give the shape of 'x'
            for example: --shape x=1,3,16
              2  size unknown: extent 2 of 'x' is unknown (-1): say --shape x=1,3,?

            memory\s""");
    assertThat(report.text())
        .containsMatch(
            "\n  as saved +28 .* each name has bytes of its own; 2 more of unknown size\n");
  }

  @Test
  void programsThatPaddleInferenceDoesNotRun_haveNoRowForItsPass() {
    MemoryNeeds gradients =
        MemoryNeeds.of(
            plan(
                    "default fp32[8]",
                    "block 0",
                    "feed x: fp32[8]",
                    "h = tanh(x)",
                    "(X@GRAD: g) = tanh_grad(Out: h, Out@GRAD: x)",
                    "fetch(g)")
                .facts());

    assertThat(gradients.hasPaddlePass()).isFalse();
    assertThat(gradients.paddlePass()).isEmpty();
  }

  @Test
  void aPassThatTakesTooLong_isNamed() {
    PlanResult result = plan("default fp32[8]", "block 0", "feed x: fp32[8]", "fetch(x)");
    MemoryNeeds known = MemoryNeeds.of(result.facts());
    MemoryNeeds needs =
        new MemoryNeeds(
            known.parameters(), known.constants(), known.activations(), true, OptionalLong.empty());

    assertThat(new MemorySummary(result.facts(), needs, Optional.empty(), result.plan()).text())
        .containsMatch(
            "\n  by Paddle's pass +- +-  not computed: more than 4,000,000 comparisons of live"
                + " ranges\n");
  }
}
