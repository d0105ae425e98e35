package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.Explanation;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ByteOccupants;
import dev.sublet.plan.ByteOccupants.Neighbor;
import dev.sublet.plan.ByteOccupants.Occupant;
import dev.sublet.plan.ByteOccupants.Relation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Names;
import dev.sublet.program.VariableId;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.ProgramPoints;
import dev.sublet.report.format.Quantity;
import java.util.ArrayList;
import java.util.List;

/**
 * The location of a variable in the plan of the program as it is, and the other variables that use
 * the same bytes.
 */
final class ByteFacts {

  /** The greatest number of other variables that are listed in text. */
  private static final int MOST_LISTED = 8;

  private final MemoryPlan plan;
  private final VariableId variable;
  private final ProgramPoints points;
  private final ImmutableList<ByteOccupants> found;

  ByteFacts(Explanation explanation, int index) {
    this.plan = explanation.plan();
    this.variable = explanation.analysis().program().variable(index).id();
    this.points = new ProgramPoints(explanation.analysis().liveness().graph());
    ImmutableList.Builder<Integer> own = ImmutableList.builder();
    for (int i = 0; i < plan.allocations().size(); i++) {
      if (plan.allocations().get(i).variable().equals(variable)) {
        own.add(i);
      }
    }
    this.found = ByteOccupants.find(plan, own.build());
  }

  void addTo(VariableReport.Lines lines) {
    for (Unplanned unplanned : plan.unplanned()) {
      if (unplanned.variable().equals(variable)) {
        lines.add("plan", "no offset: " + unplanned.reason());
      }
    }
    for (ByteOccupants occupants : found) {
      Allocation own = plan.allocations().get(occupants.allocation());
      lines.add("plan", place(own) + (found.size() > 1 ? ", " + live(own) : ""));
      if (own.bytes() == 0) {
        lines.add("plan", "  no bytes to share");
      } else if (occupants.occupants().isEmpty()) {
        lines.add("plan", "  bytes not shared: " + whyAlone(occupants));
      } else {
        addOccupants(occupants.occupants(), lines);
      }
    }
  }

  private void addOccupants(List<Occupant> occupants, VariableReport.Lines lines) {
    int before = 0;
    while (before < occupants.size() && occupants.get(before).relation() == Relation.BEFORE) {
      before++;
    }
    int first = Math.max(0, Math.min(before - MOST_LISTED / 2, occupants.size() - MOST_LISTED));
    int end = Math.min(occupants.size(), first + MOST_LISTED);
    lines.add(
        "plan",
        "  also used by " + (occupants.size() > 1 ? occupants.size() + " others:" : "one other:"));
    if (first > 0) {
      lines.add("plan", "  " + first + " before these");
    }
    for (Occupant occupant : occupants.subList(first, end)) {
      Allocation other = plan.allocations().get(occupant.allocation());
      lines.add(
          "plan",
          "  "
              + words(occupant, other)
              + ": '"
              + Names.display(other.variable().name())
              + (other.variable().equals(variable) ? "' itself with another value, " : "', ")
              + Quantity.count(occupant.bytes())
              + " of the bytes, "
              + live(other));
    }
    if (end < occupants.size()) {
      lines.add("plan", "  " + (occupants.size() - end) + " after these");
    }
  }

  private static String words(Occupant occupant, Allocation other) {
    if (occupant.relation() == Relation.ALIAS && other.views().isPresent()) {
      // If a loop moves both, the common bytes depend on the iteration.
      return "in turn, or at the same time (" + occupant.kind() + ")";
    }
    return switch (occupant.relation()) {
      case BEFORE -> "before it";
      case AFTER -> "after it";
      case BETWEEN -> "in turn with it";
      case ALIAS -> "at the same time (" + occupant.kind() + ")";
      case ALIAS_OF_ALIAS -> "at the same time (by way of others)";
      case OTHER_ITERATION -> "in other iterations";
    };
  }

