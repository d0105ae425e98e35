package dev.sublet.bench;

import static java.util.Objects.requireNonNull;

import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.LoopMode;
import dev.sublet.loop.unroll.UnrolledProgram;
import dev.sublet.program.Program;
import dev.sublet.report.LoopReport;
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

/** What loops take to be looked through, planned and unrolled, in a heap of 4 GiB. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgs = "-Xmx4g")
public class LoopBenchmark {

  private static final TranspileOptions OPTIONS = TranspileOptions.defaults();

  /** A program with large loops, and what is known about it. */
  @State(Scope.Benchmark)
  public static class Input {

    /** What the loops look like. */
    @Param({"BODY", "CYCLE", "NESTED"})
    public String form = "BODY";

    /** How many operators their bodies have together. */
    @Param({"240", "10000"})
    public int operators;

    private @Nullable Program program;
    private @Nullable ProgramFacts analysis;
    private @Nullable LoopCarriedValues carries;

    /** Makes the program. */
    @Setup
    public void generate() {
      program = LargeLoops.valueOf(form).program(operators);
      analysis = ProgramFacts.of(program(), OPTIONS.analysis(), new DiagnosticLog());
      carries = find(analysis);
    }

    Program program() {
      return requireNonNull(program);
    }

    ProgramFacts analysis() {
      return requireNonNull(analysis);
    }

    LoopCarriedValues carries() {
      return requireNonNull(carries);
    }
  }

  private static LoopCarriedValues find(ProgramFacts analysis) {
    return LoopCarriedValues.findForProgram(analysis, LoopCarriedValues.MAX_REPEAT);
  }

  /** What becomes of each carry, in a program that has been analyzed. */
  @Benchmark
  public LoopCarriedValues carries(Input input) {
    return find(input.analysis());
  }

  /** The same with the analysis, as the text of {@code sublet explain}. */
  @Benchmark
  public String explain(Input input) {
    ProgramFacts analysis =
        ProgramFacts.of(input.program(), OPTIONS.analysis(), new DiagnosticLog());
    return new LoopReport(analysis, find(analysis)).text();
  }

  /** The unrolled program, without its proof. */
  @Benchmark
  public UnrolledProgram unroll(Input input) {
    return UnrolledProgram.toRun(input.carries());
  }

  /** A proved plan in which every copy is made. */
  @Benchmark
  public PlanResult planCopies(Input input) {
    return Transpiler.plan(input.program(), OPTIONS.withLoops(LoopMode.COPY));
  }

  /** A proved plan in which variables move. */
  @Benchmark
  public PlanResult planViews(Input input) {
    return Transpiler.plan(input.program(), OPTIONS.withLoops(LoopMode.MULTIVIEW));
  }
}
