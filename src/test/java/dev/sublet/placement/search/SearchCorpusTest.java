package dev.sublet.placement.search;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MiniMalloc's instances and five networks, from the folder that SUBLET_CORPUS names. */
final class SearchCorpusTest {

  @BeforeEach
  void skipWithoutCorpus() {
    assumeTrue(System.getenv("SUBLET_CORPUS") != null, "skipped: SUBLET_CORPUS names no folder");
  }

  private static PlanningProblem read(String name) throws IOException {
    Path file = Path.of(System.getenv("SUBLET_CORPUS"), "planning", name + ".csv");
    List<String> lines = Files.readAllLines(file, UTF_8);
    assertThat(lines.get(0)).isEqualTo("id,lower,upper,size");
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = Splitter.on(',').splitToList(line);
      builder.addBuffer(Long.parseLong(cells.get(3)));
      builder.addInterval(Integer.parseInt(cells.get(1)), Integer.parseInt(cells.get(2)));
    }
    return builder.build();
  }

  private static Placement search(PlanningProblem problem) {
    Placement placement =
        Planners.of(SearchPlanner.NAME)
            .place(problem, PlannerOptions.defaults(), new DiagnosticLog());
    PlacementCheck.assertValid(problem, placement);
    return placement;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "minimalloc/A",
        "minimalloc/C",
        "minimalloc/F",
        "minimalloc/I",
        "minimalloc/K",
        "networks/chain100_eq",
        "networks/chain100_rand",
        "networks/lstm50",
        "networks/resnet50_inf",
        "networks/vgg16_inf"
      })
  void defaultOptions_proveTheOptimum(String name) throws IOException {
    Placement placement = search(read(name));
    assertWithMessage("%s: %s", name, placement.arenaBytes())
        .that(placement.isProvedOptimal())
        .isTrue();
  }

  @Test
  void instanceD_isAtMostWhatIsKnown() throws IOException {
    Placement placement = search(read("minimalloc/D"));
    assertThat(placement.arenaBytes()).isAtMost(1_044_480);
  }

  /** As boxes; the search of the buffers themselves does not solve this one. */
  @ParameterizedTest
  @ValueSource(strings = {"A", "C", "D", "F", "I", "K"})
  void bestPlanner_solvesEveryInstance_withFewNodes(String name) throws IOException {
    PlanningProblem problem = read("minimalloc/" + name);
    PlannerOptions options = PlannerOptions.defaults().withNodes(200_000);
    Placement placement = Planners.of(Planners.BEST).place(problem, options, new DiagnosticLog());
    PlacementCheck.assertValid(problem, placement);
    assertThat(placement.isProvedOptimal()).isTrue();
  }
}
