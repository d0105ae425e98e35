package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sublet.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --alias} of {@code plan}, {@code verify} and {@code run}, for ONNX models. */
final class ModelAliasTest {

  private static final Path SCATTER =
      Path.of("testdata", "onnx", "cache_scatter", "model.textproto");

  @TempDir private Path folder;

  /** A plan is verified with the aliases that it was made with, and runs without them. */
  @Test
  void aPlan_isVerifiedWithItsAliases() {
    Path plan = folder.resolve("plan.json");
    CommandRun made = CommandRun.of("plan", SCATTER, "--alias", "past.*=present.*", "-o", plan);
    assertWithMessage(made.errors()).that(made.exitCode()).isEqualTo(0);

    CommandRun verified =
        CommandRun.of("verify", SCATTER, "--plan", plan, "--alias", "past.*=present.*");
    assertThat(verified.text()).isEqualTo("valid\n");
    CommandRun forgotten = CommandRun.of("verify", SCATTER, "--plan", plan);
    assertThat(forgotten.exitCode()).isEqualTo(1);
    assertThat(forgotten.errors())
        .isEqualTo(
            "note: "
                + plan
                + ": gives results the memory of feeds; if it was made with --alias, give the same"
                + " to verify\n");
    assertThat(CommandRun.of("run", SCATTER, "--plan", plan, "--compare").text())
        .contains("arena: equal");
  }

  private static CommandRun with(List<Object> arguments, Object... more) {
    List<Object> all = new ArrayList<>(arguments);
    all.addAll(List.of(more));
    return CommandRun.of(all.toArray());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache_concat", "cache_scatter"})
  void goldenModels_runWithTheirAliases(String name) throws IOException {
    Path folder = Path.of("testdata", "onnx", name);
    List<Object> arguments = new ArrayList<>();
    arguments.addAll(List.of("run", folder.resolve("model.textproto"), "--compare"));
    arguments.addAll(Files.readAllLines(folder.resolve("options")));

    CommandRun run = CommandRun.of(arguments.toArray());

    assertWithMessage(run.text() + run.errors()).that(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).contains("arena: equal");
  }

  /** Its attention joins along axis 3 of [2, batch, heads, steps, width]: elements would move. */
  @Test
  void aDecoderWhoseCacheMoves_isRefused() {
    String corpus = System.getenv("SUBLET_CORPUS");
    assumeTrue(corpus != null, "SUBLET_CORPUS is not set");
    Path model = Path.of(corpus, "onnx", "genai_tiny_gpt2_past.onnx");
    List<Object> arguments = new ArrayList<>(List.of("plan", model));
    for (String shape :
        List.of("batch_size=1", "seq_len=1", "past_seq_len=16", "total_seq_len=17")) {
      arguments.addAll(List.of("--shape", shape));
    }

    CommandRun run = with(arguments, "--alias", "past_*=present_*");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors())
        .contains(
            "(com.microsoft.Attention): --alias past_0=present_0: reads 'past_0' while it writes"
                + " 'present_0'");
  }
}
