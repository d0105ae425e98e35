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
  void anArenaThatIsTooLarge_isAHeadlineAndWhatItHoldsAtItsPeak() {
    CommandRun run = CommandRun.of("check", program, "--max-arena", "3071");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .isEqualTo(
            """
            too large: arena on cpu needs 3,072 (3.00 KiB), 1.01 times the limit of 3,071 \
            (3.00 KiB); no plan needs less than 3,072 (3.00 KiB)
              at block 0, op 2 (fused_feedforward), 3,072 (3.00 KiB) are in use:
                1,024    1.00 KiB   33 %  x  live: block 0, op 0 (feed) to block 0, op 5 (fetch)\
            ; feed
                1,024    1.00 KiB   33 %  a  live: block 0, op 1 (fused_feedforward) to block 0, \
            op 2 (fused_feedforward); activation
                1,024    1.00 KiB   33 %  b  live: block 0, op 2 (fused_feedforward) to block 0, \
            op 3 (fused_feedforward); activation
            """);
  }

  @Test
  void github_isAnAnnotationPerViolation() {
    CommandRun run =
        CommandRun.of("check", program, "--max-arena", "3071", "--format", "github", "-q");
    CommandRun ok = CommandRun.of("check", program, "--max-arena", "3KiB", "--format=github");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text().lines().count()).isEqualTo(1);
    assertThat(run.text())
        .startsWith(
            "::error file="
                + program
                + ",title=Sublet%3A memory too large::too large: arena on cpu needs 3,072 (3.00"
                + " KiB), 1.01 times the limit of 3,071 (3.00 KiB); no plan needs less than 3,072"
                + " (3.00 KiB)%0A  at block 0, op 2 (fused_feedforward), ");
    assertThat(run.text()).contains("   33 %25  x  live: ");
    assertThat(ok.text()).isEqualTo("ok\n");
  }

  @Test
  void formatJson_isJson_andNothingElseGoesWithJson() {
    CommandRun json = CommandRun.of("check", program, "--max-arena", "3071", "--json");
    CommandRun same = CommandRun.of("check", program, "--max-arena", "3071", "--format", "json");
    CommandRun both =
        CommandRun.of("check", program, "--max-arena", "3071", "--json", "--format", "github");

    assertThat(same.text()).isEqualTo(json.text());
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.errors()).isEqualTo("error: --json and --format exclude each other\n");
  }

  @Test
  void aPlan_isCheckedToo_withOperatorsIfItsProgramIsGiven() throws IOException {
    CommandRun alone = CommandRun.of("check", plan, "--max-arena", "3071");
    CommandRun named = CommandRun.of("check", plan, "--max-arena", "3071", "--program", program);
    CommandRun input =
        CommandRun.withInput(Files.readAllBytes(plan), "check", "-", "--max-arena", "3KiB");

    assertThat(alone.exitCode()).isEqualTo(1);
    assertThat(alone.text()).contains("\n  at operator 2, 3,072 (3.00 KiB) are in use:\n");
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
            "grown too much: arena on cpu needs 4,096 (4.00 KiB), 1.34 times the 3,072 (3.00 KiB)"
                + " of the baseline; at most 33.33% more are allowed, 4,095 in all\n  at block 0, ");
    assertThat(enough.text()).isEqualTo("ok\n");
    assertThat(none.text()).isEqualTo("ok\n");
  }

  @Test
  void aPicture_isOfThePlanBesideTheBaseline() throws IOException {
    Path page = folder.resolve("grown.html");
    CommandRun run =
        CommandRun.of("check", program, "--batch=2", "--baseline", plan, "--report", page, "-q");
    CommandRun alone =
        CommandRun.of("check", program, "--max-arena", "3KiB", "--report", page, "-q");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(Files.readString(page))
        .contains("\"comparison\":{\"before\":\"plan.pb\",\"after\":\"in\",\"facts\":[\"batch");
    assertThat(alone.exitCode()).isEqualTo(2);
    assertThat(alone.errors())
        .isEqualTo(
            "error: --report draws the plan beside the baseline: give one with --baseline PLAN\n");
  }

  @Test
  void bothLimits_areAHeadlineEach_andOneTable() throws IOException {
    CommandRun run =
        CommandRun.of("check", program, "--batch=2", "--max-arena=3KiB", "--baseline", plan, "-q");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text().lines().filter(line -> !line.startsWith("  ")).count()).isEqualTo(2);
    assertThat(run.text().lines().filter(line -> line.startsWith("  at ")).count()).isEqualTo(1);
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
    assertThat(run.text())
        .startsWith("too large: arena in dram needs 2,048 (2.00 KiB), 2.00 times the limit");
    assertThat(run.text()).doesNotContain("sram");
    assertThat(named.text()).isEqualTo("ok\n");
  }

  @Test
  void json_hasTheSame() {
    JsonObject json = CommandRun.of("check", program, "--max-arena", "3071", "--json").json();
    JsonObject arena = json.getAsJsonArray("arenas").get(0).getAsJsonObject();

    assertThat(json.get("ok").getAsBoolean()).isFalse();
    assertThat(arena.get("bytes").getAsLong()).isEqualTo(3072);
    assertThat(arena.get("limit").getAsLong()).isEqualTo(3071);
    assertThat(arena.getAsJsonArray("violations")).hasSize(1);
    assertThat(arena.get("baseline_bytes").isJsonNull()).isTrue();
    assertThat(arena.getAsJsonObject("peak").getAsJsonObject("operator").get("op_idx").getAsInt())
        .isEqualTo(2);
    assertThat(arena.getAsJsonObject("peak").getAsJsonArray("live")).hasSize(3);
  }
}
