package dev.sublet;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.ValidationResult;

/** Checks programs and plans, whoever made them. Stateless and thread-safe. */
public final class Verifier {

  private Verifier() {}

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
    return Proofs.ofRewrite(analyze(original, options), analyze(rewritten, options), options);
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
    return Proofs.ofPlan(analyze(program, options), plan, options);
  }

  private static ProgramFacts analyze(Program program, TranspileOptions options) {
    return ProgramFacts.of(program, options.analysis(), new DiagnosticLog());
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
          Location.nowhere(),
          "the plan is for a program with SHA-256 "
              + plan.programSha256()
              + ", but this program's is "
              + sha256);
    }
    return plan;
  }
}
