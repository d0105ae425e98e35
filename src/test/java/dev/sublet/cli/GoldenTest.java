package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.sublet.golden.ExpectedFiles;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code optimize} on every folder of {@code testdata/share} and {@code testdata/examples} and
 * compares all that it writes with the files beside the input.
 *
 * <p>A case holds {@code in.textproto} (or {@code program.textproto}), a {@code README} that says
 * what a right result must and must not do, perhaps {@code options}, one a line, and the expected
 * {@code out.textproto}, {@code plan.json} and {@code report.txt} (standard output, then standard
 * error). Where there is a {@code plan-of-input.json}, {@code liveness.txt}, {@code
 * liveness-raw.txt} or {@code liveness.dot}, the verbs {@code plan} and {@code liveness} are
 * compared as well.
 *
 * <p>A folder of {@code testdata/plan} holds a table of buffers {@code in.csv}, a {@code README},
 * perhaps {@code options}, and what {@code plan} is expected to write: {@code out.csv}, {@code
 * report.txt} and {@code report.json}.
 *
 * <p>With {@code -Dsublet.updateGoldens=true} the expected files are written instead: review the
 * diff.
 */
final class GoldenTest {

  @TempDir Path scratch = Path.of("");

  /** What one run of the command line printed. */
  private record Run(int exitCode, String out, String err) {}

  private static Run sublet(List<String> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            arguments.toArray(new String[0]),
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    return new Run(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }

  private static ImmutableList<GoldenCase> cases(String parent) {
    return GoldenPrograms.in(Path.of("testdata", parent)).byteForByte().cases();
  }

  @TestFactory
  Stream<DynamicTest> cases() {
    List<GoldenCase> all = new ArrayList<>(cases("share"));
    for (GoldenCase example : cases("examples")) {
      if (Files.exists(example.folder().resolve("program.textproto"))) {
        all.add(example);
      }
    }
    assertThat(all.size()).isAtLeast(50);
    return all.stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    Path.of("testdata").relativize(golden.folder()).toString(),
                    () -> check(golden)));
  }

  @TestFactory
  Stream<DynamicTest> tables() {
    ImmutableList<GoldenCase> all = cases("plan");
    assertThat(all.size()).isAtLeast(6);
    return all.stream()
        .map(golden -> DynamicTest.dynamicTest(golden.name(), () -> checkTable(golden)));
  }

  private void checkTable(GoldenCase golden) throws IOException {
    Path folder = golden.folder();
    assertWithMessage("%s says what is right", folder)
        .that(Files.exists(folder.resolve("README")))
        .isTrue();
    String input = folder.resolve("in.csv").toString();
    Path out = scratch.resolve(folder.getFileName() + ".csv");
    List<String> arguments = new ArrayList<>(List.of("plan", input, "-o", out.toString()));
    arguments.addAll(options(folder));
    Run run = sublet(arguments);
    assertWithMessage(run.err()).that(run.exitCode()).isEqualTo(0);
    arguments.add("--json");
    Run json = sublet(arguments);
    ExpectedFiles expected = golden.expect();
    expected.text("out.csv", Files.readString(out));
    expected.text("report.txt", run.out() + run.err());
    expected.text("report.json", json.out());
    expected.check();
    assertThat(sublet(List.of("verify", input, "--plan", out.toString())).out())
        .isEqualTo("valid\n");
  }

  private void check(GoldenCase golden) throws IOException {
    Path folder = golden.folder();
    Path input = folder.resolve("in.textproto");
    if (!Files.exists(input)) {
      input = folder.resolve("program.textproto");
    }
    assertWithMessage("%s says what is right", folder)
        .that(Files.exists(folder.resolve("README")))
        .isTrue();
    Path out = scratch.resolve(folder.getFileName() + ".textproto");
    Path plan = scratch.resolve(folder.getFileName() + ".json");
    List<String> arguments = new ArrayList<>();
    arguments.add("optimize");
    arguments.add(input.toString());
    arguments.addAll(List.of("-o", out.toString(), "--plan", plan.toString()));
    arguments.addAll(options(folder));
    Run run = sublet(arguments);
    assertWithMessage(run.err()).that(run.exitCode()).isEqualTo(0);
    ExpectedFiles expected = golden.expect();
    expected.text("out.textproto", Files.readString(out));
    expected.text("plan.json", Files.readString(plan));
    expected.text("report.txt", (run.out() + run.err()).replace(scratch + "/", ""));
    checkPlanOfInput(folder, input, expected);
    checkLiveness(folder, input, "liveness.txt", List.of(), expected);
    checkLiveness(folder, input, "liveness-raw.txt", List.of("--raw"), expected);
    checkLiveness(folder, input, "liveness.dot", List.of("--dot"), expected);
    checkExplanations(folder, input, expected);
    if (Files.exists(folder.resolve("diff.txt"))) {
      Run diff = sublet(List.of("diff", input.toString(), out.toString(), "-v"));
      assertWithMessage(diff.err()).that(diff.exitCode()).isAnyOf(0, 1);
      expected.text("diff.txt", diff.out());
    }
    expected.check();
  }

  private static List<String> options(Path folder) throws IOException {
    Path file = folder.resolve("options");
    List<String> options = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank()) {
          options.add(line.replace("${case}", folder.toString()));
        }
      }
    }
    return options;
  }

  private void checkPlanOfInput(Path folder, Path input, ExpectedFiles expected)
      throws IOException {
    if (!Files.exists(folder.resolve("plan-of-input.json"))) {
      return;
    }
    Path plan = scratch.resolve(folder.getFileName() + ".input.json");
    Run run = sublet(List.of("plan", input.toString(), "-o", plan.toString()));
    assertWithMessage(run.err()).that(run.exitCode()).isEqualTo(0);
    expected.text("plan-of-input.json", Files.readString(plan));
  }

  private static void checkLiveness(
      Path folder, Path input, String name, List<String> flags, ExpectedFiles expected)
      throws IOException {
    if (!Files.exists(folder.resolve(name))) {
      return;
    }
    List<String> arguments = new ArrayList<>(List.of("liveness", input.toString()));
    arguments.addAll(flags);
    for (String option : options(folder)) {
      if (option.startsWith("--fetch") || option.startsWith("--keep")) {
        arguments.add(option);
      }
    }
    Run run = sublet(arguments);
    assertWithMessage(run.err()).that(run.exitCode()).isEqualTo(0);
    expected.text(name, run.out());
  }

  private static void checkExplanations(Path folder, Path input, ExpectedFiles expected)
      throws IOException {
    Path variables = folder.resolve("explain");
    if (!Files.exists(variables)) {
      return;
    }
    StringBuilder text = new StringBuilder();
    for (String variable : Files.readAllLines(variables)) {
      List<String> arguments =
          new ArrayList<>(List.of("explain", input.toString(), variable, "-q"));
      arguments.addAll(options(folder));
      Run run = sublet(arguments);
      assertWithMessage(run.err()).that(run.exitCode()).isEqualTo(0);
      text.append(run.out()).append('\n');
    }
    expected.text("explain.txt", text.toString());
  }
}
