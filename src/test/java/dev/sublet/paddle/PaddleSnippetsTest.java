package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.cli.CommandRun;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.RunResult;
import dev.sublet.paddle.runtime.RuntimeCopy;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The programs of README's section "Use the result in Paddle" run in the real Paddle Inference
 * 2.3.2, as they stand, and give the bits of the saved program.
 *
 * <p>The C++ program is compiled, and linked with the library: so its calls exist there with these
 * signatures. One line is added before {@code return}, which sets the input and writes the output.
 * The Python program is run by python3. The command before the programs makes {@code
 * small.pdmodel}. A program with wrongly shared names, loaded in the same way, gives other bits.
 *
 * <p>Not proved: that Paddle's own header and Python package accept the programs. Neither can be
 * had here (the library comes alone), so {@code src/test/paddle} stands in for both, with names and
 * defaults that were read in Paddle's sources. Nor does the test run another version of Paddle, or
 * measure memory: {@code MemoryTable} does.
 */
final class PaddleSnippetsTest {

  private static final Path STAND_INS = Path.of("src", "test", "paddle").toAbsolutePath();
  private static final Path README = Path.of("README.md");

  @TempDir private static Path folder;

  /** A program for the commands, and what replaces feed and shape of the documents. */
  enum Example {
    /** The {@code model.pdmodel} of the documents. */
    OF_DOCUMENTS("testdata/docs/model.program", "x", 1, 3, 224, 224),
    /** README's first command optimizes it. */
    FIRST_OF_README("testdata/examples/mobile_block/program.textproto", "image", 1, 3, 64, 64);

    private final Path file;
    private final String feed;
    private final ImmutableLongArray dims;

    Example(String file, String feed, long... dims) {
      this.file = Path.of(file);
      this.feed = feed;
      this.dims = ImmutableLongArray.copyOf(dims);
    }

    Program program() throws IOException {
      return RuntimeCopy.of(
          file.toString().endsWith(".program")
              ? ProgramText.parse(Files.readAllLines(file).toArray(new String[0]))
              : ProgramReader.read(file));
    }

    /** A command or program of the documents, for this example. */
    String adapt(String text) {
      return text.replace("x=1,3,224,224", feed + "=" + join(","))
          .replace("\"x\"", "\"" + feed + "\"")
          .replace("1, 3, 224, 224", join(", "));
    }

    private String join(String separator) {
      return Joiner.on(separator).join(dims.asList());
    }

    private TensorData ones() {
      float[] values = new float[Math.toIntExact(TensorData.elements(dims))];
      Arrays.fill(values, 1);
      return TensorData.ofFloats(dims, values);
    }
  }

  @BeforeAll
  static void compileBinding() throws IOException, InterruptedException {
    PaddleRuntime.assumeAvailable();
    assumeTrue(works("g++", "--version"), "skipped: there is no g++");
    compile(STAND_INS.resolve("binding.cpp"), "binding.so", "-shared", "-fPIC");
  }

  @Test
  void pages_showTheSamePrograms() throws IOException {
    for (String language : List.of("sh", "python", "cpp")) {
      assertThat(withoutComments(snippet(Path.of("docs", "paddle.md"), language)))
          .isEqualTo(withoutComments(snippet(README, language)));
    }
  }

  private static String withoutComments(String snippet) {
    return snippet.replaceAll(" +(#(?!include)|//).*", "");
  }

  @ParameterizedTest
  @EnumSource(Example.class)
  void cppProgram_givesTheBitsOfTheOriginal(Example example) throws Exception {
    compileProgram(example);
    byte[] rewritten = assertEqualBits(example, folder.resolve("program").toString());
    // The figures in the documents are from runs in this mode.
    RunResult figures = PaddleRuntime.run(model(example), Mode.FUSED_OPTIMIZING_MEMORY);
    TensorData output = figures.outputs().values().asList().get(0);
    assertThat(rewritten).isEqualTo(output.bytes().toByteArray());
  }

  @ParameterizedTest
  @EnumSource(Example.class)
  void pythonProgram_givesTheBitsOfTheOriginal(Example example) throws Exception {
    assumeTrue(works("python3", "--version"), "skipped: there is no python3");
    Files.writeString(
        folder.resolve("program.py"),
        example.adapt(snippet(README, "python"))
            + "open('output', 'wb').write(predictor._first_output())\n");
    assertEqualBits(example, "python3", "program.py");
  }

