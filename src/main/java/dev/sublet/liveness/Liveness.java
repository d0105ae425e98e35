package dev.sublet.liveness;

import static java.util.Objects.requireNonNull;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;

/**
 * What liveness analysis finds out about a program.
 *
 * @param graph the graph that it was solved over
 * @param observation who is seen from outside
 * @param ranges the live ranges
 */
public record Liveness(ControlFlowGraph graph, Observation observation, LiveRanges ranges) {

  public Liveness {
    requireNonNull(graph, "graph");
    requireNonNull(observation, "observation");
    requireNonNull(ranges, "ranges");
  }

  /**
   * Analyzes a program. O(accesses × nesting depth).
   *
   * @throws ProgramException if the options name a variable that no block declares
   */
  public static Liveness analyze(
      ControlFlowGraph graph, ObservationOptions options, DiagnosticLog log) {
    Observation observation = Observation.find(graph, options, log);
    return new Liveness(graph, observation, LiveRangeBuilder.build(graph, observation));
  }
}
