package dev.sublet.liveness;

import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.testing.ProgramText;
import dev.sublet.testing.RandomPrograms;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Live ranges, solved variable by variable, against the equations over the whole graph. */
final class LiveRangesPropertyTest {

  @Property(tries = 500)
  void ranges_areTheSetsOfTheWholeGraph(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int size) {
    Program program = RandomPrograms.generate(seed, size);
    ControlFlowGraph graph = ControlFlowGraph.build(program, OperatorCatalog.standard());
    Liveness liveness = Liveness.analyze(graph, ObservationOptions.defaults(), new DiagnosticLog());
    DenseLiveness oracle = new DenseLiveness(graph, liveness.observation());
    for (Variable variable : program.variables()) {
      if (variable.kind() == Variable.Kind.TENSOR
          && !variable.isPersistable()
          && isPlain(graph, variable)) {
        check(variable, graph, liveness, oracle);
      }
    }
  }

  /** Variables of fresh scopes and exclusive results live shorter than the whole graph knows. */
  private static boolean isPlain(ControlFlowGraph graph, Variable variable) {
    int home = graph.regionOfBlock(variable.block());
    if (home < 0 || graph.exclusive().results().containsKey(variable.index())) {
      return false;
    }
    for (int region = home; region > 0; region = graph.region(region).parent()) {
      if (graph.region(region).hasFreshScopes()) {
        return false;
      }
    }
    return true;
  }

  private static void check(
      Variable variable, ControlFlowGraph graph, Liveness liveness, DenseLiveness oracle) {
    int v = variable.index();
    Region home = graph.region(graph.regionOfBlock(variable.block()));
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (node < home.head() || node > home.exit()) {
        continue;
      }
      boolean occupiedBefore = oracle.heldBefore(node, v) || oracle.reads(node, v);
      boolean occupiedAfter =
          oracle.heldAfter(node, v) || oracle.writes(node, v) || oracle.reads(node, v);
      boolean startOfFeed = node == 0 && liveness.observation().isFeed(v);
      assertWithMessage("%s before node %s of\n%s", variable, node, text(graph))
          .that(websAt(liveness.ranges(), v, 2 * node))
          .isEqualTo(occupiedBefore || startOfFeed ? 1 : 0);
      assertWithMessage("%s after node %s of\n%s", variable, node, text(graph))
          .that(websAt(liveness.ranges(), v, 2 * node + 1))
          .isEqualTo(occupiedAfter ? 1 : 0);
    }
  }

  private static String text(ControlFlowGraph graph) {
    return ProgramText.print(graph.program());
  }

  private static int websAt(LiveRanges ranges, int variable, int point) {
    int count = 0;
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      count += ranges.contains(web, point) ? 1 : 0;
    }
    return count;
  }
}
