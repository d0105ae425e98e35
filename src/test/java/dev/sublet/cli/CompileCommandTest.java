package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code compile} prints, writes and refuses. */
final class CompileCommandTest {

  private static final String PROGRAM =
      """
      version 2003002
      block 0
        feed x: fp32[-1,4]
        var w: fp32[4,8] persistable parameter
        var h: fp32[-1,8]
        var y: fp32[-1,8]
        h = matmul_v2(X: x, Y: w) {trans_x: false, trans_y: false}
        y = relu(h)
        fetch(y)
      """;

  @TempDir private Path folder = Path.of("");
  private Path program = Path.of("");
  private Path output = Path.of("");

  @BeforeEach
  void write() throws IOException {
    program = CommandRun.write(folder.resolve("in.pdmodel"), PROGRAM);
    output = Files.createDirectory(folder.resolve("out"));
  }

  @Test
  void compile_writesAllFiles_andPrintsTheirSizes() throws IOException {
    CommandRun run = CommandRun.of("compile", program, "-o", output);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text().replace(output + "/", "").replaceAll("C code .*\n", ""))
        .isEqualTo(
            """
            arena                80
            constants            128
            functions            1
            calls                1
            lower bound          80
            arena ÷ lower bound  1.000
            proved optimal       yes
            bound holds for      this order of operators, views: reshape, in place: verified
            validated            yes
            planner              best
            written: C           model.h
            written: C           model.c
            written: C           model_weights.c
            written: C           main.c
            written: build file  Makefile
            written: build file  CMakeLists.txt
            """);
    assertThat(CommandRun.filesIn(output))
        .containsExactly(
            "CMakeLists.txt", "Makefile", "main.c", "model.c", "model.h", "model_weights.c");
    assertThat(run.errors())
        .isEqualTo(
            "note: the program's 1 parameters are pseudo-random, by name and shape; see"
                + " --params\n");
  }

  @Test
  void compileTwice_givesTheSameBytes() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    CommandRun.of("compile", program, "-o", output);
    CommandRun.of("compile", program, "-o", other);
    for (String file : CommandRun.filesIn(output)) {
      assertThat(Files.readAllBytes(other.resolve(file)))
          .isEqualTo(Files.readAllBytes(output.resolve(file)));
    }
  }

  @Test
  void json_hasTheSizes() {
    JsonObject json = CommandRun.of("compile", program, "-o", output, "--json").json();
    assertThat(json.get("arena_bytes").getAsLong()).isEqualTo(80);
    assertThat(json.get("constant_bytes").getAsLong()).isEqualTo(128);
    assertThat(json.get("functions").getAsLong()).isEqualTo(1);
    assertThat(json.getAsJsonArray("written").size()).isEqualTo(6);
  }

  @Test
  void weightsInAFile_orElsewhere() throws IOException {
    assertThat(
            CommandRun.of("compile", program, "-o", output, "--weights", "bin", "--name", "tiny")
                .exitCode())
        .isEqualTo(0);
    assertThat(CommandRun.filesIn(output))
        .containsExactly(
            "CMakeLists.txt", "Makefile", "main.c", "tiny.c", "tiny.h", "tiny_weights.bin");
    assertThat(Files.size(output.resolve("tiny_weights.bin"))).isEqualTo(128);
    assertThat(Files.readString(output.resolve("tiny.h"))).contains("const void *weights;");
    Path none = Files.createDirectory(folder.resolve("none"));
    CommandRun.of("compile", program, "-o", none, "--weights", "none", "--name", "tiny");
    assertThat(CommandRun.filesIn(none))
        .containsExactly("CMakeLists.txt", "Makefile", "main.c", "tiny.c", "tiny.h");
    assertThat(Files.readString(none.resolve("tiny.c")))
        .isEqualTo(Files.readString(output.resolve("tiny.c")));
  }

  @Test
  void shapes_areThoseOfTheOptions() throws IOException {
    CommandRun.of("compile", program, "-o", output, "--batch", "16");
    assertThat(Files.readString(output.resolve("model.h")))
        .contains("const float *x; /* float32[16, 4] */");
  }

  @Test
  void report_drawsTheArena() {
    Path picture = folder.resolve("memory.svg");
    CommandRun run = CommandRun.of("compile", program, "-o", output, "--report", picture);
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(Files.exists(picture)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--align 8          | 2 | C code needs an alignment that is a multiple of 16, not 8",
        "--pool a:4KiB      | 2 | --pool divides the arena; a compiled model has one arena",
        "--name Model       | 2 | 'Model' cannot be the name of a model: a name is a lower-case letter, then letters, digits and single underscores",
        "--name main        | 2 | 'main' cannot be the name of a model: build files and C use it themselves",
        "--name all         | 2 | 'all' cannot be the name of a model: build files and C use it themselves",
        "--weights flash    | 2 | 'flash' is not a valid word",
        "--fetch z          | 2 | --fetch names 'z', which no block declares",
        "--capacity 64      | 5 | ",
        "--shape x=2,5      | 2 | are multiplied along 5 and 4",
      })
  void wrongOptions_writeNothing(String options, int exitCode, String message) throws IOException {
    Object[] arguments = ("compile " + program + " -o " + output + " " + options).split(" +");
    CommandRun run = CommandRun.of(arguments);

    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.errors()).contains(message == null ? "error: " : message);
    assertThat(CommandRun.filesIn(output)).isEmpty();
  }

  @Test
  void newDirectory_isCreated() throws IOException {
    Path created = folder.resolve("new");
    CommandRun run = CommandRun.of("compile", program, "-o", created);
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(CommandRun.filesIn(created)).contains("model.c");
  }

  @Test
  void newDirectory_isNotLeftBehind_byAnError() {
    Path created = folder.resolve("new");
    CommandRun run = CommandRun.of("compile", program, "-o", created, "--capacity", "64");
    assertThat(run.exitCode()).isEqualTo(5);
    assertThat(Files.exists(created)).isFalse();
  }

  @Test
  void noParentOfTheDirectory_isAnError() {
    CommandRun run = CommandRun.of("compile", program, "-o", folder.resolve("none").resolve("new"));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors())
        .contains("the directory " + folder.resolve("none") + " does not exist");
  }
}
