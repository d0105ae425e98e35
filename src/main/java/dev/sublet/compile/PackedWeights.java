package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.emit.PackedRows;
import dev.sublet.runtime.tensor.Tensor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Brings the constant factors of products into the order in which the code reads them ({@link
 * PackedRows}). A constant is packed only if everything that reads it wants the same order, so the
 * constants do not take more bytes. O(steps + constants).
 */
final class PackedWeights {

  private PackedWeights() {}

  /** Returns the steps with packed constants. */
  static ImmutableList<LoweredStep> pack(ImmutableList<LoweredStep> steps) {
    Map<String, Optional<PackedRows>> orders = orders(steps);
    ImmutableList.Builder<LoweredStep> packed = ImmutableList.builder();
    for (LoweredStep step : steps) {
      packed.add(step instanceof LoweredStep.Nests nests ? pack(nests, orders) : step);
    }
    return packed.build();
  }

  /** Returns the order that all readers of a constant want; none if there is no such order. */
  private static Map<String, Optional<PackedRows>> orders(ImmutableList<LoweredStep> steps) {
    Map<String, Optional<PackedRows>> orders = new HashMap<>();
    for (LoweredStep step : steps) {
      Set<String> seen = new HashSet<>();
      if (step instanceof LoweredStep.Nests nests) {
        ImmutableMap<String, PackedRows> wanted = wanted(nests);
        nests
            .inputs()
            .forEach(
                (tensor, value) -> {
                  seen.add(value.name());
                  add(orders, value, Optional.ofNullable(wanted.get(tensor)));
                });
      }
      for (TracedValue value : step.step().inputs().values()) {
        if (!seen.contains(value.name())) {
          add(orders, value, Optional.empty());
        }
      }
    }
    return orders;
  }

  private static void add(
      Map<String, Optional<PackedRows>> orders, TracedValue value, Optional<PackedRows> order) {
    if (value.isConstant()) {
      orders.merge(value.name(), order, (a, b) -> a.equals(b) ? a : Optional.empty());
    }
  }

  /** Nests that may overwrite an input are perhaps not tiled, and read the usual order. */
  private static ImmutableMap<String, PackedRows> wanted(LoweredStep.Nests step) {
    for (String input : step.inputs().keySet()) {
      for (String output : step.outputs().keySet()) {
        if (step.mayOverwrite(input, output)) {
          return ImmutableMap.of();
        }
      }
    }
    return CFunctions.packed(step.program(), step.tiling());
  }

  private static LoweredStep pack(
      LoweredStep.Nests step, Map<String, Optional<PackedRows>> orders) {
    Map<String, TracedValue> packed = new LinkedHashMap<>();
    wanted(step)
        .forEach(
            (tensor, rows) -> {
              TracedValue value = step.inputs().get(tensor);
              if (value != null
                  && value.isConstant()
                  && Optional.of(rows).equals(orders.get(value.name()))) {
                packed.put(tensor, packed(value, rows));
              }
            });
    return packed.isEmpty() ? step : step.withPacked(packed);
  }

  private static TracedValue packed(TracedValue value, PackedRows rows) {
    Tensor tensor = value.tensor().tensor();
    Tensor ordered = Tensor.of(tensor.shape(), rows.pack(tensor.floats()));
    return new TracedValue(
        value.name() + ", packed in blocks of 8 rows",
        LodTensor.of(ordered),
        /* isConstant= */ true,
        Optional.empty());
  }
}
