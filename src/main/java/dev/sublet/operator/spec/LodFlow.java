package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableSet;

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
 */
public record LodFlow(LodRule rule, ImmutableSet<String> sources, ImmutableSet<String> replaced) {

  /** The flow of an operator whose outputs may carry the LoD of any input. */
  public static LodFlow fromAnyInput() {
    return new LodFlow(LodRule.PASSES, ImmutableSet.of(), ImmutableSet.of());
  }

  /** Whether outputs may carry the LoD of inputs in this slot. */
  public boolean passesFrom(String slot) {
    return rule == LodRule.PASSES && (sources.isEmpty() || sources.contains(slot));
  }
}