  private String whyAlone(ByteOccupants occupants) {
    if (occupants.closest().isEmpty()) {
      return "nothing else is in its arena";
    }
    Neighbor closest = occupants.closest().get();
    String name =
        "'" + Names.display(plan.allocations().get(closest.allocation()).variable().name()) + "'";
    if (closest.free() > 0) {
      return closest.free() == 1
          ? name + ", the only one that is not live together with it, is elsewhere"
          : Quantity.count(closest.free())
              + " others, such as "
              + name
              + ", are not live together with it, but are elsewhere";
    }
    return "everything else in its arena is live together with it, "
        + name
        + " the least, from "
        + points.at(closest.begin())
        + " on";
  }

  private String place(Allocation own) {
    Arena arena = plan.arenas().get(own.arena());
    StringBuilder text = new StringBuilder("bytes ");
    if (own.views().isPresent()) {
      text.append(views(own.views().get(), own.bytes()));
    } else {
      text.append(range(own.offset(), own.bytes()));
    }
    text.append(" of ");
    if (arena.isStep()) {
      text.append("each iteration's arena of block ").append(arena.stepOfBlock()).append(" on ");
    } else {
      text.append("the arena ").append(arena.pool().isPresent() ? "in " : "on ");
    }
    return text.append(arena.pool().isPresent() ? arena.pool().get().name() : arena.place())
        .toString();
  }

  private static String range(long offset, long bytes) {
    return Quantity.count(offset) + " to " + Quantity.count(offset + bytes);
  }

  /**
   * Returns a location that may move, for example {@code (by the iterations of block 1 in turn 0 to
   * 64, 64 to 128)}.
   */
  private static String views(MultiView view, long bytes) {
    if (view instanceof MultiView.FixedView fixed) {
      return range(fixed.offset(), bytes);
    }
    if (view instanceof MultiView.Rotation rotation) {
      List<String> parts = new ArrayList<>();
      for (MultiView each : rotation.views()) {
        parts.add(views(each, bytes));
      }
      String first =
          rotation.first().isEmpty() ? "" : "first " + views(rotation.first().get(), bytes) + ", ";
      String loop = "by the iterations of block " + rotation.block() + " in turn ";
      return "(" + first + loop + String.join(", ", parts) + ")";
    }
    throw new AssertionError(view);
  }

  private String live(Allocation allocation) {
    return points.describe(allocation.live());
  }

  JsonObject json() {
    JsonObject object = new JsonObject();
    for (Unplanned unplanned : plan.unplanned()) {
      if (unplanned.variable().equals(variable)) {
        object.addProperty("unplanned", unplanned.reason());
      }
    }
    JsonArray allocations = new JsonArray();
    for (ByteOccupants occupants : found) {
      Allocation own = plan.allocations().get(occupants.allocation());
      JsonObject entry = new JsonObject();
      entry.addProperty("arena", own.arena());
      entry.addProperty("place", plan.arenas().get(own.arena()).place());
      entry.addProperty("offset", own.offset());
      entry.addProperty("bytes", own.bytes());
      entry.addProperty("moves", own.views().isPresent());
      entry.add("live", points.json(own.live()));
      JsonArray sharers = new JsonArray();
      for (Occupant occupant : occupants.occupants()) {
        Allocation other = plan.allocations().get(occupant.allocation());
        JsonObject sharer = JsonText.variable(other.variable());
        sharer.addProperty("common_bytes", occupant.bytes());
        sharer.addProperty("relation", Ascii.toLowerCase(occupant.relation().name()));
        sharer.addProperty("alias_kind", occupant.kind());
        sharer.add("live", points.json(other.live()));
        sharers.add(sharer);
      }
      entry.add("shares_bytes_with", sharers);
      if (occupants.occupants().isEmpty() && own.bytes() > 0) {
        entry.addProperty("reason", whyAlone(occupants));
      }
      allocations.add(entry);
    }
    object.add("allocations", allocations);
    return object;
  }
}
