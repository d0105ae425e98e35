package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

  @TempDir private Path folder;

  private Path loop(String... body) throws IOException {
    String[] lines = {
      "version 2003002",
      "block 0",
      "feed x: fp32[8]",
      "feed i: int64[1]",
      "feed n: int64[1]",
      "var a: fp32[8]",
      "var b: fp32[8]",
      "default fp32[8]",
      "a = relu(x)",
      "b = tanh(x)",
      "c = less_than(X: i, Y: n)",
      "while(Condition: c, X: a b i n) -> (Out: a b i c, StepScopes: s) {sub_block: 1}",
      "r = elementwise_add(a, b)",
      "fetch(r)",
      "block 1 parent 0"
    };
    String[] all = new String[lines.length + body.length + 2];
    System.arraycopy(lines, 0, all, 0, lines.length);
    System.arraycopy(body, 0, all, lines.length, body.length);
    all[all.length - 2] = "i = increment(i)";
    all[all.length - 1] = "c = less_than(X: i, Y: n)";
    return CommandRun.write(folder.resolve("in"), all);
  }

  /** An open declaration suits occupants of any size, but not a variable that is fetched. */
  @Test
  void fetchedVariable_takesNoOpenDeclaration() throws IOException {
    Path program =
        CommandRun.write(
            folder.resolve("in"),
            "version 2003002",
            "block 0",
            "var a: fp32[-1, -1]",
            "var b: fp32[1]",
            "var k: fp32[400]",
            "feed z: fp32[-1, -1]",
            "feed y: fp32[400]",
            "a = tanh(z)",
            "b = mean(a)",
            "k = tanh(y)",
            "fetch(b)",
            "fetch(k)");

    CommandRun run = CommandRun.of("explain", program, "a", "--fusion", "off");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .contains("one of them must keep its name and declaration, which do not suit the other");
  }

  @Test
  void saysOfEachCarryWhatBecomesOfItsCopy() throws IOException {
    CommandRun run =
        CommandRun.of(
            "explain",
            loop(
                "y = cumsum(a) {axis: 0, exclusive: true}",
                "z = tanh(b)",
                "a = assign(y)",
                "b = assign(z)"));

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .isEqualTo(
            """
            loop of block 1: everything is back in its place after 2 iterations
              variable  next value  bytes  copy                   because
              a         y              32  none: 2 slots in turn  it is still needed when its next value is computed
              b         z              32  none: one place        it is not needed any more when its next value is computed
            """);
  }

  @Test
  void whatMustKeepItsName_isCopiedForThatReason() throws IOException {
    CommandRun run = CommandRun.of("explain", loop("y = tanh(a)", "a = assign(y)"), "--keep", "y");

    assertThat(run.text())
        .contains("a         y              32  stays  the copied variable must keep its name");
  }

  /** Two buffers are written in place, then copied onto themselves; four values are carried. */
  @Test
  void aRealDecoderLoop_hasAReasonForEachCarry() throws IOException {
    String corpus = System.getenv("SUBLET_CORPUS");
    assumeTrue(corpus != null, "skipped: SUBLET_CORPUS names no folder");
    CommandRun run =
        CommandRun.of(
            "explain",
            Path.of(corpus, "paddle", "slanet_ch"),
            "--batch",
            "1",
            "--shape",
            "x=1,3,488,488");

    String free = "none: one place  it is not needed any more when its next value is computed";
    String onto = "stays  it is copied onto itself, which moves nothing";
    String changed = onto + ": 'set_value' has changed it in place";
    assertThat(run.text().lines().skip(2).map(line -> line.strip().replaceAll(" {2,}", "  ")))
        .containsExactly(
            "fill_constant_21.tmp_0  argmax_0.tmp_0  4  " + free,
            "fill_constant_5.tmp_0  tmp_13  1,024 (1.00 KiB)  " + free,
            "fill_constant_23.tmp_0  tmp_20  8  " + free,
            "tmp_4  tmp_22  1  " + free,
            "fill_constant_15.tmp_0  fill_constant_15.tmp_0  16,032 (15.66 KiB)  " + changed,
            "fill_constant_9.tmp_0  fill_constant_9.tmp_0  100,200 (97.85 KiB)  " + changed,
            "assign_0.tmp_0  assign_0.tmp_0  8  " + onto,
            "transpose_0.tmp_0  transpose_0.tmp_0  98,304 (96.00 KiB)  " + onto)
        .inOrder();
  }

  @Test
  void aBodyTooLargeToBeRepeated_isCopiedInForThatReason() throws IOException {
    List<String> lines = new ArrayList<>(List.of("block 0", "feed x: fp32[8]", "feed i: int64[1]"));
    lines.addAll(List.of("feed n: int64[1]", "default fp32[8]"));
    for (int k = 0; k < 6; k++) {
      lines.add("p" + k + " = relu(x)");
    }
    lines.add("c = less_than(X: i, Y: n)");
    lines.add("while(Condition: c, X: p0 i n) -> (Out: p0 i c, StepScopes: s) {sub_block: 1}");
    lines.add("r = sum(p0 p1)");
    lines.add("fetch(r)");
    lines.add("block 1 parent 0");
    lines.add("v0 = relu(p0)");
    for (int k = 1; k < 10_000; k++) {
      lines.add("v" + k + " = relu(v" + (k - 1) + ")");
    }
    lines.add("t = assign(p0)");
    for (int k = 0; k < 5; k++) {
      lines.add("p" + k + " = assign(p" + (k + 1) + ")");
    }
    lines.addAll(List.of("p5 = assign(t)", "i = increment(i)", "c = less_than(X: i, Y: n)"));

    CommandRun run =
        CommandRun.of(
            "explain", CommandRun.write(folder.resolve("in"), lines.toArray(new String[0])));

    assertThat(run.text())
        .startsWith(
            """
            loop of block 1
              variable  next value  bytes  copy   because
              p0        p1             32  stays  repeating the loop 6 times would add more than 50,000 operators
            """);
  }

  @Test
  void json_hasTheSame() throws IOException {
    CommandRun run = CommandRun.of("explain", loop("b = assign(x)"), "--json");

    assertThat(run.json().toString())
        .isEqualTo(
            "{\"loops\":[{\"block_idx\":1,\"repeat\":1,\"carries\":[{\"op_index\":0,"
                + "\"target\":{\"block_idx\":0,\"variable\":\"b\"},"
                + "\"source\":{\"block_idx\":0,\"variable\":\"x\"},"
                + "\"bytes\":32,\"decision\":\"copied\",\"repeat\":1,"
                + "\"reason\":\"the loop does not compute the copied value\"}]}]}");
  }

  @Test
  void withoutCarries_saysSo() throws IOException {
    CommandRun run = CommandRun.of("explain", loop());

    assertThat(run.text())
        .isEqualTo("no loop of the program hands a tensor to its next iteration by a copy\n");
  }

  @Test
  void aVariable_sharesItsNameAndItsBytes() throws IOException {
    Path input = CommandRun.write(folder.resolve("in"), CommandRun.CHAIN);

    CommandRun run = CommandRun.of("explain", input, "c", "-q");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .isEqualTo(
            """
            block 0, c
              type   FP32[256]
              bytes  1,024 (1.00 KiB), as [256]
              place  cpu
              live   from block 0, op 3 (fused_feedforward) to block 0, op 4 (fused_feedforward)
              name   'a', shared by 2 variables:
                       'a' from block 0, op 1 (fused_feedforward) to block 0, op 2 (fused_feedforward)
                       'c' from block 0, op 3 (fused_feedforward) to block 0, op 4 (fused_feedforward)
              plan   bytes 1,024 to 2,048 of the arena on cpu
                       also used by one other:
                       before it: 'a', 1,024 of the bytes, from block 0, op 1 (fused_feedforward) to block 0, op 2 (fused_feedforward)
            """);
  }

  @Test
  void aVariable_isAloneForReasonsOfTheSharingPass() throws IOException {
    Path input =
        CommandRun.write(
            folder.resolve("in"),
            "version 2004001",
            "default fp32[256]",
            "block 0",
            "feed x: fp32[256]",
            "var w: fp32[256] persistable",
            "var small: int64[2]",
            "a = tanh(x)",
            "b = cumsum(x)",
            "c = cumsum(b)",
            "small = shape(c)",
            "var arr: array fp32[256]",
            "var seq: fp32[256] lod(1)",
            "d = elementwise_add(a, c)",
            "e = cumsum(d)",
            "fetch(e)",
            "fetch(small)");

    assertThat(name(input, "x")).isEqualTo("not shared: a feed");
    assertThat(name(input, "w")).isEqualTo("not shared: persistable");
    assertThat(name(input, "arr")).isEqualTo("not shared: not a dense tensor");
    assertThat(name(input, "seq")).isEqualTo("not shared: not used");
    assertThat(name(input, "small"))
        .isEqualTo("not shared: no other variable of its block that can share has the type INT64");
    assertThat(name(input, "b"))
        .isEqualTo(
            "not shared: the closest of its kind, 'c' (in one name with 'e'), is live together with"
                + " it at block 0, op 3 (cumsum)");
    assertThat(name(input, "e", "--keep=a,b,c,d"))
        .isEqualTo(
            "not shared: it must keep its name, and so must the other; the closest of its kind,"
                + " 'a', is live together with it from block 0, op 6 (cumsum) to the"
                + " program's end");
    assertThat(name(input, "e", "--policy=pool")).isEqualTo("'e', shared by 2 variables:");
    assertThat(name(input, "c", "--keep=c"))
        .isEqualTo(
            "not shared: the closest of its kind, 'a' (in one name with 'd'), is live together with"
                + " it from block 0, op 3 (cumsum) to block 0, op 5 (elementwise_add)");
  }

  /** The first line about a variable's name. */
  private static String name(Path input, String variable, String... options) {
    Object[] arguments = new Object[options.length + 4];
    System.arraycopy(new Object[] {"explain", input, variable, "-q"}, 0, arguments, 0, 4);
    System.arraycopy(options, 0, arguments, 4, options.length);
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.errors()).isEmpty();
    for (String line : run.text().lines().toList()) {
      if (line.startsWith("  name ")) {
        return line.substring(6).strip();
      }
    }
    throw new AssertionError(run.text());
  }

  @Test
  void aNameOfSeveralBlocks_isExplainedForEach_orForOne() throws IOException {
    Path input = loop("var a: fp32[8]", "a = tanh(x)", "b = assign(a)");

    CommandRun all = CommandRun.of("explain", input, "a", "-q");
    CommandRun one = CommandRun.of("explain", input, "1:a", "-q");

    assertThat(all.text().lines().filter(line -> line.startsWith("block")).toList())
        .containsExactly("block 0, a", "block 1, a")
        .inOrder();
    assertThat(one.text().lines().toList().get(0)).isEqualTo("block 1, a");
    assertThat(all.text()).endsWith("\n" + one.text());
    assertThat(one.text())
        .contains(
            "  loop   it is the next value of 'b', not copied, since both have one place: it is not"
                + " needed any more when its next value is computed\n"
                + "  name   that of 'b', with which it has one place in a loop\n");
  }

  @Test
  void operators_keepTheirNumbers_whenCopiesGo() throws IOException {
    // Without the copy cumsum is the operator 2 of its block.
    Path input =
        loop("z = tanh(b)", "b = assign(z)", "v = tanh(a)", "u = cumsum(v) {exclusive: true}");

    assertThat(name(input, "v"))
        .isEqualTo(
            "not shared: the closest of its kind, 'u', is live together with it at block 1, op 3"
                + " (cumsum)");
    assertThat(
            CommandRun.of("explain", input, "v", "--json", "-q")
                .json()
                .getAsJsonArray("variables")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("name")
                .get("points_renumbered")
                .getAsBoolean())
        .isTrue();
    // With the copy z has a name of its own, which is free by then.
    assertThat(name(input, "v", "--loops=copy")).isEqualTo("'z', shared by 2 variables:");
  }

  @Test
  void anUnknownName_isAUsageError() throws IOException {
    Path input = loop();

    assertThat(CommandRun.of("explain", input, "none").errors())
        .isEqualTo(
            "error: no block declares 'none'; the variables are: x, i, n, a, b, feed, c, s, r,"
                + " fetch\n");
    assertThat(CommandRun.of("explain", input, "1:a").errors())
        .isEqualTo("error: block 1 does not declare 'a'; there are no variables of block 1\n");
    assertThat(CommandRun.of("explain", input, "7:a").errors())
        .isEqualTo(
            "error: there is no block 7, and no block declares '7:a'; the blocks are 0 to 1\n");
    assertThat(CommandRun.of("explain", input, "7:a").exitCode()).isEqualTo(2);
  }

  @Test
  void aVariableAsJson_hasTheSame() throws IOException {
    Path input = CommandRun.write(folder.resolve("in"), CommandRun.CHAIN);

    JsonObject json =
        CommandRun.of("explain", input, "c", "-q", "--json")
            .json()
            .getAsJsonArray("variables")
            .get(0)
            .getAsJsonObject();

    assertThat(json.getAsJsonObject("name").get("outcome").getAsString()).isEqualTo("shares");
    assertThat(json.getAsJsonObject("name").get("name").getAsString()).isEqualTo("a");
    assertThat(json.getAsJsonObject("name").getAsJsonArray("members")).hasSize(2);
    JsonObject allocation =
        json.getAsJsonObject("plan").getAsJsonArray("allocations").get(0).getAsJsonObject();
    assertThat(allocation.get("bytes").getAsLong()).isEqualTo(1024);
    assertThat(
            allocation
                .getAsJsonArray("shares_bytes_with")
                .get(0)
                .getAsJsonObject()
                .get("variable")
                .getAsString())
        .isEqualTo("a");
  }

  private static final String STACK =
      "{op_callstack: [\"  File \\\"net.py\\\", line 17, in forward\", \"    y = F.relu(x)\","
          + " \"  File \\\"/lib/site-packages/paddle/nn.py\\\", line 9, in relu\"]}";

  private static final String MODEL =
      """
      ir_version: 8
      graph {
        node { input: "x" output: "a" name: "first" op_type: "Exp"
               doc_string: "/env/lib/python3/site-packages/torch/f.py(7): exp\\nnet.py(17): forward" }
        node { input: "a" input: "a" output: "y" name: "second" op_type: "Concat"
               attribute { name: "axis" i: 0 type: INT } }
        input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 64 } } } } }
        output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_value: 128 } } } } }
      }
      opset_import { version: 17 }
      """;

  private void hasSources(Path program, List<String> sources) throws IOException {
    Path plan = folder.resolve("m.plan.json");
    Path page = folder.resolve("m.html");
    Path pageOfPlan = folder.resolve("plan.html");
    CommandRun.of("plan", program, "-o", plan, "--report", page);
    CommandRun.of("report", plan, "--program", program, "-o", pageOfPlan);
    List<String> tables =
        List.of(
            CommandRun.of("explain", program, "--peak").text(),
            CommandRun.of("liveness", program, "--at", "peak").text(),
            CommandRun.of("check", program, "--max-arena", "1").text(),
            CommandRun.of("check", plan, "--program", program, "--max-arena", "1").text(),
            Files.readString(page).replace("\\u0027", "'"),
            Files.readString(pageOfPlan).replace("\\u0027", "'"));
    for (String table : tables) {
      for (String source : sources) {
        assertThat(table).contains(source);
      }
    }
    for (String command : List.of("explain --peak", "liveness --at=peak", "check --max-arena=1")) {
      List<Object> arguments = new ArrayList<>(Splitter.on(' ').splitToList(command));
      arguments.add(1, program);
      arguments.add("--json");
      String json = CommandRun.of(arguments.toArray()).text();
      assertThat(json).contains("\"file\": \"net.py\",");
      assertThat(json).contains("\"line\": 17,");
    }
  }

  @Test
  void everyTableOfThePeak_namesTheLineOfCode() throws IOException {
    Path program = folder.resolve("m.program");
    CommandRun.write(
        program,
        "block 0",
        "feed x: fp32[64]",
        "default fp32[64]",
        "y = exp(x) " + STACK,
        "fetch(y)");
    hasSources(program, List.of("net.py:17"));
  }

  @Test
  void everyTableOfThePeak_namesTheLineOfCode_orTheNode_ofAModel() throws IOException {
    Path model = folder.resolve("m.textproto");
    Files.writeString(model, MODEL);
    hasSources(model, List.of("net.py:17", "node 'second'"));
    Path stripped = folder.resolve("stripped.onnx");
    CommandRun.of("optimize", model, "-o", stripped, "--strip-debug");
    assertThat(Files.readString(stripped, StandardCharsets.ISO_8859_1)).doesNotContain("net.py");
    String peak = CommandRun.of("explain", stripped, "--peak").text();
    assertThat(peak).contains("node 'first'");
    assertThat(peak).doesNotContain("net.py");
  }
}
