package dev.sublet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.analysis.AnalysisOptions;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.liveness.Liveness;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopCarriedCopies;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.LoopMode;
import dev.sublet.loop.UnrolledProgram;
import dev.sublet.offset.OffsetPlan;
import dev.sublet.offset.OffsetPlanner;
import dev.sublet.offset.merge.WebSizes;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The passes that remove copies from loops: one rewrites the program, the other one its plan. */
final class LoopPasses {

  /** Of so many loops it is tried whether moving nothing in them takes fewer bytes. */
  private static final int MOST_CHOICES = 16;

  private LoopPasses() {}

  /** The copies in a program's loops, if a plan may place their variables anywhere. */
  static LoopCarriedValues carries(ProgramFacts facts) {
    return LoopCarriedValues.find(facts, LoopCarriedValues.MAX_REPEAT);
  }

  /**
   * Rewrites a program so that its loops copy less, as far as the mode allows: variables that are
   * never live together get one name, and with {@link LoopMode#UNROLL} loops are unrolled. The
   * variables that mark an unrolled loop keep their names, by which a validator finds it.
   *
   * @return the facts about that program; the same facts if there is nothing to gain
   */
  static ProgramFacts coalesce(ProgramFacts facts, TranspileOptions options) {
    if (options.loops() == LoopMode.COPY) {
      return facts;
    }
    int repeat = options.loops() == LoopMode.UNROLL ? LoopCarriedValues.MAX_REPEAT : 1;
    LoopCarriedValues carries = LoopCarriedValues.findForProgram(facts, repeat);
    if (!carries.areRemovable()) {
      return facts;
    }
    UnrolledProgram unrolled = carries.unroll();
    AnalysisOptions keeping =
        options.analysis().withObservation(keeping(options.observation(), unrolled.notes()));
    return ProgramFacts.of(unrolled.program(), keeping, new DiagnosticLog());
  }

  /**
   * Plans a program; if the mode allows it, with loops that move variables instead of copying them.
   * Of such plans the smaller one is taken, of equal ones that which copies less.
   */
  static PlanCandidate plan(ProgramFacts facts, TranspileOptions options, DiagnosticLog log) {
    OffsetPlan plain = planAsIs(facts, options, log);
    long bytesWithCopies = plain.plan().arenaBytes();
    boolean mayMove = options.loops() == LoopMode.MULTIVIEW || options.loops() == LoopMode.SMALLEST;
    List<OffsetPlan> plans =
        mayMove ? plansThatMove(facts, options, plain, log) : ImmutableList.of();
    if (options.loops() == LoopMode.SMALLEST && !plans.isEmpty()) {
      plans = noLarger(plans, facts, options, plain);
      if (plans.isEmpty()) {
        log.note(
            Location.nowhere(),
            "loops that copy less would take more bytes, so they copy as before");
      }
    }
    OffsetPlan chosen = plans.isEmpty() ? plain : boundedByAll(plans.get(0), plans, plain);
    return new PlanCandidate(facts, chosen, bytesWithCopies);
  }

  /**
   * The plan with what no plan goes below, whatever loops copy: the least of what holds for each
   * way.
   */
  private static OffsetPlan boundedByAll(
      OffsetPlan chosen, List<OffsetPlan> moving, OffsetPlan plain) {
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    for (int i = 0; i < chosen.plan().arenas().size(); i++) {
      Arena arena = chosen.plan().arenas().get(i);
      long bound = Math.min(arena.lowerBound(), lowerBound(plain, arena));
      for (OffsetPlan other : moving) {
        bound = Math.min(bound, lowerBound(other, arena));
      }
      arenas.add(arena.withLowerBound(bound));
    }
    return new OffsetPlan(chosen.plan().withArenas(arenas.build()), chosen.nodes());
  }

  /** The bound that a plan has for the same memory as that of an arena; 0 if it uses none of it. */
  private static long lowerBound(OffsetPlan plan, Arena like) {
    for (Arena arena : plan.plan().arenas()) {
      if (arena.place().equals(like.place()) && arena.stepOfBlock() == like.stepOfBlock()) {
        return arena.lowerBound();
      }
    }
    return 0;
  }

