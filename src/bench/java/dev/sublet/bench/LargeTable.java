package dev.sublet.bench;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.greedy.GreedyPlanners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.SyntheticProblems;
import dev.sublet.placement.testing.TrainingTraces;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Prints what the default planner makes of large problems, as a Markdown table: the arena ÷ lower
 * bound of the best first fit, which is where it would start from without sweeps, and of the
 * result; the seconds of processor time of all threads for the result, the compilers and the
 * garbage collector of the JVM included; and the nodes.
 *
 * <p>Arguments, all optional: parts of the names of the problems that are wanted.
 */
public final class LargeTable {

  private static final List<BufferOrder> ORDERS =
      List.of(BufferOrder.SIZE, BufferOrder.DURATION, BufferOrder.CONFLICTS);

  /** With more buffers, first fit takes up to a minute and is left out. */
  private static final int MANY_BUFFERS = 200_000;

  private LargeTable() {}

  /** Prints the table. */
  public static void main(String[] arguments) {
    System.out.println("| problem | buffers | lower bound | first fit | `best` | CPU s | nodes |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|");
    for (Map.Entry<String, Supplier<PlanningProblem>> named : problems().entrySet()) {
      if (isWanted(named.getKey(), arguments)) {
        print(named.getKey(), named.getValue().get());
      }
    }
  }

  private static boolean isWanted(String name, String[] arguments) {
    for (String part : arguments) {
      if (name.contains(part)) {
        return true;
      }
    }
    return arguments.length == 0;
  }

  private static Map<String, Supplier<PlanningProblem>> problems() {
    Map<String, Supplier<PlanningProblem>> problems = new LinkedHashMap<>();
    for (int seed = 1; seed <= 2; seed++) {
      int s = seed;
      for (int buffers : new int[] {1_000, 5_000}) {
        String name = "pinwheels-" + buffers + "-" + seed;
        problems.put(name, () -> SyntheticProblems.pinwheel(s, buffers).problem());
      }
      for (int buffers : new int[] {1_000, 10_000}) {
        String name = "tiling-" + buffers + "-" + seed;
        problems.put(name, () -> SyntheticProblems.guillotine(s, buffers).problem());
      }
    }
    for (int buffers : new int[] {10_000, 100_000, 300_000}) {
      problems.put("training-" + buffers, () -> SyntheticProblems.training(7, buffers));
      for (TrainingTraces.Sizes sizes : TrainingTraces.Sizes.values()) {
        String name = "-" + sizes.name().toLowerCase(Locale.ROOT) + "-" + buffers;
        problems.put("regular" + name, () -> TrainingTraces.regular(1, buffers, sizes));
        problems.put("irregular" + name, () -> TrainingTraces.irregular(1, buffers, sizes));
      }
      problems.put("dag-" + buffers, () -> SyntheticProblems.randomDag(7, buffers));
    }
    return problems;
  }

  private static void print(String name, PlanningProblem problem) {
    double before = processorSeconds();
    Placement best =
        Planners.of(Planners.BEST).place(problem, PlannerOptions.defaults(), new DiagnosticLog());
    double seconds = processorSeconds() - before;
    String firstFit =
        problem.bufferCount() > MANY_BUFFERS
            ? "–"
            : String.format(Locale.ROOT, "%.4f", (double) firstFit(problem) / best.lowerBound());
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %d | %s | %.4f | %.1f | %d |%n",
        name,
        problem.bufferCount(),
        best.lowerBound(),
        firstFit,
        (double) best.arenaBytes() / best.lowerBound(),
        seconds,
        best.nodes());
  }

  private static long firstFit(PlanningProblem problem) {
    long least = Long.MAX_VALUE;
    for (BufferOrder order : ORDERS) {
      PlannerOptions options = new PlannerOptions(/* nodes= */ 0, /* timeoutMillis= */ 0, order);
      Placement placement = GreedyPlanners.FIRST_FIT.place(problem, options, new DiagnosticLog());
      least = Math.min(least, placement.arenaBytes());
    }
    return least;
  }

  private static double processorSeconds() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }
}
