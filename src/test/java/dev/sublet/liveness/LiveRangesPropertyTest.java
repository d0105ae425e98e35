package dev.sublet.liveness;

import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
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

  /**
   * The whole graph knows no scopes: variables that are created anew each time that their block is
   * entered, and exclusive results, live shorter than it says.
   */
  private static boolean isPlain(ControlFlowGraph graph, Variable variable) {
    int home = graph.regionOfBlock(variable.block());
    if (home < 0 || graph.exclusive().results().containsKey(variable.index())) {
      return false;
    }
    for (int region = home; region > 0; region = graph.region(region).parent()) {
      boolean enteredAgain = region != home && graph.region(region).kind().isLoop();
      if (enteredAgain || graph.region(region).hasFreshScopes()) {
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
      check(
          websAt(liveness.ranges(), v, 2 * node) == (occupiedBefore || startOfFeed ? 1 : 0),
          variable + " before node " + node,
          graph);
      check(
          websAt(liveness.ranges(), v, 2 * node + 1) == (occupiedAfter ? 1 : 0),
          variable + " after node " + node,
          graph);
    }
  }

  private static void check(boolean same, String where, ControlFlowGraph graph) {
    if (!same) {
      assertWithMessage("%s of\n%s", where, ProgramText.print(graph.program())).fail();
    }
  }

  private static int websAt(LiveRanges ranges, int variable, int point) {
    int count = 0;
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      count += ranges.contains(web, point) ? 1 : 0;
    }
    return count;
  }
}
