package dev.sublet.liveness;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import java.util.function.IntPredicate;

/**
 * The result of liveness analysis for a program.
 *
 * @param graph the control-flow graph of the program
 * @param observation the feeds and the observed variables
 * @param ranges the live ranges
 * @param needs the variables that may be live after each control operator
 */
public record Liveness(
    ControlFlowGraph graph, Observation observation, LiveRanges ranges, ExitNeeds needs) {

  /**
   * Analyzes a program. O(accesses × nesting depth).
   *
   * @throws ProgramException if the options name a variable that no block declares
   */
  public static Liveness analyze(
      ControlFlowGraph graph, ObservationOptions options, DiagnosticLog log) {
    return analyze(graph, options, ExitNeeds.ALL, log);
  }

  /** Analyzes a program for which the caller knows the live variables after control operators. */
  public static Liveness analyze(
      ControlFlowGraph graph, ObservationOptions options, ExitNeeds needs, DiagnosticLog log) {
    Observation observation = Observation.find(graph, options, log);
    return new Liveness(
        graph,
        observation,
        LiveRangeBuilder.build(
            graph, observation, needs, variable -> false, SuccessiveBranches.none(graph)),
        needs);
  }

  /**
   * Returns the same liveness with ranges for bytes instead of names. If an operator reads only the
   * shape of an input, and the shape is known before the run, the read does not keep the elements
   * alive. It does keep the name alive, because a runtime asks the variable for its shape.
   * O(accesses × nesting depth).
   *
   * @param hasKnownShape whether the shape of a variable is known before the program runs
   */
  public Liveness forBytes(IntPredicate hasKnownShape) {
    return graph.accesses().hasShapeReads()
        ? new Liveness(
            graph,
            observation,
            LiveRangeBuilder.build(
                graph, observation, needs, hasKnownShape, SuccessiveBranches.none(graph)),
            needs)
        : this;
  }

  /**
   * Returns the ranges {@linkplain #forBytes for bytes} of a program whose operators run one after
   * the other. If of two exclusive branches the second comes directly after the first, a value that
   * only the second one reads is live in the first one until its last read there.
   *
   * <pre>
   *   conditional_block(c)     { t = relu(a) }      a is live until relu has run,
   *   conditional_block(not c) { e = tanh(a) }      and again from here
   * </pre>
   *
   * <p>If the first branch does not run, the value stays in its bytes, because only the first
   * branch uses the bytes in the meantime. So a runtime must not clear bytes between two intervals
   * of one range. O(accesses × nesting depth).
   */
  public Liveness forOffsets(IntPredicate hasKnownShape) {
    SuccessiveBranches branches = SuccessiveBranches.find(graph, observation);
    return new Liveness(
        graph,
        observation,
        LiveRangeBuilder.build(graph, observation, needs, hasKnownShape, branches),
        needs);
  }

  /** Whether {@link #forOffsets} may differ from {@link #forBytes}. O(regions + results). */
  public boolean hasSuccessiveBranches() {
    return !SuccessiveBranches.find(graph, observation).isEmpty();
  }
}
