package dev.sublet.loop.unroll;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The loops of README's table of arenas, shipped as programs in {@code testdata/examples/loops}, so
 * that the command line makes its figures: no more bytes than the regions of NNC's own tests, and
 * no copy in the loop. They are those of {@code testdata/loops}; {@code
 * -Dsublet.updateGoldens=true} writes them.
 */
final class LoopExamplesTest {

  private static final Path FOLDER = Path.of("testdata/examples/loops");

  private static final TranspileOptions REUSING_FEEDS =
      TranspileOptions.defaults()
          .withObservation(
              new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ true));

  @ParameterizedTest
  @CsvSource({
    "power,                192,  132",
    "power_outside,        256,  196",
    "convolution,          1536, 1488",
    "convolution_outside,  1984, 1936",
    "convolution_nested,   2432, 1936",
    "branch_in_loop,       320,  132",
    "distance1,            2048, 2048",
    "distance2,            3072, 3072",
    "distance3,            4096, 4096",
    "distance4,            5120, 5120",
    "distance5,            6144, 6144",
  })
  void arenasAreThoseOfTheReadme(String name, long regionOfNnc, long arena) {
    Path file = FOLDER.resolve(name + ".textproto");
    MemoryPlan plan = Transpiler.plan(ProgramReader.read(file), REUSING_FEEDS).plan();
    assertThat(plan.arenaBytes()).isEqualTo(arena);
    assertThat(plan.arenaBytes()).isAtMost(regionOfNnc);
    assertThat(plan.copies()).isNotEmpty();
  }

  @Test
  void theyAreThoseOfTheLoopTests() throws IOException {
    for (GoldenCase golden : GoldenPrograms.in(FOLDER).files(".textproto")) {
      Path source = Path.of("testdata/loops", golden.name() + ".program");
      Program program = ProgramText.parse(Files.readString(source));
      String text =
          new String(
              ProgramWriter.toBytes(program, ProgramFormat.TEXT, new DiagnosticLog()),
              StandardCharsets.UTF_8);
      golden.expect().text(golden.name() + ".textproto", text).check();
    }
  }
}
