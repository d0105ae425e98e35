package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.base.Splitter;
import com.google.gson.JsonObject;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.report.format.Quantity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpsCommandTest {

  @Test
  void withoutArguments_countsTheOperators_andExplainsTheColumns() {
    CommandRun run = CommandRun.of("ops");

    int types = OperatorCatalog.standard().all().size();
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).startsWith("Sublet knows " + Quantity.count(types) + " operator types;");
    assertThat(run.text().lines().count()).isLessThan(35);
    for (String column : List.of("shapes", "in place", "view", "runs")) {
      assertThat(run.text()).containsMatch("\n" + column + " +[a-z']");
    }
  }

  @Test
  void opset_countsItsTypes_andListsThoseThatDoNotRun() {
    CommandRun run = CommandRun.of("ops", "--opset", "21");
    JsonObject json = CommandRun.of("ops", "--opset", "21", "--json").json();

    int types = json.get("types").getAsInt();
    int runs = json.get("runs").getAsInt();
    assertThat(run.text()).contains("has " + types + " operator types.");
    assertThat(run.text()).contains(" executes " + runs + " of them ");
    assertThat(run.text().lines().filter(line -> line.startsWith("  ")).count())
        .isEqualTo(types - runs);
    assertThat(run.text()).contains("\n  StringSplit\n");
    assertThat(run.text()).doesNotContain("\n  Attention\n"); // since opset 23
    assertThat(runs).isAtLeast((int) Math.ceil(0.9 * types));
  }

  @Test
  void opsetThatIsNotKnown_isAUsageError() {
    CommandRun run = CommandRun.of("ops", "--opset", "400");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors()).contains("--opset is 400; give one from 7 to 21");
    assertThat(CommandRun.of("ops", "relu", "--opset", "21").exitCode()).isEqualTo(2);
  }

  /**
   * The numbers of Paddle's families and of ONNX's domains add up to those of the framework, which
   * are counted from the list.
   */
  @Test
  void theFamiliesAddUp() {
    List<String> rows = CommandRun.of("ops").text().lines().toList();
    long[] sums = new long[5];
    for (String row : rows) {
      if (row.startsWith("  ") && row.matches(".* [0-9,]+")) {
        assertThat(row).doesNotContainMatch("^ +[0-9]");
        long[] numbers = numbers(row);
        for (int i = 0; i < sums.length; i++) {
          sums[i] += numbers[i];
        }
      } else if (row.startsWith("Paddle") || row.startsWith("ONNX")) {
        assertThat(numbers(row)).isEqualTo(sums);
        checkList(row.startsWith("Paddle") ? "paddle" : "onnx", sums);
        sums = new long[5];
      }
    }
  }

  private static void checkList(String framework, long[] sums) {
    String list = CommandRun.of("ops", "--of", framework).text();
    assertThat(list.lines().count() - 1).isEqualTo(sums[0]);
    assertThat(list.lines().filter(row -> row.contains(" rule ")).count()).isEqualTo(sums[1]);
    assertThat(list.lines().filter(row -> row.contains("->")).count()).isEqualTo(sums[2]);
  }

  private static long[] numbers(String row) {
    List<String> cells = Splitter.on(' ').omitEmptyStrings().splitToList(row.replace(",", ""));
    long[] numbers = new long[5];
    for (int i = 0; i < 5; i++) {
      numbers[i] = Long.parseLong(cells.get(cells.size() - 5 + i));
    }
    return numbers;
  }

  @Test
  void all_listsTheWholeCatalog() {
    CommandRun run = CommandRun.of("ops", "--all");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text().lines().count() - 1).isEqualTo(OperatorCatalog.standard().all().size());
    assertThat(run.text()).containsMatch("\nwhile +may_write +while ");
  }

  @Test
  void operatorsOfOneFramework() {
    String onnx = CommandRun.of("ops", "--of", "onnx").text();
    String paddle = CommandRun.of("ops", "--of", "paddle").text();
    assertThat(onnx).containsMatch("\ncom\\.microsoft\\.Gelu ");
    assertThat(onnx).containsMatch("\\nSplit .* 0 in 0 ");
    assertThat(onnx).doesNotContainMatch("\\nrelu ");
    assertThat(paddle).containsMatch("\\nrelu ");
    assertThat(paddle).doesNotContainMatch("\\nRelu ");
    assertThat(onnx.lines().count() + paddle.lines().count() - 2)
        .isEqualTo(OperatorCatalog.standard().all().size());
  }

  @Test
  void aType_isExplained() {
    assertThat(CommandRun.of("ops", "reshape2").text())
        .isEqualTo(
            """
            reshape2, an operator of Paddle; family: shape

            outputs  must_write  each output is written entirely
            control  none        it runs no block
            lod      passes      outputs may carry the sequence offsets of inputs
            shapes   rule        the shapes of the outputs are inferred
            runs     micro ops   'sublet run' executes it as loops of micro ops
            view     X=Out       one argument repeats bytes of the other and may lie in it (--views)

            in place: the output may take the memory of an input that is not read later
              X->Out [1.5,1.8,2.0,2.2,2.3,2.4,2.6,HEAD] under two names beside Shape or ShapeTensor, 71 and 77 runs
            (input->output [versions of Paddle that list the pair] condition, runs of Paddle in which
            both sides had one name, and one buffer, and the bits were equal)

            further: XShape: may_write
            """);
  }

  /** An operator that writes an input, one that may write nothing, and one that adds to arrays. */
  @ParameterizedTest
  @CsvSource({
    "assign_pos,   modified inputs: cum_count",
    "select_input, old value stays if an input is empty: Out",
    "sum,          arrays get more elements: Out; LoD is replaced: Out",
  })
  void unusualEffects_areShown(String type, String further) {
    assertThat(CommandRun.of("ops", type).text()).endsWith("\nfurther: " + further + "\n");
  }

  @Test
  void aTypeOfOnnx_isKnown_withOrWithoutTheStandardDomain() {
    CommandRun run = CommandRun.of("ops", "Conv");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .startsWith(
            """
            Conv, an operator of ONNX
            Models with it are read and planned as they are; it becomes no operator of Paddle.

            outputs  must_write  each output is written entirely
            """);
    assertThat(CommandRun.of("ops", "ai.onnx.Conv").text()).isEqualTo(run.text());
    assertThat(CommandRun.of("ops", "ai.onnx.ml.Scaler").exitCode()).isEqualTo(0);
  }

  @Test
  void showsHowOperatorsRun() {
    assertThat(CommandRun.of("ops", "relu").text()).contains("\nruns     micro ops   ");
    assertThat(CommandRun.of("ops", "argsort").text()).contains("\nruns     natively    ");
    assertThat(CommandRun.of("ops", "while").text()).contains("\nruns     natively   ");
    assertThat(CommandRun.of("ops", "recurrent_grad").text()).containsMatch("\nruns     -   ");
  }

  @Test
  void aVersion_tellsWhichPairsAreOn() {
    String runs = "X->Out \\[[^]]+\\], [0-9]+ and [0-9]+ runs";
    assertThat(CommandRun.of("ops", "relu").text()).containsMatch(runs + "\n");
    assertThat(CommandRun.of("ops", "relu", "--version", "2004001").text())
        .containsMatch(runs + ", on\n");
    assertThat(CommandRun.of("ops", "acos", "--version", "1008000").text())
        .containsMatch(runs + ", off\n");
    assertThat(CommandRun.of("ops", "scatter_grad", "--version", "2004001").text())
        .containsMatch("Out@GRAD->X@GRAD \\[[^]]+\\] never: .*, not run, off\n");
  }

  @Test
  void anUnknownType_isShownAsItIsAssumed_withExitCode1() {
    CommandRun run = CommandRun.of("ops", "no_such_operator");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .startsWith(
            """
            no_such_operator is not in the catalog: the worst is assumed

            outputs  may_write  an output may keep its old value or a part of it
            """);
    assertThat(CommandRun.of("ops", "conv2").text())
        .startsWith("conv2 is not in the catalog: the worst is assumed; did you mean 'conv2d'?\n");
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
            "kept_if_empty",
            "added_to",
            "written_inputs",
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
