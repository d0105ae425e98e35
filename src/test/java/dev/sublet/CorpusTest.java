package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.simulate.InPlaceRule;
import dev.sublet.testing.simulate.Observations;
import dev.sublet.testing.simulate.Schedule;
import dev.sublet.testing.simulate.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Real programs, from the folder that SUBLET_CORPUS names: each is transpiled with every policy and
 * level, proved, simulated, and never made larger by a second run. Skipped where it is unset.
 */
final class CorpusTest {

  private static Path corpus() {
    String folder = System.getenv("SUBLET_CORPUS");
    return Path.of(folder == null ? "" : folder, "paddle");
  }

  @BeforeAll
  static void needsCorpus() {
    assumeTrue(System.getenv("SUBLET_CORPUS") != null, "skipped: SUBLET_CORPUS names no folder");
  }

  private static ImmutableList<Path> programs() throws IOException {
    try (Stream<Path> list = Files.list(corpus())) {
      return list.map(folder -> folder.resolve("program.pdmodel"))
          .filter(Files::exists)
          .sorted()
          .collect(ImmutableList.toImmutableList());
    }
  }

  private static List<TranspileOptions> variants() {
    List<TranspileOptions> variants = new ArrayList<>();
    for (SharingOptions.Policy policy : SharingOptions.Policy.values()) {
      for (SharingOptions.Level level : SharingOptions.Level.values()) {
        for (boolean inPlace : new boolean[] {true, false}) {
          variants.add(
              TranspileOptions.defaults().withSharing(new SharingOptions(policy, level, inPlace)));
        }
      }
    }
    return variants;
  }

  @Test
  void allTen_areThere() throws IOException {
    assertThat(programs()).hasSize(10);
  }

  @Test
  void unchangedProgram_isWrittenByteForByte() throws IOException {
    for (Path file : programs()) {
      byte[] bytes = Files.readAllBytes(file);
      Program program = ProgramReader.parse(bytes, file.toString());
      assertThat(ProgramWriter.toBytes(program, ProgramFormat.BINARY, new DiagnosticLog()))
          .isEqualTo(bytes);
    }
  }

  @Test
  void everyVariant_isProved_andShowsTheSameValues() throws IOException {
    for (Path file : programs()) {
      Program original = ProgramReader.read(file);
      for (TranspileOptions options : variants()) {
        TranspileResult result = Transpiler.transpile(original, options);
        Fallbacks.assertNone(result.diagnostics(), file.toString());
        assertThat(result.sharing().bytesAfter()).isLessThan(result.sharing().bytesBefore());
        for (int trips : new int[] {0, 1, 3}) {
          Simulator simulator =
              Simulator.of(Schedule.of(trips).withTrips(trips)).allowing(inPlaceRules(original));
          Program rewritten = result.program();
          Simulator statically =
              simulator.withStaticShapes().withViews(InferredSizes.of(rewritten));
          Observations expected = simulator.run(original);
          assertWithMessage("%s with %s", file, options)
              .that(simulator.run(result.program(), original).differencesFrom(expected))
              .isEmpty();
          assertWithMessage("plan of %s with %s", file, options)
              .that(
                  statically
                      .run(rewritten, result.plan())
                      .differencesFrom(statically.run(rewritten)))
              .isEmpty();
        }
      }
    }
  }

  private static ImmutableSet<InPlaceRule> inPlaceRules(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    ImmutableSet.Builder<InPlaceRule> rules = ImmutableSet.builder();
    for (OperatorSpec spec : catalog.all()) {
      for (InPlacePair pair : catalog.inPlacePairs(spec, program.version())) {
        rules.add(new InPlaceRule(spec.type(), pair.input(), pair.output()));
      }
    }
    return rules.build();
  }

  @Test
  void secondRun_savesNothingMore_orMakesItSmaller() throws IOException {
    for (Path file : programs()) {
      TranspileResult first =
          Transpiler.transpile(ProgramReader.read(file), TranspileOptions.defaults());
      TranspileResult second = Transpiler.transpile(first.program(), TranspileOptions.defaults());
      assertThat(second.sharing().bytesAfter()).isAtMost(first.sharing().bytesAfter());
      assertThat(second.sharing().bytesBefore()).isEqualTo(first.sharing().bytesAfter());
    }
  }

  /** A loop may need names of its own for the plan to copy less; the many names around do not. */
  @Test
  void namesForThePlan_takeLittleMore() throws IOException {
    TranspileOptions forNames = TranspileOptions.defaults();
    TranspileOptions forPlan =
        forNames.withSharing(SharingOptions.defaults().withGoal(SharingOptions.Goal.PLAN));
    for (Path file : programs()) {
      Program original = ProgramReader.read(file);
      double few = Transpiler.transpile(original, forNames).sharing().bytesAfter();
      double bytes = Transpiler.transpile(original, forPlan).sharing().bytesAfter();
      assertWithMessage(file.toString()).that(bytes / few).isLessThan(1.1);
    }
  }

  @Test
  void best_isNeverWorseThanEitherPolicy() throws IOException {
    for (Path file : programs()) {
      Program original = ProgramReader.read(file);
      TranspileResult chosen = Transpiler.transpile(original, TranspileOptions.defaults());
      if (chosen.sharing().openBefore() > 0) {
        continue; // names are chosen for a typical run, but the bytes below are those of every run
      }
      long best = Long.MAX_VALUE;
      for (SharingOptions.Policy policy :
          List.of(SharingOptions.Policy.POOL, SharingOptions.Policy.GLOBAL)) {
        TranspileOptions options =
            TranspileOptions.defaults()
                .withSharing(new SharingOptions(policy, SharingOptions.Level.FIT, true));
        best = Math.min(best, Transpiler.transpile(original, options).sharing().bytesAfter());
      }
      assertThat(chosen.sharing().bytesAfter()).isEqualTo(best);
    }
  }
}
