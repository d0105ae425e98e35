package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {

  @TempDir private Path folder;

  /** The arena takes 3072 bytes: x, and two of the others. */
  private Path program;

  private Path plan;

  @BeforeEach
  void writeInputs() throws IOException {
    program = CommandRun.write(folder.resolve("in"), CommandRun.CHAIN);
    plan = folder.resolve("plan.pb");
    assertThat(CommandRun.of("plan", program, "-o", plan).exitCode()).isEqualTo(0);
  }

  @Test
  void anArenaWithinItsLimit_isOk() {
    CommandRun run = CommandRun.of("check", program, "--max-arena", "3KiB");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).isEqualTo("ok\n");
    assertThat(run.errors()).isEmpty();
  }

  @Test
  void anArenaThatIsTooLarge_isOneLineWithThePeak() {
    CommandRun run = CommandRun.of("check", program, "--max-arena", "3071");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .isEqualTo(
            "arena on cpu: 3,072 (3.00 KiB), 1 more than the limit of 3,071 (3.00 KiB); no plan"
                + " needs less than 3,072; the peak, 3,072, is at block 0, op 2"
                + " (fused_feedforward) with 'x' (1,024), 'a' (1,024), 'b' (1,024)\n");
  }

  @Test
  void aPlan_isCheckedToo_withOperatorsIfItsProgramIsGiven() throws IOException {
    CommandRun alone = CommandRun.of("check", plan, "--max-arena", "3071");
    CommandRun named = CommandRun.of("check", plan, "--max-arena", "3071", "--program", program);
    CommandRun input =
        CommandRun.withInput(Files.readAllBytes(plan), "check", "-", "--max-arena", "3KiB");

    assertThat(alone.exitCode()).isEqualTo(1);
    assertThat(alone.text()).contains("the peak, 3,072, is at operator 2 in nesting order with");
    assertThat(named.text())
        .isEqualTo(CommandRun.of("check", program, "--max-arena", "3071").text());
    assertThat(input.text()).isEqualTo("ok\n");
  }

  @Test
  void growth_isExact() throws IOException {
    // 3072 bytes and 33.33 % of them are 4095.8976: not 4096.
    Path larger =
        CommandRun.write(
            folder.resolve("larger"),
            CommandRun.CHAIN.replace("fused_feedforward(c, c)", "fused_feedforward(c, a)"));

    CommandRun tooMuch =
        CommandRun.of("check", larger, "--baseline", plan, "--max-growth", "33.33%");
    CommandRun enough = CommandRun.of("check", larger, "--baseline", plan, "--max-growth=33.34");
    CommandRun none = CommandRun.of("check", program, "--baseline", plan);

    assertThat(tooMuch.exitCode()).isEqualTo(1);
    assertThat(tooMuch.text())
        .startsWith(
            "arena on cpu: 4,096 (4.00 KiB), 1,024 more than the 3,072 (3.00 KiB) of the baseline;"
                + " at most 33.33% more are allowed, 4,095 in all; the peak, 4,096, is at ");
    assertThat(enough.text()).isEqualTo("ok\n");
    assertThat(none.text()).isEqualTo("ok\n");
  }

  @Test
  void bothLimits_areALineEach() throws IOException {
    CommandRun run =
        CommandRun.of("check", program, "--batch=2", "--max-arena=3KiB", "--baseline", plan, "-q");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text().lines().count()).isEqualTo(2);
    assertThat(run.errors()).isEmpty();
  }

  @Test
  void otherFeedsThanThoseOfTheBaseline_areAWarning() {
    CommandRun run = CommandRun.of("check", program, "--shape", "x=1,256", "--baseline", plan);

    assertThat(run.errors())
        .isEqualTo(
            "warning: the baseline is for feeds as declared, but the plan for --shape x=1,256\n");
  }

  @Test
  void anotherBatchThanThatOfTheBaseline_isAWarning() {
    CommandRun run = CommandRun.of("check", program, "--batch=2", "--baseline", plan);

    assertThat(run.errors())
        .isEqualTo("warning: the baseline is for batch 1, but the plan for batch 2\n");
  }

  @Test
  void aNamedLimit_isForThatArenaOnly() {
    CommandRun run =
        CommandRun.of(
            "check", program, "--pool=sram:1KiB", "--pool=dram", "--max-arena=1KiB", "-q");
    CommandRun named =
        CommandRun.of(
            "check",
            program,
            "--pool=sram:1KiB",
            "--pool=dram",
            "--max-arena=1KiB",
            "--max-arena=dram:2KiB",
            "-q");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).startsWith("arena in dram: 2,048 (2.00 KiB), 1,024 more than the limit");
    assertThat(run.text().lines().count()).isEqualTo(1);
    assertThat(named.text()).isEqualTo("ok\n");
  }

  @Test
  void json_hasTheSame() {
    JsonObject json = CommandRun.of("check", program, "--max-arena", "3071", "--json").json();
    JsonObject arena = json.getAsJsonArray("arenas").get(0).getAsJsonObject();

    assertThat(json.get("ok").getAsBoolean()).isFalse();
    assertThat(arena.get("bytes").getAsLong()).isEqualTo(3072);
    assertThat(arena.get("limit").getAsLong()).isEqualTo(3071);
    assertThat(arena.get("baseline_bytes").isJsonNull()).isTrue();
    assertThat(arena.getAsJsonObject("peak").getAsJsonObject("operator").get("op_idx").getAsInt())
        .isEqualTo(2);
    assertThat(arena.getAsJsonObject("peak").getAsJsonArray("live")).hasSize(3);
  }
}
