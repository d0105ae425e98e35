package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
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
 * Plans in the forms of other tools. A folder of {@code testdata/formats} holds {@code in.program}
 * (see {@link dev.sublet.testing.text.ProgramText}) or {@code in.csv}; a {@code README} that says
 * what must be seen; perhaps {@code options}, one a line; and what is expected: a file {@code
 * plan.FORM} for each form that can be had, and {@code messages}, what is said about each.
 *
 * <p>With {@code -Dsublet.updateGoldens=true} the expected files are written: look at them.
 */
class FormatsGoldenTest {

  private static final Path CASES = Path.of("testdata", "formats");
  private static final ImmutableList<String> FORMS =
      ImmutableList.of("csv", "buffers.csv", "problem.csv", "trace.json", "tflm.json", "h");

  @TempDir private Path temporary;
  private Path folder = Path.of("");

  @TestFactory
  List<DynamicTest> cases() {
    List<DynamicTest> tests = new ArrayList<>();
    for (GoldenCase golden : GoldenPrograms.in(CASES).byteForByte().cases()) {
      tests.add(DynamicTest.dynamicTest(golden.name(), () -> check(golden)));
    }
    assertThat(tests.size()).isAtLeast(6);
    return tests;
  }

  private void check(GoldenCase golden) throws IOException {
    Path entry = golden.folder();
    assertThat(Files.exists(entry.resolve("README"))).isTrue();
    folder = Files.createDirectory(temporary.resolve(entry.getFileName().toString()));
    boolean table = Files.exists(entry.resolve("in.csv"));
    Path input =
        table
            ? Files.copy(entry.resolve("in.csv"), folder.resolve("in.csv"))
            : CommandRun.write(
                folder.resolve("in.pdmodel"), Files.readString(entry.resolve("in.program")));
    ExpectedFiles expected = golden.expect();
    StringBuilder messages = new StringBuilder();
    for (String form : FORMS) {
      Path output = folder.resolve("plan." + form);
      CommandRun run = plan(entry, input, output);
      messages.append(form).append(": exit ").append(run.exitCode()).append('\n');
      messages.append(run.errors().replace(folder + "/", ""));
      if (run.exitCode() == 0) {
        expected.text("plan." + form, Files.readString(output));
        checkOtherWays(form, entry, input, output);
        if (form.equals("problem.csv")) {
          checkOffsets(output);
        }
      } else {
        assertThat(Files.exists(output)).isFalse();
      }
    }
    expected.text("messages", messages.toString()).check();
  }

  /** The offsets of our plan, and those of a planner that has only the table, are right for it. */
  private void checkOffsets(Path problem) {
    Path planned = folder.resolve("planned.csv");
    assertThat(CommandRun.of("plan", problem, "-o", planned).exitCode()).isEqualTo(0);
    for (Path each : List.of(planned, folder.resolve("plan.buffers.csv"))) {
      CommandRun run = CommandRun.of("verify", problem, "--plan", each);
      assertThat(run.exitCode()).isEqualTo(0);
      assertThat(CommandRun.of("convert", each, "-o", folder.resolve("t.tflm")).exitCode())
          .isEqualTo(0);
    }
  }

  private static CommandRun plan(Path entry, Path input, Path output) throws IOException {
    List<Object> arguments = new ArrayList<>(List.of("plan", input, "-o", output));
    Path options = entry.resolve("options");
    if (Files.exists(options)) {
      arguments.addAll(Files.readAllLines(options));
    }
    return CommandRun.of(arguments.toArray());
  }

  /** What {@code convert} makes of the plan is the same as what {@code plan} writes at once. */
  private void checkOtherWays(String form, Path entry, Path input, Path output) throws IOException {
    byte[] expected = Files.readAllBytes(output);
    boolean table = input.toString().endsWith(".csv");
    Path again = folder.resolve("again").resolve("plan." + form);
    Files.createDirectories(again.getParent());
    if (form.equals("tflm.json")) {
      Path array = folder.resolve("plan.tflm");
      assertThat(CommandRun.of("convert", output, "-o", array).exitCode()).isEqualTo(0);
      assertThat(CommandRun.of("convert", output, "-o", again).exitCode()).isEqualTo(0);
      assertThat(Files.readAllBytes(again)).isEqualTo(expected);
      CommandRun named =
          table
              ? CommandRun.of("convert", array, "-o", "-", "--to", "tflm_json")
              : CommandRun.of("convert", array, "-o", "-", "--to", "tflm_json", "--program", input);
      assertThat(named.text().lines().toList().get(2))
          .isEqualTo(new String(expected, UTF_8).lines().toList().get(2));
    }
    if (!table) {
      Path plan = folder.resolve("plan.pb");
      assertThat(plan(entry, input, plan).exitCode()).isEqualTo(0);
      assertThat(CommandRun.of("convert", plan, "-o", again, "--program", input).exitCode())
          .isEqualTo(0);
      assertThat(Files.readAllBytes(again)).isEqualTo(expected);
    } else if (!form.endsWith("csv")) {
      Path planned = folder.resolve("planned.csv");
      assertThat(plan(entry, input, planned).exitCode()).isEqualTo(0);
      assertThat(CommandRun.of("convert", planned, "-o", again).exitCode()).isEqualTo(0);
      assertThat(Files.readAllBytes(again)).isEqualTo(expected);
    }
  }
}
