package dev.sublet.report;

import com.google.gson.JsonObject;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.baseline.PaddleMemoryPass;
import dev.sublet.diag.ByteText;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Names;
import dev.sublet.program.VariableId;
import dev.sublet.report.MemoryNeeds.TensorTotals;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.Quantity;
import dev.sublet.report.format.ReasonCounts;
import dev.sublet.report.format.TextTable;
import dev.sublet.shape.OpenExtents;
import dev.sublet.sharing.Sharing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The answer to the question how much memory a program needs, before and after.
 *
 * <pre>
 *   memory                     bytes               of saved
 *   parameters                46,504   45.41 KiB             52, kept by the runtime
 *   peak of activations
 *     as saved             3,674,464    3.50 MiB     1.000   each name has bytes of its own
 *     by Paddle's pass       704,808  688.29 KiB     0.192   enable_memory_optim, an estimate
 *     with shared names      640,168  625.16 KiB     0.174   the rewritten program
 *     at planned offsets     638,976  624.00 KiB     0.174   the arena of the plan
 * </pre>
 *
 * <p>If the plan leaves variables out, the text begins with their number and the reasons.
 */
final class MemorySummary {

  private final ProgramFacts facts;
  private final MemoryNeeds needs;
  private final Optional<Sharing> sharing;
  private final MemoryPlan plan;
  private final TextTable table =
      new TextTable(
          TextTable.Column.TEXT,
          TextTable.Column.NUMBER,
          TextTable.Column.NUMBER,
          TextTable.Column.NUMBER,
          TextTable.Column.TEXT);

  /**
   * Creates the summary of a run.
   *
   * @param facts the facts about the program as it is saved
   * @param needs the needs of that program
   * @param sharing the names of the rewritten program, if the program was rewritten
   * @param plan the plan of the program, or of the rewritten one
   */
  MemorySummary(ProgramFacts facts, MemoryNeeds needs, Optional<Sharing> sharing, MemoryPlan plan) {
    this.facts = facts;
    this.needs = needs;
    this.sharing = sharing;
    this.plan = plan;
  }

  /** Returns the text, with an empty line after it. */
  String text() {
    table.row("memory", "bytes", "", "of saved", "");
    table.row(
        "parameters",
        Quantity.count(needs.parameters().bytes()),
        ByteText.rounded(needs.parameters().bytes()),
        "",
        Quantity.count(needs.parameters().count())
            + ", kept by the runtime"
            + without(needs.parameters().unknown()));
    if (needs.constants().count() > 0) {
      table.row(
          "constants",
          Quantity.count(needs.constants().bytes()),
          ByteText.rounded(needs.constants().bytes()),
          "",
          Quantity.count(needs.constants().count())
              + ", computed from parameters before the first run"
              + without(needs.constants().unknown()));
    }
    table.row("peak of activations", "", "", "", "");
    addRow(
        "as saved",
        needs.activations().bytes(),
        "each name has bytes of its own" + without(needs.activations().unknown()));
    addPaddlePass();
    sharing.ifPresent(
        names ->
            addRow(
                "with shared names",
                names.bytesAfter(),
                "the rewritten program" + without(names.openAfter())));
    addRow(
        "at planned offsets",
        plan.arenaBytes(),
        (plan.arenas().size() > 1 ? "the arenas" : "the arena") + " of the plan");
    addArenas();
    return leftOut() + table + "\n";
  }

  private static String without(int unknown) {
    return unknown == 0 ? "" : "; " + Quantity.count(unknown) + " more of unknown size";
  }

  private void addRow(String name, long bytes, String words) {
    String share = Quantity.ratio(bytes, needs.activations().bytes());
    addRow(name, bytes, share, words);
  }

  private void addRow(String name, long bytes, String share, String words) {
    table.row("  " + name, Quantity.count(bytes), ByteText.rounded(bytes), share, words);
  }

  private void addPaddlePass() {
    if (needs.paddlePass().isPresent()) {
      addRow(
          "by Paddle's pass",
          needs.paddlePass().getAsLong(),
          "enable_memory_optim, an estimate" + without(needs.activations().unknown()));
    } else if (needs.hasPaddlePass()) {
      String why =
          "not computed: more than "
              + Quantity.count(PaddleMemoryPass.MOST_PROBES)
              + " comparisons of live ranges";
      table.row("  by Paddle's pass", "-", "", "-", why);
    }
  }

