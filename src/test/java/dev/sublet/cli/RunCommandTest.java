package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.primitives.ImmutableLongArray;
import com.google.gson.JsonObject;
import dev.sublet.codec.tensor.NpyReader;
import dev.sublet.codec.tensor.NpyWriter;
import dev.sublet.runtime.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code run} prints, writes and refuses. */
final class RunCommandTest {

  /** a and r are live together; the mask says which is chosen. */
  private static final String PROGRAM =
      """
      version 2003002
      block 0
        feed x: fp32[-1,4]
        feed mask: int32[1]
        var w: fp32[2,4] persistable
        var a: fp32[-1,4]
        var r: fp32[2,4]
        var b: fp32[-1,4]
        var y: fp32[-1,4]
        a = assign(x)
        r = uniform_random() {shape: [2, 4], min: 0.0, max: 1.0, seed: 3}
        b = select_input(a r, Mask: mask)
        y = select_input(b w, Mask: mask)
        fetch(y)
        fetch(b)
      """;

  @TempDir private Path folder = Path.of("");
  private Path program = Path.of("");

  @BeforeEach
  void write() throws IOException {
    program = CommandRun.write(folder.resolve("in.pdmodel"), PROGRAM);
  }

  @Test
  void run_printsTypesShapesFirstValuesAndChecksums() throws IOException {
    Path x = folder.resolve("x.npy");
    Files.write(
        x, NpyWriter.toBytes(Tensor.of(ImmutableLongArray.of(1, 4), 0.5f, -1e30f, Float.NaN, 3f)));
    CommandRun run = CommandRun.of("run", program, "--feed", "x=" + x, "--feed", "mask=values:0");

    // The checksum is that of NumPy's tobytes().
    assertThat(run.text())
        .isEqualTo(
            """
            output  type     shape   first values         sha256
            y       float32  [1, 4]  0.5 -1.0E30 NaN 3.0  %1$s
            b       float32  [1, 4]  0.5 -1.0E30 NaN 3.0  %1$s
            8 operators run, 48 bytes copied by assignments, 0 of them in loops
            """
                .formatted("9eaef27a04e134fa"));
    assertThat(run.errorLines())
        .containsExactly(
            "note: the program's 1 parameters are pseudo-random, by name and shape; see --params");
    assertThat(run.exitCode()).isEqualTo(0);
  }

  @Test
  void run_withoutFeeds_makesThemUp_andSaysSo() {
    CommandRun first = CommandRun.of("run", program, "--batch", "2");
    CommandRun again = CommandRun.of("run", program, "--batch", "2", "--feed", "x=random:0");
    CommandRun other =
        CommandRun.of(
            "run", program, "--batch", "2", "--feed", "x=random:1", "--feed", "mask=values:0");

    assertThat(first.errorLines().get(0))
        .isEqualTo("note: pseudo-random numbers are fed into x, mask; see --feed");
    assertThat(again.errorLines().get(0))
        .isEqualTo("note: pseudo-random numbers are fed into mask; see --feed");
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(other.text()).isNotEqualTo(first.text());
  }

