package dev.sublet.program;

import com.google.common.collect.Sets;
import dev.sublet.proto.OpDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Joins the slots of an operator that have the same name, as Paddle does when it reads a program
 * ({@code OpDesc::OpDesc} appends the arguments to the existing slot of that name).
 *
 * <pre>
 *   inputs { X: a b }  inputs { Y: c }  inputs { X: d }   →   inputs { X: a b d }  inputs { Y: c }
 * </pre>
 */
final class RepeatedSlots {

  /** The maximum number of slots that are compared pair by pair. */
  private static final int FEW = 8;

  private RepeatedSlots() {}

  /**
   * Returns the operator without repeated slots; the same message if no slot is repeated.
   * O(arguments).
   */
  static OpDesc join(OpDesc operation) {
    if (!repeatsAny(operation.getInputsList()) && !repeatsAny(operation.getOutputsList())) {
      return operation;
    }
    return operation.toBuilder()
        .clearInputs()
        .addAllInputs(join(operation.getInputsList()))
        .clearOutputs()
        .addAllOutputs(join(operation.getOutputsList()))
        .build();
  }

  private static boolean repeatsAny(List<OpDesc.Var> slots) {
    if (slots.size() < 2) {
      return false;
    }
    // Nearly all operators have a few slots: no set is made for these.
    for (int i = 1; i < Math.min(slots.size(), FEW); i++) {
      for (int j = 0; j < i; j++) {
        if (slots.get(i).getParameter().equals(slots.get(j).getParameter())) {
          return true;
        }
      }
    }
    return slots.size() > FEW && repeatsAnyOfMany(slots);
  }

  private static boolean repeatsAnyOfMany(List<OpDesc.Var> slots) {
    Set<String> names = Sets.newHashSetWithExpectedSize(slots.size());
    for (OpDesc.Var slot : slots) {
      if (!names.add(slot.getParameter())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Joins the slots, in the order of their first occurrences. Fields other than arguments are
   * merged too.
   */
  private static List<OpDesc.Var> join(List<OpDesc.Var> slots) {
    Map<String, Integer> positions = new HashMap<>();
    List<OpDesc.Var.Builder> joined = new ArrayList<>();
    for (OpDesc.Var slot : slots) {
      Integer position = positions.putIfAbsent(slot.getParameter(), joined.size());
      if (position == null) {
        joined.add(slot.toBuilder());
      } else {
        joined.get(position).mergeFrom(slot);
      }
    }
    List<OpDesc.Var> built = new ArrayList<>();
    for (OpDesc.Var.Builder slot : joined) {
      built.add(slot.build());
    }
    return built;
  }
}
