package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;

/**
 * The effects of an operator on the variables in its output slots.
 *
 * <pre>{@code
 * dropout: Mask MAY_WRITE, every other slot MUST_WRITE
 * }</pre>
 *
 * @param listed the effects on single slots
 * @param others the effect on every slot that is not listed
 * @param keptIfEmpty the slots whose variables keep their old value if an input has no element
 * @param addedTo the slots in which a tensor array keeps its elements and gets more
 */
public record OutputEffects(
    ImmutableMap<String, Effect> listed,
    Effect others,
    ImmutableSet<String> keptIfEmpty,
    ImmutableSet<String> addedTo) {

  /** The same effect on every slot, in every call. */
  public static OutputEffects all(Effect effect) {
    return new OutputEffects(ImmutableMap.of(), effect, ImmutableSet.of(), ImmutableSet.of());
  }

  /**
   * The effect on a variable in a slot. If the variable is also an input of the same operator, the
   * operator reads it as well, and its write never counts as a kill; the caller must handle that
   * case.
   */
  public Effect on(String slot) {
    return listed.getOrDefault(slot, others);
  }

  /** Whether any effect depends on whether an input has elements. */
  public boolean dependOnElements() {
    return !keptIfEmpty.isEmpty();
  }

  /**
   * The effect on a variable in a slot of one call.
   *
   * @param isArray whether the variable is an array of tensors
   * @param mayBeEmpty whether an input may have no element when the operator runs
   */
  public Effect on(String slot, boolean isArray, boolean mayBeEmpty) {
    if (isArray && addedTo.contains(slot)) {
      return Effect.READ_WRITE;
    }
    Effect effect = on(slot);
    boolean mayBeKept = mayBeEmpty && effect == Effect.MUST_WRITE && keptIfEmpty.contains(slot);
    return mayBeKept ? Effect.MAY_WRITE : effect;
  }
}
