package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.ShapeInference;
import dev.sublet.verify.fusion.FusionValidator;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import dev.sublet.verify.plan.PlanValidator;
import dev.sublet.verify.rewrite.RewriteValidator;
import dev.sublet.verify.rewrite.UnrolledPair;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * The proof stage: runs the validators on candidates, with the observed variables of the options.
 * The validators share no code with the stages that made the candidate, except for the shapes.
 */
final class Proofs {

  /**
   * The stack of the second thread: large enough for programs of any sensible nesting depth. It is
   * only reserved; the operating system provides memory for the pages in use.
   */
  private static final long STACK_BYTES = 512L << 20;

  private Proofs() {}

  /** Checks that a rewritten program can replace the original. Its loops may be unrolled. */
  static ValidationResult ofRewrite(
      ProgramFacts original, ProgramFacts rewritten, TranspileOptions options) {
    if (rewritten.program().blocks().size() > original.program().blocks().size()) {
      return ofUnrolled(original, rewritten.program(), options);
    }
    return RewriteValidator.validate(
        original.program(),
        rewritten.program(),
        options.catalog(),
        original.sizes(),
        original.places(),
        observed(options));
  }

  private static ValidationResult ofUnrolled(
      ProgramFacts original, Program rewritten, TranspileOptions options) {
    OperatorCatalog catalog = options.catalog();
    Violations violations = new Violations();
    Optional<UnrolledPair> pair =
        UnrolledPair.unroll(
            original.program(),
            original.sizes(),
            rewritten,
            catalog,
            observed(options),
            violations);
    if (pair.isEmpty()) {
      return violations.result();
    }
    Program unrolled = pair.get().original();
    LodCarriers lod = LodCarriers.find(unrolled, catalog);
    return RewriteValidator.validateUnrolled(
        pair.get(),
        catalog,
        ShapeInference.infer(unrolled, catalog, lod, options.shapes()),
        MemorySpaces.find(unrolled, catalog, options.target()),
        observed(options));
  }

  /** Checks that a plan is right for a program. */
  static ValidationResult ofPlan(ProgramFacts facts, MemoryPlan plan, TranspileOptions options) {
    return PlanValidator.validate(
        facts.program(), plan, options.catalog(), facts.sizes(), facts.places(), observed(options));
  }

  private static ProofOptions observed(TranspileOptions options) {
    return new ProofOptions(
        options.observation().fetch(),
        options.observation().keep(),
        options.observation().reuseFeeds());
  }

  /** Demands the proof that a program whose loops copy less can replace the original. */
  @SuppressWarnings("ReferenceEquality") // the facts about an unchanged program are that object
  static void demand(ProgramFacts original, ProgramFacts coalesced, TranspileOptions options) {
    if (coalesced != original) {
      demand(ofRewrite(original, coalesced, options), "program with coalesced loops");
    }
  }

  /** Demands the proofs that lead from a program to its rewritten form. */
  private static void demand(
      ProgramFacts original, RewriteCandidate candidate, TranspileOptions options) {
    demand(original, candidate.coalesced(), options);
    demand(ofRewrite(candidate.coalesced(), candidate.rewritten(), options), "rewritten program");
    if (options.isForGraphPasses()) {
      demand(ofFusion(original, candidate.rewritten()), "rewritten program under graph passes");
    }
  }

  /** Checks that a rewritten program still equals the original after graph passes over both. */
  static ValidationResult ofFusion(ProgramFacts original, ProgramFacts rewritten) {
    return FusionValidator.validate(original.program(), rewritten.program());
  }

  /**
   * Demands the proofs of a rewritten program and of its plan, on two threads. If both fail, the
   * error is that of the program.
   */
  static void demandAll(
      ProgramFacts original, RewriteCandidate candidate, TranspileOptions options) {
    PlanCandidate planned = candidate.planned();
    FutureTask<ValidationResult> ofPlan =
        new FutureTask<>(() -> ofPlan(planned.facts(), planned.plan(), options));
    Thread second = new Thread(null, ofPlan, "sublet-proof", STACK_BYTES);
    second.setDaemon(true);
    second.start();
    demand(original, candidate, options);
    demand(resultOf(ofPlan), "plan");
  }

  private static ValidationResult resultOf(Future<ValidationResult> proof) {
    try {
      return requireNonNull(Uninterruptibles.getUninterruptibly(proof));
    } catch (ExecutionException e) {
      Throwable cause = requireNonNull(e.getCause());
      Throwables.throwIfUnchecked(cause);
      throw new IllegalStateException(cause);
    }
  }

  /** Demands the proof of a plan. */
  static void demand(PlanCandidate candidate, TranspileOptions options) {
    demand(ofPlan(candidate.facts(), candidate.plan(), options), "plan");
  }

  /**
   * Ends the run if a validator rejects a result of Sublet.
   *
   * @throws IllegalStateException if the result is not valid: a bug of Sublet
   */
  static void demand(ValidationResult result, String what) {
    if (!result.isValid()) {
      throw new IllegalStateException(
          "Sublet's own validator rejects the " + what + ":\n" + result);
    }
  }
}
