package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LivenessCommandTest {

  @TempDir private Path folder;
  private Path input;

  @BeforeEach
  void writeInput() throws IOException {
    input =
        CommandRun.write(
            folder.resolve("in"),
            "block 0",
            "feed x: fp32[2]",
            "var c: bool[1]",
            "var y: fp32[-1,-1]",
            "a = relu(x)",
            "c = fill_constant()",
            "conditional_block(Cond: c, Input: a) -> (Out: y, Scope: s) {sub_block: 1}",
            "a = fill_constant()",
            "b = elementwise_add(a, y)",
            "fetch(b)",
            "block 1 parent 0",
            "y = relu(a)");
  }

  @Test
  void showsEachWebOfEachVariable() {
    CommandRun run = CommandRun.of("liveness", input);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .isEqualTo(
            """
            block  variable  bytes  web  operators  points    seen outside
                0  x             8    0  0-8        [0, 18)   a feed
                0  c             1    0  2-3        [5, 8)
                0  y             8    0  4-7        [9, 16)
                0  a             8    0  1-4        [3, 10)
                0  a             8    1  6-7        [13, 16)
                0  b             8    0  7-8        [15, 18)  fetched
            """);
  }

  @Test
  void aName_showsOnlyItsVariables() {
    CommandRun run = CommandRun.of("liveness", input, "a", "--json");

    assertThat(run.json().toString())
        .isEqualTo(
            "{\"end_point\":18,\"variables\":[{\"block_idx\":0,\"variable\":\"a\",\"bytes\":8,"
                + "\"seen_outside\":\"\",\"webs\":["
                + "[{\"begin\":3,\"end\":10,\"first_node\":1,\"last_node\":4}],"
                + "[{\"begin\":13,\"end\":16,\"first_node\":6,\"last_node\":7}]]}]}");
  }

  @Test
  void aVariableWithoutARange_isShownIfNamed() {
    assertThat(CommandRun.of("liveness", input, "s").text().lines().toList().get(1))
        .isEqualTo("    0  s             ?    -  -          -");
  }

  @Test
  void anUnknownName_isAUsageError() {
    CommandRun run = CommandRun.of("liveness", input, "none");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors()).isEqualTo("error: no block declares 'none'\n");
  }

  @Test
  void raw_showsTheTextbooksSets_withHeadsAndExits() throws IOException {
    CommandRun.write(
        input,
        "block 0",
        "var b: fp32[1]",
        "var c: bool[1]",
        "a = relu(b)",
        "conditional_block(Cond: c, Input: a) -> (Out: d, Scope: s) {sub_block: 1}",
        "e = relu(d)",
        "block 1 parent 0",
        "d = relu(a)");

    CommandRun run = CommandRun.of("liveness", input, "--raw", "-q");

    assertThat(run.text())
        .isEqualTo(
            """
            0: block 0, op 0 (relu)
              live_in = {b, c, d}
              live_out = {a, c, d}
            1: block 0, op 1 (conditional_block) head
              live_in = {a, c, d}
              live_out = {a, d}
            2: block 1, op 0 (relu)
              live_in = {a}
              live_out = {d}
            3: block 0, op 1 (conditional_block) exit
              live_in = {d}
              live_out = {d}
            4: block 0, op 2 (relu)
              live_in = {d}
              live_out = {}
            """);
  }

  @Test
  void rawAsJson_hasTheSameSets() throws IOException {
    CommandRun.write(input, CommandRun.CHAIN);

    JsonObject json = CommandRun.of("liveness", input, "--raw", "--json").json();

    assertThat(json.getAsJsonArray("nodes")).hasSize(6);
    assertThat(json.getAsJsonArray("nodes").get(2).toString())
        .isEqualTo(
            "{\"node\":2,\"block_idx\":0,\"op_idx\":2,\"op_type\":\"fused_feedforward\",\"part\":\"\","
                + "\"live_in\":[\"a\",\"fetch\"],\"live_out\":[\"b\",\"fetch\"]}");
  }
}