  /**
   * Notes the bytes that copying less costs, if it costs any.
   *
   * @param isCoalesced whether some copies are gone from the program itself, so that the mode
   *     without all this may have another arena
   */
  static void noteCost(PlanCandidate candidate, boolean isCoalesced, DiagnosticLog log) {
    if (candidate.bytes() > candidate.bytesWithCopies()) {
      log.note(
          Location.nowhere(),
          "loops that copy nothing take "
              + candidate.bytes()
              + " bytes; with "
              + (isCoalesced ? "the copies that names do not save" : "copies (--loops copy)")
              + " the arena takes "
              + candidate.bytesWithCopies());
    }
  }

  /** Plans in which loops move variables, the best one first. */
  private static List<OffsetPlan> plansThatMove(
      ProgramFacts facts, TranspileOptions options, OffsetPlan plain, DiagnosticLog log) {
    LoopCarriedValues carries =
        LoopCarriedValues.find(facts.forBytes(), LoopCarriedValues.MAX_REPEAT);
    if (!carries.areRemovable()) {
      return List.of();
    }
    if (options.offsets().order() != ExecutionOrder.SEQUENTIAL
        || !options.offsets().pools().isEmpty()) {
      log.note(
          Location.nowhere(), "with --pool or --order parallel a plan keeps all copies in loops");
      return List.of();
    }
    List<OffsetPlan> plans = new ArrayList<>();
    planUnrolled(carries, facts, plain, options).ifPresent(plans::add);
    LoopCarriedValues withFirst = LoopCarriedValues.findWithFirstPlaces(facts.forBytes());
    if (withFirst.haveFirstPlaces()) {
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
   * Plans that need no more bytes than the one with copies, the best one first: those there are, or
   * else one in which some loops move nothing, so that they copy what is still needed. One loop
   * after the other, outer ones first, is made to, and left at that if it saves bytes: at most as
   * many plans as {@link #MOST_CHOICES}.
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
    return LoopCarriedValues.findExcept(staying, facts.forBytes());
  }

  private static ObservationOptions keeping(
      ObservationOptions observation, ImmutableSet<String> names) {
    return new ObservationOptions(
        observation.fetch(),
        ImmutableSet.<String>builder().addAll(observation.keep()).addAll(names).build(),
        observation.reuseFeeds());
  }

  /** A plan in which loops move variables; none if a variable has no place in some iteration. */
  private static Optional<OffsetPlan> planUnrolled(
      LoopCarriedValues carries, ProgramFacts facts, OffsetPlan plain, TranspileOptions options) {
    UnrolledProgram unrolled = carries.unrollForPlanning();
    DiagnosticLog unheard = new DiagnosticLog();
    ObservationOptions seen = keeping(options.observation(), unrolled.seenOutside());
    ProgramFacts analyzed =
        ProgramFacts.of(
            unrolled.program(),
            options.analysis().lenient(),
            graph ->
                Liveness.analyze(
                    unrolled.withOriginalBranches(graph), seen, unrolled.exitNeeds(graph), unheard),
            unheard);
    Sizes sizes =
        unrolled.sizes(
            analyzed.sizes(), facts.sizes(), WebSizes.find(carries.liveness(), facts.sizes()));
    ProgramFacts repeated = analyzed.withSizes(sizes.withoutViewsOf(unrolled.readersOfMoved()));
    OffsetPlan moving = planAsIs(repeated, options, unheard);
    return unrolled
        .fold(analyzed.liveness().graph(), moving.plan(), plain.plan())
        .map(plan -> new OffsetPlan(plan, plain.nodes() + moving.nodes()));
  }

  private static OffsetPlan planAsIs(
      ProgramFacts facts, TranspileOptions options, DiagnosticLog log) {
    String sha256 = ProgramWriter.sha256(facts.program());
    OffsetPlan planned = OffsetPlanner.plan(facts, options.offsets(), sha256, log);
    return new OffsetPlan(planned.plan().withFeeds(options.feeds()), planned.nodes());
  }
}
