package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.golden.ExpectedFiles;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The C of small programs. A folder of {@code testdata/compile} contains {@code in.program} (see
 * {@link dev.sublet.testing.text.ProgramText}), a {@code README} with the properties of a right
 * result, perhaps {@code options}, one per line, and the expected header and source, or the error.
 *
 * <p>With {@code -Dsublet.updateGoldens=true} the expected files are written: look at them.
 */
class CompileGoldenTest {

  private static final Path CASES = Path.of("testdata", "compile");

  @TempDir private Path temporary = Path.of("");

  @TestFactory
  List<DynamicTest> cases() {
    List<DynamicTest> tests = new ArrayList<>();
    for (GoldenCase golden : GoldenPrograms.in(CASES).byteForByte().cases()) {
      tests.add(DynamicTest.dynamicTest(golden.name(), () -> check(golden)));
    }
    assertThat(tests.size()).isAtLeast(3);
    return tests;
  }

  private void check(GoldenCase golden) throws IOException {
    Path entry = golden.folder();
    assertThat(Files.exists(entry.resolve("README"))).isTrue();
    Path folder = Files.createDirectory(temporary.resolve(golden.name()));
    Path input =
        CommandRun.write(
            temporary.resolve(golden.name() + ".pdmodel"),
            Files.readString(entry.resolve("in.program")));
    List<Object> arguments = new ArrayList<>(List.of("compile", input, "-o", folder));
    if (Files.exists(entry.resolve("options"))) {
      arguments.addAll(Files.readAllLines(entry.resolve("options")));
    }
    CommandRun run = CommandRun.of(arguments.toArray());
    ExpectedFiles expected = golden.expect();
    if (run.exitCode() != 0) {
      assertThat(run.text()).isEmpty();
      assertThat(CommandRun.filesIn(folder)).isEmpty();
      String error = "exit " + run.exitCode() + "\n" + run.errors();
      expected.text("error", error.replace(temporary + "/", "")).check();
      return;
    }
    expected
        .text("model.h", Files.readString(folder.resolve("model.h")))
        .text("model.c", Files.readString(folder.resolve("model.c")))
        .check();
  }
}
