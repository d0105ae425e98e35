package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {

  @TempDir private Path folder;
  private Path input;

  @BeforeEach
  void writeInput() throws IOException {
    input =
        CommandRun.write(
            folder.resolve("in"),
            "version 2004001",
            "block 0",
            "feed x: fp32[-1,4]",
            "var w: fp32[4,4] persistable",
            "var y: fp32[-1,4]",
            "var z: fp32[3,-1]",
            "var c: bool[1]",
            "y = matmul(x, w)",
            "c = no_such_operator(y)",
            "conditional_block(Cond: c) -> (Scope: s) {sub_block: 1}",
            "fetch(y)",
            "block 1 parent 0",
            "z = detection_map(y)");
  }

  @Test
  void showsBlocksOperatorsVariablesAndBytes() {
    CommandRun run = CommandRun.of("inspect", input, "--batch", "2", "-q");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors()).isEmpty();
    assertThat(run.text())
        .isEqualTo(
            """
                    name  type  shape  declared as  bytes
            feed    x     fp32  2,4    -1,4         32
            result  y     fp32  2,4    -1,4         32

            version    2.4.1 (2004001)
            blocks     2
            operators  6
            variables  8

            block  parent  forward  operators  variables
                0       -        -          5          8
                1       0        -          1          0

            operator           count  in the catalog
            conditional_block      1  yes
            detection_map          1  yes
            feed                   1  yes
            fetch                  1  yes
            matmul                 1  yes
            no_such_operator       1  no

            kind of variable  count
            tensor                5
            feed_holder           1
            fetch_holder          1
            step_scopes           1

            tensors      count  unknown size  bytes of the others
            parameters       1             0  64
            feeds            1             0  32
            results          1             0  32
            temporaries      2             1  1

            tensors of unknown size: 1
              1  no shape rule for op 'detection_map'
            """);
  }

  @Test
  void verbose_listsTheTensorsOfUnknownSize() {
    CommandRun run = CommandRun.of("inspect", input, "-v", "-q");

    assertThat(run.text()).endsWith("  block 0  z  no shape rule for op 'detection_map'\n");
  }

  @Test
  void manyResults_areShownInPart_andThisIsSaidFirst() throws IOException {
    StringBuilder program = new StringBuilder("block 0\nfeed x: fp32[1]\n");
    for (int i = 0; i < 25; i++) {
      program.append("y").append(i).append(" = relu(x)\n");
    }
    CommandRun.write(input, program.toString());

    List<String> lines = CommandRun.of("inspect", input, "-v", "-q").text().lines().toList();

    assertThat(lines.get(0)).isEqualTo("shown are 20 of 25 results (-v)");
    assertThat(lines.get(22)).matches("result  y19 .*");
    assertThat(lines.get(23)).isEmpty();
    assertThat(lines.get(lines.size() - 2)).matches("result  y24 .*");
  }

  @Test
  void json_hasTheSameNumbers() {
    JsonObject json = CommandRun.of("inspect", input, "--json").json();

    assertThat(json.get("version").getAsLong()).isEqualTo(2004001);
    assertThat(json.getAsJsonArray("blocks").get(1).toString())
        .isEqualTo(
            "{\"block_idx\":1,\"parent_idx\":0,\"forward_block_idx\":-1,\"operators\":1,"
                + "\"variables\":0}");
    assertThat(json.getAsJsonArray("operator_types").get(5).toString())
        .isEqualTo("{\"op_type\":\"no_such_operator\",\"count\":1,\"known\":false}");
    assertThat(json.get("persistables").toString())
        .isEqualTo("{\"count\":1,\"bytes\":64,\"unknown\":0}");
    assertThat(json.get("temporaries").toString())
        .isEqualTo("{\"count\":2,\"bytes\":1,\"unknown\":1}");
    assertThat(json.get("unknown_size").toString())
        .isEqualTo(
            "[{\"block_idx\":0,\"variable\":\"z\",\"reason\":\"no shape rule for op 'detection_map'\"}]");
    assertThat(json.getAsJsonArray("inputs").toString())
        .isEqualTo(
            "[{\"variable\":\"x\",\"type\":\"fp32\",\"dims\":[1,4],\"declared\":\"-1,4\",\"bytes\":16}]");
    assertThat(
            json.getAsJsonArray("outputs").get(0).getAsJsonObject().get("variable").getAsString())
        .isEqualTo("y");
    assertThat(json.getAsJsonObject("variable_kinds").get("tensor").getAsInt()).isEqualTo(5);
  }

  @Test
  void aVersionThatIsNotRecorded_isSaid() throws IOException {
    CommandRun.write(input, "block 0", "feed x: fp32[1]", "fetch(x)");

    assertThat(CommandRun.of("inspect", input).text()).contains("\nversion    not recorded\n");
  }

  @Test
  void aFolderWithAModel_isRead() throws IOException {
    Path model = CommandRun.write(folder.resolve("__model__"), CommandRun.CHAIN);

    assertThat(CommandRun.of("inspect", folder).output())
        .isEqualTo(CommandRun.of("inspect", model).output());
  }
}
