package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import dev.sublet.runtime.kernel.OperatorCall;
import java.util.Optional;

/** The operators that have a C kernel. Stateless; a look-up is O(1). */
public final class CRoutines {

  private static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.<String, CRoutine.Rule>builder()
          .putAll(BitRoutines.RULES)
          .putAll(BoxRoutines.RULES)
          .putAll(MovingRoutines.RULES)
          .putAll(OnnxRecurrenceRoutines.RULES)
          .putAll(OrderRoutines.RULES)
          .putAll(ProposalRoutines.RULES)
          .putAll(RecurrentRoutines.RULES)
          .putAll(RegionRoutines.RULES)
          .putAll(ScatterRoutines.RULES)
          .putAll(SelectionRoutines.RULES)
          .putAll(SequenceRoutines.RULES)
          .putAll(SliceRoutines.RULES)
          .putAll(SuppressionRoutines.RULES)
          .buildOrThrow();

  private CRoutines() {}

  /** Returns the operator types that have a C kernel, sorted. */
  public static ImmutableSortedSet<String> types() {
    return ImmutableSortedSet.copyOf(RULES.keySet());
  }

  /**
   * Returns an operator's C; empty if it has no C kernel.
   *
   * @throws dev.sublet.runtime.kernel.OperatorException if shapes, types or attributes do not fit
   * @throws dev.sublet.runtime.tensor.MissingElementsException if the C depends on elements that
   *     are missing
   * @throws UncompiledException if the C kernel cannot do it
   */
  public static Optional<CRoutine> find(OperatorCall call) {
    return Optional.ofNullable(RULES.get(call.type())).map(rule -> rule.of(call));
  }
}
