package dev.sublet.placement.search;

import com.google.common.collect.ImmutableList;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A portfolio of searches of one problem that take turns until the smallest arena is proved.
 *
 * <p>Each search has a target between the proven lower bound and the best known arena. If a search
 * finds a placement, the arena becomes smaller. If it exhausts all placements, the bound becomes
 * larger. When both meet, the arena is proved to be the smallest. Some searches aim at the bound,
 * some just below the best arena, and some in between, because a problem that is hard for one order
 * of preference, or at one target, is often easy for another.
 *
 * <p>Turns are counted in steps and run in rounds, on two threads. Between two rounds the results
 * are taken in the order of the members, so the answer depends only on the budget and not on the
 * machine, unless a time limit is set.
 *
 * <p>With windows (see {@link PlanningProblem#clearance}), the search covers only placements in
 * which one of two buffers lies above the other at all times. An exhausted search then proves
 * nothing.
 *
 * <p>Source: MiniMalloc (Moffitt, ASPLOS 2023) for a single search; a ladder of targets as in
 * SuperMalloc. Added here: members that continue where they stopped, instead of restarts, and next
 * to them members that restart with the weights that they have learned.
 */
final class SearchPortfolio {

  private static final ImmutableList<SearchStrategy.Kind> BY_OFFSET =
      ImmutableList.of(
          new SearchStrategy.Kind("TWA", 0, 0),
          new SearchStrategy.Kind("TWA", 0, 1),
          new SearchStrategy.Kind("WAT", 0, 0),
          new SearchStrategy.Kind("TCA", 0.25, 1),
          new SearchStrategy.Kind("TAW", 0, 0),
          new SearchStrategy.Kind("TCA", 0.5, 2),
          new SearchStrategy.Kind("TWA", 0, 1),
          new SearchStrategy.Kind("TAW", 0.75, 0.5),
          new SearchStrategy.Kind("TWA", 1, 0),
          new SearchStrategy.Kind("TWA", 0.25, 2),
          new SearchStrategy.Kind("CTA", 1, 0),
          new SearchStrategy.Kind("TAW", 0.5, 1),
          new SearchStrategy.Kind("TCA", 0, 2),
          new SearchStrategy.Kind("TZW", 0.75, 1));

  private static final ImmutableList<SectionStrategy.Kind> BY_SECTION =
      ImmutableList.of(
          new SectionStrategy.Kind(0, 30),
          new SectionStrategy.Kind(0, 100),
          new SectionStrategy.Kind(0.5, 30),
          new SectionStrategy.Kind(0.75, 100));

  private static final int THREADS = 2;

  /**
   * The maximum number of buffers and sections of all members together, about 200 MB. Larger
   * problems get fewer members.
   */
  private static final long MAX_CELLS = 4_000_000;

  /** The number of steps up to which rounds run without threads, because they are too short. */
  private static final long ALONE_STEPS = 20_000;

  private final SearchModel model;
  private final PlanningProblem problem;
  private final PlannerOptions options;
  private final List<PortfolioMember> members = new ArrayList<>();

  /** The distinct remainders of the sizes modulo the unit, ascending. */
  private final long[] remainders;

  /** The nodes of the members that were given up. */
  private long nodesOfRemoved;

  private long lowerBound;
  private long arenaBytes;
  private long[] offsets;
  private String reason = "";

  SearchPortfolio(SearchModel model, Placement known, PlannerOptions options) {
    this.model = model;
    this.problem = model.problem;
    this.options = options;
    remainders = findRemainders();
    lowerBound = nextArena(known.lowerBound());
    arenaBytes = known.arenaBytes();
    offsets = known.offsets().toArray();
    SearchOrders orders = new SearchOrders(model);
    long room = MAX_CELLS / Math.max(1, model.count + model.sections);
    addMembers(orders, (int) Math.min(BY_OFFSET.size() + BY_SECTION.size(), 1 + room));
  }

  /** Adds members of both kinds in turn, up to the given number. */
  private void addMembers(SearchOrders orders, int count) {
    for (int i = 0; members.size() < count && i < BY_OFFSET.size(); i++) {
      if (!problem.hasWindows() && i < BY_SECTION.size()) {
        members.add(new SectionStrategy(model, orders, BY_SECTION.get(i)));
      }
      if (members.size() < count) {
        members.add(new SearchStrategy(model, orders, BY_OFFSET.get(i)));
      }
    }
  }

  long arenaBytes() {
    return arenaBytes;
  }

  long lowerBound() {
    return Math.min(lowerBound, arenaBytes);
  }

  long[] offsets() {
    return offsets;
  }

  /** The number of nodes that the current members have visited. */
  long nodes() {
    long nodes = nodesOfRemoved;
    for (PortfolioMember member : members) {
      nodes += member.nodes();
    }
    return nodes;
  }

  /** The reason why the arena is not as close to the bound as wanted; empty if it is. */
  String reason() {
    return reason;
  }

  /** Runs rounds until the arena is proved, or within the gap, or the budget is spent. */
  void run() {
    long start = System.nanoTime();
    long steps = 0;
    ExecutorService threads = null;
    try {
      while (options.gap().largestArena(lowerBound) < arenaBytes && reason.isEmpty()) {
        long left = options.nodes() - steps;
        long millis = (System.nanoTime() - start) / 1_000_000;
        if (left <= 0) {
          reason = "ended with its budget after " + nodes() + " nodes";
        } else if (options.timeoutMillis() > 0 && millis >= options.timeoutMillis()) {
          reason =
              "was ended by the timeout after " + nodes() + " nodes; on another day it may not be";
        } else {
          threads = threads == null && steps > ALONE_STEPS ? startThreads() : threads;
          steps += round(threads, Math.max(1, left / members.size()));
        }
      }
    } finally {
      if (threads != null) {
        threads.shutdown();
      }
    }
  }

  private static ExecutorService startThreads() {
    return Executors.newFixedThreadPool(
        THREADS,
        task -> {
          Thread thread = new Thread(task, "sublet-search");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Runs one turn of each member and returns the number of steps that they took together. */
  private long round(@Nullable ExecutorService threads, long maxSteps) {
    long bound = lowerBound;
    long best = arenaBytes;
    List<Callable<Long>> turns = new ArrayList<>();
    for (PortfolioMember member : members) {
      turns.add(() -> member.run(bound, best, maxSteps));
    }
    long steps = 0;
    try {
      if (threads == null) {
        for (Callable<Long> turn : turns) {
          steps += turn.call();
        }
      } else {
        for (Future<Long> turn : threads.invokeAll(turns)) {
          steps += turn.get();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reason = "was interrupted";
      return steps;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error limit) {
        throw limit;
      }
      throw new IllegalStateException("a search failed", e);
    } catch (Exception e) {
      throw new IllegalStateException("a search failed", e);
    }
    takeResults(best);
    return steps;
  }

  private void takeResults(long best) {
    for (PortfolioMember member : List.copyOf(members)) {
      switch (member.outcome()) {
        case RUNNING -> {}
        case FOUND -> takePlacement(member.offsets());
        case EXHAUSTED -> takeProof(member.target(), best);
        case TOO_LARGE -> {
          members.remove(member);
          nodesOfRemoved += member.nodes();
        }
      }
    }
    if (members.isEmpty()) {
      reason = "was given up: the problem is too large";
    }
  }

  private void takePlacement(long[] found) {
    long bytes = Placement.arenaBytes(problem, found);
    if (bytes < arenaBytes) {
      arenaBytes = bytes;
      offsets = found;
    }
  }

  /** Takes the result of an exhausted search: the model has no placement within the target. */
  private void takeProof(long target, long best) {
    if (!problem.hasWindows()) {
      lowerBound = Math.max(lowerBound, nextArena(target + 1));
    } else if (target == best - 1 && arenaBytes == best) {
      reason = "has seen all placements but those that interleave buffers with windows";
    }
  }

  private long[] findRemainders() {
    return IntStream.range(0, model.count)
        .mapToLong(b -> problem.size(b) % model.unit)
        .distinct()
        .sorted()
        .toArray();
  }

  /**
   * Returns the smallest possible arena of at least the given bytes. An arena is an offset, which
   * is a multiple of the unit, plus the size of a buffer.
   */
  private long nextArena(long bytes) {
    long next = Long.MAX_VALUE;
    for (long remainder : remainders) {
      next = Math.min(next, bytes + Math.floorMod(remainder - bytes, model.unit));
    }
    return next;
  }
}