  @Test
  void compare_runsThreeForms_andTellsThatTheyAreEqual() {
    CommandRun run = CommandRun.of("run", program, "--feed", "mask=values:0", "--compare");
    JsonObject json =
        CommandRun.of("run", program, "--feed", "mask=values:0", "--compare", "--json").json();

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).contains("shared names  arena\n");
    assertThat(run.text())
        .endsWith(
            """

            shared names: equal; 48 bytes copied by assignments, 0 of them in loops
            arena: equal; 48 bytes copied by assignments, 0 of them in loops
            """);
    assertThat(json.get("equal").getAsBoolean()).isTrue();
    assertThat(json.getAsJsonArray("forms").get(1).getAsJsonObject().get("form").getAsString())
        .isEqualTo("arena");
    JsonObject output = json.getAsJsonArray("outputs").get(1).getAsJsonObject();
    assertThat(output.get("variable").getAsString()).isEqualTo("b");
    assertThat(output.get("shape").toString()).isEqualTo("[1,4]");
    assertThat(output.getAsJsonArray("first_values").size()).isEqualTo(4);
  }

  @Test
  void compare_countsTheBytesThatEachFormCopiesInLoops() throws IOException {
    Path loop =
        CommandRun.write(
            folder.resolve("loop.pdmodel"),
            """
            version 2003002
            block 0
              feed x0: fp32[4]
              var i: int64[1]
              var n: int64[1]
              var c: bool[1]
              var x: fp32[4]
              x = assign(x0)
              i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
              n = fill_constant() {shape: [1], value: 5.0, dtype: 3}
              c = less_than(i, n)
              while(Condition: c, X: i n x) -> (Out: i c x, StepScopes: s) \
            {sub_block: 1, is_test: true}
              fetch(x)
            block 1 parent 0
              var y: fp32[4]
              y = tanh(x)
              x = assign(y)
              i = increment(i)
              c = less_than(i, n)
            """);
    CommandRun run = CommandRun.of("run", loop, "--compare");
    JsonObject json = CommandRun.of("run", loop, "--compare", "--json").json();

    assertThat(run.text()).contains("96 bytes copied by assignments, 80 of them in loops\n");
    assertThat(json.get("bytes_copied").getAsLong()).isEqualTo(96);
    assertThat(json.get("bytes_copied_in_loops").getAsLong()).isEqualTo(80);
    assertThat(json.getAsJsonArray("forms").size()).isEqualTo(2);
    for (int i = 0; i < 2; i++) {
      JsonObject form = json.getAsJsonArray("forms").get(i).getAsJsonObject();
      assertThat(form.get("bytes_copied_in_loops").getAsLong()).isAtMost(80);
      assertThat(run.text())
          .contains(
              form.get("form").getAsString()
                  + ": equal; "
                  + form.get("bytes_copied")
                  + " bytes copied by assignments, "
                  + form.get("bytes_copied_in_loops")
                  + " of them in loops\n");
    }
  }

  @Test
  void save_writesEachOutput() throws IOException {
    CommandRun.of("run", program, "--feed", "mask=values:1", "--batch", "2", "--save", folder);

    assertThat(CommandRun.filesIn(folder)).containsExactly("0_y.npy", "1_b.npy", "in.pdmodel");
    Tensor random = NpyReader.read(folder.resolve("1_b.npy"));
    assertThat(random.shape()).isEqualTo(ImmutableLongArray.of(2, 4));
    for (float number : random.floats()) {
      assertThat(number).isAtLeast(0f);
      assertThat(number).isLessThan(1f);
    }
  }

  @Test
  void plan_runsInsideItsArenas_andAWrongOneIsNoticed() throws IOException {
    Path plan = folder.resolve("p.json");
    CommandRun.of("plan", program, "-o", plan, "--batch", "2", "--views", "none");
    String[] arguments = {
      "run", program.toString(), "--plan", plan.toString(), "--feed", "mask=values:0"
    };
    String text = CommandRun.of((Object[]) arguments).text();
    assertThat(CommandRun.of("run", program, "--batch", "2", "--feed", "mask=values:0").text())
        .isEqualTo(text);

    // Everything at the arena's beginning.
    Files.writeString(plan, Files.readString(plan).replaceAll("\"offset\":\\d+", "\"offset\":0"));
    CommandRun wrong =
        CommandRun.of("run", program, "--plan", plan, "--feed", "mask=values:0", "--compare");
    assertThat(wrong.text()).contains("\narena: different");
    assertThat(wrong.exitCode()).isEqualTo(1);
  }

  @Test
  void plan_ofAnotherProgram_isRefused() throws IOException {
    Path other = CommandRun.write(folder.resolve("o.pdmodel"), PROGRAM + "  fetch(r)\n");
    Path plan = folder.resolve("p.json");
    CommandRun.of("plan", other, "-o", plan);
    CommandRun run = CommandRun.of("run", program, "--plan", plan);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errors())
        .startsWith("error: " + plan + ": the plan is for a program with SHA-256 ");
  }

  @Test
  void operatorsThatCannotRun_areOneErrorBeforeAnythingElse() throws IOException {
    Path unknown =
        CommandRun.write(
            folder.resolve("u.pdmodel"),
            """
            block 0
              feed x: fp32[4]
              a = mystery(x)
              b = mystery(a)
              c = enigma(b)
              fetch(c)
            """);
    CommandRun run = CommandRun.of("run", unknown, "--feed", "nothing=values:1");

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.errors())
        .isEqualTo(
            "error: "
                + unknown
                + ": 2 operator types cannot be run: enigma (1 times, first at block 0, op 3),"
                + " mystery (2 times, first at block 0, op 1)\n");
  }

  @Test
  void aProgramWithoutFetches_showsWhatNoOperatorReads() throws IOException {
    Path open =
        CommandRun.write(
            folder.resolve("o.pdmodel"),
            """
            block 0
              feed x: fp32[1]
              feed c: bool[1]
              var never: fp32[1]
              a = assign(x)
              b = assign(a)
              conditional_block(Cond: c, Input: x) -> (Out: never, Scope: s) \
            {sub_block: 1, is_scalar_condition: true}
            block 1 parent 0
              never = assign(x)
            """);
    CommandRun run = CommandRun.of("run", open, "--feed", "x=values:7", "--feed", "c=values:0");

    assertThat(run.text()).contains("b       float32  [1]    7.0");
    assertThat(run.text()).contains("\nnever  has no value\n");
    assertThat(CommandRun.of("run", open, "--feed", "x=values:7", "--fetch", "a").text())
        .contains("a       float32  [1]    7.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--max-steps 3 | 5 | IN: block 0, op 3 (uniform_random): given up after 3 operators; if no"
            + " loop runs forever, allow more with --max-steps",
        "--feed z=random:1 | 2 | --feed names 'z', which the program's block 0 does not declare; the feeds are: x, mask",
        "--feed x=values:1,2 | 2 | 'values:1,2' has 2 numbers for the shape [1, 4]",
        "--feed x=values:1,2,3,no | 2 | 'no' in 'values:1,2,3,no' is not a number",
        "--feed x=random:now | 2 | 'random:now' has no seed; a seed is a whole number",
        "--feed x=nowhere.npy | 3 | nowhere.npy: no such file",
        "--feed x=random:1 --feed x=random:2 | 2 | --feed gives 'x' twice",
        "--params nowhere | 3 | nowhere: no such file",
        "--feed mask=values:7 | 3 | IN: block 0, op 4 (select_input): input Mask is int32[1] 7,"
            + " which is not a number below 2",
      })
  void wrongInput_isOneLine(String arguments, int exitCode, String message) {
    String[] all = ("run IN " + arguments).split(" ");
    all[1] = program.toString();
    CommandRun run = CommandRun.of((Object[]) all);

    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.errors().replace(program.toString(), "IN"))
        .isEqualTo("error: " + message + "\n");
    assertThat(run.text()).isEmpty();
  }

  @Test
  void run_integersOf8Bits_moveAndConvert_alikeInAllForms() throws IOException {
    Path bytes =
        CommandRun.write(
            folder.resolve("bytes.pdmodel"),
            """
            version 2003002
            block 0
              feed x: uint8[2,2]
              var flat: uint8[4]
              var bright: uint8[4]
              var y: fp32[4]
              var z: int8[4]
              flat = reshape(x) {shape: [-1]}
              bright = scale(flat) {scale: 2.0, bias: 1.0, bias_after_scale: true}
              y = cast(bright) {in_dtype: 20, out_dtype: 5}
              z = cast(bright) {in_dtype: 20, out_dtype: 21}
              fetch(y)
              fetch(z)
            """);
    CommandRun run = CommandRun.of("run", bytes, "--feed", "x=values:0,100,127,255", "--compare");

    assertThat(run.text()).contains("y       float32  [4]    1.0 201.0 255.0 255.0");
    assertThat(run.text()).contains("z       int8     [4]    1 -55 -1 -1");
    assertThat(run.text()).doesNotContain("different");
    assertThat(run.exitCode()).isEqualTo(0);
  }

  @Test
  void run_float16_isRefusedByName() throws IOException {
    Path half =
        CommandRun.write(
            folder.resolve("half.pdmodel"),
            """
            version 2003002
            block 0
              feed x: fp32[2]
              var y: fp16[2]
              y = cast(x) {in_dtype: 5, out_dtype: 4}
              fetch(y)
            """);
    CommandRun run = CommandRun.of("run", half);

    assertThat(String.join(" ", run.errorLines()))
        .contains("tensors of FP16 cannot be computed with");
    assertThat(run.exitCode()).isNotEqualTo(0);
  }
}