  /** Runs a command, which loads {@code small.pdmodel}, with different programs of that name. */
  private static byte[] assertEqualBits(Example example, String... command) throws Exception {
    Model model = model(example);
    Program program = model.program();
    write("model.pdmodel", program);
    Files.write(folder.resolve("model.pdiparams"), Files.readAllBytes(model.parameters()));

    optimize(example);
    byte[] rewritten = run(command);
    assertThat(log())
        .containsAtLeast(
            "--- Running IR pass [conv_bn_fuse_pass]",
            "--- Running analysis [memory_optimize_pass]");
    write("small.pdmodel", program);
    assertThat(rewritten).isEqualTo(run(command));
    write("small.pdmodel", wronglyShared(program));
    assertThat(rewritten).isNotEqualTo(run(command));
    return rewritten;
  }

  private static Model model(Example example) throws IOException {
    Feeds feeds = Feeds.none().with(example.feed, example.ones());
    return Model.withRandomParameters("model", example.program(), feeds);
  }

  /** Runs the command of the documents. */
  private static void optimize(Example example) throws IOException {
    String command = example.adapt(snippet(README, "sh")).strip();
    assertThat(command).startsWith("./sublet optimize model.pdmodel -o small.pdmodel ");
    CommandRun run =
        CommandRun.of(
            Splitter.on(' ').splitToList(command).stream()
                .skip(1)
                .map(word -> word.endsWith(".pdmodel") ? folder.resolve(word) : word)
                .toArray());
    assertWithMessage(run.errors()).that(run.exitCode()).isEqualTo(0);
  }

  private static void write(String name, Program program) throws IOException {
    Files.write(
        folder.resolve(name),
        ProgramWriter.toBytes(program, ProgramFormat.BINARY, new DiagnosticLog()));
  }

  /** Gives the first sum's operands one name. */
  private static Program wronglyShared(Program program) {
    var sum =
        program.block(0).operations().stream()
            .filter(operation -> operation.type().equals("elementwise_add"))
            .findFirst()
            .orElseThrow();
    int x = program.resolve(0, sum.inputSlot("X").orElseThrow().argument(0));
    int y = program.resolve(0, sum.inputSlot("Y").orElseThrow().argument(0));
    return ProgramEditor.of(program).merge(x, y).build();
  }

  /** The first block of a language in the section that both pages have. */
  private static String snippet(Path page, String language) throws IOException {
    String text = Files.readString(page);
    Matcher block =
        Pattern.compile("(?s)\n```" + language + "\n(.*?)```\n")
            .matcher(text.substring(text.indexOf("# Use the result in Paddle")));
    assertWithMessage("%s in %s", language, page).that(block.find()).isTrue();
    return block.group(1);
  }

  private static void compileProgram(Example example) throws IOException, InterruptedException {
    String source =
        example
            .adapt(snippet(README, "cpp"))
            .replaceFirst("( *return )", "  Exchange exchange(*predictor, {SHAPE});\n$1")
            .replace("SHAPE", example.join(", "));
    assertThat(source).contains("Exchange");
    Path file = folder.resolve("program.cpp");
    Files.writeString(file, "#include \"exchange.h\"\n" + source);
    compile(file, "program");
  }

  private static void compile(Path source, String output, String... options)
      throws IOException, InterruptedException {
    Path libraries = PaddleRuntime.libraries();
    ProcessBuilder builder =
        new ProcessBuilder("g++", "-std=c++14", "-Wall", "-Wextra", "-Werror", source.toString());
    builder.command().addAll(List.of(options));
    builder.command().addAll(List.of("-I" + STAND_INS, "-o", output));
    builder.command().add(libraries.resolve("libpaddle_inference.so").toString());
    builder.command().add("-Wl,-rpath-link," + libraries);
    int exit = await(builder);
    assertWithMessage("g++ %s: %s", source, log()).that(exit).isEqualTo(0);
  }

  /** Runs a program in the folder; gives the file that it wrote. */
  private static byte[] run(String... command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Files.deleteIfExists(output);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LD_LIBRARY_PATH", PaddleRuntime.libraries().toString());
    builder.environment().put("PYTHONPATH", STAND_INS.resolve("python").toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("PADDLE_BINDING", folder.resolve("binding.so").toString());
    int exit = await(builder);
    assertWithMessage("%s: %s", builder.command(), log()).that(exit).isEqualTo(0);
    return Files.readAllBytes(output);
  }

  private static int await(ProcessBuilder builder) throws IOException, InterruptedException {
    builder.directory(folder.toFile()).redirectErrorStream(true);
    Process process = builder.redirectOutput(Redirect.to(folder.resolve("log").toFile())).start();
    try {
      boolean ended = process.waitFor(2, TimeUnit.MINUTES);
      assertWithMessage("%s ended within two minutes", builder.command()).that(ended).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  /** The lines that the last program printed, without colors. */
  private static List<String> log() throws IOException {
    return new String(Files.readAllBytes(folder.resolve("log")), UTF_8)
        .lines()
        .map(line -> line.replaceAll("\u001B\\[[;0-9]*m", ""))
        .toList();
  }

  private static boolean works(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
