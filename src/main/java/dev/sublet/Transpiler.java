package dev.sublet;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sublet.codec.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.Capacity;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.OffsetPlan;
import dev.sublet.offset.PathCoverGuarantee;
import dev.sublet.offset.TablePlanner;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Placement;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.PathCoverBound;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingReasons;
import dev.sublet.sharing.VariableSharing;
import dev.sublet.verify.BufferTableValidator;
import dev.sublet.verify.ObservationOptions;
import dev.sublet.verify.PlanValidator;
import dev.sublet.verify.RewriteValidator;
import dev.sublet.verify.ValidationResult;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The whole path: analyze, share, rewrite, plan, prove. The front door of the library.
 *
 * <p>Stateless and thread-safe; same input, same output. Near-linear in the program's arguments.
 */
public final class Transpiler {

  private Transpiler() {}

  /**
   * Rewrites a program so that its variables share names, and plans the offsets of the result. What
   * is returned has been accepted by both validators.
   *
   * @param original the program; it stays as it is
   * @param options what to do
   * @return the new program, its plan, and what became of each variable
   * @throws ProgramException if the options do not fit the program or a size does not fit 64 bits
   *     (exit code 5 if an arena does not fit the capacity)
   * @throws IllegalStateException if a validator rejects the result: a bug of Sublet's
   */
  public static TranspileResult transpile(Program original, TranspileOptions options) {
    return transpile(original, options, stage -> {});
  }

  /**
   * The same, telling what is being done.
   *
   * @param original the program; it stays as it is
   * @param options what to do
   * @param stages is told when a stage begins, on this thread
   * @return the new program, its plan, and what became of each variable
   */
  public static TranspileResult transpile(
      Program original, TranspileOptions options, Consumer<Stage> stages) {
    DiagnosticLog log = new DiagnosticLog();
    stages.accept(Stage.ANALYSIS);
    Analysis before = Analysis.of(original, options, log);
    stages.accept(Stage.LOOPS);
    Analysis looped =
        LoopSteps.rewrite(before, options, program -> verify(original, program, options), log);
    Rewriting chosen = Rewriting.choose(before, looped, options, stages, log);
    Analysis after = chosen.after();
    OffsetPlan planned = chosen.planned().chosen();
    Capacity.check(after.liveness().graph(), planned.plan(), options.offsets().capacity());
    stages.accept(Stage.PROOF);
    // It stands for a program that stands for the original.
    demand(verify(chosen.looped(), after, options), "rewritten program");
    demandProof(after, chosen.planned(), options);
    return new TranspileResult(
        original,
        VariableSharing.bytesInUse(before.liveness(), before.sizes()),
        after.program(),
        planned.plan(),
        planned.nodes(),
        chosen.sharing(),
        log.diagnostics());
  }

  /**
   * Plans the offsets of a program as it is. The plan validator has accepted the plan.
   *
   * @param program the program
   * @param options what to do; those about sharing and rewriting are not looked at
   * @return the plan
   * @throws ProgramException if the options do not fit the program or a size does not fit 64 bits
   *     (exit code 5 if an arena does not fit the capacity)
   * @throws IllegalStateException if the validator rejects the plan: a bug of Sublet's
   */
  public static PlanResult plan(Program program, TranspileOptions options) {
    return plan(program, options, stage -> {});
  }

  /**
   * The same, telling what is being done.
   *
   * @param program the program
   * @param options what to do; those about sharing and rewriting are not looked at
   * @param stages is told when a stage begins, on this thread
   * @return the plan
   */
  public static PlanResult plan(Program program, TranspileOptions options, Consumer<Stage> stages) {
    DiagnosticLog log = new DiagnosticLog();
    stages.accept(Stage.ANALYSIS);
    Analysis analysis = Analysis.of(program, options, log);
    OffsetPlan planned = plan(analysis, options, stages, log);
    return new PlanResult(
        planned.plan(),
        planned.nodes(),
        pathCoverBound(analysis, planned.plan(), options.offsets()),
        log.diagnostics());
  }

