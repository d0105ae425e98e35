package dev.sublet.testing;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.random.RandomLoops;
import java.util.List;

/** How the programs of {@link RandomLoops} are planned and run, whatever is compared. */
public final class LoopRuns {

  /** Loops run for each number of iterations up to this one. */
  public static final int MOST_TRIPS = 7;

  /** Loops are the matter here, not how small an arena a long search finds. */
  public static final TranspileOptions OPTIONS =
      TranspileOptions.defaults()
          .withOffsets(
              OffsetOptions.defaults()
                  .withSearch(
                      new PlannerOptions(
                          /* nodes= */ 500, /* timeoutMillis= */ 0, BufferOrder.SIZE)));

  private LoopRuns() {}

  /** Runs a program whose outer loop iterates n times, and an inner one m times. */
  public static ExecutionResult run(Program program, long n, long m, ExecutionOptions options) {
    ImmutableLongArray one = ImmutableLongArray.of(1);
    return Executor.run(
        program,
        ImmutableMap.of(
            "x0",
            LodTensor.of(Tensor.of(ImmutableLongArray.of(4), 0.5f, -1f, 2f, -3f)),
            "n",
            LodTensor.of(Tensor.of(one, n)),
            "m",
            LodTensor.of(Tensor.of(one, m))),
        ImmutableMap.of(),
        options);
  }

  /** What a run has fetched. */
  public static List<LodTensor> tensors(ExecutionResult result) {
    return result.outputs().stream().map(ExecutionResult.Output::tensor).toList();
  }
}
