package dev.sublet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.codec.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;
import dev.sublet.liveness.Liveness;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.Carries;
import dev.sublet.loop.LoopCarries;
import dev.sublet.loop.LoopMode;
import dev.sublet.loop.UnrolledProgram;
import dev.sublet.offset.OffsetPlan;
import dev.sublet.offset.OffsetPlanner;
import dev.sublet.offset.merge.WebSizes;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.verify.ValidationResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What the path does about the copies in loops: once to the program, once to its plan. */
final class LoopSteps {

  /** Of so many loops it is tried whether moving nothing in them takes fewer bytes. */
  private static final int MOST_CHOICES = 16;

  private LoopSteps() {}

  /**
   * What a program's loops hand to their next iterations, if that may take any number of places.
   */
  static Carries carries(Analysis analysis) {
    return Carries.find(
        analysis.liveness(),
        analysis.sizes(),
        analysis.lod(),
        analysis.places(),
        analysis.catalog(),
        Carries.MAX_REPEAT);
  }

  /**
   * The program with as few copies in loops as the mode allows, analyzed: variables that are never
   * needed at the same time have one name, and if loops are to be unrolled, they are. What such a
   * loop notes keeps its name: a validator finds the loop by it. The program as it is if that
   * cannot be proved; a note says so.
   *
   * @param prove checks a program that is to stand for the original
   */
  static Analysis rewrite(
      Analysis analysis,
      TranspileOptions options,
      Function<Program, ValidationResult> prove,
      DiagnosticLog log) {
    if (options.loops() == LoopMode.COPY) {
      return analysis;
    }
    Carries carries =
        Carries.findForProgram(
            analysis.liveness(),
            analysis.sizes(),
            analysis.lod(),
            analysis.places(),
            options.catalog(),
            options.loops() == LoopMode.UNROLL ? Carries.MAX_REPEAT : 1);
    if (!carries.areRemovable()) {
      return analysis;
    }
    UnrolledProgram unrolled;
    try {
      unrolled = carries.unroll();
    } catch (RuntimeException | AssertionError bug) {
      log.note(
          Place.nowhere(),
          "a program in which loops copy less could not be made; please report it: " + bug);
      return analysis;
    }
    ValidationResult result = prove.apply(unrolled.program());
    if (!result.isValid()) {
      log.note(
          Place.nowhere(),
          "a program in which loops copy less could not be proved right and is not used; please"
              + " report it: "
              + result.violations().get(0));
      return analysis;
    }
    ObservationOptions keeping = keeping(options.observation(), unrolled.notes());
    return Analysis.of(unrolled.program(), options.withObservation(keeping), new DiagnosticLog());
  }

  /**
   * A plan of a program.
   *
   * @param chosen the plan
   * @param withCopies the bytes of the one in which all copies that the program has are made
   * @param isProved whether the validator has accepted the plan already
   */
  record Planned(OffsetPlan chosen, long withCopies, boolean isProved) {

    long bytes() {
      return chosen.plan().arenaBytes();
    }
  }

