package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.primitives.ImmutableLongArray;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.codec.tensor.NpyWriter;
import dev.sublet.runtime.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicroCommandTest {

  private static final String SCALED_SUM =
      """
      micro scaled_sum
      parameter $scale: float32
      input x: float32[?, 2]
      y = sum x * $scale over 1
      output y
      """;

  @TempDir private Path folder;

  private CommandRun micro(String text, Object... arguments) throws IOException {
    Path file = folder.resolve("f.micro");
    Files.writeString(file, text);
    List<Object> all = new ArrayList<>(List.of("micro", file));
    all.addAll(List.of(arguments));
    CommandRun run = CommandRun.of(all.toArray());
    return new CommandRun(run.exitCode(), run.output(), run.errors().replace(folder + "/", ""));
  }

  private CommandRun ok(String text, Object... arguments) throws IOException {
    CommandRun run = micro(text, arguments);
    assertThat(run.errors()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(0);
    return run;
  }

  @Test
  void printsFusedLoops_unlessToldOtherwise() throws IOException {
    String fused =
        """
        program scaled_sum
        parameter $scale: float32
        input x: float32[?, 2]
        output y: float32[d(x, 0), 1]
        function y
          block
            for i0 in 0..d(x, 0)
              carry c0 = sum float32
              for i1 in 0..2
                c0 << x![i0, i1] * $scale
              y![i0, 0] = c0
        """;
    assertThat(ok(SCALED_SUM).text()).isEqualTo(fused);
    assertThat(ok(SCALED_SUM, "--fuse", "--emit", "loops").text()).isEqualTo(fused);
    assertThat(ok(fused).text()).isEqualTo(fused);
    assertThat(ok(SCALED_SUM, "--no-fuse").text()).contains("temporary t2: float32[d(x, 0), 2]\n");
    assertThat(ok(SCALED_SUM, "-v").text())
        .isEqualTo(fused + "# blocks: 2 before, 1 after\n# removed: t2: float32[d(x, 0), 2]\n");
  }

  @Test
  void printsMicroOps() throws IOException {
    assertThat(ok(SCALED_SUM, "--emit", "op").text())
        .isEqualTo(
            """
            micro scaled_sum
            parameter $scale: float32
            input x: float32[?, 2]
            t1 = $scale
            t2 = x * t1
            y = sum t2 over 1
            output y
            """);
  }

  @Test
  void printsC() throws IOException {
    String c = ok(SCALED_SUM, "--emit", "c").text();
    assertThat(c).contains("void scaled_sum(");
    assertThat(ok(SCALED_SUM, "--emit", "c", "-v").text())
        .isEqualTo(c + "// blocks: 2 before, 1 after\n// removed: t2: float32[d(x, 0), 2]\n");
    assertThat(ok(SCALED_SUM, "--emit", "c", "--json").json().get("program").getAsString())
        .isEqualTo(c);
    assertThat(ok(SCALED_SUM, "--emit", "c", "--grad").text()).contains("void scaled_sum_grad(");
  }

  @Test
  void printsTheGradient() throws IOException {
    assertThat(ok(SCALED_SUM, "--grad").text())
        .isEqualTo(
            """
            program scaled_sum_grad
            parameter $scale: float32
            input y_grad: float32[?, 1]
            output x_grad: float32[d(y_grad, 0), 2]
            function x_grad
              block
                for i0 in 0..d(y_grad, 0)
                  for i1 in 0..2
                    x_grad![i0, i1] = y_grad![i0, 0] * $scale
            """);
  }

  private static final String MATMUL = read("testdata/micro/matmul/op.micro");

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The gradient of one matrix reads the other one only, so the first need not be there. */
  @Test
  void gradientOfSomeInputs_readsWhatIsGiven() throws IOException {
    assertThat(ok(MATMUL, "--grad", "--given", "c_grad,b", "--wanted", "a").text())
        .isEqualTo(
            """
            program matmul_grad
            input b: float32[?, ?]
            input c_grad: float32[?, d(b, 1)]
            output a_grad: float32[d(c_grad, 0), d(b, 0)]
            function a_grad
              block
                for i0 in 0..d(c_grad, 0)
                  for i1 in 0..d(b, 0)
                    carry c0 = sum float32
                    for i2 in 0..d(b, 1)
                      c0 << c_grad![i0, i2] * b![i1, i2]
                    a_grad![i0, i1] = c0
            """);
    assertThat(ok(MATMUL, "--grad", "--wanted", "b", "--wanted", "a").text())
        .isEqualTo(ok(MATMUL, "--grad").text());
  }

  /** An output that is given is read instead of computed anew. */
  @Test
  void givenOutput_isNotComputedAnew() throws IOException {
    String exp = "micro e\ninput x: float32[?]\ny = exp(x)\noutput y\n";
    assertThat(ok(exp, "--grad", "--given", "x,y_grad").text()).contains("exp(");
    assertThat(ok(exp, "--grad", "--given", "y,y_grad").text()).doesNotContain("exp(");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--given a | --given and --wanted go with --grad",
        "--grad --given c_grad,q"
            + " | --given: 'matmul' has no 'q'; name some of: a, b, c, c_grad",
        "--grad --given a"
            + " | --given: without the gradient of an output all gradients are 0; name some of: c_grad",
        "--grad --given c_grad,a --wanted a"
            + " | --grad: the gradient of matmul reads what is not given: [b]; see --given",
        "--grad --wanted c | --wanted: 'matmul' has no input 'c'; name some of: a, b",
      })
  void wrongGradients(String options, String message) throws IOException {
    CommandRun run = micro(MATMUL, (Object[]) options.split(" "));
    assertThat(run.errors()).isEqualTo("error: " + message + "\n");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.text()).isEmpty();
  }

  @Test
  void readsStandardInput() {
    CommandRun run = CommandRun.withInput(SCALED_SUM.getBytes(UTF_8), "micro", "-");
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).startsWith("program scaled_sum\n");
  }

  @Test
  void json_hasTheText() throws IOException {
    JsonObject json = ok(SCALED_SUM, "--json").json();
    assertThat(json.get("form").getAsString()).isEqualTo("loops");
    assertThat(json.get("program").getAsString()).isEqualTo(ok(SCALED_SUM).text());
    assertThat(json.get("blocks_before").getAsInt()).isEqualTo(2);
    assertThat(json.get("blocks_after").getAsInt()).isEqualTo(1);
    assertThat(json.getAsJsonArray("removed").get(0).toString())
        .isEqualTo("{\"name\":\"t2\",\"type\":\"float32\",\"shape\":[\"d(x, 0)\",\"2\"]}");
  }

  /**
   * The checksums are those of Python's hashlib over {@code struct.pack("<3q", 0, 1, 4)} and so on.
   */
  @Test
  void run_computes() throws IOException {
    String counting =
        """
        micro counting
        parameter $n: int64
        p = position shape $n at i0 * i0
        h = cast(float64, p) / 2.0f64
        b = p > 3
        output p
        output h
        output b
        """;
    CommandRun run = ok(counting, "--run", "--set", "$n=3");
    assertThat(run.text())
        .isEqualTo(
            """
            output  type     shape  first values      sha256
            p       int64    [3]    0 1 4             ded7ac4001b8954c
            h       float64  [3]    0.0 0.5 2.0       789ab2abac4dcbb3
            b       bool     [3]    false false true  cf7605ed1bc735f6
            """);
    CommandRun long9 = ok(counting, "--run", "--set", "n=9", "--json");
    JsonArray tensors = long9.json().getAsJsonArray("outputs");
    assertThat(tensors.get(0).getAsJsonObject().get("shape").toString()).isEqualTo("[9]");
    assertThat(tensors.get(0).getAsJsonObject().getAsJsonArray("first_values")).hasSize(8);
  }

  @Test
  void run_isTheSame_fusedOrNot_andEveryTime() throws IOException {
    Object[] arguments = {
      "--run", "--feed", "x=random:5", "--shape", "x=3,2", "--set", "scale=0.5"
    };
    String fused = ok(SCALED_SUM, arguments).text();
    assertThat(fused).contains("float32  [3, 1]");
    assertThat(ok(SCALED_SUM, arguments).text()).isEqualTo(fused);
    List<Object> unfused = new ArrayList<>(List.of(arguments));
    unfused.add("--no-fuse");
    assertThat(ok(SCALED_SUM, unfused.toArray()).text()).isEqualTo(fused);
    arguments[2] = "x=random:6";
    assertThat(ok(SCALED_SUM, arguments).text()).isNotEqualTo(fused);
  }

  @Test
  void shapesThatFollow_needNotBeGiven() throws IOException {
    String text =
        """
        micro m
        parameter $k: int32
        input x: float32[?, $k - 1]
        input y: float32[d(x, 1) * 2, d(y, 2), ?]
        z = exp(y)
        output z
        """;
    CommandRun run =
        ok(
            text,
            "--run",
            "--feed",
            "x=random:1",
            "--shape",
            "x=3,2",
            "--feed",
            "y=random:2",
            "--shape",
            "y=4,5,5",
            "--set",
            "k=3");
    assertThat(run.text()).contains("float32  [4, 5, 5]");
  }

  @Test
  void feeds_canBeFilesAndValues() throws IOException {
    Tensor x = Tensor.of(ImmutableLongArray.of(2, 2), 1.5f, 2, -3, 0.25f);
    Path file = Files.write(folder.resolve("x.npy"), NpyWriter.toBytes(x));
    String fromFile = ok(SCALED_SUM, "--run", "--set", "scale=2", "--feed", "x=" + file).text();
    assertThat(fromFile).contains("  [2, 1]  7.0 -5.5  ");
    assertThat(
            ok(
                    SCALED_SUM,
                    "--run",
                    "--set",
                    "scale=2",
                    "--feed",
                    "x=values:1.5,2,-3,0.25",
                    "--shape",
                    "x=2,2")
                .text())
        .isEqualTo(fromFile);
    CommandRun shaped =
        micro(SCALED_SUM, "--run", "--set", "scale=2", "--feed", "x=" + file, "--shape", "x=2,2");
    assertThat(shaped.errors())
        .isEqualTo("error: --shape is for inputs that come from no file, not for 'x'\n");
    assertThat(micro(SCALED_SUM, "--run", "--set", "scale=2", "--feed", "x=none.npy").exitCode())
        .isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--run | to run, it needs --set scale=VALUE",
        "--run --set scale=1 --shape x=1,2 | to run, it needs --feed x=random:1",
        "--run --set scale=1 --feed x=random:1 | the extents of 'x' are open; give --shape x=D,…",
        "--run --set scale=1 --feed x=random:1 --shape x=3,3"
            + " | scaled_sum does not run: axis 1 of x is 2, not 3",
        "--run --set scale=one | --set: $scale is float32 and cannot be 'one'",
        "--run --set scale=1 --set scale=2 | --set is given twice for 'scale'",
        "--run --set scale=1 --set s=2 | --set: 'scaled_sum' has no parameter 's'; did you mean 'scale'? The parameters are: scale",
        "--run --set scale=1 --feed x=random:1 --shape x=2,2 --feed y=random:2"
            + " | --feed: 'scaled_sum' has no input 'y'; the inputs are: x",
        "--run --set scale=1 --feed x=random:1 --shape x=2,2 --shape y=2"
            + " | --shape: 'scaled_sum' has no input 'y'; the inputs are: x",
        "--run --set scale=1 --feed x=random:1 --shape x=4294967296,2"
            + " | the 8589934592 elements of [4294967296, 2] are more than a tensor can have, 2147483639",
        "--run --set scale=1 --feed x=random:a --shape x=1,2"
            + " | 'random:a' has no seed; a seed is a whole number",
        "--run --set scale=1 --feed x=values:1,2,3 --shape x=1,2"
            + " | 'values:1,2,3' has 3 numbers for the shape [1, 2]",
        "--run --set scale=1 --feed x=values:1,b --shape x=1,2"
            + " | 'b' in 'values:1,b' is not a number",
        "--run --emit loops | --run prints outputs and --emit a program; give one of them",
        "--emit op --grad | a gradient has no micro ops; --grad goes with --emit loops or c",
        "--set scale=1 | --feed, --shape and --set go with --run",
      })
  void wrongOptions(String options, String message) throws IOException {
    CommandRun run = micro(SCALED_SUM, (Object[]) options.split(" "));
    assertThat(run.errors()).isEqualTo("error: " + message + "\n");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.text()).isEmpty();
  }

  @Test
  void whatNeedsMicroOps_refusesLoops() throws IOException {
    assertThat(micro("program p\n", "--emit", "op").errors())
        .isEqualTo("error: --emit op needs micro ops; 'p' is written in loops\n");
    assertThat(micro("program p\n", "--grad").errors())
        .isEqualTo("error: --grad needs micro ops; 'p' is written in loops\n");
    assertThat(micro("micro p\ninput x: int32[?]\n", "--grad").errors())
        .isEqualTo("error: --grad: 'p' has no floating-point input to differentiate by\n");
    String select = "micro p\ninput i: int32[?]\ninput x: float32[?]\ny = exp(x)\noutput y\n";
    assertThat(micro(select, "--grad", "--wanted", "i").errors())
        .isEqualTo(
            "error: --wanted: 'i' has no gradient, since it has no floating-point numbers; name"
                + " some of: x\n");
  }

  @Test
  void malformedTexts_haveAPlace() throws IOException {
    CommandRun run = micro("micro m\n\n  y = exp(x)\n");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errors()).isEqualTo("error: f.micro:3:11: there is no value x\n");
    assertThat(micro("").errors()).isEqualTo("error: f.micro: the file is empty\n");
    Path binary = Files.write(folder.resolve("b"), new byte[] {(byte) 0xff, 0});
    assertThat(CommandRun.of("micro", binary).errors())
        .isEqualTo("error: " + binary + ": is not a text in UTF-8\n");
    assertThat(CommandRun.of("micro", folder.resolve("none")).exitCode()).isEqualTo(3);
  }
}
