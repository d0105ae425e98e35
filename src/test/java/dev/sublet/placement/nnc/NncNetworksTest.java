package dev.sublet.placement.nnc;

import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The activations of five networks, from the folder that SUBLET_CORPUS names, against what NNC's
 * compiler needs for them (measured): in the order of its graph, and with that order made serial.
 */
final class NncNetworksTest {

  @ParameterizedTest
  @CsvSource({
    // What both reach: the lower bound, but for chain100_rand, whose bound is 3341248.
    "chain100_eq, 3145728, 3145728, 2097152",
    "chain100_rand, 4873024, 4873024, 4057664",
    "resnet50_inf, 9633792, 9633792, 9633792",
    "lstm50, 3932160, 3801088, 3801088",
    "vgg16_inf, 25690112, 25690112, 25690112"
  })
  void place_network_atMostWhatNncNeeds(String network, long nncDag, long nncSerial, long reached)
      throws IOException {
    String corpus = System.getenv("SUBLET_CORPUS");
    assumeTrue(corpus != null, "skipped: SUBLET_CORPUS does not name the corpus folder");
    PlanningProblem problem =
        read(Path.of(String.valueOf(corpus), "planning/networks", network + ".csv"));
    for (Planner planner : NncPlanners.ALL) {
      Placement placement = planner.place(problem, PlannerOptions.defaults(), new DiagnosticLog());
      PlacementCheck.assertValid(problem, placement);
      assertWithMessage("%s by %s", network, planner.name())
          .that(placement.arenaBytes())
          .isAtMost(Math.min(reached, Math.min(nncDag, nncSerial)));
    }
  }

  /** Lines {@code id,lower,upper,size} below a header; {@code upper} is the first point behind. */
  private static PlanningProblem read(Path file) throws IOException {
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    List<String> lines = Files.readAllLines(file);
    for (String line : lines.subList(1, lines.size())) {
      List<String> columns = Splitter.on(',').splitToList(line);
      builder.addBuffer(Long.parseLong(columns.get(3)));
      builder.addInterval(Integer.parseInt(columns.get(1)), Integer.parseInt(columns.get(2)));
    }
    return builder.build();
  }
}
