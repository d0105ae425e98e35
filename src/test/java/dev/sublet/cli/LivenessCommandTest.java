package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.Lists;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
            block  variable  bytes  web  operators  points    first                last                   observed
                0  x             8    0  0-8        [0, 18)   0:0 feed             0:6 fetch              a feed
                0  c             1    0  2-3        [5, 8)    0:2 fill_constant    0:3 conditional_block
                0  y             8    0  4-7        [9, 16)   1:0 relu             0:5 elementwise_add
                0  a             8    0  1-4        [3, 10)   0:1 relu             1:0 relu
                0  a             8    1  6-7        [13, 16)  0:4 fill_constant    0:5 elementwise_add
                0  b             8    0  7-8        [15, 18)  0:5 elementwise_add  0:6 fetch              fetched
            most bytes live together: 32, first at operator 7, block 0, op 5 (elementwise_add)
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
        .isEqualTo("    0  s             ?    -  -          -       -      -");
  }

  @Test
  void anUnknownName_isAUsageError() {
    CommandRun run = CommandRun.of("liveness", input, "none");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors())
        .isEqualTo(
            "error: no block declares 'none'; the variables are: x, c, y, feed, a, s, b, fetch\n");
  }

  @Test
  void top_showsTheLargest_orThoseThatLiveLongest() {
    assertThat(CommandRun.of("liveness", input, "--top", "2").text())
        .isEqualTo(
            """
            the first 2 of 5 variables, by bytes
            block  variable  bytes  web  operators  points   first     last                 observed
                0  x             8    0  0-8        [0, 18)  0:0 feed  0:6 fetch            a feed
                0  y             8    0  4-7        [9, 16)  1:0 relu  0:5 elementwise_add
            most bytes live together: 32, first at operator 7, block 0, op 5 (elementwise_add)
            """);
    List<String> byTime =
        CommandRun.of("liveness", input, "--sort", "time").text().lines().toList();
    assertThat(Lists.transform(byTime.subList(1, 7), line -> line.substring(5, 9).strip()))
        .containsExactly("x", "a", "a", "y", "c", "b")
        .inOrder();
  }

  @Test
  void atThePeak_ranksTheVariablesThatAreLiveThere() {
    CommandRun run = CommandRun.of("liveness", input, "--at", "PEAK");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .isEqualTo(
            """
            operator 7, block 0, op 5 (elementwise_add): 32 bytes live after it, in 4 variables; this is the peak

            bytes   share  kind        block  variable  type    live  written by           last read by         observed  source
                8  25.0 %  feed            0  x         fp32 2  0-8   0:0 feed             0:6 fetch            a feed
                8  25.0 %  activation      0  y         fp32 2  4-7   1:0 relu             0:5 elementwise_add
                8  25.0 %  activation      0  a         fp32 2  6-7   0:4 fill_constant    0:5 elementwise_add
                8  25.0 %  result          0  b         fp32 2  7-8   0:5 elementwise_add  0:6 fetch            fetched
            """);
  }

  @Test
  void atAnOperator_theFirstVariablesAreShown_andThePeakIsNamed() {
    CommandRun run = CommandRun.of("liveness", input, "--at", "2", "--top", "1");

    assertThat(run.text())
        .isEqualTo(
            """
            operator 2, block 0, op 2 (fill_constant): 17 bytes live after it, in 3 variables; the peak is 32 bytes, at operator 7

            the first 1 of 3 variables, by bytes
            bytes   share  kind  block  variable  type    live  written by  last read by  observed  source
                8  47.1 %  feed      0  x         fp32 2  0-8   0:0 feed    0:6 fetch     a feed
            """);
    JsonObject json = CommandRun.of("liveness", input, "--at", "2", "--top", "1", "--json").json();
    assertThat(json.get("bytes").getAsLong()).isEqualTo(17);
    assertThat(json.getAsJsonObject("peak").get("node").getAsInt()).isEqualTo(7);
    assertThat(json.get("left_out").getAsInt()).isEqualTo(2);
    assertThat(json.getAsJsonArray("variables")).hasSize(1);
  }

  @Test
  void atNoOperator_isAUsageError() {
    for (String at : List.of("9", "-1", "peek")) {
      CommandRun run = CommandRun.of("liveness", input, "--at=" + at);

      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.errors())
          .isEqualTo(
              "error: --at '"
                  + at
                  + "' is neither PEAK nor the number of an operator; the operators are 0 to 8\n");
    }
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

  private static final String NESTED =
      """
      block 0
      feed x: fp32[2]
      var c: bool[1]
      c = fill_constant()
      y = assign(x)
      while(Condition: c, X: x y) -> (Out: y c, StepScopes: s) {sub_block: 1, is_test: true}
      fetch(y)
      block 1 parent 0
      c = fill_constant()
      conditional_block(Cond: c, Input: y) -> (Out: y, Scope: t) {sub_block: 2}
      block 2 parent 1
      y = relu(y)
      """;

  @Test
  void dot_isTheControlFlowGraph() throws IOException {
    CommandRun.write(input, NESTED);

    CommandRun run = CommandRun.of("liveness", input, "--dot");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .isEqualTo(
            """
            digraph program {
              label="bytes that are live into each operator";
              labelloc=t;
              node [shape=box, fontname="sans-serif", fontsize=10];
              edge [fontname="sans-serif", fontsize=9];
              subgraph cluster_0 {
                label="block 0";
                n0 [label="0 feed\\n8"];
                n1 [label="1 fill_constant\\n8"];
                n2 [label="2 assign\\n9\\npeak: 17", penwidth=3, color=red];
                n3 [label="3 while head\\n17"];
                subgraph cluster_1 {
                  label="block 1, while";
                  n4 [label="0 fill_constant\\n16"];
                  n5 [label="1 conditional_block head\\n17"];
                  subgraph cluster_2 {
                    label="block 2, conditional_block";
                    n6 [label="0 relu\\n17"];
                  }
                  n7 [label="1 conditional_block exit\\n17"];
                }
                n8 [label="3 while exit\\n16"];
                n9 [label="4 fetch\\n16"];
              }
              end [shape=oval];
              n0 -> n1;
              n1 -> n2;
              n2 -> n3;
              n3 -> n4;
              n3 -> n8 [label="ends", style=dashed];
              n4 -> n5;
              n5 -> n6;
              n5 -> n7 [label="skipped", style=dashed];
              n6 -> n7;
              n7 -> n3 [label="again", style=bold, constraint=false];
              n8 -> n9;
              n9 -> end;
            }
            """);
  }

  @Test
  void dot_marksWhereAVariableIsLive() {
    String dot = CommandRun.of("liveness", input, "a", "--dot").text();

    List<String> marked = dot.lines().filter(line -> line.endsWith("style=dashed];")).toList();
    // [3, 10) and [13, 16): operators 1 to 4, 6 and 7; and the edge around the branch.
    assertThat(Lists.transform(marked, line -> line.strip().substring(0, 2)))
        .containsExactly("n1", "n2", "n3", "n4", "n6", "n7", "n3")
        .inOrder();
  }

  @Test
  void dot_excludesOtherForms() {
    assertThat(CommandRun.of("liveness", input, "--dot", "--json").errors())
        .isEqualTo("error: --dot prints a graph; leave --json out\n");
    CommandRun run = CommandRun.of("liveness", input, "--dot", "--raw");
    assertThat(run.errors()).isEqualTo("error: --dot prints a graph; leave --raw out\n");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.text()).isEmpty();
  }

  /** Graphviz itself accepts the graph, and finds what was meant, whatever names hold. */
  @Test
  void dot_isReadByGraphviz() throws Exception {
    assumeTrue(hasGraphviz(), "skipped: there is no dot (Debian's graphviz)");
    CommandRun.write(input, NESTED);
    String odd = CommandRun.of("liveness", input, "--dot").text();
    CommandRun.write(
        input, NESTED.replace("y = relu(y)", "y = relu(y)\n\"a\\\"b\\\\&amp; c\" = tanh(y)"));
    String named = CommandRun.of("liveness", input, "a\"b\\&amp; c", "--dot").text();

    for (String graph : List.of(odd, named)) {
      String plain = graphviz(graph);
      long nodes = graph.lines().filter(line -> line.matches(" +(n\\d+|end) \\[.*")).count();
      long edges = graph.lines().filter(line -> line.contains(" -> ")).count();
      assertThat(plain.lines().filter(line -> line.startsWith("node ")).count()).isEqualTo(nodes);
      assertThat(plain.lines().filter(line -> line.startsWith("edge ")).count()).isEqualTo(edges);
    }
    assertThat(named).contains("dashed where 'a\\\"b\\\\&amp;amp; c' is live");
  }

  private static boolean hasGraphviz() throws Exception {
    try {
      return new ProcessBuilder("dot", "-V").redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** What Graphviz makes of a graph: a line for each node and edge. */
  private String graphviz(String graph) throws Exception {
    Path file = Files.writeString(folder.resolve("graph.dot"), graph);
    Process process =
        new ProcessBuilder("dot", "-Tplain", file.toString()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertWithMessage(output).that(process.waitFor()).isEqualTo(0);
    assertThat(output).startsWith("graph ");
    return output;
  }
}
