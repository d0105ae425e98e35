package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.gson.JsonObject;
import dev.sublet.codec.PlanReader;
import dev.sublet.codec.ProgramFormat;
import dev.sublet.plan.MemoryPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {

  @TempDir private Path folder;
  private Path input;
  private Path plan;

  @BeforeEach
  void writeInput() throws IOException {
    input = CommandRun.write(folder.resolve("in.pdmodel"), CommandRun.CHAIN);
    plan = folder.resolve("plan.pb");
  }

  @Test
  void writesAPlan_andPrintsWhatWasGained() {
    CommandRun run = CommandRun.of("plan", input, "-o", plan);

    assertThat(run.errors()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .isEqualTo(
            """
            operators            6
            variables            7
            bytes as saved       5,120 (5.00 KiB)
            arena                3,072 (3.00 KiB)
            lower bound          3,072 (3.00 KiB)
            arena ÷ lower bound  1.000
            proved optimal       yes
            validated            yes
            planner              greedy-size
            unplanned: 2
              2  persistable
            """);
    assertThat(PlanReader.read(plan).arenaBytes()).isEqualTo(3072);
  }

  @Test
  void json_hasTheSameNumbers() {
    JsonObject json = CommandRun.of("plan", input, "-o", plan, "--json").json();

    assertThat(json.get("naive_bytes").getAsLong()).isEqualTo(5120);
    assertThat(json.get("arena_bytes").getAsLong()).isEqualTo(3072);
    assertThat(json.getAsJsonArray("unplanned")).hasSize(2);
  }

  @Test
  void aDash_writesJsonToStandardOutput_andTheTableAside() {
    byte[] text = CommandRun.bytes(ProgramFormat.TEXT, CommandRun.CHAIN);

    CommandRun run = CommandRun.withInput(text, "plan", "-", "-o", "-");

    MemoryPlan read = PlanReader.parse(run.output(), "stdout");
    assertThat(run.text()).startsWith("{");
    assertThat(read.arenaBytes()).isEqualTo(3072);
    assertThat(run.errors()).startsWith("operators            6\n");
    assertThat(CommandRun.withInput(text, "plan", "-", "-o", "-", "-q").errors()).isEmpty();
  }

  @Test
  void verbose_listsTheUnplannedVariables() {
    CommandRun run = CommandRun.of("plan", input, "-o", plan, "-v");

    assertThat(run.text()).contains("unplanned variables:\n  block 0  feed   persistable\n");
  }

  @Test
  void aBadInput_leavesTheOldPlan() throws IOException {
    Files.writeString(plan, "old");
    Files.write(input, new byte[0]);

    CommandRun run = CommandRun.of("plan", input, "-o", plan);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errors()).isEqualTo("error: " + input + ": the file is empty\n");
    assertThat(Files.readString(plan)).isEqualTo("old");
    assertThat(CommandRun.filesIn(folder)).containsExactly("in.pdmodel", "plan.pb");
  }
}
