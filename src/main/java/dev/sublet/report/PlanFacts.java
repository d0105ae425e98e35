package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.TranspileOptions;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.PathCoverBound;
import dev.sublet.plan.Pool;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.report.format.BoundScope;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.LeftToGain;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.ReasonList;
import dev.sublet.report.format.TextTable;

/**
 * The facts about an offset plan in a report. The plan has been accepted by both validators, or by
 * the one that applies.
 */
final class PlanFacts {

  private PlanFacts() {}

  /** Adds the rows about the quality of a plan: views, copies, the lower bound, the proof. */
  static void addRows(TextTable table, MemoryPlan plan, TranspileOptions options, long nodes) {
    if (views(plan) > 0) {
      table.row("views", Quantity.count(views(plan)));
    }
    if (!plan.copies().isEmpty()) {
      table.row("copies not needed", Quantity.count(plan.copies().size()));
      table.row(
          "bytes not copied",
          Quantity.bytes(copiedBytes(plan)) + ", counting each of these copies once");
    }
    table.row("lower bound", Quantity.bytes(plan.lowerBound()));
    table.row("arena ÷ lower bound", Quantity.ratio(plan.arenaBytes(), plan.lowerBound()));
    table.row("proved optimal", Quantity.yesOrNo(plan.isProvedOptimal()));
    leftToGain(plan, options).addTo(table);
    table.row("bound holds for", String.join(", ", BoundScope.of(options)));
    addNodes(table, nodes);
    if (plan.order() == ExecutionOrder.PARALLEL) {
      table.row("order", "parallel");
    }
    table.row("validated", "yes");
  }

  private static LeftToGain leftToGain(MemoryPlan plan, TranspileOptions options) {
    return LeftToGain.ofProgram(plan.arenaBytes(), plan.lowerBound(), options.offsets());
  }

  private static long copiedBytes(MemoryPlan plan) {
    return plan.copies().stream().mapToLong(UnneededCopy::bytes).sum();
  }

  /** The percentage of all traffic that an arena serves; 0 if there is no traffic. */
  static double percent(MemoryPlan plan, Arena arena) {
    double total = 0;
    for (Arena other : plan.arenas()) {
      total += other.traffic();
    }
    return total == 0 ? 0 : 100 * arena.traffic() / total;
  }

  /** Adds the number of search nodes, if there was a search. */
  static void addNodes(TextTable table, long nodes) {
    if (nodes > 0) {
      table.row("search nodes", Quantity.count(nodes));
    }
  }

  /** Adds the numbers of {@link #addRows}. */
  static void addJson(JsonObject object, MemoryPlan plan, TranspileOptions options, long nodes) {
    object.addProperty("arena_bytes", plan.arenaBytes());
    JsonArray steps = new JsonArray();
    for (Arena arena : plan.stepArenas()) {
      JsonObject step = new JsonObject();
      step.addProperty("block", arena.stepOfBlock());
      step.addProperty("place", arena.place());
      step.addProperty("bytes_per_iteration", arena.bytes());
      step.addProperty("lower_bound", arena.lowerBound());
      steps.add(step);
    }
    if (!steps.isEmpty()) {
      object.add("step_arenas", steps);
    }
    object.addProperty("views", views(plan));
    object.addProperty("unneeded_copies", plan.copies().size());
    object.addProperty("unneeded_copy_bytes", copiedBytes(plan));
    object.addProperty("order", Ascii.toLowerCase(plan.order().name()));
    object.addProperty("lower_bound", plan.lowerBound());
    object.addProperty("proved_optimal", plan.isProvedOptimal());
    leftToGain(plan, options).addTo(object);
    object.add("bound_holds_for", JsonText.strings(BoundScope.of(options)));
    object.addProperty("nodes", nodes);
    // A result that a validator rejects is never returned, so this is always true.
    object.addProperty("validated", true);
  }

  /** Adds the row for the planner's guarantee; a plan that violates it is never returned. */
  static void addRow(TextTable table, PathCoverBound bound) {
    table.row(
        "path cover bound",
        bound.applies()
            ? Quantity.bytes(bound.bytes()) + ", kept; W = " + Quantity.count(bound.paths())
            : "none: " + bound.objection());
  }

  /** Returns the planner's guarantee, or the reason why there is none. */
  static JsonObject pathCoverBound(PathCoverBound bound) {
    JsonObject object = new JsonObject();
    object.addProperty("applies", bound.applies());
    if (bound.applies()) {
      object.addProperty("paths", bound.paths());
      object.addProperty("bytes", bound.bytes());
    } else {
      object.addProperty("reason", bound.objection());
    }
    return object;
  }

  /**
   * The number of variables that are views in the plan; 0 if the plan needs fewer bytes without
   * views.
   */
  private static long views(MemoryPlan plan) {
    return plan.aliases().stream().filter(alias -> alias.kind().equals(Alias.VIEW)).count();
  }

  /** Returns the arenas as JSON. */
  static JsonArray arenas(MemoryPlan plan) {
    JsonArray array = new JsonArray();
    for (Arena arena : plan.arenas()) {
      JsonObject object = new JsonObject();
      object.addProperty("place", arena.place());
      object.addProperty("bytes", arena.bytes());
      object.addProperty("lower_bound", arena.lowerBound());
      object.addProperty("proved_optimal", arena.isProvedOptimal());
      object.addProperty("alignment", arena.alignment());
      if (arena.pool().isPresent()) {
        Pool pool = arena.pool().get();
        object.addProperty("pool", pool.name());
        object.addProperty("capacity", pool.isLimited() ? pool.capacity() : null);
        object.addProperty("traffic", arena.traffic());
        object.addProperty("traffic_percent", Math.round(10 * percent(plan, arena)) / 10.0);
      }
      if (arena.isStep()) {
        object.addProperty("step_of_block", arena.stepOfBlock());
      }
      array.add(object);
    }
    return array;
  }

  /** Lists the unplanned variables, one per line. */
  static String unplannedList(MemoryPlan plan) {
    ReasonList list = new ReasonList("unplanned variables:");
    for (Unplanned unplanned : plan.unplanned()) {
      list.add(unplanned.variable(), unplanned.reason());
    }
    return list.toString();
  }
}
