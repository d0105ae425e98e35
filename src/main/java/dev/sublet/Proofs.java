package dev.sublet;

import com.google.common.collect.ImmutableSet;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.concurrent.SideTask;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.RowOperators;
import dev.sublet.shape.ShapeInference;
import dev.sublet.verify.fusion.FusionValidator;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import dev.sublet.verify.order.OrderValidator;
import dev.sublet.verify.plan.PlanValidator;
import dev.sublet.verify.repeat.RepeatedOperators;
import dev.sublet.verify.rewrite.RewriteValidator;
import dev.sublet.verify.rewrite.UnrolledPair;
import java.util.Optional;

/**
 * The proof stage: runs the validators on candidates, with the observed variables of the options.
 * The validators share no code with the stages that made the candidate, except for the shapes.
 */
final class Proofs {

  private Proofs() {}

  /**
   * Checks that a rewritten program can replace the original. Its loops may be unrolled, or else
   * its operators may be in another order within their blocks, and some may run again or on halves
   * of the batch.
   */
  static ValidationResult ofRewrite(
      ProgramFacts original, ProgramFacts rewritten, TranspileOptions options) {
    ValidationResult result = withoutRepeats(original, rewritten, options);
    if (result.isValid()) {
      return result;
    }
    // Violations of the undone program would name operators that the rewritten one does not have.
    return undone(original, rewritten, options)
        .map(undone -> withoutRepeats(original, undone, options))
        .filter(ValidationResult::isValid)
        .orElse(result);
  }

  /** The rewritten program without operators that run again; empty if there are none. */
  static Optional<ProgramFacts> undone(
      ProgramFacts original, ProgramFacts rewritten, TranspileOptions options) {
    Optional<ProgramFacts> undone = Optional.empty();
    Optional<Program> next = undoneOnce(original, rewritten, options);
    while (next.isPresent()) {
      // Each time, there are fewer variables that the original does not declare.
      undone = Optional.of(ProgramFacts.of(next.get(), options.analysis(), new DiagnosticLog()));
      next = undoneOnce(original, undone.get(), options);
    }
    return undone;
  }

  private static Optional<Program> undoneOnce(
      ProgramFacts original, ProgramFacts rewritten, TranspileOptions options) {
    return RepeatedOperators.undone(
        graph(rewritten, options),
        graph(original, options),
        new RowOperators(rewritten.program(), rewritten.sizes(), rewritten.lod()),
        options.catalog());
  }

  private static ValidationResult withoutRepeats(
      ProgramFacts original, ProgramFacts rewritten, TranspileOptions options) {
    ValidationResult inOrder = inOrder(original, rewritten, options);
    if (inOrder.isValid()) {
      return inOrder;
    }
    Optional<OrderValidator.Order> order = order(original, rewritten, options);
    if (order.isEmpty()) {
      return inOrder;
    }
    ValidationResult moved =
        order.get().result().isValid()
            ? inOrder(reordered(original, order.get(), options), rewritten, options)
            : order.get().result();
    return moved.isValid() || !order.get().keepsForms() ? moved : inOrder;
  }

  /** Finds the order in which a rewritten program runs the operators of the original. */
  static Optional<OrderValidator.Order> order(
      ProgramFacts original, ProgramFacts rewritten, TranspileOptions options) {
    return OrderValidator.validate(
        graph(original, options), rewritten.program(), options.catalog());
  }

  private static ProgramFacts reordered(
      ProgramFacts original, OrderValidator.Order order, TranspileOptions options) {
    Program program = ProgramEditor.of(original.program()).reorder(order.operators()).build();
    // The warnings are those of the original, which are known.
    return ProgramFacts.of(program, options.analysis(), new DiagnosticLog());
  }

  private static ValidationResult inOrder(
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
    return ofPlan(facts, graph(facts, options), plan, options);
  }

  private static ValidationResult ofPlan(
      ProgramFacts facts, ProgramGraph graph, MemoryPlan plan, TranspileOptions options) {
    return PlanValidator.validate(graph, plan, options.catalog(), facts.sizes(), facts.places());
  }

  /** Derives the graph of a program from which the check of its plan starts. */
  static ProgramGraph graph(ProgramFacts facts, TranspileOptions options) {
    return ProgramGraph.of(
        facts.program(), options.catalog(), facts.sizes(), observed(options), ImmutableSet.of());
  }

  private static ProofOptions observed(TranspileOptions options) {
    return new ProofOptions(
        options.observation().fetch(),
        options.observation().keep(),
        options.observation().reuseFeeds(),
        options.observation().aliases());
  }

  /** Demands the proof that a program whose loops copy less can replace the original. */
  @SuppressWarnings("ReferenceEquality") // the facts about an unchanged program are that object
  static void demand(ProgramFacts original, ProgramFacts coalesced, TranspileOptions options) {
    if (coalesced != original) {
      demand(ofRewrite(original, coalesced, options), "program with coalesced loops");
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
    ProgramGraph graph = candidate.graph().join();
    SideTask<ValidationResult> ofPlan =
        SideTask.start(() -> ofPlan(planned.facts(), graph, planned.plan(), options));
    demand(original, candidate.coalesced(), options);
    demand(candidate.proof().join(), "rewritten program");
    if (options.isForGraphPasses()) {
      demand(ofFusion(original, candidate.rewritten()), "rewritten program under graph passes");
    }
    demand(ofPlan.join(), "plan");
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