  private static OffsetPlan plan(
      Analysis analysis, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    stages.accept(Stage.PLANNING);
    LoopSteps.Planned made =
        LoopSteps.plan(analysis, options, plan -> verifyPlan(analysis, plan, options), log);
    LoopSteps.noteCost(made.bytes(), made.withCopies(), log);
    OffsetPlan planned = made.chosen();
    Capacity.check(analysis.liveness().graph(), planned.plan(), options.offsets().capacity());
    stages.accept(Stage.PROOF);
    demandProof(analysis, made, options);
    return planned;
  }

  private static void demandProof(
      Analysis analysis, LoopSteps.Planned planned, TranspileOptions options) {
    if (!planned.isProved()) {
      demand(verifyPlan(analysis, planned.chosen().plan(), options), "plan");
    }
  }

  /**
   * Shares names and plans offsets, and keeps what both were decided by, so that it can be said of
   * each variable why. Nothing is rewritten.
   *
   * @param program the program
   * @param options what would be done
   * @return the facts
   * @throws ProgramException as {@link #plan(Program, TranspileOptions)} does
   */
  public static Explanation explain(Program program, TranspileOptions options) {
    DiagnosticLog log = new DiagnosticLog();
    Analysis analysis = Analysis.of(program, options, log);
    Analysis looped = looped(program, analysis, options, log);
    SharingReasons names =
        VariableSharing.explain(
            looped.liveness(),
            looped.sizes(),
            looped.lod(),
            looped.places(),
            options.catalog(),
            options.shapes(),
            options.sharing(),
            log);
    OffsetPlan planned = plan(analysis, options, stage -> {}, log);
    return new Explanation(
        analysis, LoopSteps.carries(analysis), looped, names, planned.plan(), log.diagnostics());
  }

  /** The program that names are shared in: of the two that optimize would look at, its choice. */
  private static Analysis looped(
      Program program, Analysis analysis, TranspileOptions options, DiagnosticLog log) {
    Analysis looped =
        LoopSteps.rewrite(analysis, options, other -> verify(program, other, options), log);
    if (options.loops() != LoopMode.SMALLEST) {
      return looped;
    }
    return Rewriting.choose(analysis, looped, options, stage -> {}, new DiagnosticLog()).looped();
  }

  private static Optional<PathCoverBound> pathCoverBound(
      Analysis analysis, MemoryPlan plan, OffsetOptions offsets) {
    if (!plan.planner().equals(Planners.PATH_COVER)) {
      return Optional.empty();
    }
    if (offsets.hierarchical()) {
      return Optional.of(PathCoverBound.none("each block is planned by itself"));
    }
    if (!offsets.pools().isEmpty()) {
      return Optional.of(PathCoverBound.none("the program's memory is in pools"));
    }
    PathCoverBound bound = PathCoverGuarantee.of(analysis.liveness(), analysis.sizes(), plan);
    if (bound.applies() && plan.arenaBytes() > bound.bytes()) {
      throw new IllegalStateException(
          plan.arenaBytes() + " bytes, but path-cover guarantees " + bound);
    }
    return Optional.of(bound);
  }

  /**
   * Checks that one program can stand for another: that every observed value is computed from the
   * same values by the same operators, whichever way branches and loops go. Loops may be unrolled.
   * Near-linear in the arguments of straight-line code, times the nesting depth of loops. Not
   * checked: what operators compute, and operators that keep state outside their variables.
   *
   * @param original the one program
   * @param rewritten what is to stand for it
   * @param options what both were read with: shapes, observed variables, the target
   * @return what is wrong; valid if nothing is
   * @throws ProgramException if the options do not fit one of the programs
   */
  public static ValidationResult verify(
      Program original, Program rewritten, TranspileOptions options) {
    DiagnosticLog log = new DiagnosticLog();
    Analysis before = Analysis.of(original, options, log);
    Analysis after = Analysis.of(rewritten, options, log);
    return rewritten.blocks().size() > original.blocks().size()
        ? verifyUnrolled(original, rewritten, options)
        : verify(before, after, options);
  }

