package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.program.Operation;

/**
 * The flow of sequence information (LoD) through an operator.
 *
 * <pre>{@code
 * gather: PASSES, sources {X}: Out may get the LoD of X, never that of Index
 * }</pre>
 *
 * @param rule the flow from the inputs to the outputs
 * @param sources the input slots whose LoD can be passed on; empty if every input slot's can
 * @param replaced the output slots whose LoD the operator always replaces: by an input's LoD, even
 *     if that is empty, or by the operator's own. A variable in any other output slot keeps its old
 *     LoD if the operator sets none
 * @param confirmed the output slots of which runs have confirmed the offsets that the shape rule
 *     states
 */
public record LodFlow(
    LodRule rule,
    ImmutableSet<String> sources,
    ImmutableSet<String> replaced,
    ImmutableSet<String> confirmed) {

  /** The flow of an operator whose outputs may carry the LoD of any input. */
  public static LodFlow fromAnyInput() {
    return new LodFlow(LodRule.PASSES, ImmutableSet.of(), ImmutableSet.of(), ImmutableSet.of());
  }

  /** Whether outputs may carry the LoD of inputs in this slot. */
  public boolean passesFrom(String slot) {
    return rule == LodRule.PASSES && (sources.isEmpty() || sources.contains(slot));
  }

  /**
   * Corrects the offsets of results: none if the operator clears them, and unknown if neither runs
   * nor the flow confirm them. An output surely has no offsets if no input from which they are
   * passed on can have some. O(arguments).
   */
  void keepConfirmed(ShapeCall call) {
    Operation operation = call.operation();
    if (rule == LodRule.CLEARS) {
      for (int i = 0; i < operation.outputCount(); i++) {
        call.setLod(i, ImmutableList.of());
      }
      return;
    }
    if (rule != LodRule.PASSES) {
      return;
    }
    boolean mayPass = false;
    for (int i = 0; i < operation.inputCount() && !mayPass; i++) {
      mayPass = passesFrom(operation.slotOfInput(i)) && Offsets.mayExist(call.input(i));
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      AbstractShape result = call.result(i);
      boolean isConfirmed =
          result == null
              || (!mayPass && !Offsets.mayExist(result))
              || confirmed.contains(operation.slotOfOutput(i));
      if (!isConfirmed) {
        call.setLod(i, null);
      }
    }
  }
}
