package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.sharing.Sharing;

/**
 * What a run has made. Both validators have accepted it.
 *
 * @param original the program that went in
 * @param bytesBefore the sum over all names that the original uses and does not keep
 * @param program the program that came out
 * @param plan the offset plan of the program that came out
 * @param nodes how many nodes searches have visited for the plan; 0 if nothing was searched
 * @param sharing what became of each variable
 * @param diagnostics warnings and notes, in order
 */
public record TranspileResult(
    Program original,
    long bytesBefore,
    Program program,
    MemoryPlan plan,
    long nodes,
    Sharing sharing,
    ImmutableList<Diagnostic> diagnostics) {

  public TranspileResult {
    requireNonNull(original, "original");
    requireNonNull(program, "program");
    requireNonNull(plan, "plan");
    requireNonNull(sharing, "sharing");
    requireNonNull(diagnostics, "diagnostics");
  }
}
