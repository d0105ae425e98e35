package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.diag.ByteText;
import dev.sublet.diff.PlanDifference;
import dev.sublet.diff.PlanDifference.AllocationChange;
import dev.sublet.diff.PlanDifference.ArenaChange;
import dev.sublet.diff.PlanDifference.Kind;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.report.format.ArenaNames;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.LongLists;
import dev.sublet.report.format.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The differences between two plans, one per line; {@code same} if there are none.
 *
 * @param before the first plan
 * @param after the second plan
 * @param difference the differences
 */
public record PlanDiffReport(MemoryPlan before, MemoryPlan after, PlanDifference difference)
    implements DiffReport {

  @Override
  public LongLists lines() {
    LongLists lines = new LongLists();
    for (ArenaChange change : difference.arenas()) {
      lines.add("arenas", line(change));
    }
    for (String fact : difference.facts()) {
      lines.add("facts", fact);
    }
    for (AllocationChange change : difference.allocations()) {
      lines.add("allocations", line(change));
    }
    for (String other : difference.others()) {
      lines.add("aliases, copies and variables without offsets", other);
    }
    return lines;
  }

  private static String line(ArenaChange change) {
    Arena any = change.before().orElseGet(() -> change.after().orElseThrow());
    String name = ArenaNames.of(any);
    if (change.before().isEmpty() || change.after().isEmpty()) {
      return name
          + (change.before().isEmpty() ? ": new, " : ": gone, it was ")
          + Quantity.bytes(any.bytes());
    }
    Arena left = change.before().get();
    Arena right = change.after().get();
    List<String> parts = new ArrayList<>();
    if (left.bytes() != right.bytes()) {
      long by = Math.subtractExact(right.bytes(), left.bytes());
      parts.add(
          Quantity.bytes(right.bytes())
              + " instead of "
              + Quantity.bytes(left.bytes())
              + ", "
              + Quantity.count(Math.abs(by))
              + (by > 0 ? " more" : " less"));
    }
    if (left.lowerBound() != right.lowerBound()) {
      parts.add(
          "lower bound "
              + Quantity.count(right.lowerBound())
              + " instead of "
              + Quantity.count(left.lowerBound()));
    }
    if (left.alignment() != right.alignment()) {
      parts.add("alignment " + right.alignment() + " instead of " + left.alignment());
    }
    if (left.capacity() != right.capacity() || left.traffic() != right.traffic()) {
      parts.add("another capacity or traffic");
    }
    return name + ": " + String.join("; ", parts);
  }

  private String line(AllocationChange change) {
    List<String> words = new ArrayList<>();
    for (Kind kind : change.kinds()) {
      words.add(
          kind == Kind.LIVE_ELSEWHEN ? "live at other points" : Ascii.toLowerCase(kind.name()));
    }
    Allocation any = change.before().orElseGet(() -> change.after().orElseThrow());
    StringBuilder line = new StringBuilder(String.join(", ", words));
    line.append(": ").append(any.variable());
    if (change.before().isEmpty()) {
      return line.append(", ").append(place(after, any)).toString();
    }
    if (change.after().isEmpty()) {
      return line.append(", it was ").append(place(before, any)).toString();
    }
    Allocation now = change.after().get();
    line.append(", ").append(place(after, now)).append(" instead of ").append(place(before, any));
    if (change.kinds().contains(Kind.LIVE_ELSEWHEN)) {
      line.append(", live at ").append(now.live()).append(" instead of ").append(any.live());
    }
    return line.toString();
  }

  private static String place(MemoryPlan plan, Allocation allocation) {
    String views = allocation.views().isPresent() ? ", moving" : "";
    return ByteText.inWords(allocation.bytes())
        + " at "
        + Quantity.count(allocation.offset())
        + (plan.arenas().size() > 1
            ? " of " + ArenaNames.of(plan.arenas().get(allocation.arena()))
            : "")
        + views;
  }

  @Override
  public String json() {
    JsonObject object = new JsonObject();
    object.addProperty("same", difference.isSame());
    object.addProperty("compared", "plans");
    object.addProperty("arena_bytes_before", before.arenaBytes());
    object.addProperty("arena_bytes_after", after.arenaBytes());
    JsonArray arenas = new JsonArray();
    for (ArenaChange change : difference.arenas()) {
      JsonObject entry = new JsonObject();
      entry.addProperty(
          "arena", ArenaNames.of(change.before().orElseGet(() -> change.after().orElseThrow())));
      addBytes(entry, "bytes_before", change.before().map(Arena::bytes));
      addBytes(entry, "bytes_after", change.after().map(Arena::bytes));
      addBytes(entry, "lower_bound_before", change.before().map(Arena::lowerBound));
      addBytes(entry, "lower_bound_after", change.after().map(Arena::lowerBound));
      arenas.add(entry);
    }
    object.add("arenas", arenas);
    object.add("facts", JsonText.strings(difference.facts()));
    JsonArray allocations = new JsonArray();
    for (AllocationChange change : difference.allocations()) {
      allocations.add(json(change));
    }
    object.add("allocations", allocations);
    object.add("others", JsonText.strings(difference.others()));
    return JsonText.print(object);
  }

  private JsonObject json(AllocationChange change) {
    Allocation any = change.before().orElseGet(() -> change.after().orElseThrow());
    JsonObject entry = JsonText.variable(any.variable());
    List<String> kinds = new ArrayList<>();
    change.kinds().forEach(kind -> kinds.add(Ascii.toLowerCase(kind.name())));
    entry.add("kinds", JsonText.strings(kinds));
    change.before().ifPresent(left -> entry.add("before", json(before, left)));
    change.after().ifPresent(right -> entry.add("after", json(after, right)));
    return entry;
  }

  private static JsonObject json(MemoryPlan plan, Allocation allocation) {
    JsonObject object = new JsonObject();
    object.addProperty("arena", ArenaNames.of(plan.arenas().get(allocation.arena())));
    object.addProperty("offset", allocation.offset());
    object.addProperty("bytes", allocation.bytes());
    object.addProperty("moves", allocation.views().isPresent());
    object.addProperty("live", allocation.live().toString());
    return object;
  }

  private static void addBytes(JsonObject object, String key, Optional<Long> bytes) {
    if (bytes.isPresent()) {
      object.addProperty(key, bytes.get());
    } else {
      object.add(key, JsonNull.INSTANCE);
    }
  }
}
