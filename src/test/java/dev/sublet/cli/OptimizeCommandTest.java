package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ObjectArrays;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptimizeCommandTest {

  @TempDir private Path folder;
  private Path input;
  private Path output;
  private Path plan;

  @BeforeEach
  void writeInput() throws IOException {
    input = CommandRun.write(folder.resolve("in.pdmodel"), CommandRun.CHAIN);
    output = folder.resolve("out.pdmodel");
    plan = folder.resolve("plan.json");
  }

  @Test
  void aTableOfBuffers_isNoProgram() throws IOException {
    Path table = folder.resolve("buffers.csv");
    Files.writeString(table, "id,lower,upper,size\nb0,0,3,4\n");
    CommandRun run = CommandRun.of("optimize", table, "-o", folder.resolve("out.pdmodel"));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors())
        .isEqualTo(
            "error: "
                + table
                + " is a table of buffers, not a program: 'plan' and 'verify' take tables\n");
  }

  @Test
  void writesAProgramAndItsPlan_andPrintsWhatWasGained() {
    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--plan", plan);

    assertThat(run.errorLines()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text().replace(output.toString(), "OUT").replace(plan.toString(), "PLAN"))
        .isEqualTo(
            """
            memory                bytes            of saved
            parameters                0       0 B            0, kept by the runtime
            peak of activations
              as saved            5,120  5.00 KiB     1.000  each name has bytes of its own
              by Paddle's pass    4,096  4.00 KiB     0.800  enable_memory_optim, an estimate
              with shared names   3,072  3.00 KiB     0.600  the rewritten program
              at planned offsets  3,072  3.00 KiB     0.600  the arena of the plan

            operators                   6
            variables                   7 before, 5 after
            lower bound                 3,072 (3.00 KiB)
            arena ÷ lower bound         1.000
            proved optimal              yes
            bound holds for             this order of operators, views: reshape, in place: verified
            validated                   yes
            policy used                 pool
            planner                     best
            written: rewritten program  OUT
            written: plan               PLAN
            left alone: 1
              1  a feed
            """);
    assertThat(PlanReader.read(plan).programSha256())
        .isEqualTo(ProgramWriter.sha256(ProgramReader.read(output)));
  }

  @Test
  void json_hasTheSameNumbersAndEveryVariable() {
    JsonObject json = CommandRun.of("optimize", input, "-o", output, "--json").json();

    assertThat(json.keySet())
        .containsExactly(
            "parameters",
            "activations",
            "operators",
            "operators_after",
            "variables_before",
            "variables_after",
            "naive_bytes",
            "shared_bytes",
            "shared_bytes_fusion_off",
            "unknown_before",
            "unknown_after",
            "arena_bytes",
            "views",
            "unneeded_copies",
            "unneeded_copy_bytes",
            "order",
            "lower_bound",
            "proved_optimal",
            "left_to_gain",
            "bound_holds_for",
            "nodes",
            "validated",
            "policy",
            "planner",
            "batch",
            "arenas",
            "unplanned",
            "left_alone",
            "renamings",
            "written",
            "warnings")
        .inOrder();
    assertThat(json.get("operators").toString()).isEqualTo("6");
    assertThat(json.get("parameters").toString())
        .isEqualTo("{\"count\":0,\"bytes\":0,\"unknown\":0}");
    assertThat(json.get("activations").toString())
        .isEqualTo(
            "{\"count\":5,\"unknown\":0,\"as_saved_bytes\":5120,\"paddle_pass_bytes\":4096,"
                + "\"shared_names_bytes\":3072,\"planned_bytes\":3072,\"planned\":3,"
                + "\"not_planned\":0}");
    assertThat(lines(json, "written"))
        .containsExactly("{\"content\":\"rewritten program\",\"target\":\"" + output + "\"}");
    assertThat(json.get("naive_bytes").toString()).isEqualTo("5120");
    assertThat(json.get("shared_bytes").toString()).isEqualTo("3072");
    assertThat(json.get("proved_optimal").toString()).isEqualTo("true");
    assertThat(json.get("validated").toString()).isEqualTo("true");
    assertThat(lines(json, "renamings"))
        .containsExactly(
            "{\"block_idx\":0,\"variable\":\"c\",\"to\":\"a\"}",
            "{\"block_idx\":0,\"variable\":\"b\",\"to\":\"d\"}");
    assertThat(lines(json, "left_alone"))
        .containsExactly("{\"block_idx\":0,\"variable\":\"x\",\"reason\":\"a feed\"}");
    assertThat(lines(json, "unplanned"))
        .contains("{\"block_idx\":0,\"variable\":\"feed\",\"reason\":\"persistable\"}");
    assertThat(lines(json, "arenas"))
        .containsExactly(
            "{\"place\":\"cpu\",\"bytes\":3072,\"lower_bound\":3072,\"proved_optimal\":true,"
                + "\"alignment\":64}");
    assertThat(json.getAsJsonArray("warnings")).isEmpty();
  }

  @Test
  void fusionOff_warnsThatTheRuntimeMustNotFuse() {
    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--fusion", "off");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errorLines())
        .containsExactly(
            "warning: run the rewritten program with graph fusion off (ir_optim off,"
                + " switch_ir_optim(False)), as --fusion off demands: graph passes move operators,"
                + " and shared names are then overwritten too early");
  }

  @Test
  void fusionSafe_excludesRelease() {
    CommandRun run =
        CommandRun.of("optimize", input, "-o", output, "--fusion", "safe", "--release");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(String.join("\n", run.errorLines()) + "\n")
        .isEqualTo(
            "error: --fusion safe and --release exclude each other: graph passes do not match"
                + " operators whose results a delete_var reads\n");
    assertThat(Files.exists(output)).isFalse();
  }

  private static List<String> lines(JsonObject json, String key) {
    List<String> lines = new ArrayList<>();
    for (JsonElement element : json.getAsJsonArray(key)) {
      lines.add(element.toString());
    }
    return lines;
  }

  @Test
  void verbose_listsWhatTheTableCounts() {
    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--verbose");

    assertThat(run.text()).contains("renamed variables:\n  block 0  c  to a\n");
    assertThat(run.text()).contains("variables left alone:\n  block 0  x  a feed\n");
    assertThat(run.text()).contains("unplanned variables:\n  block 0  feed   persistable\n");
  }

  @Test
  void quiet_printsNothing() {
    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--quiet");

    assertThat(run.errors()).isEmpty();
    assertThat(run.text()).isEmpty();
  }

  @Test
  void twoRuns_giveTheSameBytes() throws IOException {
    CommandRun first = CommandRun.of("optimize", input, "-o", output, "--plan", plan, "--json");
    byte[] program = Files.readAllBytes(output);
    byte[] planned = Files.readAllBytes(plan);

    CommandRun second = CommandRun.of("optimize", input, "-o", output, "--plan", plan, "--json");

    assertThat(second.output()).isEqualTo(first.output());
    assertThat(second.errors()).isEqualTo(first.errors());
    assertThat(Files.readAllBytes(output)).isEqualTo(program);
    assertThat(Files.readAllBytes(plan)).isEqualTo(planned);
  }

  @Test
  void dashes_readStandardInputAndWriteTheSameFormToStandardOutput() {
    byte[] text = CommandRun.bytes(ProgramFormat.TEXT, CommandRun.CHAIN);

    CommandRun run = CommandRun.withInput(text, "optimize", "-", "-o", "-");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).startsWith("blocks {\n");
    assertThat(run.errorLines()).contains("written: rewritten program  to standard output");
    assertThat(ProgramReader.parse(run.output(), "stdout").operationCount()).isEqualTo(6);
  }

  @Test
  void quietDashes_printNothingButTheProgram() {
    byte[] binary = CommandRun.bytes(ProgramFormat.BINARY, CommandRun.CHAIN);

    CommandRun run = CommandRun.withInput(binary, "optimize", "-", "-o", "-", "-q");

    assertThat(run.errors()).isEmpty();
    assertThat(ProgramReader.parse(run.output(), "stdout").variableCount()).isEqualTo(5);
  }

  @Test
  void twoOutputsOnStandardOutput_areRefused() {
    CommandRun run = CommandRun.of("optimize", input, "-o", "-", "--plan", "-");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.output()).isEmpty();
    assertThat(run.errors()).isEqualTo("error: two outputs go to standard output\n");
  }

  @Test
  void onlyAPlan_isWrittenWithAWarning() throws IOException {
    CommandRun run = CommandRun.of("optimize", input, "--plan", plan);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errorLines())
        .containsExactly(
            "warning: the plan describes the rewritten program, which is not written without -o");
    assertThat(CommandRun.filesIn(folder)).containsExactly("in.pdmodel", "plan.json");
  }

  @Test
  void aBadInput_leavesExistingOutputsAndNoTemporaryFiles() throws IOException {
    Files.writeString(output, "old program");
    Files.writeString(plan, "old plan");
    Files.write(input, new byte[] {0, 1, 2});

    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--plan", plan);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.errors()).startsWith("error: " + input + ": ");
    assertThat(Files.readString(output)).isEqualTo("old program");
    assertThat(Files.readString(plan)).isEqualTo("old plan");
    assertThat(CommandRun.filesIn(folder))
        .containsExactly("in.pdmodel", "out.pdmodel", "plan.json");
  }

  @Test
  void aPlanThatCannotBeWritten_leavesTheProgramAlone() throws IOException {
    Files.writeString(output, "old program");

    CommandRun run =
        CommandRun.of("optimize", input, "-o", output, "--plan", folder.resolve("none/plan.json"));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(Files.readString(output)).isEqualTo("old program");
    assertThat(CommandRun.filesIn(folder)).containsExactly("in.pdmodel", "out.pdmodel");
  }

  @Test
  void theInputItself_canBeTheOutput() {
    CommandRun run = CommandRun.of("optimize", input, "-o", input);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(ProgramReader.read(input).variableCount()).isEqualTo(5);
  }

  @Test
  void aShapeForAnUnknownFeed_isAUsageError() {
    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--shape", "y=1,256");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors())
        .isEqualTo(
            "error: --shape names 'y', which is not a feed of the program; the feeds are: x\n");
    assertThat(Files.exists(output)).isFalse();
  }

  @Test
  void shapeAndBatch_setTheBytesOfFeeds() {
    // As saved, beside the feed: four times 1,024 bytes.
    assertThat(naiveBytes()).isEqualTo(4096 + 1024);
    assertThat(naiveBytes("--batch", "3")).isEqualTo(4096 + 3 * 1024);
    assertThat(naiveBytes("--shape", "x=5,256")).isEqualTo(4096 + 5 * 1024);
    // With a feed of another shape than the declared one, what is declared behind it says nothing.
    assertThat(naiveBytes("--shape", "x=5,2")).isEqualTo(40);
  }

  private long naiveBytes(Object... options) {
    return optimized(options).get("naive_bytes").getAsLong();
  }

  /** Optimizes the input with further options. */
  private JsonObject optimized(Object... options) {
    List<Object> arguments = new ArrayList<>(List.of("optimize", input, "-o", output, "--json"));
    arguments.addAll(List.of(options));
    return CommandRun.of(arguments.toArray()).json();
  }

  @Test
  void keepAndFetch_leaveVariablesAlone() {
    assertThat(optimized("--keep", "a,b", "--fetch", "c").getAsJsonArray("renamings")).isEmpty();
  }

  @Test
  void keepOfAnUnknownName_isAnError_butInASkipSetAWarning() throws IOException {
    Path skipped = folder.resolve("skip");
    Files.writeString(skipped, "# kept\n\n  a \r\nnone\n", StandardCharsets.UTF_8);

    CommandRun kept = CommandRun.of("optimize", input, "-o", output, "--keep", "none");
    CommandRun run =
        CommandRun.of("optimize", input, "-o", output, "--skip-opt-set", skipped, "--json");

    assertThat(kept.exitCode()).isEqualTo(2);
    assertThat(kept.errors())
        .isEqualTo(
            "error: --keep names 'none', which no block declares; the variables are: x, feed, a, b, c, d,"
                + " fetch\n");
    assertThat(run.errorLines())
        .contains("warning: " + skipped + ": no block declares 'none'; ignored");
    assertThat(run.text()).contains("\"kept (--keep or --skip-opt-set)\"");
  }

  @Test
  void aSkipSetThatIsNotThere_isUnreadable() {
    CommandRun run =
        CommandRun.of("optimize", input, "-o", output, "--skip-opt-set", folder.resolve("none"));

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errors()).isEqualTo("error: " + folder.resolve("none") + ": no such file\n");
  }

  @Test
  void inPlace_isUsedUnlessSwitchedOff() throws IOException {
    CommandRun.write(
        input,
        "version 2004001",
        "block 0",
        "feed x: fp32[4]",
        "var c: bool[4]",
        "a = relu(x)",
        "b = relu(a)",
        "c = equal(b, b)",
        "fetch(c)");

    assertThat(optimized().getAsJsonArray("renamings")).isNotEmpty();
    assertThat(optimized("--no-in-place").getAsJsonArray("renamings")).isEmpty();
  }

  @Test
  void level_decidesWhetherALargerVariableWillDo() throws IOException {
    CommandRun.write(
        input,
        "block 0",
        "feed x: fp32[9]",
        "var a: fp32[8]",
        "var b: fp32[8]",
        "var c: fp32[4]",
        "a = fused_feedforward(x, x)",
        "b = fused_feedforward(a, a)",
        "c = fused_feedforward(b, b)",
        "d = fused_feedforward(c, c)",
        "fetch(d)");

    assertThat(optimized("--level", "fit").getAsJsonArray("renamings")).hasSize(1);
    assertThat(optimized("--level", "exact").getAsJsonArray("renamings")).isEmpty();
  }

  @Test
  void policy_isTheOneThatWasAskedFor() {
    assertThat(optimized("--policy", "pool").get("policy").getAsString()).isEqualTo("pool");
    assertThat(optimized("--policy", "global").get("policy").getAsString()).isEqualTo("global");
  }

  @Test
  void align_setsTheAlignmentOfThePlan() {
    JsonObject arena =
        optimized("--align", "4KiB").getAsJsonArray("arenas").get(0).getAsJsonObject();

    assertThat(arena.get("alignment").getAsLong()).isEqualTo(4096);
  }

  @Test
  void place_separatesHostFromDevice() throws IOException {
    CommandRun.write(
        input,
        "default fp32[8]",
        "block 0",
        "feed x: fp32[8]",
        "a = relu(x)",
        "b = fill_constant() {force_cpu: true}",
        "c = fused_feedforward(a, b)",
        "fetch(c)");

    assertThat(optimized("--place", "gpu").getAsJsonArray("arenas")).hasSize(2);
    assertThat(CommandRun.of("optimize", input, "-o", output, "--place", "gpu").text())
        .containsMatch("\n    on cpu +\\d+ +\\d+ B\n");
    assertThat(optimized("--place", "cpu").getAsJsonArray("arenas")).hasSize(1);
  }

  @Test
  void release_addsOperators_andTheTableSaysSo() {
    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--release");

    Program program = ProgramReader.read(output);
    assertThat(program.operationCount()).isGreaterThan(6);
    assertThat(run.text())
        .containsMatch("\noperators +6 before, " + program.operationCount() + " after\n");
  }

  @Test
  void stripDebug_dropsCallStacks() throws IOException {
    CommandRun.write(
        input,
        "block 0",
        "feed x: fp32[4]",
        "a = relu(x) {op_callstack: [\"train.py\"]}",
        "fetch(a)");

    CommandRun.of("optimize", input, "-o", output, "--strip-debug");

    assertThat(Files.readString(output, StandardCharsets.ISO_8859_1)).doesNotContain("train.py");
    assertThat(Files.readString(input, StandardCharsets.ISO_8859_1)).contains("train.py");
  }

  @Test
  void strict_refusesAnUnknownOperator() throws IOException {
    CommandRun.write(input, "block 0", "feed x: fp32[4]", "a = no_such_operator(x)", "fetch(a)");

    CommandRun lenient = CommandRun.of("optimize", input, "-o", output);
    Files.delete(output);
    CommandRun strict = CommandRun.of("optimize", input, "-o", output, "--strict");

    assertThat(lenient.errorLines().get(0)).startsWith("note: block 0, op 1 (no_such_operator): ");
    assertThat(strict.exitCode()).isEqualTo(4);
    assertThat(strict.errors())
        .isEqualTo(
            "error: "
                + input
                + ": block 0, op 1 (no_such_operator): the catalog does not know this operator"
                + " (--strict)\n");
    assertThat(Files.exists(output)).isFalse();
  }

  @Test
  void anUnknownPlanner_isAUsageError() {
    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--planner", "none");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors()).startsWith("error: --planner is 'none', which is not a planner; ");
  }

  @Test
  void timings_goToStandardErrorOnly() {
    CommandRun plain = CommandRun.of("optimize", input, "-o", output);
    CommandRun timed = CommandRun.of("optimize", input, "-o", output, "--timings");

    assertThat(timed.text()).isEqualTo(plain.text());
    assertThat(timed.errors()).containsMatch("timing: read \\d+\\.\\d ms\n");
  }

  @Test
  void theOutputsName_decidesItsForm() throws IOException {
    Path text = folder.resolve("out.textproto");
    Path csv = folder.resolve("plan.csv");

    CommandRun.of("optimize", input, "-o", text, "--plan", csv);

    assertThat(Files.readString(text)).startsWith("blocks {\n");
    assertThat(Files.readString(csv)).contains("\n0,x,0,");
  }

  @Test
  void thePlanOfAnOnnxModel_canHaveTheFormsThatNeedTheProgram() throws IOException {
    Path model = Path.of("testdata", "onnx", "if_nested", "model.textproto");
    Path offsets = folder.resolve("plan.tflm.json");
    Path trace = folder.resolve("plan.trace.json");

    CommandRun run = CommandRun.of("optimize", model, "--plan", offsets);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(Files.readString(offsets)).contains("{\"index\":2,\"variable\":\"x\",\"offset\":0}");
    CommandRun.of("plan", model, "-o", trace);
    assertThat(Files.readString(trace)).contains("\"args\":{\"name\":\"operators\"}");
  }

  /** Two branches that each make a large value and reduce it; the file makes both at once. */
  private static final String BRANCHES =
      """
      ir_version: 8
      opset_import { version: 17 }
      graph {
        name: "g"
        input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 64 } } } } }
        initializer { name: "all" data_type: 7 dims: 1 int64_data: 4096 }
        initializer { name: "axes" data_type: 7 dims: 1 int64_data: 0 }
        node { input: "x" output: "a" op_type: "Expand" input: "wide" }
        node { input: "x" output: "b" op_type: "Expand" input: "wide" }
        node { input: "a" input: "axes" output: "s" op_type: "ReduceSum" }
        node { input: "b" input: "axes" output: "t" op_type: "ReduceSum" }
        node { input: "s" input: "t" output: "y" op_type: "Add" }
        initializer { name: "wide" data_type: 7 dims: 2 int64_data: 100 int64_data: 64 }
        output { name: "y" }
      }
      """;

  /** As above; past is read by the second branch, and present is the result of the first one. */
  private static final String ALIASED =
      """
      ir_version: 8
      opset_import { version: 17 }
      graph {
        name: "g"
        input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 64 } } } } }
        input { name: "past" type { tensor_type { elem_type: 1 shape { dim { dim_value: 64 } } } } }
        initializer { name: "axes" data_type: 7 dims: 1 int64_data: 0 }
        initializer { name: "wide" data_type: 7 dims: 2 int64_data: 100 int64_data: 64 }
        node { input: "x" output: "a" op_type: "Expand" input: "wide" }
        node { input: "past" output: "b" op_type: "Expand" input: "wide" }
        node { input: "a" input: "axes" output: "present" op_type: "ReduceSum" }
        node { input: "b" input: "axes" output: "t" op_type: "ReduceSum" }
        output { name: "present" }
        output { name: "t" }
      }
      """;

  @Test
  void scheduleMemory_movesNodes_andWritesThemInTheirOrder() throws IOException {
    Path model = folder.resolve("model.textproto");
    Path ordered = folder.resolve("ordered.textproto");
    Files.writeString(model, BRANCHES);

    CommandRun run =
        CommandRun.of("optimize", model, "-o", ordered, "--plan", plan, "--schedule", "memory");

    assertThat(run.errors())
        .contains("the nodes are in another order: the arena falls from 51,712 (50.50 KiB) to ");
    assertThat(run.errors()).contains("; no order has fewer live bytes\n");
    assertThat(run.errors()).contains("the model is planned in that order, and its metadata_props");
    String text = Files.readString(ordered);
    assertThat(text.indexOf("output: \"s\"")).isLessThan(text.indexOf("output: \"b\""));
    assertThat(CommandRun.of("verify", ordered, "--plan", plan, "-q").exitCode()).isEqualTo(0);
  }

  @Test
  void scheduleMemory_meetsACapacityThatTheOrderOfTheFileDoesNot() throws IOException {
    Path model = folder.resolve("model.textproto");
    Files.writeString(model, BRANCHES);
    Object[] fits = {"optimize", model, "--plan", plan, "--capacity", "40KiB"};
    Object[] ordered =
        ObjectArrays.concat(fits, new Object[] {"--schedule", "memory"}, Object.class);

    assertThat(CommandRun.of(fits).exitCode()).isEqualTo(5);
    assertThat(CommandRun.of(ordered).exitCode()).isEqualTo(0);
    ordered[5] = "4KiB";
    assertThat(CommandRun.of(ordered).exitCode()).isEqualTo(5);
  }

  /** Pools are limits of the order that is chosen, not of that of the file. */
  @Test
  void scheduleMemory_meetsPoolsThatTheOrderOfTheFileDoesNot() throws IOException {
    Path model = folder.resolve("model.textproto");
    Files.writeString(model, BRANCHES);
    Object[] fits = {"optimize", model, "--plan", plan, "--pool", "sram:40KiB"};
    Object[] ordered =
        ObjectArrays.concat(fits, new Object[] {"--schedule", "memory"}, Object.class);

    assertThat(CommandRun.of(fits).exitCode()).isEqualTo(5);
    CommandRun run = CommandRun.of(ordered);
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors()).contains("the nodes are in another order: the arena falls from ");
    ordered[5] = "sram:4KiB";
    assertThat(CommandRun.of(ordered).exitCode()).isEqualTo(5);
  }

  /** The reader of the feed must stay before the operator that writes the result over it. */
  @Test
  void scheduleMemory_keepsAliases() throws IOException {
    Path model = folder.resolve("model.textproto");
    Path ordered = folder.resolve("ordered.textproto");
    Files.writeString(model, ALIASED);
    Object[] arguments = {
      "optimize",
      model,
      "-o",
      ordered,
      "--plan",
      plan,
      "--alias",
      "past=present",
      "--schedule",
      "memory"
    };

    CommandRun run = CommandRun.of(arguments);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors()).contains("the nodes are in another order");
    CommandRun verified =
        CommandRun.of("verify", ordered, "--plan", plan, "--alias", "past=present", "-q");
    assertThat(verified.exitCode()).isEqualTo(0);
  }

  @Test
  void scheduleMemory_movesOperators_andVerifyAcceptsThem() {
    Path cells = Path.of("testdata", "examples", "searched_cells", "program.textproto");

    CommandRun run =
        CommandRun.of("optimize", cells, "-o", output, "--plan", plan, "--schedule", "memory");

    assertThat(run.errors())
        .contains(
            "the operators are in another order: the arena takes 175,104 (171.00 KiB) instead of"
                + " 276,480 (270.00 KiB); no order that can be proved has fewer live bytes\n");
    assertThat(run.errors()).contains("run the rewritten program with graph fusion off");
    assertThat(CommandRun.of("verify", cells, output, "--plan", plan).text()).isEqualTo("valid\n");
    assertThat(CommandRun.of("verify", cells, output, "--fusion", "safe").text())
        .isEqualTo(
            "fusion: operators were moved (--schedule memory): such a program is for runtimes"
                + " without graph passes\n");
  }

  @Test
  void scheduleMemory_keepsTheOrderOfAChain() {
    CommandRun run = CommandRun.of("optimize", input, "-o", output, "--schedule", "memory");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors())
        .contains(
            "the operators keep their order: no order that can be proved has fewer live bytes\n");
  }

  @Test
  void scheduleMemory_saysWhatLimitsIt() throws IOException {
    Path program =
        CommandRun.write(
            folder.resolve("limited.pdmodel"),
            """
            default fp32[4]
            block 0
              feed x: fp32[4]
              a = my_operator(x)
              b = uniform_random() {shape: [4]}
              c = gaussian_random() {shape: [4]}
              d = sum(a b c)
              fetch(d)
            """);

    CommandRun run = CommandRun.of("optimize", program, "-o", output, "--schedule", "memory");

    assertThat(run.errors())
        .contains(
            "note: no operator moves past 1 × my_operator: the catalog does not know what they"
                + " use\n");
    assertThat(run.errors())
        .contains(
            "note: 1 × gaussian_random, 1 × uniform_random keep their order: they use more than"
                + " their arguments\n");
  }

  @Test
  void scheduleMemory_excludesOtherOptions() {
    Object[] arguments = {"optimize", input, "-o", output, "--schedule", "memory"};

    CommandRun safe =
        CommandRun.of(
            ObjectArrays.concat(arguments, new Object[] {"--fusion", "safe"}, Object.class));
    assertThat(safe.exitCode()).isEqualTo(2);
    assertThat(safe.errors()).contains("--fusion safe and --schedule memory exclude each other");
    CommandRun unroll =
        CommandRun.of(
            ObjectArrays.concat(arguments, new Object[] {"--loops", "unroll"}, Object.class));
    assertThat(unroll.exitCode()).isEqualTo(2);
    assertThat(unroll.errors()).contains("--schedule memory and --loops unroll exclude");
    CommandRun release =
        CommandRun.of(ObjectArrays.concat(arguments, new Object[] {"--release"}, Object.class));
    assertThat(release.exitCode()).isEqualTo(0);
  }
}
