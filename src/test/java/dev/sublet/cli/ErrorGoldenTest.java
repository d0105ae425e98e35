package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableSet;
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
 * What {@code optimize}, or another verb, says to inputs that it refuses. Each folder in
 * testdata/errors is a case:
 *
 * <ul>
 *   <li>{@code in.pdmodel}, {@code in.textproto}, {@code in.json}, {@code in.csv} or the folder
 *       {@code in}: the input;
 *   <li>{@code verb}, if it is not {@code optimize};
 *   <li>{@code options}, if there are any: further arguments, one a line, in which {@code ${case}}
 *       is the folder;
 *   <li>{@code expected}: the exit code, then standard error, without the folder in front of names.
 * </ul>
 *
 * <p>{@code mvn test -Dtest=ErrorGoldenTest -Dsublet.updateGoldens=true} writes {@code expected}.
 */
class ErrorGoldenTest {

  private static final Path CASES = Path.of("testdata", "errors");

  /** The verbs that write a file. */
  private static final ImmutableSet<String> WRITING =
      ImmutableSet.of("optimize", "plan", "convert");

  @TempDir private Path folder;

  @TestFactory
  List<DynamicTest> cases() {
    assumeTrue(Files.isDirectory(CASES), "skipped: there is no " + CASES);
    List<DynamicTest> tests = new ArrayList<>();
    for (GoldenCase golden : GoldenPrograms.in(CASES).cases()) {
      tests.add(DynamicTest.dynamicTest(golden.name(), () -> check(golden)));
    }
    return tests;
  }

  private void check(GoldenCase golden) throws IOException {
    Path errorCase = golden.folder();
    Path output = folder.resolve("out");
    List<Object> arguments = new ArrayList<>(List.of(verb(errorCase), golden.input()));
    if (WRITING.contains(verb(errorCase))) {
      arguments.addAll(List.of("-o", output));
    }
    Path options = errorCase.resolve("options");
    if (Files.exists(options)) {
      for (String option : Files.readAllLines(options)) {
        arguments.add(option.replace("${case}", errorCase.toString()));
      }
    }

    CommandRun run = CommandRun.of(arguments.toArray());

    String actual = "exit " + run.exitCode() + "\n" + run.errors().replace(errorCase + "/", "");
    golden.expect().text("expected", actual).check();
    assertThat(run.exitCode()).isNotEqualTo(0);
    // What does not fit is a headline and a table; all other errors are one line.
    boolean isTable = run.exitCode() == 5;
    assertThat(run.errorLines().stream().filter(line -> !isTable || !line.startsWith(" ")))
        .hasSize(1);
    assertThat(run.text()).isEmpty();
    assertThat(CommandRun.filesIn(folder)).isEmpty();
  }

  private static String verb(Path errorCase) throws IOException {
    Path file = errorCase.resolve("verb");
    return Files.exists(file) ? Files.readString(file).strip() : "optimize";
  }
}
