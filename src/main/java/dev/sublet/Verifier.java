package dev.sublet;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.verify.fusion.FusionValidator;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import dev.sublet.verify.order.OrderValidator;

/** Checks programs and plans of any origin. Stateless and thread-safe. */
public final class Verifier {

  private Verifier() {}

  /**
   * Checks that a rewritten program can replace the original: every observed value is computed from
   * the same values by the same operators, on every path through branches and loops. Loops may be
   * unrolled, or else operators moved within their blocks. Operators of the first block may run
   * again, or on one half of the batch after the other.
   *
   * <p>Near-linear in the arguments of straight-line code, times the nesting depth of loops. Does
   * not check the computations of operators, or operators that keep state outside their variables.
   *
   * @param original the original program
   * @param rewritten the program to check
   * @param options the options of both programs: shapes, observed variables, the target
   * @return the errors; a valid result if there are none
   * @throws ProgramException if the options do not fit one of the programs
   */
  public static ValidationResult verify(
      Program original, Program rewritten, TranspileOptions options) {
    return Proofs.ofRewrite(analyze(original, options), analyze(rewritten, options), options);
  }

  /**
   * Checks that a plan is right for a program: every read of a variable finds the value that the
   * variable would have in memory of its own. O(allocations × log) plus the walk of {@link
   * #verify}.
   *
   * @param program the program that the plan is for
   * @param plan the plan, of any origin
   * @param options the options of the plan: shapes, observed variables, the target
   * @return the errors; a valid result if there are none
   * @throws ProgramException if the plan is for another program, or the options do not fit it
   */
  public static ValidationResult verifyPlan(
      Program program, MemoryPlan plan, TranspileOptions options) {
    checkedFor(program, plan);
    return Proofs.ofPlan(analyze(program, options), plan, options);
  }

  /**
   * Checks that a rewritten program still equals its original after Paddle's default graph passes
   * over both. O(arguments). Does not check what {@link #verify} checks. A program whose operators
   * were moved or repeated is an error: nothing is known about what graph passes make of it.
   *
   * @return the errors; a valid result if there are none
   */
  public static ValidationResult verifyFusion(Program original, Program rewritten) {
    if (OrderValidator.isMoved(original, rewritten, OperatorCatalog.standard())) {
      Violations violations = new Violations();
      violations.add(
          Location.nowhere(),
          "operators were moved (--schedule memory): such a program is for runtimes without graph"
              + " passes");
      return violations.result();
    }
    if (declaresMore(original, rewritten)) {
      Violations violations = new Violations();
      violations.add(
          Location.nowhere(),
          "operators run again, or on halves of the batch (explain --apply): such a program is for"
              + " runtimes without graph passes");
      return violations.result();
    }
    return FusionValidator.validate(original, rewritten);
  }

  /** Whether only the rewritten program declares a variable of the first block. */
  private static boolean declaresMore(Program original, Program rewritten) {
    return original.blocks().size() == rewritten.blocks().size()
        && rewritten.block(0).variables().stream()
            .anyMatch(each -> original.declared(0, each.name()) == Program.NO_VARIABLE);
  }

  private static ProgramFacts analyze(Program program, TranspileOptions options) {
    return ProgramFacts.of(program, options.analysis(), new DiagnosticLog());
  }

  /**
   * Returns the plan if it is for this program. Does not check that the plan is right. O(program).
   *
   * @param program the program
   * @param plan a plan that may be for another program
   * @return the plan
   * @throws ProgramException if the plan is for another program
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
