package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
  List<DynamicTest> cases() throws IOException {
    assumeTrue(Files.isDirectory(CASES), "skipped: there is no " + CASES);
    List<DynamicTest> tests = new ArrayList<>();
    for (Path folder : sorted(CASES)) {
      tests.add(DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check(folder)));
    }
    assertWithMessage("cases in %s", CASES).that(tests).isNotEmpty();
    return tests;
  }

  private void check(Path errorCase) throws IOException {
    Path output = folder.resolve("out");
    List<Object> arguments = new ArrayList<>(List.of(verb(errorCase), input(errorCase)));
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
    Path expected = errorCase.resolve("expected");
    if (Boolean.getBoolean("sublet.updateGoldens")) {
      Files.writeString(expected, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(expected));
    assertThat(run.exitCode()).isNotEqualTo(0);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.text()).isEmpty();
    assertThat(CommandRun.filesIn(folder)).isEmpty();
  }

  private static String verb(Path errorCase) throws IOException {
    Path file = errorCase.resolve("verb");
    return Files.exists(file) ? Files.readString(file).strip() : "optimize";
  }

  /** The one file or folder of a case that is the input. */
  private static Path input(Path errorCase) throws IOException {
    List<Path> inputs = new ArrayList<>();
    for (Path entry : sorted(errorCase)) {
      String name = entry.getFileName().toString();
      if (name.startsWith("in.") || name.equals("in")) {
        inputs.add(entry);
      }
    }
    assertWithMessage("inputs of %s", errorCase).that(inputs).hasSize(1);
    return inputs.get(0);
  }

  private static List<Path> sorted(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }
}
