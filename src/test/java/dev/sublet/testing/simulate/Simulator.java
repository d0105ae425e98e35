package dev.sublet.testing.simulate;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs programs on 64-bit hashes instead of tensors, under the scope rules of Paddle's executors:
 * the oracle for rewrites and plans.
 *
 * <p>An operator's output is a hash of the operator and of all input values; {@code assign} and
 * {@code select_input} pass a value on, {@code cast} and {@code logical_not} pass a truth value on,
 * {@code write_to_array} adds to the old value. Loops run as often as the {@link Schedule} says,
 * branches are taken if the lowest bit of their condition is set. A block's variables are made anew
 * in each run of the block, except in the iterations of a loop whose scopes no gradient operator
 * visits; gradient operators run in the scopes that their forward operators kept.
 *
 * <p>A value that depends on a variable that nothing has written is undefined, whatever else it
 * depends on. Arguments that name no variable at run time count as absent.
 *
 * <p>Not modelled: sequence information, sizes and types of tensors; operators whose outputs and
 * inputs are one buffer ({@code share_data}); {@code recurrent_grad}, which is refused. An operator
 * that is not known to run its blocks runs each 0 to 2 times. The default observations of a program
 * without fetches are for the caller to name.
 */
public final class Simulator {

  private final Schedule schedule;
  private final ImmutableSet<InPlaceRule> rules;
  private final ImmutableSet<String> keep;
  private final boolean reuseFeeds;
  private final boolean staticShapes;
  private final @Nullable Sizes sizes;

  private Simulator(
      Schedule schedule,
      ImmutableSet<InPlaceRule> rules,
      ImmutableSet<String> keep,
      boolean reuseFeeds,
      boolean staticShapes,
      @Nullable Sizes sizes) {
    this.schedule = requireNonNull(schedule, "schedule");
    this.rules = requireNonNull(rules, "rules");
    this.keep = requireNonNull(keep, "keep");
    this.reuseFeeds = reuseFeeds;
    this.staticShapes = staticShapes;
    this.sizes = sizes;
  }

  /** A simulator that allows no operator to work in place unless the original did. */
  public static Simulator of(Schedule schedule) {
    return new Simulator(
        schedule, ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ false, false, null);
  }

  /** One that also allows these in-place pairs. */
  public Simulator allowing(ImmutableSet<InPlaceRule> newRules) {
    return new Simulator(schedule, newRules, keep, reuseFeeds, staticShapes, sizes);
  }

  /** One that also observes all variables with these names. */
  public Simulator keeping(ImmutableSet<String> names) {
    return new Simulator(schedule, rules, names, reuseFeeds, staticShapes, sizes);
  }

  /** One that does not look at the feeds when the program has ended. */
  public Simulator reusingFeeds() {
    return new Simulator(schedule, rules, keep, /* reuseFeeds= */ true, staticShapes, sizes);
  }

  /**
   * One in which all shapes are known beforehand: what an operator reads only for its shape makes
   * no difference to its results. Plans count on that, shared names do not.
   */
  public Simulator withStaticShapes() {
    return new Simulator(schedule, rules, keep, reuseFeeds, /* staticShapes= */ true, sizes);
  }

  /**
   * One in which operators that only move bytes, by the catalog and the sizes of the original
   * program, compute nothing: what they write is made of what they read. Plans with views need it.
   */
  public Simulator withViews(Sizes originalSizes) {
    return new Simulator(schedule, rules, keep, reuseFeeds, staticShapes, originalSizes);
  }

  /** Runs a program as it is. */
  public Observations run(Program program) {
    return run(program, program, Correspondence.ofItself(program));
  }

  /**
   * Runs a rewritten program. If it is open which operator of the original each operator is,
   * because some may have moved, this is the first run that shows what the original shows.
   *
   * @throws IllegalArgumentException if the rewritten program's operators are not the original's,
   *     {@code assign} and {@code delete_var} aside
   */
  public Observations run(Program rewritten, Program original) {
    List<Observations> runs = new ArrayList<>();
    ImmutableList<Correspondence> all = Correspondence.all(rewritten, original);
    for (Correspondence each : all) {
      runs.add(run(rewritten, original, each));
    }
    if (all.size() == 1) {
      return runs.get(0);
    }
    Observations expected = run(original);
    return runs.stream()
        .filter(each -> each.differencesFrom(expected).isEmpty())
        .findFirst()
        .orElse(runs.get(0));
  }

  private Observations run(Program program, Program original, Correspondence correspondence) {
    return machine(program, original, correspondence, new ScopeMemory(), new Contents()).run();
  }

  /** Runs a program in the arenas of a plan for it. */
  public Observations run(Program program, MemoryPlan plan) {
    Contents contents = new Contents();
    Memory memory = new ArenaMemory(plan, contents);
    return machine(program, program, Correspondence.ofItself(program), memory, contents).run();
  }

  /** Runs a program with the operators of some blocks in another order. */
  public Observations run(Program original, ImmutableMap<Integer, ImmutableIntArray> orders) {
    Program moved = ProgramEditor.of(original).reorder(orders).build();
    return run(moved, original, Correspondence.ofMoved(original, orders));
  }

  private Machine machine(
      Program program,
      Program original,
      Correspondence correspondence,
      Memory memory,
      Contents contents) {
    ImmutableSet<String> feeds = InitialValues.feeds(original);
    Observer observer =
        new Observer(Observer.observedIn(original, keep, reuseFeeds ? ImmutableSet.of() : feeds));
    return new Machine(
        program,
        feeds,
        correspondence,
        schedule,
        memory,
        observer,
        new StraightLine(correspondence, schedule, rules, memory, staticShapes, sizes, contents));
  }
}
