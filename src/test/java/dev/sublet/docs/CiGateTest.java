package dev.sublet.docs;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.cli.CommandRun;
import dev.sublet.docs.Page.Piece;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the gate for CI, as the page about the command line shows it, passes and fails. */
class CiGateTest {

  /** Six operators; the arena contains three variables of one size. */
  private static final String MODEL =
      """
      version 2004001
      default fp32[%d]
      block 0
      feed x: fp32[-1,256]
      a = fused_feedforward(x, x)
      b = fused_feedforward(a, a)
      c = fused_feedforward(b, b)
      d = fused_feedforward(c, c)
      fetch(d)
      """;

  @TempDir private Path folder;

  private DocCommand baseline;
  private DocCommand gate;

  @BeforeEach
  void findCommands() throws IOException {
    ImmutableList<Piece> gates =
        Page.read(Path.of("docs", "command-line.md")).pieces().stream()
            .filter(
                piece -> piece.lines().stream().anyMatch(line -> line.contains(" --max-growth ")))
            .filter(piece -> piece.language().equals("sh"))
            .collect(ImmutableList.toImmutableList());
    assertThat(gates).hasSize(1);
    ImmutableList<String> lines = gates.get(0).lines();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(1)).startsWith("./sublet plan ");
    assertThat(lines.get(3)).startsWith("./sublet check ");
    baseline = DocCommand.parse(lines.get(1));
    gate = DocCommand.parse(lines.get(3));
  }

  private void writeModel(int elements) throws IOException {
    CommandRun.write(folder.resolve("model.pdmodel"), MODEL.formatted(elements));
  }

  /** Counts the violations; the lines of the table below each are indented. */
  private static long headlines(DocCommand.Result result) {
    return result.output().lines().filter(line -> !line.startsWith(" ")).count();
  }

  @Test
  void theGateForCi_passesAndFails() throws IOException {
    writeModel(10_000);
    DocCommand.Result planned = baseline.run(folder);
    assertWithMessage(planned.output()).that(planned.exitCode()).isEqualTo(0);
    assertThat(gate.run(folder)).isEqualTo(new DocCommand.Result(0, "ok"));

    // Main's plan stays, the model changes.
    writeModel(10_100);
    assertThat(gate.run(folder)).isEqualTo(new DocCommand.Result(0, "ok"));
    writeModel(10_400);
    DocCommand.Result grown = gate.run(folder);
    assertThat(grown.exitCode()).isEqualTo(1);
    assertThat(grown.output()).contains(" of the baseline; at most 2% more are allowed");
    assertThat(headlines(grown)).isEqualTo(1);
    writeModel(40_000);
    DocCommand.Result large = gate.run(folder);
    assertThat(large.exitCode()).isEqualTo(1);
    assertThat(large.output()).contains(" times the limit of 262,144 (256.00 KiB)");
    assertThat(headlines(large)).isEqualTo(2);
  }
}
