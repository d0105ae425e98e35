package dev.sublet.report;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** What the summary says about the cost of graph passes. */
final class OptimizeReportTest {

  /** A graph pass computes p just before s, so q cannot have the name of h. */
  private static final Program PROGRAM =
      ProgramText.parse(
          """
          version 2003002
          default fp32[4,8]
          block 0
            feed x: fp32[4,8]
            var w: fp32[8,8] persistable
            h = tanh(x)
            p = matmul_v2(h, w) {trans_x: false, trans_y: false}
            q = sigmoid(x)
            s = elementwise_add(p, q) {axis: -1}
            fetch(s)
          """);

  private static final TranspileOptions SAFE = TranspileOptions.defaults();
  private static final TranspileOptions OFF =
      SAFE.withSharing(SharingOptions.defaults().withFusion(FusionMode.OFF));

  private static OptimizeReport report(TranspileOptions options) {
    TranspileResult result = Transpiler.transpile(PROGRAM, options);
    return new OptimizeReport(
        result,
        options,
        OptimizeReport.Comparisons.of(result, options),
        ImmutableList.of(),
        ImmutableList.of());
  }

  @Test
  void safe_saysWhatOffWouldTake() {
    assertThat(report(SAFE).text())
        .contains("with --fusion off    384, 0.750 of the bytes with shared names\n");
    assertThat(report(SAFE).text())
        .containsMatch("\n  with shared names +512 +512 B +0.800  the rewritten program\n");
    assertThat(report(SAFE).json()).contains("\"shared_bytes_fusion_off\": 384");
  }

  @Test
  void off_saysNothing() {
    assertThat(report(OFF).text()).doesNotContain("fusion");
    assertThat(report(OFF).json()).doesNotContain("fusion");
  }

  @Test
  void aLargeProgram_isNotSharedTwice_andTheSummarySaysSo() {
    TranspileResult result = Transpiler.transpile(PROGRAM, SAFE);
    OptimizeReport report =
        new OptimizeReport(
            result,
            SAFE,
            OptimizeReport.Comparisons.withoutFusionOff(result),
            ImmutableList.of(),
            ImmutableList.of());

    assertThat(report.text())
        .contains("with --fusion off    not computed for more than 20,000 operators\n");
  }
}
