package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ObjectArrays;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
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
    assertThat(run.text().replace(plan.toString(), "PLAN"))
        .isEqualTo(
            """
            memory                bytes            of saved
            parameters                0       0 B            0, kept by the runtime
            peak of activations
              as saved            5,120  5.00 KiB     1.000  each name has bytes of its own
              by Paddle's pass    4,096  4.00 KiB     0.800  enable_memory_optim, an estimate
              at planned offsets  3,072  3.00 KiB     0.600  the arena of the plan

            operators            6
            variables            7
            lower bound          3,072 (3.00 KiB)
            arena ÷ lower bound  1.000
            proved optimal       yes
            bound holds for      this order of operators, views: reshape, in place: verified
            validated            yes
            planner              best
            written: plan        PLAN
            """);
    assertThat(PlanReader.read(plan).arenaBytes()).isEqualTo(3072);
  }

  @Test
  void profiles_haveAPlanEach_andATable() throws IOException {
    Path file = folder.resolve("model.plan.json");

    CommandRun run =
        CommandRun.of(
            "plan",
            input,
            "-o",
            file,
            "--shape-profile",
            "min:x=1,256",
            "--shape-profile",
            "max:x=8,256");

    assertThat(run.errors()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text().replace(folder.toString(), "DIR"))
        .isEqualTo(
            """
            profile   arena  lower bound  proved optimal  not planned
            min       3,072        3,072  yes                       0  DIR/model.min.plan.json
            max      10,240       10,240  yes                       0  DIR/model.max.plan.json
            """);
    assertThat(PlanReader.read(folder.resolve("model.min.plan.json")).arenaBytes()).isEqualTo(3072);
    assertThat(PlanReader.read(folder.resolve("model.max.plan.json")).arenaBytes())
        .isEqualTo(10_240);
    assertThat(Files.exists(file)).isFalse();
  }

  @Test
  void profiles_wrongOnes_areOneLine_andNothingIsWritten() throws IOException {
    Path file = folder.resolve("p.json");
    CommandRun twice =
        CommandRun.of(
            "plan", input, "--shape-profile", "a:x=1,256", "--shape-profile", "a:x=2,256");
    CommandRun second =
        CommandRun.of(
            "plan",
            input,
            "-o",
            file,
            "--shape-profile",
            "a:x=1,256",
            "--shape-profile",
            "b:y=2,256");

    assertThat(twice.exitCode()).isEqualTo(2);
    assertThat(twice.errors()).isEqualTo("error: --shape-profile gives 'a' twice\n");
    assertThat(second.exitCode()).isEqualTo(2);
    assertThat(second.errors()).startsWith("error: --shape names 'y', which is not a feed");
    assertThat(Files.exists(folder.resolve("p.a.json"))).isFalse();
  }

  @Test
  void profiles_asJson() {
    JsonObject json =
        CommandRun.of("plan", input, "--json", "--shape-profile", "min:x=1,256").json();

    JsonObject profile = json.getAsJsonArray("profiles").get(0).getAsJsonObject();
    assertThat(profile.get("profile").getAsString()).isEqualTo("min");
    assertThat(profile.get("arena_bytes").getAsLong()).isEqualTo(3072);
  }

  @Test
  void aBatchThatChangesNothing_isANote() throws IOException {
    Path fixed =
        CommandRun.write(
            folder.resolve("fixed"), CommandRun.CHAIN.replace("fp32[-1,256]", "fp32[1,256]"));

    CommandRun run = CommandRun.of("plan", fixed, "-o", plan, "--batch", "8");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors())
        .isEqualTo("note: a batch of 8 changes nothing: of no feed the first extent is open\n");
    assertThat(CommandRun.of("plan", input, "-o", plan, "--batch", "8").errors()).isEmpty();
  }

  /** The gradient reads what tanh computes eight times, in each iteration. */
  private Path trainingLoop() throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            version 2003002
            default fp32[64]
            block 0
              feed x: fp32[64]
              var i: int64[1]
              var n: int64[1]
              var c: bool[1]
              var s: step_scopes
              i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
              n = fill_constant() {shape: [1], value: 3.0, dtype: 3}
              h = scale(x) {scale: 1.0}
              c = less_than(i, n)
              while(Condition: c, X: i n h) -> (Out: i c h, StepScopes: s) {sub_block: 1}
              h@GRAD = square(h)
              while_grad(X: i n h, Out: i c h, Out@GRAD: h@GRAD, StepScopes: s) \
            -> (X@GRAD: @EMPTY@ @EMPTY@ h@GRAD) \
            {sub_block: 2, original_output_grad: ["h@GRAD"]}
              fetch(h@GRAD)
            block 1 parent 0
              a0 = tanh(h)
            """);
    for (int k = 1; k < 8; k++) {
      text.append("  a%d = tanh(a%d)\n".formatted(k, k - 1));
    }
    text.append("  h = scale(a7) {scale: 1.0}\n  i = increment(i)\n  c = less_than(i, n)\n");
    text.append("block 2 parent 0 forward 1\n  var h@GRAD: fp32[64]\n");
    text.append("  (X@GRAD: g7) = tanh_grad(Out: a7, Out@GRAD: h@GRAD)\n");
    for (int k = 6; k >= 0; k--) {
      text.append("  (X@GRAD: g%d) = tanh_grad(Out: a%d, Out@GRAD: g%d)\n".formatted(k, k, k + 1));
    }
    text.append("  h@GRAD = scale(g0) {scale: 1.0}\n");
    return CommandRun.write(folder.resolve("training.pdmodel"), text.toString());
  }

  @Test
  void aTrainingLoop_hasAnArenaAnIteration() throws IOException {
    Path training = trainingLoop();
    CommandRun run = CommandRun.of("plan", training, "-o", plan);
    JsonObject json = CommandRun.of("plan", training, "-o", plan, "--json").json();
    JsonObject step = json.getAsJsonArray("step_arenas").get(0).getAsJsonObject();

    assertThat(run.text())
        .containsMatch("\n  per iteration of block 1 +2,048 +2.00 KiB +beside the arena, ");
    assertThat(step.toString())
        .isEqualTo(
            "{\"block\":1,\"place\":\"cpu\",\"bytes_per_iteration\":2048,\"lower_bound\":2048}");
    assertThat(json.get("arena_bytes").getAsLong()).isLessThan(2048);
    assertThat(PlanReader.read(plan).arenaBytes()).isEqualTo(json.get("arena_bytes").getAsLong());
    assertThat(CommandRun.of("verify", training, "--plan", plan).text()).startsWith("valid");
    assertThat(CommandRun.of("run", training, "--compare", "--plan", plan).exitCode()).isEqualTo(0);
    assertThat(CommandRun.of("plan", training, "-o", plan, "--capacity", "2047").errors())
        .contains(
            "too large: the arena of each iteration of block 1 needs 2,048 (2.00 KiB), 1.01 times"
                + " the capacity of 2,047 (2.00 KiB); ");
  }

  @Test
  void pathCover_saysWhatItGuarantees() {
    CommandRun run = CommandRun.of("plan", input, "-o", plan, "--planner", "path-cover");

    // The feed is kept to the end, so it takes a path of its own.
    assertThat(run.text()).contains("path cover bound     4,096 (4.00 KiB), kept; W = 2\n");
    JsonObject json =
        CommandRun.of("plan", input, "-o", plan, "--planner", "path-cover", "--json").json();
    assertThat(json.getAsJsonObject("path_cover_bound").get("paths").getAsInt()).isEqualTo(2);
  }

  /** Two paths from the feed: one after the other they need less than at the same time. */
  @Test
  void parallelOrder_isRecorded_andVerified() throws IOException {
    Path paths =
        CommandRun.write(
            folder.resolve("paths.pdmodel"),
            """
            default fp32[256]
            block 0
            feed x: fp32[-1,256]
            a = fused_feedforward(x, x)
            b = fused_feedforward(a, a)
            c = fused_feedforward(x, x)
            d = fused_feedforward(c, c)
            e = fused_feedforward(b, d)
            fetch(e)
            """);
    Path json = folder.resolve("plan.json");

    CommandRun sequential = CommandRun.of("plan", paths, "-o", json, "--json");
    String text = Files.readString(json);
    CommandRun parallel = CommandRun.of("plan", paths, "-o", plan, "--order", "parallel", "--json");

    assertThat(sequential.json().get("order").getAsString()).isEqualTo("sequential");
    assertThat(parallel.json().get("order").getAsString()).isEqualTo("parallel");
    assertThat(parallel.json().get("arena_bytes").getAsLong())
        .isGreaterThan(sequential.json().get("arena_bytes").getAsLong());
    assertThat(PlanReader.read(plan).order()).isEqualTo(ExecutionOrder.PARALLEL);
    assertThat(CommandRun.of("verify", paths, "--plan", plan).exitCode()).isEqualTo(0);
    assertThat(CommandRun.of("verify", paths, "--plan", json).exitCode()).isEqualTo(0);
    // A sequential plan that says it is a parallel one.
    Files.writeString(json, text.replace("\"batch\"", "\"order\": \"parallel\", \"batch\""));
    CommandRun refused = CommandRun.of("verify", paths, "--plan", json);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.text()).contains("operators could use at the same time");
  }

  @Test
  void tablesHaveNoDataFlow() throws IOException {
    Path table = folder.resolve("buffers.csv");
    Files.writeString(table, "id,lower,upper,size\n0,0,2,64\n1,1,3,64\n");

    CommandRun bound =
        CommandRun.of("plan", table, "-o", folder.resolve("o.csv"), "--planner", "path-cover");
    CommandRun parallel =
        CommandRun.of("plan", table, "-o", folder.resolve("o.csv"), "--order", "parallel");

    assertThat(bound.text())
        .contains("path cover bound     none: no data flow in a table of buffers\n");
    assertThat(parallel.exitCode()).isEqualTo(2);
    assertThat(parallel.errors()).contains("--order is for programs");
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
    assertThat(run.errors()).startsWith("memory ");
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

  @Test
  void withoutAnOutput_thereIsOnlyTheSummary() throws IOException {
    CommandRun run = CommandRun.of("plan", input);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).startsWith("memory ");
    assertThat(CommandRun.filesIn(folder)).containsExactly("in.pdmodel");
  }

  @Test
  void anArenaThatFits_isWritten_andOneThatDoesNot_isNot() throws IOException {
    assertThat(CommandRun.of("plan", input, "-o", plan, "--capacity", "3KiB").exitCode())
        .isEqualTo(0);
    Files.delete(plan);

    CommandRun run = CommandRun.of("plan", input, "-o", plan, "--capacity", "3071");
    CommandRun optimize = CommandRun.of("optimize", input, "-o", plan, "--capacity", "3071");
    CommandRun quiet = CommandRun.of("plan", input, "-o", plan, "--capacity", "3071", "-q");

    assertThat(run.exitCode()).isEqualTo(5);
    assertThat(run.errors())
        .isEqualTo(
            "error: "
                + input
                + ": too large: the arena needs 3,072 (3.00 KiB), 1.01 times the capacity of 3,071"
                + " (3.00 KiB); no plan can fit: none needs less than 3,072 (3.00 KiB)\n"
                + """
                  at block 0, op 2 (fused_feedforward), 3,072 (3.00 KiB) are in use:
                    1,024    1.00 KiB   33 %  x  live: block 0, op 0 (feed) to block 0, op 5 (fetch)
                    1,024    1.00 KiB   33 %  a  live: block 0, op 1 (fused_feedforward) to \
                block 0, op 2 (fused_feedforward)
                    1,024    1.00 KiB   33 %  b  live: block 0, op 2 (fused_feedforward) to \
                block 0, op 3 (fused_feedforward)
                """);
    assertThat(optimize.exitCode()).isEqualTo(5);
    assertThat(optimize.errorLines().get(0)).isEqualTo(run.errorLines().get(0));
    assertThat(quiet.errorLines()).containsExactly(run.errorLines().get(0));
    assertThat(CommandRun.filesIn(folder)).containsExactly("in.pdmodel");
  }

  @Test
  void pools_haveArenasOfTheirOwn() {
    // x is fed and read, the others written and read; but x is live from start to end.
    Object[] arguments = {
      "plan", input, "-o", plan, "--no-in-place", "--pool", "sram:2KiB", "--pool", "dram"
    };
    CommandRun run = CommandRun.of(arguments);

    assertThat(run.errors()).isEmpty();
    assertThat(run.text())
        .contains(
            """
              at planned offsets  3,072  3.00 KiB     0.600  the arenas of the plan
                in sram           2,048  2.00 KiB            of 2,048 (2.00 KiB), 72.7 % of the traffic
                in dram           1,024  1.00 KiB            27.3 % of the traffic
            """);
    MemoryPlan read = PlanReader.read(plan);
    assertThat(read.arenas()).hasSize(2);
    assertThat(read.arenas().get(0).pool()).hasValue(new Pool("sram", 2048));
    assertThat(read.arenas().get(1).pool()).hasValue(new Pool("dram", Pool.UNLIMITED));
    JsonArray arenas =
        CommandRun.of(ObjectArrays.concat(arguments, "--json")).json().getAsJsonArray("arenas");
    assertThat(arenas.get(0).getAsJsonObject().get("capacity").getAsLong()).isEqualTo(2048);
    assertThat(arenas.get(0).getAsJsonObject().get("traffic_percent").getAsDouble())
        .isEqualTo(72.7);
    assertThat(CommandRun.of("verify", input, "--plan", plan).text()).isEqualTo("valid\n");
  }

  @Test
  void aTable_isPlanned_whateverItsName_andFromStandardInput() throws IOException {
    String text = "id,lower,upper,size\na,0,2,8\nb,1,3,4\n";
    Path table = Files.writeString(folder.resolve("buffers"), text);
    Path planned = folder.resolve("planned.csv");

    CommandRun run = CommandRun.of("plan", table, "-o", planned);
    CommandRun piped = CommandRun.withInput(text.getBytes(UTF_8), "plan", "-", "-o", "-");

    assertThat(run.errors()).isEmpty();
    assertThat(Files.readString(planned))
        .isEqualTo("id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,8\n");
    assertThat(piped.text()).isEqualTo(Files.readString(planned));
    assertThat(piped.errors()).isEqualTo(run.text());
    assertThat(CommandRun.of("plan", planned, "-o", "-").text()).isEqualTo(piped.text());
  }

  @Test
  void aTablesJson_hasItsTimeOnlyUnderTimings() throws IOException {
    Path table = Files.writeString(folder.resolve("t.csv"), "id,lower,upper,size\na,0,2,8\n");

    JsonObject json = CommandRun.of("plan", table, "--json").json();
    JsonObject timed = CommandRun.of("plan", table, "--json", "--timings").json();

    assertThat(json.keySet())
        .containsExactly(
            "planner",
            "buffers",
            "arena_bytes",
            "lower_bound",
            "proved_optimal",
            "left_to_gain",
            "nodes",
            "warnings")
        .inOrder();
    assertThat(json.get("arena_bytes").getAsLong()).isEqualTo(8);
    assertThat(timed.get("elapsed_ms").getAsDouble()).isGreaterThan(0);
  }

  @Test
  void aTablesPlan_isNotWrittenUnderAnotherFormsName() throws IOException {
    Path table = Files.writeString(folder.resolve("t.csv"), "id,lower,upper,size\na,0,2,8\n");

    CommandRun run = CommandRun.of("plan", table, "-o", folder.resolve("p.json"));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors()).contains("the plan of a table of buffers is CSV; ");
    assertThat(CommandRun.filesIn(folder)).doesNotContain("p.json");
  }

  /** Two buffers must swap before first fit finds the smallest arena, 2,000 bytes. */
  private Path tableToSearch() throws IOException {
    return Files.writeString(
        folder.resolve("six.csv"),
        """
        id,lower,upper,size
        a,0,1,200
        b,2,3,500
        c,2,5,400
        d,0,3,300
        e,3,6,700
        f,2,5,800
        """);
  }

  @Test
  void effortAndGap_sayWhatMoreCouldGain_andProveNothing() throws IOException {
    Path table = tableToSearch();

    CommandRun low = CommandRun.of("plan", table, "--planner", "search", "--effort", "low", "-q");
    CommandRun normal = CommandRun.of("plan", table, "--planner", "search");
    JsonObject close =
        CommandRun.of("plan", table, "--planner", "search", "--gap", "10%", "--json").json();
    JsonObject high =
        CommandRun.of("plan", table, "--planner", "search", "--effort", "high", "--json").json();

    assertThat(low.text())
        .isEqualTo(
            """
            buffers              6
            bytes of all         2,900 (2.83 KiB)
            arena                2,200 (2.15 KiB)
            lower bound          2,000 (1.95 KiB)
            arena ÷ lower bound  1.100
            proved optimal       no
            left to gain         at most 200 bytes, with --effort normal
            validated            yes
            planner              search
            """);
    assertThat(normal.text()).contains("proved optimal       yes\nsearch nodes");
    assertThat(close.get("proved_optimal").getAsBoolean()).isFalse();
    assertThat(close.get("left_to_gain").getAsLong()).isEqualTo(200);
    assertThat(close.get("gain_with").getAsString()).isEqualTo("--gap 0");
    assertThat(close.get("nodes").getAsLong()).isEqualTo(0);
    assertThat(high.get("arena_bytes").getAsLong()).isEqualTo(2000);
    assertThat(high.get("left_to_gain").getAsLong()).isEqualTo(0);
    assertThat(high.has("gain_with")).isFalse();
  }

  @Test
  void gap_doesNotKeepAnArenaFromFittingItsCapacity() throws IOException {
    Path table = tableToSearch();

    JsonObject fits =
        CommandRun.of(
                "plan",
                table,
                "--planner",
                "search",
                "--gap",
                "10%",
                "--capacity",
                "2100",
                "--json")
            .json();

    assertThat(fits.get("arena_bytes").getAsLong()).isEqualTo(2000);
  }

  @Test
  void wrongEffortOrGap_isRefused() {
    CommandRun effort = CommandRun.of("plan", input, "--effort", "hihg");
    CommandRun gap = CommandRun.of("plan", input, "--gap", "little");

    assertThat(effort.exitCode()).isEqualTo(2);
    assertThat(effort.errors()).contains("'hihg' is not a valid word; did you mean 'high'?");
    assertThat(gap.exitCode()).isEqualTo(2);
    assertThat(gap.errors()).contains("'little' is not a percentage; write a number from 0");
  }

  /** Scripts find what to give, and values that inference accepts; nothing if nothing is open. */
  @Test
  void openExtents_areInTheJson() throws IOException {
    Path open =
        CommandRun.write(
            folder.resolve("open.pdmodel"),
            "version 2004001",
            "block 0",
            "feed x: fp32[-1,3,-1,-1]",
            "y = relu(x)",
            "fetch(y)");

    JsonObject extents =
        CommandRun.of("plan", open, "--json").json().getAsJsonObject("open_extents");

    assertThat(extents.toString())
        .isEqualTo("{\"extents\":[],\"feeds\":[\"x\"],\"example\":[\"x=1,3,16,16\"]}");
    String example = extents.getAsJsonArray("example").get(0).getAsString();
    JsonObject given = CommandRun.of("plan", open, "--shape", example, "--json").json();
    assertThat(given.has("open_extents")).isFalse();
    assertThat(given.getAsJsonObject("activations").get("not_planned").getAsInt()).isEqualTo(0);
  }
}
