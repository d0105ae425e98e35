package dev.sublet.bench;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.machine.ExecutionResult;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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

/** Operators at real sizes, as {@code sublet run} executes them, already compiled. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class OperatorBenchmark {

  /** What runs; all of {@link OperatorProgram}. */
  @Param public OperatorProgram operator = OperatorProgram.CONVOLUTION;

  private @Nullable Supplier<ExecutionResult> program;

  /** Makes the program. */
  @Setup
  public void prepare() {
    program = operator.prepare();
  }

  /** One run. */
  @Benchmark
  public ExecutionResult run() {
    return requireNonNull(program).get();
  }
}
