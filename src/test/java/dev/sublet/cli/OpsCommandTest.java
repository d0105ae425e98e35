package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.gson.JsonObject;
import dev.sublet.operator.OperatorCatalog;
import org.junit.jupiter.api.Test;

class OpsCommandTest {

  @Test
  void listsTheWholeCatalog() {
    CommandRun run = CommandRun.of("ops");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text().lines().count() - 1).isEqualTo(OperatorCatalog.standard().all().size());
    assertThat(run.text()).containsMatch("\nwhile +may_write +while ");
  }

  @Test
  void operatorsOfOneFramework() {
    String onnx = CommandRun.of("ops", "--of", "onnx").text();
    String paddle = CommandRun.of("ops", "--of", "paddle").text();
    assertThat(onnx).containsMatch("\\ncom\\.microsoft\\.Gelu ");
    assertThat(onnx).containsMatch("\\nSplit .* 0 in 0 ");
    assertThat(onnx).doesNotContainMatch("\\nrelu ");
    assertThat(paddle).containsMatch("\\nrelu ");
    assertThat(paddle).doesNotContainMatch("\\nRelu ");
    assertThat(onnx.lines().count() + paddle.lines().count() - 2)
        .isEqualTo(OperatorCatalog.standard().all().size());
  }

  @Test
  void showsHowOperatorsRun() {
    assertThat(CommandRun.of("ops", "relu").text()).containsMatch("\nrelu .* rule +micro ops ");
    assertThat(CommandRun.of("ops", "argsort").text()).containsMatch("\nargsort .* natively ");
    assertThat(CommandRun.of("ops", "while").text()).containsMatch("\nwhile .* natively ");
    assertThat(CommandRun.of("ops", "recurrent_grad").text())
        .containsMatch("\nrecurrent_grad .* rule +- +- +-\n");
  }

  @Test
  void aVersion_tellsWhichPairsAreOn() {
    String runs = "X->Out \\[[^]]+\\], [0-9]+ and [0-9]+ runs";
    assertThat(CommandRun.of("ops", "relu").text()).containsMatch(runs + " ");
    assertThat(CommandRun.of("ops", "relu", "--version", "2004001").text())
        .containsMatch(runs + ", on ");
    assertThat(CommandRun.of("ops", "acos", "--version", "1008000").text())
        .containsMatch(runs + ", off\n");
    assertThat(CommandRun.of("ops", "scatter_grad", "--version", "2004001").text())
        .containsMatch("Out@GRAD->X@GRAD \\[[^]]+\\] never: .*, not run, off ");
  }

  @Test
  void anUnknownType_isShownAsItIsAssumed_withExitCode1() {
    CommandRun run = CommandRun.of("ops", "no_such_operator");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .endsWith(
            """
            no_such_operator  may_write  none     passes  -       -     -     -         not in the catalog: the worst is assumed
            """);
  }

  @Test
  void json_hasEverything() {
    JsonObject json = CommandRun.of("ops", "shape", "--version", "2004001", "--json").json();

    assertThat(json.getAsJsonArray("operators")).hasSize(1);
    JsonObject operator = json.getAsJsonArray("operators").get(0).getAsJsonObject();
    assertThat(operator.keySet())
        .containsExactly(
            "op_type",
            "known",
            "control",
            "default_effect",
            "output_effects",
            "lod",
            "lod_sources",
            "lod_replaced",
            "shape_rule",
            "runs",
            "view",
            "in_place",
            "host_outputs",
            "no_need_buffer",
            "aliases")
        .inOrder();
    assertThat(operator.get("host_outputs").toString()).isEqualTo("[\"Out\"]");
  }
}
