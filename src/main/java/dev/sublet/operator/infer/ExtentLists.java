package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;

/**
 * The operations of {@link AbstractShape} on lists of numbers: extents or elements. Names of
 * symbols end with the number's index in its list. O(numbers).
 */
final class ExtentLists {

  private ExtentLists() {}

  /** Replaces every number that is not a constant by an unknown one. */
  static ImmutableList<SymbolicExtent> withoutFeeds(
      ImmutableList<SymbolicExtent> quantities, ExtentExpressions formulas) {
    ImmutableList.Builder<SymbolicExtent> constants = ImmutableList.builder();
    for (SymbolicExtent quantity : quantities) {
      constants.add(
          quantity.isConstant()
              ? quantity
              : SymbolicExtent.unknown(
                  formulas, "a number that is fed", "it depends on what is fed"));
    }
    return constants.build();
  }

  /** Replaces every number by a fresh symbol with its value, bound or cause. */
  static ImmutableList<SymbolicExtent> symbols(
      ImmutableList<SymbolicExtent> quantities, ExtentExpressions formulas, String choice) {
    ImmutableList.Builder<SymbolicExtent> symbols = ImmutableList.builder();
    for (int i = 0; i < quantities.size(); i++) {
      symbols.add(quantities.get(i).symbolOf(formulas, choice + "#" + i));
    }
    return symbols.build();
  }

  /** Whether all numbers are exact; true for null. */
  static boolean isExact(@Nullable ImmutableList<SymbolicExtent> quantities) {
    for (int i = 0; quantities != null && i < quantities.size(); i++) {
      if (!quantities.get(i).isExact()) {
        return false;
      }
    }
    return true;
  }

  /** Replaces every number that is not exact by a fresh symbol. */
  static ImmutableList<SymbolicExtent> detach(
      ImmutableList<SymbolicExtent> quantities, ExtentExpressions formulas, String choice) {
    ImmutableList.Builder<SymbolicExtent> detached = ImmutableList.builder();
    for (int i = 0; i < quantities.size(); i++) {
      detached.add(quantities.get(i).detached(formulas, choice + "#" + i));
    }
    return detached.build();
  }

  /** Joins the numbers of two lists of one length. */
  static ImmutableList<SymbolicExtent> join(
      ImmutableList<SymbolicExtent> left,
      ImmutableList<SymbolicExtent> right,
      ExtentExpressions formulas,
      String choice) {
    ImmutableList.Builder<SymbolicExtent> joined = ImmutableList.builder();
    for (int i = 0; i < left.size(); i++) {
      SymbolicExtent extent = left.get(i);
      SymbolicExtent other = right.get(i);
      // A name is made only for a symbol: most extents are the same on both sides.
      joined.add(extent.equals(other) ? extent : extent.or(other, formulas, choice + "#" + i));
    }
    return joined.build();
  }
}
