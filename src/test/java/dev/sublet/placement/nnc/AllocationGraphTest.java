package dev.sublet.placement.nnc;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The allocation graph: the document's rules of insertion, and that no byte is lost. */
final class AllocationGraphTest {

  /** An edge with 100 bytes from a first tensor to a last one, and a pair that fits between. */
  private static AllocationGraph graphWithPair(long first, long second) {
    PlanningProblem problem =
        ProblemText.problem(1, "100 0-1", "100 8-9", first + " 2-3", second + " 4-5");
    AllocationGraph graph = new AllocationGraph(problem);
    graph.growTo(100);
    graph.insert(0, 0, 100);
    graph.insert(1, 0, 100);
    graph.insert(2, 0, first);
    graph.insert(3, 0, second);
    return graph;
  }

  @Test
  void insert_secondIsLarger_theDifferenceComesFromTheEdgesSource() {
    assertThat(edges(graphWithPair(30, 50)))
        .containsExactly(
            "source-0: 100 at 0",
            "0-2: 30 at 0",
            "2-3: 30 at 0",
            "0-3: 20 at 30",
            "3-1: 50 at 0",
            "0-1: 50 at 50",
            "1-sink: 100 at 0");
  }

  @Test
  void insert_secondIsSmaller_theRestGoesToTheEdgesDestination() {
    assertThat(edges(graphWithPair(50, 30)))
        .containsExactly(
            "source-0: 100 at 0",
            "0-2: 50 at 0",
            "2-3: 30 at 0",
            "2-1: 20 at 30",
            "3-1: 30 at 0",
            "0-1: 50 at 50",
            "1-sink: 100 at 0");
  }

  @Test
  void insert_acrossTwoEdges_takesFromBoth() {
    PlanningProblem problem = ProblemText.problem(1, "40 0-1", "60 1-2", "100 2-3");
    AllocationGraph graph = new AllocationGraph(problem);
    graph.growTo(100);
    graph.insert(0, 0, 40);
    graph.insert(1, 40, 100);
    graph.insert(2, 0, 100);
    assertThat(edges(graph))
        .containsExactly(
            "source-0: 40 at 0",
            "source-1: 60 at 40",
            "0-2: 40 at 0",
            "1-2: 60 at 40",
            "2-sink: 100 at 0");
  }

  @Test
  void insert_whereATensorIs_isRefused() {
    AllocationGraph graph = new AllocationGraph(ProblemText.problem(1, "40 0-2", "60 1-3"));
    graph.growTo(100);
    graph.insert(0, 0, 40);
    assertThrows(IllegalStateException.class, () -> graph.insert(1, 39, 99));
  }

  @Test
  void afterAllInsertions_whatFlowsInFlowsOut() {
    for (int seed = 0; seed < 300; seed++) {
      RandomProblems.Kind kind =
          seed % 2 == 0 ? RandomProblems.Kind.FULL : RandomProblems.Kind.PLAIN;
      PlanningProblem problem = RandomProblems.generate(new Random(seed), 25, 20, 30, kind);
      AllocationBuilder bySize = new AllocationBuilder(problem, Long.MAX_VALUE);
      NncPlanner.insertAll(problem, bySize);
      assertFlow(problem, bySize.graph());
      AllocationBuilder byInterference = new AllocationBuilder(problem, Long.MAX_VALUE);
      NncInterferencePlanner.insertAll(problem, byInterference);
      assertFlow(problem, byInterference.graph());
    }
  }

  private static void assertFlow(PlanningProblem problem, AllocationGraph graph) {
    int nodes = problem.intervalCount();
    long[] in = new long[nodes];
    long[] out = new long[nodes];
    long fromSource = 0;
    long toSink = 0;
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      int tail = graph.tail(edge);
      int head = graph.head(edge);
      fromSource += tail == AllocationGraph.SOURCE ? graph.bytes(edge) : 0;
      toSink += head == AllocationGraph.SINK ? graph.bytes(edge) : 0;
      if (tail >= 0) {
        out[tail] += graph.bytes(edge);
      }
      if (head >= 0) {
        in[head] += graph.bytes(edge);
      }
      if (tail >= 0 && head >= 0) {
        assertThat(problem.end(tail)).isAtMost(problem.begin(head));
      }
    }
    String text = ProblemText.print(problem);
    assertWithMessage(text).that(fromSource).isEqualTo(graph.top());
    assertWithMessage(text).that(toSink).isEqualTo(graph.top());
    for (int node = 0; node < nodes; node++) {
      assertWithMessage(text).that(in[node]).isEqualTo(problem.high(node) - problem.low(node));
      assertWithMessage(text).that(out[node]).isEqualTo(in[node]);
    }
  }

  private static List<String> edges(AllocationGraph graph) {
    List<String> edges = new ArrayList<>();
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      if (graph.bytes(edge) > 0) {
        int tail = graph.tail(edge);
        int head = graph.head(edge);
        edges.add(
            (tail == AllocationGraph.SOURCE ? "source" : tail)
                + "-"
                + (head == AllocationGraph.SINK ? "sink" : head)
                + ": "
                + graph.bytes(edge)
                + " at "
                + graph.offset(edge));
      }
    }
    return edges;
  }
}