  /** Adds a row per memory space or pool if there are several, and per loop with step arenas. */
  private void addArenas() {
    boolean several = plan.arenas().size() - plan.stepArenas().size() > 1;
    for (Arena arena : plan.arenas()) {
      if (arena.isStep()) {
        addRow(
            "per iteration of block " + arena.stepOfBlock() + place(arena),
            arena.bytes(),
            /* share= */ "",
            "beside the arena, as often as the loop iterates");
      } else if (arena.pool().isPresent()) {
        addRow("  in " + arena.pool().get().name(), arena.bytes(), "", use(arena));
      } else if (several) {
        addRow("  on " + arena.place(), arena.bytes(), "", "");
      }
    }
  }

  /**
   * The memory space of a step arena, if its loop has step arenas in other memory spaces too; else
   * empty.
   */
  private String place(Arena arena) {
    boolean isOnly = true;
    for (Arena other : plan.stepArenas()) {
      isOnly &= other.stepOfBlock() != arena.stepOfBlock() || other.place().equals(arena.place());
    }
    return isOnly ? "" : " on " + arena.place();
  }

  private String use(Arena arena) {
    Pool pool = arena.pool().orElseThrow();
    String capacity = pool.isLimited() ? "of " + Quantity.bytes(pool.capacity()) + ", " : "";
    return capacity
        + String.format(Locale.ROOT, "%.1f %% of the traffic", PlanFacts.percent(plan, arena));
  }

  /** Counts the variables that the plan leaves to the runtime, by reason; empty if none are. */
  private String leftOut() {
    List<String> reasons = reasons();
    if (reasons.isEmpty()) {
      return "";
    }
    String counted =
        Quantity.count(reasons.size())
            + " of "
            + Quantity.count(reasons.size() + planned())
            + " activations";
    return headline(counted, reasons) + "\n" + ReasonCounts.rows(reasons) + "\n";
  }

  private String headline(String counted, List<String> reasons) {
    OpenExtents open = facts.openExtents();
    return open.isEmpty() || !hasUnknownSize(reasons)
        ? "not planned: " + counted + "; the runtime allocates them beside the plan"
        : "not planned: "
            + counted
            + "; give "
            + open.names()
            + "\nfor example: "
            + open.example(facts.catalog());
  }

  private static boolean hasUnknownSize(List<String> reasons) {
    return reasons.stream().anyMatch(each -> each.startsWith(Unplanned.SIZE_UNKNOWN));
  }

  /** The open extents that leave sizes unknown, with an example of numbers for them. */
  private JsonObject openExtents(OpenExtents open) {
    JsonObject object = new JsonObject();
    object.add("extents", JsonText.strings(open.extents().asList()));
    object.add("feeds", JsonText.strings(Names.display(open.feeds())));
    object.add("example", JsonText.strings(open.exampleShapes(facts.catalog())));
    return object;
  }

  private List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    for (Unplanned unplanned : plan.unplanned()) {
      if (unplanned.needsMemory()) {
        reasons.add(unplanned.reason());
      }
    }
    return reasons;
  }

  /** The number of variables with offsets. */
  private int planned() {
    Set<VariableId> variables = new HashSet<>();
    for (Allocation allocation : plan.allocations()) {
      variables.add(allocation.variable());
    }
    return variables.size();
  }

  private static JsonObject totals(TensorTotals tensors) {
    JsonObject object = new JsonObject();
    object.addProperty("count", tensors.count());
    object.addProperty("bytes", tensors.bytes());
    object.addProperty("unknown", tensors.unknown());
    return object;
  }

  /** Adds the same to a JSON object. */
  void addTo(JsonObject object) {
    object.add("parameters", totals(needs.parameters()));
    if (needs.constants().count() > 0) {
      object.add("constants", totals(needs.constants()));
    }
    JsonObject activations = new JsonObject();
    activations.addProperty("count", needs.activations().count());
    activations.addProperty("unknown", needs.activations().unknown());
    activations.addProperty("as_saved_bytes", needs.activations().bytes());
    if (needs.hasPaddlePass()) {
      Long bytes = needs.paddlePass().isPresent() ? (Long) needs.paddlePass().getAsLong() : null;
      activations.addProperty("paddle_pass_bytes", bytes);
    }
    sharing.ifPresent(names -> activations.addProperty("shared_names_bytes", names.bytesAfter()));
    activations.addProperty("planned_bytes", plan.arenaBytes());
    activations.addProperty("planned", planned());
    activations.addProperty("not_planned", reasons().size());
    object.add("activations", activations);
    OpenExtents open = facts.openExtents();
    if (!open.isEmpty() && hasUnknownSize(reasons())) {
      object.add("open_extents", openExtents(open));
    }
  }
}
