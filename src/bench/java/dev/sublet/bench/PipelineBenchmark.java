package dev.sublet.bench;

import static java.util.Objects.requireNonNull;

import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.OffsetPlanner;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.sharing.Sharing;
import dev.sublet.sharing.VariableSharing;
import dev.sublet.verify.graph.ValidationResult;
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

/** Each stage by itself, and the whole path, in a heap of 4 GiB. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgs = "-Xmx4g")
public class PipelineBenchmark {

  private static final TranspileOptions OPTIONS = TranspileOptions.defaults();

  /** A serialized program. */
  @State(Scope.Benchmark)
  public static class Input {

    /** What the program looks like. */
    @Param({"CHAIN", "TRAINING", "LOOPS"})
    public String form = "CHAIN";

    /** How many operators it has. */
    @Param({"10000", "100000", "1000000"})
    public int operators;

    byte[] bytes = new byte[0];

    /** Makes the program. */
    @Setup
    public void generate() {
      bytes = SyntheticPrograms.generate(SyntheticPrograms.Form.valueOf(form), operators);
    }

    Program read() {
      return ProgramReader.parse(bytes, form);
    }
  }

  /** A program that has been read. */
  @State(Scope.Benchmark)
  public static class Read {
    private @Nullable Program program;

    /** Reads the program. */
    @Setup
    public void read(Input input) {
      program = input.read();
    }

    Program program() {
      return requireNonNull(program);
    }
  }

  /** A program that has been analyzed. */
  @State(Scope.Benchmark)
  public static class Analyzed {
    private @Nullable ProgramFacts analysis;

    /** Analyzes the program. */
    @Setup
    public void analyze(Input input) {
      analysis = ProgramFacts.of(input.read(), OPTIONS.analysis(), new DiagnosticLog());
    }

    ProgramFacts analysis() {
      return requireNonNull(analysis);
    }
  }

  /** A program and its rewritten form. */
  @State(Scope.Benchmark)
  public static class Rewritten {
    private @Nullable TranspileResult result;

    /** Transpiles the program. */
    @Setup
    public void transpile(Input input) {
      result = Transpiler.transpile(input.read(), OPTIONS);
    }

    TranspileResult result() {
      return requireNonNull(result);
    }
  }

  /** Bytes to a program with every name resolved. */
  @Benchmark
  public Program read(Input input) {
    return input.read();
  }

  /** The control-flow graph and the live ranges of every variable. */
  @Benchmark
  public Liveness liveness(Read read) {
    return Liveness.analyze(
        ControlFlowGraph.build(read.program(), OperatorCatalog.standard()),
        OPTIONS.observation(),
        new DiagnosticLog());
  }

  /** Groups of variables, and the rewritten program. */
  @Benchmark
  public Sharing sharing(Analyzed analyzed) {
    return VariableSharing.share(analyzed.analysis(), OPTIONS.sharing(), new DiagnosticLog());
  }

  /** Offsets of the program as it is, with and without in-place pairs. */
  @Benchmark
  public MemoryPlan planning(Analyzed analyzed) {
    return OffsetPlanner.plan(analyzed.analysis(), OPTIONS.offsets(), () -> "", new DiagnosticLog())
        .plan();
  }

  /** The proof of the rewritten program; both programs are analyzed again. */
  @Benchmark
  public ValidationResult validateRewrite(Rewritten rewritten) {
    return Verifier.verify(rewritten.result().original(), rewritten.result().program(), OPTIONS);
  }

  /** The proof of the plan; the program is hashed and analyzed again. */
  @Benchmark
  public ValidationResult validatePlan(Rewritten rewritten) {
    return Verifier.verifyPlan(rewritten.result().program(), rewritten.result().plan(), OPTIONS);
  }

  /** Bytes in, a proved program and plan out. */
  @Benchmark
  public TranspileResult endToEnd(Input input) {
    return Transpiler.transpile(input.read(), OPTIONS);
  }
}
