package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableIntArray;
import java.util.BitSet;

/**
 * Limits to the sharing of names for the sake of a plan.
 *
 * @param apart the dense indices of the variables that must not share their names; must not be
 *     modified
 * @param reason the reason for these, in words for people
 * @param parts by variable, the number of its part: only variables of one part share a name. Empty
 *     if all variables are of one part
 */
public record NameLimits(BitSet apart, String reason, ImmutableIntArray parts) {

  public NameLimits {
    requireNonNull(apart, "apart");
    requireNonNull(reason, "reason");
    requireNonNull(parts, "parts");
  }

  /** No limits. */
  public static NameLimits none() {
    return new NameLimits(new BitSet(), "", ImmutableIntArray.of());
  }

  boolean isAny() {
    return !apart.isEmpty() || !parts.isEmpty();
  }

  int part(int variable) {
    return parts.isEmpty() ? 0 : parts.get(variable);
  }
}
