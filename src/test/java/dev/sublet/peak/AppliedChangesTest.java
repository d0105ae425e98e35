package dev.sublet.peak;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sublet.cli.CommandRun;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain --peak --apply N}: the programs that changes write. */
final class AppliedChangesTest {

  private static final Path CONVOLUTIONS =
      Path.of("testdata", "examples", "ten_operators", "program.textproto");

  @TempDir private Path folder;

  private static CommandRun run(List<Object> first, Object... more) {
    List<Object> arguments = new ArrayList<>(first);
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments.toArray());
  }

  /** The change whose words begin with the given ones, with its number as "number". */
  private static JsonObject change(String words, List<Object> explain) {
    CommandRun run = run(explain, "--json", "-q");
    JsonArray changes =
        JsonParser.parseString(run.text()).getAsJsonObject().getAsJsonArray("changes");
    for (int i = 0; i < changes.size(); i++) {
      JsonObject each = changes.get(i).getAsJsonObject();
      if (each.get("change").getAsString().startsWith(words)) {
        each.addProperty("number", i + 1);
        return each;
      }
    }
    throw new AssertionError(changes.toString());
  }

  /** Writes the program with a change, and checks the arena that the list promises. */
  private Program applied(String words, Path input, Object... options) {
    List<Object> explain = new ArrayList<>(List.of("explain", input, "--peak"));
    explain.addAll(List.of(options));
    JsonObject change = change(words, explain);
    assertThat(change.get("changes_program").getAsBoolean()).isTrue();
    Path output = folder.resolve("changed.textproto");
    CommandRun run = run(explain, "--apply", change.get("number"), "-o", output);
    assertWithMessage(run.errors()).that(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .endsWith(
            "\napplied: change "
                + change.get("number")
                + "\nwritten: changed program  "
                + output
                + "\n");
    CommandRun plan = run(List.of("plan", output, "--json", "-q"), options);
    assertThat(plan.text()).contains("\"arena_bytes\": " + change.get("arena_bytes"));
    return ProgramReader.read(output);
  }

  private String verified(Path original, Object... options) {
    return run(List.of("verify", original, folder.resolve("changed.textproto")), options).text();
  }

  @Test
  void halvesOfTheBatch_areWrittenAndVerified() {
    Program changed = applied("run block 0", CONVOLUTIONS, "--batch", 4);
    assertThat(verified(CONVOLUTIONS, "--batch", 4)).isEqualTo("valid\n");
    assertThat(verified(CONVOLUTIONS, "--batch", 4, "--fusion", "safe"))
        .contains("explain --apply");
    Program original = ProgramReader.read(CONVOLUTIONS);
    for (long rows : new long[] {3, 4, 5, 8}) {
      ImmutableLongArray shape = ImmutableLongArray.of(rows, 3, 32, 32);
      assertThat(results(changed, "image", shape)).isEqualTo(results(original, "image", shape));
    }
  }

  /** The names of a changed program may be shared as those of any other. */
  @Test
  void aChangedProgram_canBeOptimized() {
    Program changed = applied("run block 0", CONVOLUTIONS, "--batch", 4);
    Path small = folder.resolve("small.textproto");
    Path file = folder.resolve("changed.textproto");
    CommandRun optimize = CommandRun.of("optimize", file, "-o", small, "--batch", 4);
    assertWithMessage(optimize.errors()).that(optimize.exitCode()).isEqualTo(0);
    assertThat(CommandRun.of("verify", file, small, "--batch", 4).text()).isEqualTo("valid\n");
    ImmutableLongArray shape = ImmutableLongArray.of(4, 3, 32, 32);
    assertThat(results(ProgramReader.read(small), "image", shape))
        .isEqualTo(results(changed, "image", shape));
  }

  private Path written(String text) throws IOException {
    return CommandRun.write(folder.resolve("in.textproto"), text);
  }

  private static final String SKIP =
      """
      version 2003002
      default fp32[]
      block 0
        feed x: fp32[1,64]
        a = relu(x)
        b = concat(a a a a) {axis: 1}
        c = tanh(b)
        d = reduce_sum(c) {dim: [1], keep_dim: true}
        y = elementwise_add(a, d)
        fetch(y)
      """;

  @Test
  void aTensorThatIsComputedAgain_isWrittenAndVerified() throws IOException {
    Path input = written(SKIP);
    Program changed = applied("compute 'a' again", input);
    assertThat(verified(input)).isEqualTo("valid\n");
    ImmutableLongArray shape = ImmutableLongArray.of(1, 64);
    assertThat(results(changed, "x", shape))
        .isEqualTo(results(ProgramReader.read(input), "x", shape));
  }

  @Test
  void aResultThatIsLeftOut_isNotFetched() throws IOException {
    String two = SKIP.replace("d = reduce_sum", "fetch(b)\n  e = tanh(c)\n  d = reduce_sum");
    Path input = written(two);
    Program changed = applied("without the result 'b'", input);
    List<Long> columns = new ArrayList<>();
    changed.block(0).operations().stream()
        .filter(operation -> operation.type().equals("fetch"))
        .forEach(fetch -> columns.add(fetch.attribute("col").orElseThrow().asLong(-1)));
    assertThat(columns).containsExactly(0L);
    ImmutableLongArray shape = ImmutableLongArray.of(1, 64);
    List<Tensor> all = results(ProgramReader.read(input), "x", shape);
    assertThat(results(changed, "x", shape)).containsExactly(all.get(1));
  }

  private static List<Tensor> results(Program program, String feed, ImmutableLongArray shape) {
    ExecutionResult result =
        Executor.run(
            program,
            ImmutableMap.of(feed, LodTensor.of(RandomTensors.feed(feed, 0, DataType.FP32, shape))),
            RandomTensors.parameters(program),
            ExecutionOptions.defaults());
    return result.outputs().stream().map(output -> output.tensor().tensor()).toList();
  }

  @Test
  void aProgramOnStandardOutput_leavesTheListToStandardError() {
    CommandRun run =
        CommandRun.of("explain", CONVOLUTIONS, "--batch", 4, "--peak", "--apply", "2", "-o", "-");
    assertThat(run.text()).startsWith("blocks {");
    assertThat(run.errors()).contains("applied: change 2\nwritten: changed program");
    CommandRun quiet =
        CommandRun.of(
            "explain", CONVOLUTIONS, "--batch", 4, "--peak", "--apply", "2", "-o", "-", "-q");
    assertThat(quiet.text()).isEqualTo(run.text());
    assertThat(quiet.errors()).isEmpty();
  }

  private String refused(Object... options) {
    CommandRun run = run(List.of("explain", CONVOLUTIONS, "--batch", 4), options);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(Files.exists(folder.resolve("o"))).isFalse();
    return run.errors();
  }

  @Test
  void whatCannotBeWritten_isOneLine() {
    Path output = folder.resolve("o");
    assertThat(refused("--peak", "--apply", 1, "-o", output))
        .isEqualTo(
            "error: --apply writes no program for change 1, '--batch 2': feed a batch of 2 in each run,"
                + " and give that option to 'plan' or 'optimize'\n");
    assertThat(refused("--peak", "--apply", 3, "-o", output))
        .isEqualTo(
            "error: --apply writes no program for change 3, '--reuse-feeds': give that option to"
                + " 'plan' or 'optimize'\n");
    assertThat(refused("--peak", "--apply", 4, "-o", output))
        .isEqualTo("error: there is no change 4: --peak lists 1 to 3\n");
    assertThat(refused("--peak", "--apply", 2))
        .isEqualTo("error: nothing to write: name the program with the change with -o OUT\n");
    assertThat(refused("--peak", "-o", output))
        .isEqualTo(
            "error: -o OUT writes the program with a change: name the change with --apply N\n");
    assertThat(refused("--apply", 2, "-o", output))
        .isEqualTo("error: --apply names a change that --peak lists: give both\n");
  }
}
