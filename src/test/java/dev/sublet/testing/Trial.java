package dev.sublet.testing;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.diag.Diagnostic;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.simulate.InPlaceRule;
import dev.sublet.testing.simulate.Schedule;
import dev.sublet.testing.simulate.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One program, planned as it is and rewritten, with certain options, and judged: no failure, no
 * result that Sublet's own validators refuse, and the same values in the {@link Simulator}, with 0,
 * 1, 2 and 5 iterations of its loops and with a mixture.
 *
 * @param program the program
 * @param options the options
 * @param seed what the simulator's decisions follow from
 */
public record Trial(Program program, TrialOptions options, long seed) {

  /** What is printed where something of ours went wrong, and something else was done instead. */
  private static final String FALLBACK = "please report it";

  public Trial {
    requireNonNull(program, "program");
    requireNonNull(options, "options");
  }

  /** What is wrong, in one line that begins with the step; empty if nothing is. */
  public Optional<String> fault() {
    TranspileOptions told = options.toTranspileOptions();
    String step = "plan";
    try {
      PlanResult planned = Transpiler.plan(program, told);
      String fault = planFault(planned.diagnostics(), program, planned.plan());
      if (fault.isEmpty()) {
        step = "rewrite";
        TranspileResult result = Transpiler.transpile(program, told);
        fault = rewriteFault(result.program());
        if (fault.isEmpty()) {
          step = "plan of the rewritten program";
          fault = planFault(result.diagnostics(), result.program(), result.plan());
        }
      }
      return fault.isEmpty() ? Optional.empty() : Optional.of(step + ": " + fault);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      return Optional.of(step + ": " + String.valueOf(e).replace('\n', ' '));
    }
  }

  /** The same with so many seeds, of which this one's is the first. */
  public Optional<String> faultInAny(int seeds) {
    TranspileOptions told = options.toTranspileOptions();
    Optional<String> fault = fault();
    if (fault.isPresent() || seeds == 1) {
      return fault;
    }
    PlanResult planned = Transpiler.plan(program, told);
    TranspileResult result = Transpiler.transpile(program, told);
    for (int i = 1; i < seeds && fault.isEmpty(); i++) {
      Trial other = new Trial(program, options, seed + 77L * i);
      String difference =
          other.differences(program, planned.plan())
              + other.rewriteFault(result.program())
              + other.differences(result.program(), result.plan());
      fault = difference.isEmpty() ? Optional.empty() : Optional.of(difference);
    }
    return fault;
  }

  private String planFault(
      ImmutableList<Diagnostic> diagnostics, Program planned, MemoryPlan plan) {
    for (Diagnostic diagnostic : diagnostics) {
      if (diagnostic.toString().contains(FALLBACK)) {
        return diagnostic.toString();
      }
    }
    for (Arena arena : plan.arenas()) {
      if (arena.bytes() < arena.lowerBound()) {
        return arena.bytes() + " bytes, but a lower bound of " + arena.lowerBound();
      }
    }
    return differences(planned, plan);
  }

  /** What a program shows in a plan's arenas that it does not show as it is; empty if nothing. */
  public String differences(Program planned, MemoryPlan plan) {
    Sizes sizes = InferredSizes.of(planned);
    for (Simulator simulator : simulators()) {
      Simulator statically = simulator.withStaticShapes().withViews(sizes);
      List<String> differences =
          statically.run(planned, plan).differencesFrom(statically.run(planned));
      if (!differences.isEmpty()) {
        return "the plan shows other values: " + differences;
      }
    }
    return "";
  }

  /** What a rewritten program shows that the original does not; not of unrolled ones. */
  public String rewriteFault(Program rewritten) {
    if (rewritten.blocks().size() != program.blocks().size()) {
      return ""; // the simulator cannot tell which operator is which
    }
    for (Simulator simulator : simulators()) {
      List<String> differences =
          simulator.run(rewritten, program).differencesFrom(simulator.run(program));
      if (!differences.isEmpty()) {
        return "the rewritten program shows other values: " + differences;
      }
    }
    return "";
  }

  private List<Simulator> simulators() {
    List<Simulator> simulators = simulators(program, seed);
    if (options.reuseFeeds()) {
      simulators.replaceAll(Simulator::reusingFeeds);
    }
    return simulators;
  }

  /** Simulators with 0, 1, 2 and 5 iterations, and with any of these each time. */
  public static List<Simulator> simulators(Program program, long seed) {
    ImmutableSet<InPlaceRule> rules = inPlaceRules(program);
    List<Simulator> simulators = new ArrayList<>();
    for (int trips : new int[] {0, 1, 2, 5}) {
      simulators.add(Simulator.of(Schedule.of(seed + trips).withTrips(trips)).allowing(rules));
    }
    simulators.add(Simulator.of(Schedule.of(seed)).allowing(rules));
    return simulators;
  }

  /** The in-place pairs that are on for a program. */
  public static ImmutableSet<InPlaceRule> inPlaceRules(Program program) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    ImmutableSet.Builder<InPlaceRule> rules = ImmutableSet.builder();
    for (OperatorSpec spec : catalog.all()) {
      for (InPlacePair pair : catalog.inPlacePairs(spec, program.version())) {
        rules.add(new InPlaceRule(spec.type(), pair.input(), pair.output()));
      }
    }
    return rules.build();
  }
}
