package dev.sublet.bench;

import static java.util.Objects.requireNonNull;

import dev.sublet.Analysis;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.codec.ProgramReader;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.OffsetPlanner;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.sharing.Sharing;
import dev.sublet.sharing.VariableSharing;
import dev.sublet.verify.ValidationResult;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Each stage by itself, and the whole path, in a heap of 4 GiB. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgs = "-Xmx4g")
public class PipelineBenchmark {

  private static final TranspileOptions OPTIONS = TranspileOptions.defaults();

  /** What the program looks like. */
  @Param({"CHAIN", "TRAINING", "LOOPS"})
  public String form = "CHAIN";

  /** How many operators it has. */
  @Param({"10000", "100000", "1000000"})
  public int operators;

  private byte[] bytes = new byte[0];
  private Stages stages = Stages.NONE;

  /** What the stages before the measured one have made. */
  private record Stages(
      @Nullable Program program,
      @Nullable Analysis analysis,
      @Nullable TranspileResult result,
      @Nullable MemoryPlan plan) {
    static final Stages NONE = new Stages(null, null, null, null);

    Program theProgram() {
      return requireNonNull(program);
    }

    Analysis theAnalysis() {
      return requireNonNull(analysis);
    }

    TranspileResult theResult() {
      return requireNonNull(result);
    }

    MemoryPlan thePlan() {
      return requireNonNull(plan);
    }
  }

  /** Makes the program and everything that the stages take. */
  @Setup(Level.Trial)
  public void setUp() {
    bytes = SyntheticPrograms.generate(SyntheticPrograms.Form.valueOf(form), operators);
    Program program = ProgramReader.parse(bytes, form);
    stages =
        new Stages(
            program,
            Analysis.of(program, OPTIONS, new DiagnosticLog()),
            Transpiler.transpile(program, OPTIONS),
            Transpiler.plan(program, OPTIONS).plan());
  }

  /** Bytes to a program with every name resolved. */
  @Benchmark
  public Program read() {
    return ProgramReader.parse(bytes, form);
  }

  /** The control-flow graph and the live ranges of every variable. */
  @Benchmark
  public Liveness liveness() {
    return Liveness.analyze(
        ControlFlowGraph.build(stages.theProgram(), OperatorCatalog.standard()),
        OPTIONS.observation(),
        new DiagnosticLog());
  }

  /** Groups of variables, and the rewritten program. */
  @Benchmark
  public Sharing sharing() {
    Analysis analysis = stages.theAnalysis();
    return VariableSharing.share(
        analysis.liveness(),
        analysis.sizes(),
        analysis.lod(),
        analysis.places(),
        OperatorCatalog.standard(),
        OPTIONS.sharing(),
        new DiagnosticLog());
  }

  /** Offsets of the program as it is, with and without in-place pairs. */
  @Benchmark
  public MemoryPlan planning() {
    Analysis analysis = stages.theAnalysis();
    return OffsetPlanner.plan(
        analysis.liveness(),
        analysis.sizes(),
        analysis.lod(),
        analysis.places(),
        OperatorCatalog.standard(),
        OPTIONS.offsets(),
        "",
        1,
        new DiagnosticLog());
  }

  /** The proof of the rewritten program, its analysis included. */
  @Benchmark
  public ValidationResult validateRewrite() {
    return Transpiler.verify(stages.theProgram(), stages.theResult().program(), OPTIONS);
  }

  /** The proof of the plan, the program's hash and analysis included. */
  @Benchmark
  public ValidationResult validatePlan() {
    return Transpiler.verifyPlan(stages.theProgram(), stages.thePlan(), OPTIONS);
  }

  /** Bytes in, a proved program and plan out. */
  @Benchmark
  public TranspileResult endToEnd() {
    return Transpiler.transpile(ProgramReader.parse(bytes, form), OPTIONS);
  }
}
