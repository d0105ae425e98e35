package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code optimize}, or the verb in {@code verb}, on every folder of {@code testdata/errors}:
 * an input that cannot be read ends with exit code 3, a wrong option with 2, what does not fit with
 * 5, and all say so in one line and leave the output file alone.
 *
 * <p>A case holds the input, {@code in.*} or a directory {@code in}, perhaps {@code options}, one a
 * line, and a {@code README} that begins with the exit code that is due, such as {@code Exit 3:},
 * and says what is wrong.
 */
final class ErrorInputsTest {

  private static final ImmutableSet<String> WRITING =
      ImmutableSet.of("optimize", "plan", "convert");

  private static final String BEFORE = "what the output file held before\n";

  @TempDir Path scratch = Path.of("");

  private static ImmutableList<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().collect(ImmutableList.toImmutableList());
    }
  }

  @TestFactory
  Stream<DynamicTest> badInputIsOneLineAndTheRightExitCode() throws IOException {
    ImmutableList<Path> folders = list(Path.of("testdata", "errors"));
    assertThat(folders.size()).isAtLeast(90);
    return folders.stream()
        .filter(ErrorInputsTest::writes)
        .map(
            folder ->
                DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check(folder)));
  }

  /** Whether the verb of a case writes files; what others print, ErrorGoldenTest looks at. */
  private static boolean writes(Path folder) {
    try {
      Path verb = folder.resolve("verb");
      return !Files.exists(verb) || WRITING.contains(Files.readString(verb).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void check(Path folder) throws IOException {
    Path output = scratch.resolve(folder.getFileName() + ".out");
    Path plan = scratch.resolve(folder.getFileName() + ".plan.json");
    Files.writeString(output, BEFORE);
    Path verb = folder.resolve("verb");
    List<String> arguments = new ArrayList<>();
    if (Files.exists(verb)) {
      arguments.addAll(List.of(Files.readString(verb).strip(), input(folder).toString()));
      arguments.addAll(List.of("-o", output.toString()));
    } else {
      arguments.addAll(List.of("optimize", input(folder).toString()));
      arguments.addAll(List.of("-o", output.toString(), "--plan", plan.toString()));
    }
    if (Files.exists(folder.resolve("options"))) {
      arguments.addAll(Files.readAllLines(folder.resolve("options")));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            arguments.toArray(new String[0]),
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));

    String message = err.toString(UTF_8);
    assertWithMessage(message).that(exitCode).isEqualTo(dueExitCode(folder));
    // What does not fit has a table below its line.
    boolean isTable = exitCode == 5;
    assertThat(message.lines().filter(line -> !isTable || !line.startsWith("  "))).hasSize(1);
    assertThat(message).startsWith("error: ");
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(Files.readString(output)).isEqualTo(BEFORE);
    assertThat(Files.exists(plan)).isFalse();
  }

  private static Path input(Path folder) throws IOException {
    for (Path entry : list(folder)) {
      String name = entry.getFileName().toString();
      if (name.equals("in") || name.startsWith("in.")) {
        return entry;
      }
    }
    throw new AssertionError(folder + " has no input");
  }

  private static int dueExitCode(Path folder) throws IOException {
    String readme = Files.readString(folder.resolve("README"));
    for (int exitCode : new int[] {2, 4, 5}) {
      if (readme.startsWith("Exit " + exitCode + ": ")) {
        return exitCode;
      }
    }
    assertWithMessage("%s begins with the exit code", folder.resolve("README"))
        .that(readme)
        .startsWith("Exit 3: ");
    return 3;
  }
}
