package dev.sublet.codec.plan;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.VariableId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Converts a plan to one offset per tensor; a tensor whose allocation cannot be expressed in this
 * way gets a reason instead.
 */
final class OfflineOffsets {

  /** The alignment of the tensors that TFLite Micro places itself. */
  private static final int ALIGNMENT = 16;

  private static final String NOT_IN_PLAN = "not in the plan";

  private final MemoryPlan plan;
  private final ImmutableList<VariableId> tensors;
  private final Map<VariableId, String> unplanned = new HashMap<>();
  private final Map<VariableId, Long> offsets = new HashMap<>();

  /** The reasons why a plan's offsets of a variable cannot be expressed, by variable. */
  private final Map<VariableId, String> losses = new HashMap<>();

  private OfflineOffsets(MemoryPlan plan, ImmutableList<VariableId> tensors) {
    this.plan = plan;
    this.tensors = tensors;
  }

  static OfflineAllocation of(MemoryPlan plan, PlanSubject subject, DiagnosticLog log) {
    if (subject.tensors().isEmpty()) {
      throw ProgramException.usage(
          "which tensor has which index follows from the program, which is not at hand");
    }
    OfflineOffsets found = new OfflineOffsets(plan, subject.tensors().get());
    found.collect();
    found.warn(log);
    return found.allocation();
  }

  private void collect() {
    for (Unplanned each : plan.unplanned()) {
      unplanned.putIfAbsent(each.variable(), each.reason());
    }
    int arena = arena();
    Set<VariableId> known = new HashSet<>(tensors);
    for (Allocation allocation : plan.allocations()) {
      VariableId variable = allocation.variable();
      String loss = known.contains(variable) ? loss(allocation, arena) : "in a nested block";
      Long offset = offsets.putIfAbsent(variable, allocation.offset());
      if (loss.isEmpty() && offset != null && offset != allocation.offset()) {
        loss = "at several offsets";
      }
      if (!loss.isEmpty()) {
        losses.putIfAbsent(variable, loss);
      }
    }
    if (offsets.isEmpty() || offsets.size() > losses.size()) {
      return;
    }
    throw ProgramException.unreadable(
        Location.nowhere(),
        "nothing of the plan can be expressed as one offset a tensor: '"
            + PlanNames.encode(plan.allocations().get(0).variable().name())
            + "': "
            + losses.get(plan.allocations().get(0).variable()));
  }

  /**
   * The only arena whose offsets are written: the first arena that contains a variable of block 0.
   */
  private int arena() {
    int first = plan.arenas().size();
    for (Allocation allocation : plan.allocations()) {
      boolean step = plan.arenas().get(allocation.arena()).isStep();
      if (allocation.variable().block() == 0 && !step) {
        first = Math.min(first, allocation.arena());
      }
    }
    return first;
  }

  /** The reason why an allocation on its own cannot be expressed; empty if it can. */
  private String loss(Allocation allocation, int arena) {
    Arena own = plan.arenas().get(allocation.arena());
    if (own.isStep()) {
      return "in a step arena";
    }
    if (allocation.arena() != arena) {
      return "in another arena";
    }
    if (allocation.views().isPresent()) {
      return "moved by loops";
    }
    return allocation.offset() > Integer.MAX_VALUE ? "at an offset of more than 31 bits" : "";
  }

  private void warn(DiagnosticLog log) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    Set<VariableId> counted = new HashSet<>();
    boolean unaligned = false;
    for (Allocation allocation : plan.allocations()) {
      String loss = losses.get(allocation.variable());
      if (loss != null && counted.add(allocation.variable())) {
        counts.merge(loss, 1, Integer::sum);
      }
      unaligned |= loss == null && allocation.offset() % ALIGNMENT != 0;
    }
    counts.forEach(
        (loss, count) ->
            log.warn(
                Location.nowhere(),
                (count == 1 ? "1 variable has" : count + " variables have")
                    + " no offset in an OfflineMemoryAllocation: "
                    + loss));
    if (unaligned) {
      log.warn(
          Location.nowhere(),
          "there are offsets that are not multiples of 16, to which TFLite Micro aligns");
    }
  }

  private OfflineAllocation allocation() {
    ImmutableIntArray.Builder words = ImmutableIntArray.builder(tensors.size());
    ImmutableList.Builder<String> names = ImmutableList.builder();
    ImmutableList.Builder<String> reasons = ImmutableList.builder();
    for (VariableId tensor : tensors) {
      Long offset = offsets.get(tensor);
      String reason =
          offset != null
              ? losses.getOrDefault(tensor, "")
              : unplanned.getOrDefault(tensor, NOT_IN_PLAN);
      words.add(
          offset == null || !reason.isEmpty() ? OfflineAllocation.UNPLANNED : offset.intValue());
      names.add(PlanNames.encode(tensor.name()));
      reasons.add(reason);
    }
    return new OfflineAllocation(words.build(), names.build(), reasons.build());
  }
}
