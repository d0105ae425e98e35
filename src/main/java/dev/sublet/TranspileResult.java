package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.sharing.Sharing;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.VariableSharing;

/**
 * The result of a run. Both validators have accepted it.
 *
 * @param facts the facts about the input program
 * @param bytesBefore the bytes of all names that the input program uses, as far as they are known,
 *     except persistables
 * @param rewritten the facts about the rewritten program
 * @param plan the offset plan of the rewritten program
 * @param nodes the number of nodes that searches have visited for the plan; 0 without a search
 * @param sharing the new name of each variable
 * @param diagnostics warnings and notes, in order
 */
public record TranspileResult(
    ProgramFacts facts,
    long bytesBefore,
    ProgramFacts rewritten,
    MemoryPlan plan,
    long nodes,
    Sharing sharing,
    ImmutableList<Diagnostic> diagnostics) {

  public TranspileResult {
    requireNonNull(facts, "facts");
    requireNonNull(rewritten, "rewritten");
    requireNonNull(plan, "plan");
    requireNonNull(sharing, "sharing");
    requireNonNull(diagnostics, "diagnostics");
  }

  /** The input program. */
  public Program original() {
    return facts.program();
  }

  /** The rewritten program. */
  public Program program() {
    return rewritten.program();
  }

  /**
   * Returns the bytes of all names that the program would use if it did not have to run right under
   * graph passes ({@code --fusion off}). Shares the names of the original again; makes no plan and
   * no proof.
   *
   * @param options the options of the run
   */
  public long sharedBytesWithFusionOff(TranspileOptions options) {
    TranspileOptions off =
        options.withSharing(options.sharing().withFusion(SharingOptions.FusionMode.OFF));
    return Fallback.toCopies(off, this::sharedBytes);
  }

  private long sharedBytes(TranspileOptions options, DiagnosticLog log) {
    ProgramFacts coalesced = LoopPasses.coalesce(facts, options, log);
    return VariableSharing.share(coalesced, options.sharing(), log).bytesAfter();
  }
}
