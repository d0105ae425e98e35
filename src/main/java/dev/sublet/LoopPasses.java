package dev.sublet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.analysis.AnalysisOptions;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.concurrent.SideTask;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.liveness.Liveness;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopCarriedCopies;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.LoopMode;
import dev.sublet.loop.unroll.UnrolledProgram;
import dev.sublet.offset.OffsetPlan;
import dev.sublet.offset.OffsetPlanner;
import dev.sublet.offset.merge.WebSizes;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The passes that remove loop-carried copies: {@link #coalesce} rewrites the program, {@link #plan}
 * changes only its plan.
 */
final class LoopPasses {

  /** The maximum number of loops for which {@link #noLarger} tries a plan that keeps all copies. */
  private static final int MOST_CHOICES = 16;

  private LoopPasses() {}

  /** Finds the loop-carried copies that a plan can remove by its choice of locations. */
  static LoopCarriedValues carries(ProgramFacts facts) {
    return LoopCarriedValues.find(facts, LoopCarriedValues.MAX_REPEAT);
  }

  /**
   * Rewrites a program so that its loops copy less, as far as the mode allows. Variables that are
   * never live together get one name; with {@link LoopMode#UNROLL}, loops are also unrolled. The
   * variables that mark an unrolled loop keep their names, because the validator finds the loop by
   * these names.
   *
   * <p>The first block changes little: an operator there keeps its arguments unless it is a loop,
   * since a value that takes another name is live only inside its loop; and the new operators come
   * immediately before and after a loop, and use only names that this loop writes, or new ones. So
   * graph passes break the new program only if they break the old one, or if {@code
   * attention_lstm_fuse} takes it for its own model, and then no operator may change.
   *
   * @return the facts about the new program; the argument itself if there is nothing to gain, or if
   *     graph passes would break the new program
   */
  static ProgramFacts coalesce(ProgramFacts facts, TranspileOptions options, DiagnosticLog log) {
    if (options.loops() == LoopMode.COPY) {
      return facts;
    }
    int repeat = options.loops() == LoopMode.UNROLL ? LoopCarriedValues.MAX_REPEAT : 1;
    LoopCarriedValues carries = LoopCarriedValues.findForProgram(facts, repeat);
    if (!carries.areRemovable()) {
      return facts;
    }
    UnrolledProgram unrolled = UnrolledProgram.toRun(carries);
    AnalysisOptions keeping =
        options.analysis().withObservation(keeping(options.observation(), unrolled.notes()));
    ProgramFacts coalesced = ProgramFacts.of(unrolled.program(), keeping, new DiagnosticLog());
    if (options.isForGraphPasses() && !Proofs.ofFusion(facts, coalesced).isValid()) {
      log.note(
          Location.nowhere(),
          "loops copy as before: graph passes would break the program without these copies"
              + " (--fusion off)");
      return facts;
    }
    // The notes keep their names. In the program with shared names, nobody reads them at the end.
    return ProgramFacts.ofDerived(
        coalesced.liveness(), coalesced.sizes(), coalesced.lod(), options.analysis());
  }

  /**
   * Plans a program. If the mode allows it, loops rotate through the locations of a variable
   * instead of copying its value. Among such plans, chooses the smallest; on a tie, the one with
   * fewer copies.
   *
   * <p>The plan with all copies is searched only where its size matters: if it is the result, with
   * {@link LoopMode#SMALLEST}, or if it may turn out to be smaller than the result.
   */
  static PlanCandidate plan(ProgramFacts facts, TranspileOptions options, DiagnosticLog log) {
    boolean isSmallest = options.loops() == LoopMode.SMALLEST;
    if (!isSmallest && options.loops() != LoopMode.MULTIVIEW) {
      return PlanCandidate.asIs(facts, planAsIs(facts, options, log));
    }
    LoopCarriedValues carries = carries(facts.forOffsets());
    if (!carries.areRemovable() || !mayMove(options, log)) {
      return PlanCandidate.asIs(facts, planAsIs(facts, options, log));
    }
    DiagnosticLog ofPlain = new DiagnosticLog();
    OffsetPlan plain = planAsIs(facts, isSmallest ? options : options.drafting(), ofPlain);
    List<OffsetPlan> plans = plansThatMove(carries, facts, options, plain, log);
    if (!isSmallest && (plans.isEmpty() || mayBeSmaller(plain, plans.get(0)))) {
      ofPlain = new DiagnosticLog();
      plain = planAsIs(facts, plain.plan()::programSha256, options, ofPlain);
    }
    log.addAll(ofPlain);
    if (isSmallest && !plans.isEmpty()) {
      plans = noLarger(plans, facts, options, plain);
      if (plans.isEmpty()) {
        log.note(
            Location.nowhere(),
            "loops that copy less would take more bytes, so they copy as before");
      }
    }
    return plans.isEmpty()
        ? PlanCandidate.asIs(facts, plain)
        : new PlanCandidate(facts, boundedByAll(plans, plain), plain.plan().arenaBytes());
  }

  /** Whether a search might make an arena of a draft smaller than that of a plan. */
  private static boolean mayBeSmaller(OffsetPlan draft, OffsetPlan plan) {
    for (Arena arena : plan.plan().arenas()) {
      if (arena.bytes() > lowerBound(draft, arena)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the first plan with lower bounds that hold for every way of handling the copies: for
   * each arena, the least bound of all plans.
   */
  private static OffsetPlan boundedByAll(List<OffsetPlan> moving, OffsetPlan plain) {
    OffsetPlan chosen = moving.get(0);
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    for (Arena arena : chosen.plan().arenas()) {
      long bound = lowerBound(plain, arena);
      for (OffsetPlan other : moving) {
        bound = Math.min(bound, lowerBound(other, arena));
      }
      arenas.add(arena.withLowerBound(bound));
    }
    return new OffsetPlan(chosen.plan().withArenas(arenas.build()), plain.nodes() + chosen.nodes());
  }

  /** The lower bound of a plan for the memory of a given arena; 0 if the plan uses none of it. */
  private static long lowerBound(OffsetPlan plan, Arena like) {
    for (Arena arena : plan.plan().arenas()) {
      if (arena.place().equals(like.place()) && arena.stepOfBlock() == like.stepOfBlock()) {
        return arena.lowerBound();
      }
    }
    return 0;
  }

  /**
   * Logs a note if the plan with fewer copies takes more bytes than the plan with all copies.
   *
   * @param isCoalesced whether the program itself was rewritten to copy less; the arena of {@code
   *     --loops copy} may then differ from {@code bytesWithCopies}
   */
  static void noteCost(PlanCandidate candidate, boolean isCoalesced, DiagnosticLog log) {
    if (candidate.bytes() > candidate.bytesWithCopies()) {
      log.note(
          Location.nowhere(),
          "loops that copy nothing take "
              + ByteText.inWords(candidate.bytes())
              + "; with "
              + (isCoalesced ? "the copies that names do not save" : "copies (--loops copy)")
              + " the arena takes "
              + ByteText.exact(candidate.bytesWithCopies()));
    }
  }

  private static boolean mayMove(TranspileOptions options, DiagnosticLog log) {
    if (options.offsets().order() != ExecutionOrder.SEQUENTIAL
        || !options.offsets().pools().isEmpty()
        || !options.observation().aliases().isEmpty()) {
      log.note(
          Location.nowhere(),
          "with --pool, --alias or --order parallel a plan keeps all copies in loops");
      return false;
    }
    return true;
  }

  /** The plans in which loops rotate locations instead of copying, the best one first. */
  private static List<OffsetPlan> plansThatMove(
      LoopCarriedValues carries,
      ProgramFacts facts,
      TranspileOptions options,
      OffsetPlan plain,
      DiagnosticLog log) {
    List<OffsetPlan> plans = new ArrayList<>();
    planUnrolled(carries, facts, plain, options).ifPresent(plans::add);
    LoopCarriedValues withFirst = LoopCarriedValues.findWithInitialLocations(facts.forOffsets());
    if (withFirst.haveInitialLocations()) {
      Optional<OffsetPlan> alsoFirst = planUnrolled(withFirst, facts, plain, options);
      boolean isNoLarger =
          alsoFirst.isPresent()
              && (plans.isEmpty()
                  || alsoFirst.get().plan().arenaBytes() <= plans.get(0).plan().arenaBytes());
      if (isNoLarger) {
        plans.add(0, alsoFirst.get());
      }
    }
    if (plans.isEmpty()) {
      log.note(
          Location.nowhere(),
          "loops copy as before: what they would move has no place in every iteration");
    }
    return plans;
  }

  /**
   * Returns the plans that need no more bytes than the plan with copies, the best one first.
   *
   * <p>If all given plans are larger, searches greedily for a plan in which only some loops keep
   * their copies: takes one loop after the other, outer loops first, plans with the copies of the
   * loop, and keeps these copies if the plan gets smaller. Makes at most {@link #MOST_CHOICES}
   * plans.
   */
  private static List<OffsetPlan> noLarger(
      List<OffsetPlan> plans, ProgramFacts facts, TranspileOptions options, OffsetPlan plain) {
    List<OffsetPlan> result = new ArrayList<>();
    for (OffsetPlan plan : plans) {
      if (plan.plan().arenaBytes() <= plain.plan().arenaBytes()) {
        result.add(plan);
      }
    }
    if (!result.isEmpty() || plans.isEmpty()) {
      return result;
    }
    long bytes = plans.get(plans.size() - 1).plan().arenaBytes();
    Set<Integer> staying = new LinkedHashSet<>();
    List<LoopCarriedCopies> loops = carriesExcept(ImmutableSet.of(), facts).loops();
    for (LoopCarriedCopies loop : loops.subList(0, Math.min(loops.size(), MOST_CHOICES))) {
      staying.add(loop.region());
      LoopCarriedValues carries = carriesExcept(ImmutableSet.copyOf(staying), facts);
      Optional<OffsetPlan> fewer =
          carries.areRemovable() ? planUnrolled(carries, facts, plain, options) : Optional.empty();
      if (fewer.isPresent() && fewer.get().plan().arenaBytes() < bytes) {
        bytes = fewer.get().plan().arenaBytes();
        if (bytes <= plain.plan().arenaBytes()) {
          return List.of(fewer.get());
        }
      } else {
        staying.remove(loop.region());
      }
    }
    return List.of();
  }

  private static LoopCarriedValues carriesExcept(
      ImmutableSet<Integer> staying, ProgramFacts facts) {
    return LoopCarriedValues.findExcept(staying, facts.forOffsets());
  }

  private static ObservationOptions keeping(
      ObservationOptions observation, ImmutableSet<String> names) {
    return new ObservationOptions(
        observation.fetch(),
        ImmutableSet.<String>builder().addAll(observation.keep()).addAll(names).build(),
        observation.reuseFeeds(),
        observation.aliases());
  }

  /**
   * Plans the program with its loops unrolled, then turns the result into a plan of the loops.
   * Empty if a variable has no location in some iteration.
   */
  private static Optional<OffsetPlan> planUnrolled(
      LoopCarriedValues carries, ProgramFacts facts, OffsetPlan plain, TranspileOptions options) {
    UnrolledProgram unrolled = UnrolledProgram.toPlan(carries);
    OperatorCatalog catalog = options.analysis().catalog();
    LodCarriers lod = LodCarriers.find(unrolled.program(), catalog);
    Sizes inferred =
        ShapeInference.infer(unrolled.program(), catalog, lod, options.analysis().shapes());
    Sizes sizes =
        unrolled
            .sizes(
                inferred,
                facts.sizes(),
                WebSizes.find(carries.liveness(), facts.sizes(), options.offsets().alignment()))
            .withoutViewsOf(unrolled.readersOfMoved());
    ControlFlowGraph graph = unrolled.graph(catalog, inferred, facts.sizes());
    ObservationOptions seen = keeping(options.observation(), unrolled.seenOutside());
    DiagnosticLog unheard = new DiagnosticLog();
    Liveness liveness = Liveness.analyze(graph, seen, unrolled.exitNeeds(graph), unheard);
    ProgramFacts repeated = ProgramFacts.ofDerived(liveness, sizes, lod, options.analysis());
    OffsetPlan moving = planAsIs(repeated, plain.plan()::programSha256, options, unheard);
    return unrolled
        .rollUp(graph, moving.plan(), plain.plan())
        .map(plan -> new OffsetPlan(plan, moving.nodes()));
  }

  private static OffsetPlan planAsIs(
      ProgramFacts facts, TranspileOptions options, DiagnosticLog log) {
    SideTask<String> sha256 = SideTask.start(() -> ProgramWriter.sha256(facts.program()));
    return planAsIs(facts, sha256::join, options, log);
  }

  private static OffsetPlan planAsIs(
      ProgramFacts facts, Supplier<String> sha256, TranspileOptions options, DiagnosticLog log) {
    OffsetPlan planned = OffsetPlanner.plan(facts, options.offsets(), sha256, log);
    return new OffsetPlan(planned.plan().withFeeds(options.feeds()), planned.nodes());
  }
}