  private static ValidationResult verifyUnrolled(
      Program original, Program rewritten, TranspileOptions options) {
    return RewriteValidator.validateUnrolled(
        original,
        rewritten,
        options.catalog(),
        program -> {
          Analysis analysis = Analysis.of(program, options, new DiagnosticLog());
          return new RewriteValidator.Measures(analysis.sizes(), analysis.places());
        },
        observed(options));
  }

  /**
   * Checks that a plan is right for a program: that whoever reads a variable finds the value that
   * it would have in memory of its own. O(allocations × log) plus the walk of {@link #verify}.
   *
   * @param program the program that the plan is for
   * @param plan the plan, whoever made it
   * @param options what the program was planned with: shapes, observed variables, the target
   * @return what is wrong; valid if nothing is
   * @throws ProgramException if the plan is for another program, or the options do not fit it
   */
  public static ValidationResult verifyPlan(
      Program program, MemoryPlan plan, TranspileOptions options) {
    checkedFor(program, plan);
    return verifyPlan(Analysis.of(program, options, new DiagnosticLog()), plan, options);
  }

  /**
   * The plan, if it describes this program; whether it is right is not looked at. O(program).
   *
   * @param program the program
   * @param plan a plan that may be for another one
   * @return the plan
   * @throws ProgramException if it describes another one
   */
  @CanIgnoreReturnValue
  public static MemoryPlan checkedFor(Program program, MemoryPlan plan) {
    String sha256 = ProgramWriter.sha256(program);
    if (!sha256.equals(plan.programSha256())) {
      throw ProgramException.unreadable(
          Place.nowhere(),
          "the plan is for a program with SHA-256 "
              + plan.programSha256()
              + ", but this program's is "
              + sha256);
    }
    return plan;
  }

  /**
   * Plans the offsets of a table of buffers. The table validator has accepted them.
   *
   * @param table the buffers
   * @param options how to plan; its alignment is that of rows without one, for which the command
   *     line has 1
   * @return the offsets, by row
   * @throws ProgramException if the table contradicts itself, or there is no such planner (exit
   *     code 5 if the arena does not fit the capacity)
   * @throws IllegalStateException if the validator rejects the offsets: a bug of Sublet's
   */
  public static TableResult plan(BufferTable table, OffsetOptions options) {
    DiagnosticLog log = new DiagnosticLog();
    Placement placement = TablePlanner.plan(table, options, log);
    ValidationResult result =
        BufferTableValidator.validate(
            table, options.alignment(), placement.offsets(), placement.arenaBytes());
    demand(result, "plan");
    Capacity.check(table, placement, options.capacity());
    return new TableResult(table, placement, log.diagnostics());
  }

  private static ValidationResult verify(
      Analysis original, Analysis rewritten, TranspileOptions options) {
    return RewriteValidator.validate(
        original.program(),
        rewritten.program(),
        options.catalog(),
        original.sizes(),
        original.places(),
        observed(options));
  }

  static ValidationResult verifyPlan(Analysis analysis, MemoryPlan plan, TranspileOptions options) {
    return PlanValidator.validate(
        analysis.program(),
        plan,
        options.catalog(),
        analysis.sizes(),
        analysis.places(),
        observed(options));
  }

  private static ObservationOptions observed(TranspileOptions options) {
    return new ObservationOptions(
        options.observation().fetch(),
        options.observation().keep(),
        options.observation().reuseFeeds());
  }

  private static void demand(ValidationResult result, String what) {
    if (!result.isValid()) {
      throw new IllegalStateException(
          "Sublet's own validator rejects the " + what + ":\n" + result);
    }
  }
}
