package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.program.Program;
import dev.sublet.testing.Trial;
import dev.sublet.testing.TrialOptions;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs that once showed a fault, as text: {@code testdata/pinned/*.program}. A line
 * {@code # options: …} is what it was found with, in the form of {@link TrialOptions}; the lines
 * above say what was wrong. Each is tried with these and with the options of the command line.
 */
final class PinnedProgramsTest {

  private static final Path FOLDER = Path.of("testdata", "pinned");
  private static final String OPTIONS = "# options: ";

  /** What the simulator decides depends on seeds, and few of them show a fault. */
  private static final int SEEDS = 24;

  static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".program")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void program_hasNoFault(Path file) throws IOException {
    Program program = ProgramText.parse(Files.readString(file));
    List<TrialOptions> found =
        Files.readAllLines(file).stream()
            .filter(line -> line.startsWith(OPTIONS))
            .map(line -> TrialOptions.parse(line.substring(OPTIONS.length())))
            .toList();
    assertThat(found).isNotEmpty();
    for (TrialOptions options : found) {
      assertWithMessage("%s", options).that(fault(program, options)).isEmpty();
    }
    assertThat(fault(program, TrialOptions.defaults())).isEmpty();
  }

  private static String fault(Program program, TrialOptions options) {
    return new Trial(program, options, /* seed= */ 0).faultInAny(SEEDS).orElse("");
  }
}