  /**
   * Plans a program; in the mode for it, with loops that move variables instead of copying. Of such
   * plans the smaller one is taken, of equal ones that which copies less, and only if it is proved
   * right; else loops copy, and a note says so.
   *
   * @param prove checks a plan of the program
   */
  static Planned plan(
      Analysis analysis,
      TranspileOptions options,
      Function<MemoryPlan, ValidationResult> prove,
      DiagnosticLog log) {
    OffsetPlan plain = planAsIs(analysis, options, log);
    long withCopies = plain.plan().arenaBytes();
    boolean mayMove = options.loops() == LoopMode.MULTIVIEW || options.loops() == LoopMode.SMALLEST;
    if (!mayMove) {
      return new Planned(plain, withCopies, /* isProved= */ false);
    }
    List<OffsetPlan> plans = plansThatMove(analysis, options, plain, log);
    if (options.loops() == LoopMode.SMALLEST) {
      List<OffsetPlan> larger = plans;
      plans = noLarger(larger, analysis, options, plain, log);
      if (plans.isEmpty() && !larger.isEmpty()) {
        log.note(
            Place.nowhere(), "loops that copy less would take more bytes, so they copy as before");
      }
    }
    for (OffsetPlan moving : plans) {
      OffsetPlan bounded = boundedByAll(moving, plans, plain);
      ValidationResult result = prove.apply(bounded.plan());
      if (result.isValid()) {
        return new Planned(bounded, withCopies, /* isProved= */ true);
      }
      log.note(
          Place.nowhere(),
          "a plan in which loops copy less could not be proved right and is not used; please report"
              + " it: "
              + result.violations().get(0));
    }
    return new Planned(plain, withCopies, /* isProved= */ false);
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

  /** Notes what copying less costs, if it costs anything. */
  static void noteCost(long bytes, long withCopies, DiagnosticLog log) {
    if (bytes > withCopies) {
      log.note(
          Place.nowhere(),
          "loops that copy nothing take "
              + bytes
              + " bytes; with copies (--loops copy) the arena takes "
              + withCopies);
    }
  }

  /** Plans in which loops move variables, the best one first. */
  private static List<OffsetPlan> plansThatMove(
      Analysis analysis, TranspileOptions options, OffsetPlan plain, DiagnosticLog log) {
    Liveness liveness = analysis.liveness().forBytes(analysis.sizes()::isKnown);
    Carries carries =
        Carries.find(
            liveness,
            analysis.sizes(),
            analysis.lod(),
            analysis.places(),
            options.catalog(),
            Carries.MAX_REPEAT);
    if (!carries.areRemovable()) {
      return List.of();
    }
    if (options.offsets().order() != ExecutionOrder.SEQUENTIAL
        || !options.offsets().pools().isEmpty()) {
      log.note(Place.nowhere(), "with --pool or --order parallel a plan keeps all copies in loops");
      return List.of();
    }
    List<OffsetPlan> plans = new ArrayList<>();
    planUnrolled(carries, analysis, plain, options, log).ifPresent(plans::add);
    Carries withFirst =
        Carries.findWithFirstPlaces(
            liveness, analysis.sizes(), analysis.lod(), analysis.places(), options.catalog());
    if (withFirst.haveFirstPlaces()) {
      Optional<OffsetPlan> alsoFirst = planUnrolled(withFirst, analysis, plain, options, log);
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
          Place.nowhere(),
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
      List<OffsetPlan> plans,
      Analysis analysis,
      TranspileOptions options,
      OffsetPlan plain,
      DiagnosticLog log) {
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
    List<LoopCarries> loops = carriesExcept(ImmutableSet.of(), analysis).loops();
    for (LoopCarries loop : loops.subList(0, Math.min(loops.size(), MOST_CHOICES))) {
      staying.add(loop.region());
      Carries carries = carriesExcept(ImmutableSet.copyOf(staying), analysis);
      Optional<OffsetPlan> fewer =
          carries.areRemovable()
              ? planUnrolled(carries, analysis, plain, options, log)
              : Optional.empty();
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

  private static Carries carriesExcept(ImmutableSet<Integer> staying, Analysis analysis) {
    return Carries.findExcept(
        staying,
        analysis.liveness().forBytes(analysis.sizes()::isKnown),
        analysis.sizes(),
        analysis.lod(),
        analysis.places(),
        analysis.catalog());
  }

  private static ObservationOptions keeping(
      ObservationOptions observation, ImmutableSet<String> names) {
    return new ObservationOptions(
        observation.fetch(),
        ImmutableSet.<String>builder().addAll(observation.keep()).addAll(names).build(),
        observation.reuseFeeds());
  }

  /**
   * A plan in which loops move variables; none if it has no place for something. There is always
   * another plan, so that a bug of ours on the way to this one is noted and does not end the run.
   */
  private static Optional<OffsetPlan> planUnrolled(
      Carries carries,
      Analysis analysis,
      OffsetPlan plain,
      TranspileOptions options,
      DiagnosticLog log) {
    try {
      return planUnrolled(carries, analysis, plain, options);
    } catch (RuntimeException | AssertionError bug) {
      log.note(
          Place.nowhere(),
          "a plan in which loops copy less could not be made; please report it: " + bug);
      return Optional.empty();
    }
  }

  private static Optional<OffsetPlan> planUnrolled(
      Carries carries, Analysis analysis, OffsetPlan plain, TranspileOptions options) {
    UnrolledProgram unrolled = carries.unrollForPlanning();
    DiagnosticLog unheard = new DiagnosticLog();
    ObservationOptions seen = keeping(options.observation(), unrolled.seenOutside());
    Analysis analyzed =
        Analysis.of(
            unrolled.program(),
            options.withStrict(false),
            graph ->
                Liveness.analyze(
                    unrolled.withOriginalBranches(graph), seen, unrolled.exitNeeds(graph), unheard),
            unheard);
    Analysis repeated =
        new Analysis(
            analyzed.program(),
            unrolled
                .sizes(
                    analyzed.sizes(),
                    analysis.sizes(),
                    WebSizes.find(carries.liveness(), analysis.sizes()))
                .withoutViewsOf(unrolled.readersOfMoved()),
            analyzed.lod(),
            analyzed.places(),
            analyzed.liveness(),
            analyzed.catalog());
    OffsetPlan moving = planAsIs(repeated, options, unheard);
    return unrolled
        .fold(analyzed.liveness().graph(), moving.plan(), plain.plan())
        .map(plan -> new OffsetPlan(plan, plain.nodes() + moving.nodes()));
  }

  private static OffsetPlan planAsIs(
      Analysis analysis, TranspileOptions options, DiagnosticLog log) {
    OffsetPlan planned =
        OffsetPlanner.plan(
            analysis.liveness(),
            analysis.sizes(),
            analysis.lod(),
            analysis.places(),
            options.catalog(),
            options.offsets(),
            ProgramWriter.sha256(analysis.program()),
            log);
    return new OffsetPlan(planned.plan().withFeeds(options.feeds()), planned.nodes());
  }
}
