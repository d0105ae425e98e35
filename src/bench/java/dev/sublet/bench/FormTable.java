package dev.sublet.bench;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.CanonicalOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.SyntheticProblems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Prints how much the default planner depends on the form of a problem, as Markdown tables.
 *
 * <p>The first table has the files of {@code SUBLET_CORPUS}: as they are, with their rows shuffled,
 * with time reversed, with all sizes three times as large, and with a random byte less for about
 * half of the sizes. Each figure is the worst arena ÷ the arena that carries over from the
 * original, and the number of proofs. The second table has perfect packings, whose optimum is
 * known.
 *
 * <p>Arguments, all optional: {@code forms} or {@code packings}.
 */
public final class FormTable {

  private static final int VARIANTS = 10;
  private static final int PACKINGS = 20;

  /** Sums over problems: the number at the known arena, of proofs, and the worst and mean ratio. */
  private static final class Sum {
    private int problems;
    private int known;
    private int proofs;
    private double ratios;
    private double worst;
    private double seconds;

    void add(PlanningProblem problem, long arena) {
      long start = System.nanoTime();
      Placement placement = place(problem);
      seconds += (System.nanoTime() - start) / 1e9;
      double ratio = (double) placement.arenaBytes() / arena;
      problems++;
      known += ratio <= 1 ? 1 : 0;
      proofs += placement.isProvedOptimal() ? 1 : 0;
      ratios += ratio;
      worst = Math.max(worst, ratio);
    }

    String worst() {
      return String.format(
          Locale.ROOT, " %.4f, %d of %d, %.1f s |", worst, proofs, problems, seconds / problems);
    }

    String mean() {
      return String.format(
          Locale.ROOT,
          " %d of %d | %.4f | %.4f | %.1f |",
          known,
          problems,
          ratios / problems,
          worst,
          seconds / problems);
    }
  }

  private FormTable() {}

  /** Prints the tables. */
  public static void main(String[] arguments) throws IOException {
    List<String> wanted = List.of(arguments);
    if (wanted.isEmpty() || wanted.contains("forms")) {
      printForms();
    }
    if (wanted.isEmpty() || wanted.contains("packings")) {
      printPackings();
    }
  }

  private static void printForms() throws IOException {
    System.out.println("| problem | as it is | shuffled | reversed | × 3 | a byte less |");
    System.out.println("|---|--:|--:|--:|--:|--:|");
    for (PlannerProblems.Named named : PlannerProblems.all()) {
      if (named.family().equals("minimalloc")) {
        PlanningProblem problem = named.problem();
        long arena = place(problem).arenaBytes();
        StringBuilder row = new StringBuilder("| " + named.name() + " |");
        row.append(sum(1, arena, i -> problem).worst());
        row.append(sum(VARIANTS, arena, i -> shuffled(problem, new Random(i))).worst());
        row.append(sum(1, arena, i -> reversed(problem)).worst());
        row.append(sum(1, 3 * arena, i -> resized(problem, 3, null)).worst());
        row.append(sum(VARIANTS, arena, i -> resized(problem, 1, new Random(i))).worst());
        System.out.println(row);
      }
    }
  }

  private static void printPackings() {
    System.out.println("| packings | buffers | solved | mean | worst | s |");
    System.out.println("|---|--:|--:|--:|--:|--:|");
    for (int buffers : new int[] {150, 300, 500}) {
      Sum pinwheels = new Sum();
      Sum tilings = new Sum();
      for (int seed = 0; seed < PACKINGS; seed++) {
        SyntheticProblems.Tiling pinwheel = SyntheticProblems.pinwheel(seed, buffers);
        pinwheels.add(pinwheel.problem(), pinwheel.height());
        SyntheticProblems.Tiling tiling = SyntheticProblems.guillotine(seed, buffers);
        tilings.add(tiling.problem(), tiling.height());
      }
      System.out.println("| pinwheels | " + buffers + " |" + pinwheels.mean());
      System.out.println("| tilings | " + buffers + " |" + tilings.mean());
    }
  }

  /** A form of a problem, by number. */
  private interface Form {
    PlanningProblem get(int number);
  }

  private static Sum sum(int count, long arena, Form form) {
    Sum sum = new Sum();
    for (int i = 0; i < count; i++) {
      sum.add(form.get(i), arena);
    }
    return sum;
  }

  /** Places a problem as the verb {@code plan} does with a table. */
  private static Placement place(PlanningProblem problem) {
    CanonicalOrder canonical = CanonicalOrder.of(problem);
    return canonical.restore(
        Planners.of(Planners.BEST)
            .place(canonical.sorted(), PlannerOptions.defaults(), new DiagnosticLog()));
  }

  private static PlanningProblem shuffled(PlanningProblem problem, Random random) {
    List<Integer> order = new ArrayList<>();
    for (int b = 0; b < problem.bufferCount(); b++) {
      order.add(b);
    }
    Collections.shuffle(order, random);
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    order.forEach(b -> problem.copyTo(builder, b));
    return builder.build();
  }

  private static PlanningProblem reversed(PlanningProblem problem) {
    int end = 0;
    for (int b = 0; b < problem.bufferCount(); b++) {
      end = Math.max(end, problem.lastPoint(b));
    }
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    for (int b = 0; b < problem.bufferCount(); b++) {
      builder.addBuffer(problem.size(b));
      for (int i = problem.endInterval(b) - 1; i >= problem.firstInterval(b); i--) {
        builder.addInterval(end - problem.end(i), end - problem.begin(i));
      }
    }
    return builder.build();
  }

  /** All sizes times a factor, less a random byte if there is a source of randomness. */
  private static PlanningProblem resized(
      PlanningProblem problem, int factor, @Nullable Random random) {
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    for (int b = 0; b < problem.bufferCount(); b++) {
      long less = random == null ? 0 : random.nextInt(2);
      builder.addBuffer(factor * problem.size(b) - less);
      for (int i = problem.firstInterval(b); i < problem.endInterval(b); i++) {
        builder.addInterval(problem.begin(i), problem.end(i));
      }
    }
    return builder.build();
  }
}
