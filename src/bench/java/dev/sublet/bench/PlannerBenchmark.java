package dev.sublet.bench;

import static java.util.Objects.requireNonNull;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.SyntheticProblems;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One placement by each planner; {@code -p planner=…} takes others than the baselines. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgs = "-Xmx4g")
@State(Scope.Benchmark)
public class PlannerBenchmark {

  /** The planner's name. */
  @Param({"greedy-size", "greedy-breadth", "best-fit", "first-fit"})
  public String planner = "greedy-size";

  /** What the trace looks like. */
  @Param({"CHAIN", "TRAINING", "DAG"})
  public String form = "CHAIN";

  /** How many buffers it has. */
  @Param({"1000", "10000", "100000"})
  public int buffers;

  private @Nullable PlanningProblem problem;

  /** Makes the problem. */
  @Setup
  public void generate() {
    problem =
        switch (form) {
          case "CHAIN" -> SyntheticProblems.chain(/* seed= */ 7, buffers);
          case "TRAINING" -> SyntheticProblems.training(/* seed= */ 7, buffers);
          case "DAG" -> SyntheticProblems.randomDag(/* seed= */ 7, buffers);
          default -> throw new IllegalArgumentException(form);
        };
  }

  /** The placement, its lower bound included. */
  @Benchmark
  public Placement place() {
    return Planners.of(planner)
        .place(requireNonNull(problem), PlannerOptions.defaults(), new DiagnosticLog());
  }
}
