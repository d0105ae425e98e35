package dev.sublet.bench;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints what every planner makes of every planning problem, and how long it takes, as two Markdown
 * tables: one row a problem and planner, then one row a family of problems with the geometric means
 * of arena ÷ lower bound and the summed times.
 *
 * <p>Arguments, all optional: {@code planner=NAME,…} and {@code problem=PART,…} keep what is named
 * so, and whose names contain a part. The CSV files are those below {@code planning/} of the folder
 * that SUBLET_CORPUS names. Times are wall times, the median of up to five runs after one; a
 * planner that takes longer than {@value #LONG_MILLIS} ms is run once.
 */
public final class PlannerTable {

  private static final int RUNS = 5;
  private static final long LONG_MILLIS = 3000;

  /** The planners that take the buffers in the order that they are told. */
  private static final List<String> WITH_ORDER = Arrays.asList("best-fit", "first-fit");

  /** A planner and the order of buffers that it is told. */
  private record Contender(String planner, BufferOrder order) {

    String label() {
      return WITH_ORDER.contains(planner)
          ? planner + " " + order.name().toLowerCase(Locale.ROOT)
          : planner;
    }
  }

  private record Result(Placement placement, double millis) {}

  /** The sum over a family's problems of the logarithms of arena ÷ bound, and of the times. */
  private static final class Total {
    int problems;
    double logarithms;
    double millis;
  }

  private final Map<String, Map<String, Total>> totals = new LinkedHashMap<>();

  private PlannerTable() {}

  /** Prints the tables. */
  public static void main(String[] arguments) throws Exception {
    List<Contender> contenders = new ArrayList<>();
    for (String planner : Planners.names()) {
      for (BufferOrder order : BufferOrder.values()) {
        boolean takesOrder = WITH_ORDER.contains(planner);
        if (isWanted(arguments, "planner=", planner, /* whole= */ true)
            && (takesOrder || order == BufferOrder.SIZE)) {
          contenders.add(new Contender(planner, order));
        }
      }
    }
    List<PlannerProblems.Named> problems = new ArrayList<>();
    for (PlannerProblems.Named problem : PlannerProblems.all()) {
      if (isWanted(arguments, "problem=", problem.name(), /* whole= */ false)) {
        problems.add(problem);
      }
    }
    new PlannerTable().print(problems, contenders);
  }

  private static boolean isWanted(String[] arguments, String key, String name, boolean whole) {
    boolean wanted = true;
    for (String argument : arguments) {
      if (argument.startsWith(key)) {
        wanted = false;
        for (String part : argument.substring(key.length()).split(",", -1)) {
          if (whole ? name.equals(part) : name.contains(part)) {
            return true;
          }
        }
      }
    }
    return wanted;
  }

  private void print(List<PlannerProblems.Named> problems, List<Contender> contenders) {
    System.out.println("| problem | buffers | lower bound | planner | arena | ÷ bound | ms |");
    System.out.println("|---|--:|--:|---|--:|--:|--:|");
    for (PlannerProblems.Named named : problems) {
      for (Contender contender : contenders) {
        Result result = measure(named, contender);
        Placement placement = result.placement;
        double quotient = (double) placement.arenaBytes() / placement.lowerBound();
        System.out.printf(
            Locale.ROOT,
            "| %s | %d | %d | %s | %d | %.4f | %.1f |%n",
            named.name(),
            named.problem().bufferCount(),
            placement.lowerBound(),
            contender.label(),
            placement.arenaBytes(),
            quotient,
            result.millis);
        Total total =
            totals
                .computeIfAbsent(named.family(), family -> new LinkedHashMap<>())
                .computeIfAbsent(contender.label(), label -> new Total());
        total.problems++;
        total.logarithms += Math.log(quotient);
        total.millis += result.millis;
      }
    }
    printTotals();
  }

  private void printTotals() {
    boolean headed = false;
    for (Map.Entry<String, Map<String, Total>> family : totals.entrySet()) {
      if (!headed) {
        System.out.println();
        System.out.println("| family | " + String.join(" | ", family.getValue().keySet()) + " |");
        System.out.println("|---|" + "--:|".repeat(family.getValue().size()));
        headed = true;
      }
      StringBuilder row = new StringBuilder("| " + family.getKey() + " |");
      for (Total total : family.getValue().values()) {
        double mean = Math.exp(total.logarithms / total.problems);
        row.append(String.format(Locale.ROOT, " %.4f, %.0f ms |", mean, total.millis));
      }
      System.out.println(row);
    }
  }

  private static Result measure(PlannerProblems.Named named, Contender contender) {
    Result first = run(named, contender);
    if (first.millis > LONG_MILLIS) {
      return first;
    }
    double[] millis = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      millis[i] = run(named, contender).millis;
    }
    Arrays.sort(millis);
    return new Result(first.placement, millis[RUNS / 2]);
  }

  private static Result run(PlannerProblems.Named named, Contender contender) {
    PlannerOptions defaults = PlannerOptions.defaults();
    PlannerOptions options =
        new PlannerOptions(defaults.nodes(), defaults.timeoutMillis(), contender.order);
    long start = System.nanoTime();
    Placement placement =
        Planners.of(contender.planner).place(named.problem(), options, new DiagnosticLog());
    return new Result(placement, (System.nanoTime() - start) / 1e6);
  }
}
