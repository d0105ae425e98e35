package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.NameHint;
import dev.sublet.diag.ProgramException;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Pool;
import java.util.HashSet;
import java.util.Set;

/**
 * The options of offset planning with the values that a user gave, right or wrong. {@link #checked}
 * is the one place where the command line and the plug-in check them.
 *
 * @param planner a name
 * @param alignment of every offset
 * @param inPlace whether outputs may share the bytes of inputs
 * @param order in which order the operators may run
 * @param views which variables may share bytes with others
 * @param search what a search may spend
 * @param capacity of an arena, or {@link OffsetOptions#NO_CAPACITY}
 * @param hierarchical whether each block is planned by itself
 * @param pools the memories
 */
public record GivenOptions(
    String planner,
    long alignment,
    boolean inPlace,
    ExecutionOrder order,
    Views views,
    GivenSearch search,
    long capacity,
    boolean hierarchical,
    ImmutableList<Pool> pools) {

  /**
   * Returns the options if they are valid.
   *
   * @param names the names of the options in messages
   * @throws ProgramException of kind USAGE that names the first invalid option
   */
  public OffsetOptions checked(OptionNames names) {
    if (!Planners.names().contains(planner)) {
      throw ProgramException.usage(
          names.of("planner")
              + " is '"
              + planner
              + "', which is not a planner"
              + NameHint.of(planner, "planners", Planners.names()));
    }
    checkRange(names.of("alignment"), alignment, 1, OffsetOptions.MAX_ALIGNMENT);
    checkRange(names.of("capacity"), capacity, 1, OffsetOptions.NO_CAPACITY);
    PlannerOptions budget = search.checked(names);
    if (hierarchical && order == ExecutionOrder.PARALLEL) {
      throw exclusive(names.of("hierarchical"), names.of("order") + " parallel", "");
    }
    checkPools(names);
    return new OffsetOptions(
        planner, alignment, inPlace, order, views, budget, capacity, hierarchical, pools);
  }

  static void checkRange(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw ProgramException.usage(
          option + " is " + value + "; it must be from " + least + " to " + most);
    }
  }

  private void checkPools(OptionNames names) {
    Set<String> used = new HashSet<>();
    for (int i = 0; i < pools.size(); i++) {
      Pool pool = pools.get(i);
      if (!used.add(pool.name())) {
        throw ProgramException.usage(names.of("pools") + " names '" + pool.name() + "' twice");
      }
      if (!pool.isLimited() && i + 1 < pools.size()) {
        throw ProgramException.usage(
            names.of("pools")
                + " '"
                + pool.name()
                + "' has no size; only the last pool may be unlimited");
      }
    }
    if (!pools.isEmpty() && capacity != OffsetOptions.NO_CAPACITY) {
      throw exclusive(names.of("capacity"), names.of("pools"), ": pools have sizes");
    }
  }

  private static ProgramException exclusive(String option, String other, String why) {
    return ProgramException.usage(option + " and " + other + " exclude each other" + why);
  }
}
