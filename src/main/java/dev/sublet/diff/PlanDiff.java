package dev.sublet.diff;

import com.google.common.collect.ImmutableList;
import dev.sublet.diff.PlanDifference.AllocationChange;
import dev.sublet.diff.PlanDifference.ArenaChange;
import dev.sublet.diff.PlanDifference.Kind;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares two plans: the front door.
 *
 * <p>Arenas correspond if they have the same memory space, pool and, for step arenas, loop.
 * Allocations correspond if they are of the same variable and have the same live ranges; the
 * remaining allocations of a variable are paired in the order of their first points. O(size).
 */
public final class PlanDiff {

  private final MemoryPlan before;
  private final MemoryPlan after;
  private final ImmutableList<ArenaKey> keysBefore;
  private final ImmutableList<ArenaKey> keysAfter;

  private PlanDiff(MemoryPlan before, MemoryPlan after) {
    this.before = before;
    this.after = after;
    this.keysBefore = ArenaKey.all(before);
    this.keysAfter = ArenaKey.all(after);
  }

  /** Returns the differences of the second plan from the first. */
  public static PlanDifference between(MemoryPlan before, MemoryPlan after) {
    PlanDiff diff = new PlanDiff(before, after);
    return new PlanDifference(diff.facts(), diff.arenas(), diff.allocations(), diff.others());
  }

  private ImmutableList<String> facts() {
    ImmutableList.Builder<String> facts = ImmutableList.builder();
    addFact("program", before.programSha256(), after.programSha256(), facts);
    addFact("planner", before.planner(), after.planner(), facts);
    addFact("batch", before.batch(), after.batch(), facts);
    if (!before.feeds().equals(after.feeds())) {
      facts.add("feeds are " + after.feeds() + " instead of " + before.feeds());
    }
    addFact("order", before.order(), after.order(), facts);
    return facts.build();
  }

  private static void addFact(
      String what, Object left, Object right, ImmutableList.Builder<String> facts) {
    if (!left.equals(right)) {
      facts.add(what + " is " + right + " instead of " + left);
    }
  }

  private static Map<ArenaKey, Arena> byKey(MemoryPlan plan) {
    Map<ArenaKey, Arena> arenas = new LinkedHashMap<>();
    List<ArenaKey> keys = ArenaKey.all(plan);
    for (int i = 0; i < keys.size(); i++) {
      arenas.put(keys.get(i), plan.arenas().get(i));
    }
    return arenas;
  }

  private ImmutableList<ArenaChange> arenas() {
    Map<ArenaKey, Arena> left = byKey(before);
    Map<ArenaKey, Arena> right = byKey(after);
    Set<ArenaKey> keys = new LinkedHashSet<>(left.keySet());
    keys.addAll(right.keySet());
    ImmutableList.Builder<ArenaChange> changes = ImmutableList.builder();
    for (ArenaKey key : keys) {
      Optional<Arena> a = Optional.ofNullable(left.get(key));
      Optional<Arena> b = Optional.ofNullable(right.get(key));
      if (!a.equals(b)) {
        changes.add(new ArenaChange(a, b));
      }
    }
    return changes.build();
  }

  private static Map<VariableId, List<Allocation>> byVariable(MemoryPlan plan) {
    Map<VariableId, List<Allocation>> allocations = new LinkedHashMap<>();
    for (Allocation allocation : plan.allocations()) {
      allocations.computeIfAbsent(allocation.variable(), v -> new ArrayList<>()).add(allocation);
    }
    return allocations;
  }

  private ImmutableList<AllocationChange> allocations() {
    Map<VariableId, List<Allocation>> left = byVariable(before);
    Map<VariableId, List<Allocation>> right = byVariable(after);
    ImmutableList.Builder<AllocationChange> changes = ImmutableList.builder();
    left.forEach(
        (variable, own) ->
            addChanges(own, right.getOrDefault(variable, new ArrayList<>()), changes));
    right.forEach(
        (variable, own) -> {
          if (!left.containsKey(variable)) {
            addChanges(new ArrayList<>(), own, changes);
          }
        });
    return changes.build();
  }

  private void addChanges(
      List<Allocation> left,
      List<Allocation> right,
      ImmutableList.Builder<AllocationChange> changes) {
    Map<Object, Allocation> byTimes = new LinkedHashMap<>();
    List<Allocation> others = new ArrayList<>();
    for (Allocation allocation : right) {
      if (byTimes.putIfAbsent(allocation.live(), allocation) != null) {
        others.add(allocation); // with equal live ranges: not in plans of Sublet
      }
    }
    List<Allocation> rest = new ArrayList<>();
    for (Allocation allocation : left) {
      Allocation same = byTimes.remove(allocation.live());
      if (same == null) {
        rest.add(allocation);
      } else {
        addChange(allocation, same, changes);
      }
    }
    others.addAll(byTimes.values());
    for (int i = 0; i < Math.max(rest.size(), others.size()); i++) {
      if (i >= others.size()) {
        changes.add(
            new AllocationChange(
                ImmutableList.of(Kind.GONE), Optional.of(rest.get(i)), Optional.empty()));
      } else if (i >= rest.size()) {
        changes.add(
            new AllocationChange(
                ImmutableList.of(Kind.NEW), Optional.empty(), Optional.of(others.get(i))));
      } else {
        addChange(rest.get(i), others.get(i), changes);
      }
    }
  }

  private void addChange(
      Allocation left, Allocation right, ImmutableList.Builder<AllocationChange> changes) {
    ImmutableList.Builder<Kind> kinds = ImmutableList.builder();
    if (left.bytes() != right.bytes()) {
      kinds.add(left.bytes() < right.bytes() ? Kind.GROWN : Kind.SHRUNK);
    }
    boolean isInSameArena = keysBefore.get(left.arena()).equals(keysAfter.get(right.arena()));
    if (!isInSameArena || left.offset() != right.offset() || !left.views().equals(right.views())) {
      kinds.add(Kind.MOVED);
    }
    if (!left.live().equals(right.live())) {
      kinds.add(Kind.LIVE_ELSEWHEN);
    }
    ImmutableList<Kind> found = kinds.build();
    if (!found.isEmpty()) {
      changes.add(new AllocationChange(found, Optional.of(left), Optional.of(right)));
    }
  }

  private ImmutableList<String> others() {
    List<String> left = new ArrayList<>();
    List<String> right = new ArrayList<>();
    describe(before, left);
    describe(after, right);
    Set<String> gone = new LinkedHashSet<>(left);
    right.forEach(gone::remove);
    Set<String> added = new LinkedHashSet<>(right);
    left.forEach(added::remove);
    ImmutableList.Builder<String> others = ImmutableList.builder();
    for (String line : gone) {
      others.add("no more: " + line);
    }
    for (String line : added) {
      others.add("now: " + line);
    }
    return others.build();
  }

  private static void describe(MemoryPlan plan, List<String> lines) {
    for (Unplanned unplanned : plan.unplanned()) {
      lines.add(unplanned.variable() + " has no offset: " + unplanned.reason());
    }
    for (Alias alias : plan.aliases()) {
      lines.add(
          alias.variable()
              + " lies in "
              + alias.of()
              + " ("
              + alias.kind()
              + (alias.offset() == 0 ? ")" : ", from byte " + alias.offset() + ")"));
    }
    for (UnneededCopy copy : plan.copies()) {
      lines.add(
          "block "
              + copy.block()
              + ", op "
              + copy.operator()
              + " need not copy "
              + copy.from()
              + " to "
              + copy.to()
              + ", "
              + copy.bytes()
              + " bytes");
    }
  }
}
