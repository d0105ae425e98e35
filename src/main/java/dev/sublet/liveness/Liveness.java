package dev.sublet.liveness;

import static java.util.Objects.requireNonNull;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import java.util.function.IntPredicate;

/**
 * What liveness analysis finds out about a program.
 *
 * @param graph the graph that it was solved over
 * @param observation who is seen from outside
 * @param ranges the live ranges
 * @param needs what is needed where control operators end
 */
public record Liveness(
    ControlFlowGraph graph, Observation observation, LiveRanges ranges, ExitNeeds needs) {

  public Liveness {
    requireNonNull(graph, "graph");
    requireNonNull(observation, "observation");
    requireNonNull(ranges, "ranges");
    requireNonNull(needs, "needs");
  }

  /**
   * Analyzes a program. O(accesses × nesting depth).
   *
   * @throws ProgramException if the options name a variable that no block declares
   */
  public static Liveness analyze(
      ControlFlowGraph graph, ObservationOptions options, DiagnosticLog log) {
    return analyze(graph, options, ExitNeeds.ALL, log);
  }

  /** The same for one who knows more about what is needed where control operators end. */
  public static Liveness analyze(
      ControlFlowGraph graph, ObservationOptions options, ExitNeeds needs, DiagnosticLog log) {
    Observation observation = Observation.find(graph, options, log);
    return new Liveness(
        graph,
        observation,
        LiveRangeBuilder.build(graph, observation, needs, variable -> false),
        needs);
  }

  /**
   * The same with ranges for bytes instead of names: where an operator needs only the shape of an
   * input, and the shape is known beforehand, the elements may be gone. A name must stay, since a
   * runtime asks the variable for its shape. O(accesses × nesting depth).
   *
   * @param hasKnownShape which variables have a shape that is known before the program runs
   */
  public Liveness forBytes(IntPredicate hasKnownShape) {
    return graph.accesses().hasShapeReads()
        ? new Liveness(
            graph,
            observation,
            LiveRangeBuilder.build(graph, observation, needs, hasKnownShape),
            needs)
        : this;
  }
}
