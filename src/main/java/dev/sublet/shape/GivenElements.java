package dev.sublet.shape;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.DataType;
import dev.sublet.program.Names;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;

/**
 * The elements that the user gives to a feed.
 *
 * <pre>
 *   --value sr=16000     the only element of sr is a symbol with the value 16000
 * </pre>
 */
final class GivenElements {

  /** The greatest element that is followed: doubles are exact up to it. */
  private static final long MAX_WHOLE = 1L << 53;

  private GivenElements() {}

  /**
   * Returns a feed with the given elements. Each is a symbol, because it may differ in other runs.
   * O(elements).
   *
   * @param tensor the shape of the feed
   * @throws ProgramException if the elements do not fit the shape or the type of the feed
   */
  static AbstractShape of(
      AbstractShape tensor, Variable feed, ImmutableLongArray given, ExtentExpressions formulas) {
    String name = Names.display(feed.name());
    checkCount(name, tensor, given.length());
    ImmutableList.Builder<SymbolicExtent> elements = ImmutableList.builder();
    for (int i = 0; i < given.length(); i++) {
      checkFits(name, feed, given.get(i));
      elements.add(
          SymbolicExtent.symbol(formulas, "value " + feed.index() + "#" + i, given.get(i)));
    }
    return tensor.withElements(elements.build());
  }

  private static void checkCount(String name, AbstractShape tensor, int given) {
    long count = 1;
    for (int i = 0; i < tensor.rank(); i++) {
      count = tensor.dim(i).isKnown() ? count * (long) tensor.dim(i).value() : -1;
      if (count < 0 || count > AbstractShape.MAX_ELEMENTS) {
        throw ProgramException.usage(
            count < 0
                ? "--value gives '" + name + "' elements, but its shape is not known; see --shape"
                : "--value gives elements to '"
                    + name
                    + "', which has more than "
                    + AbstractShape.MAX_ELEMENTS);
      }
    }
    if (given != count) {
      throw ProgramException.usage(
          "--value gives '" + name + "' " + given + " elements, but it has " + count);
    }
  }

  private static void checkFits(String name, Variable feed, long element) {
    DataType type = feed.tensorType().map(TensorType::dataType).orElseThrow();
    int bits = 8 * type.bytes();
    boolean fits =
        switch (type) {
          case BOOL -> element == 0 || element == 1;
          case UINT8, UINT16, UINT32 -> 0 <= element && element >> bits == 0;
          case INT8, INT16, INT32 -> element >> (bits - 1) == 0 || element >> (bits - 1) == -1;
          case UINT64, SIZE_T -> 0 <= element && element <= MAX_WHOLE;
          case INT64 -> -MAX_WHOLE <= element && element <= MAX_WHOLE;
          default ->
              throw ProgramException.usage(
                  "--value gives '"
                      + name
                      + "' elements, but only those of integers and truth values are followed, not of "
                      + Ascii.toLowerCase(type.name()));
        };
    if (!fits) {
      throw ProgramException.usage(
          "--value gives '"
              + name
              + "' the element "
              + element
              + ", which is no "
              + Ascii.toLowerCase(type.name())
              + " that can be followed");
    }
  }
}
