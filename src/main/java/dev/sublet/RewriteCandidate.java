package dev.sublet;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.concurrent.SideTask;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.loop.LoopMode;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.sharing.InsertReleases;
import dev.sublet.sharing.NameLimits;
import dev.sublet.sharing.Sharing;
import dev.sublet.sharing.SharingOptions.Goal;
import dev.sublet.sharing.VariableSharing;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.ValidationResult;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A program whose variables share names, and its plan. Both are still to be proved; what the proofs
 * need beside the plan is under way on other threads.
 *
 * @param coalesced the program before its names were shared, with loops that copy less
 * @param sharing the shared names
 * @param proof whether the program with shared names can replace the program before
 * @param graph the graph of the program with shared names, from which the proof of its plan starts
 * @param planned the program with shared names and its plan
 */
record RewriteCandidate(
    ProgramFacts coalesced,
    Sharing sharing,
    SideTask<ValidationResult> proof,
    SideTask<ProgramGraph> graph,
    PlanCandidate planned) {

  ProgramFacts rewritten() {
    return planned.facts();
  }

  /**
   * Shares names and plans the result. With {@link LoopMode#SMALLEST}, does both with and without
   * coalesced loops and keeps the smaller arena; on a tie, the program with fewer copies.
   * Coalescing can cost bytes because it lengthens live ranges. With {@link Goal#PLAN}, shares
   * fewer names where that makes the plan better, see {@link NamesForPlan}.
   *
   * @param before the original program
   * @param coalesced the program with loops that copy less; the same object as {@code before} if
   *     there is nothing to gain
   */
  @SuppressWarnings("ReferenceEquality") // the facts about an unchanged program are that object
  static RewriteCandidate choose(
      ProgramFacts before,
      ProgramFacts coalesced,
      TranspileOptions options,
      Consumer<Stage> stages,
      DiagnosticLog log) {
    Optional<NamesForPlan> names = NamesForPlan.begin(before, options);
    DiagnosticLog own = new DiagnosticLog();
    RewriteCandidate changed = of(coalesced, NameLimits.none(), options, stages, own);
    if (coalesced != before && options.loops() == LoopMode.SMALLEST) {
      DiagnosticLog other = new DiagnosticLog();
      RewriteCandidate unchanged = of(before, NameLimits.none(), options, stages, other);
      if (unchanged.planned.bytes() < changed.planned.bytes()) {
        log.note(
            Location.nowhere(),
            "one name for what loops copy would take more bytes in the end, so it is left as it is");
        log.addAll(other);
        return unchanged;
      }
    }
    if (names.isPresent()) {
      changed = names.get().choose(changed, own, stages, log);
    } else {
      log.addAll(own);
    }
    LoopPasses.noteCost(changed.planned, coalesced != before, log);
    return changed;
  }

  /**
   * Shares names within limits and plans the result.
   *
   * @param coalesced the program before its names are shared
   */
  static RewriteCandidate of(
      ProgramFacts coalesced,
      NameLimits limits,
      TranspileOptions options,
      Consumer<Stage> stages,
      DiagnosticLog log) {
    stages.accept(Stage.SHARING);
    Sharing sharing = VariableSharing.share(coalesced, limits, options.sharing(), log);
    ProgramFacts after = finish(sharing, options);
    SideTask<ValidationResult> proof =
        SideTask.start(() -> Proofs.ofRewrite(coalesced, after, options));
    SideTask<ProgramGraph> graph = SideTask.start(() -> Proofs.graph(after, options));
    stages.accept(Stage.PLANNING);
    PlanCandidate planned = LoopPasses.plan(after, options, log);
    return new RewriteCandidate(coalesced, sharing, proof, graph, planned);
  }

  /**
   * Returns the facts about the program with shared names, without debug attributes and with
   * releases if the options ask for them.
   */
  private static ProgramFacts finish(Sharing sharing, TranspileOptions options) {
    ProgramFacts facts = sharing.facts();
    Program program = options.release() ? InsertReleases.insert(facts.liveness()) : facts.program();
    if (options.stripDebug()) {
      program = ProgramEditor.of(program).dropAttribute("op_callstack").build();
    }
    if (!options.release()) {
      return options.stripDebug() ? facts.renamed(program) : facts;
    }
    // The warnings are those of the original, which are known.
    return ProgramFacts.of(program, options.analysis(), new DiagnosticLog());
  }
}
