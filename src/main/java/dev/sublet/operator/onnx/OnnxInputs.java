package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;

/**
 * The inputs of an ONNX operator: slots {@code "0"}, {@code "1"} and so on, of one argument each.
 * An attribute of one version of an operator may be an input in another version. These methods look
 * for both, and prefer the input.
 */
final class OnnxInputs {

  /** The slots of operators that may overwrite only their first input. */
  static final ImmutableList<String> FIRST = ImmutableList.of("0");

  /** The slots of operators that may overwrite either of their first two inputs. */
  static final ImmutableList<String> BOTH = ImmutableList.of("0", "1");

  private OnnxInputs() {}

  /** Returns the shapes of all inputs that are present, from a position on. */
  static ImmutableList<AbstractShape> from(ShapeCall call, int first) {
    ImmutableList.Builder<AbstractShape> inputs = ImmutableList.builder();
    int count = call.operation().inputSlots().size();
    for (int i = first; i < count; i++) {
      if (call.has(String.valueOf(i))) {
        inputs.add(call.in(String.valueOf(i)));
      }
    }
    return inputs.build();
  }

  /** Whether an input or an attribute gives the numbers. */
  static boolean has(ShapeCall call, String slot, String attribute) {
    return call.has(slot) || call.hasAttribute(attribute);
  }

  /**
   * Returns the numbers of an input or an attribute; an empty list if neither is present.
   *
   * @throws UnknownShapeException if the input's elements are not followed
   */
  static ImmutableList<SymbolicExtent> numbers(ShapeCall call, String slot, String attribute) {
    if (call.has(slot)) {
      return call.in(slot).elements();
    }
    ImmutableList.Builder<SymbolicExtent> numbers = ImmutableList.builder();
    for (double number : call.reals(attribute)) {
      numbers.add(SymbolicExtent.of(number));
    }
    return numbers.build();
  }

  /**
   * Returns the same numbers as {@link #numbers}. If the elements are not followed but their count
   * is known, each number is unknown.
   *
   * @throws UnknownShapeException if the count is not known either
   */
  static ImmutableList<SymbolicExtent> extents(ShapeCall call, String slot, String attribute) {
    if (!call.has(slot) || call.in(slot).hasElements()) {
      return numbers(call, slot, attribute);
    }
    AbstractShape list = call.in(slot);
    DimLists.checkRank(list, "input " + slot, 1);
    long count = list.dim(0).asLong();
    ImmutableList.Builder<SymbolicExtent> numbers = ImmutableList.builder();
    for (int i = 0; i < Math.min(count, AbstractShape.MAX_ELEMENTS); i++) {
      numbers.add(DimLists.element(call, list, i, "element " + i + " of input " + slot));
    }
    return numbers.build();
  }

  /** Returns the first number of an input or an attribute, or the default if neither is present. */
  static SymbolicExtent number(ShapeCall call, String slot, String attribute, double defaultValue) {
    if (call.has(slot)) {
      return DimLists.element(call, call.in(slot), 0, "input " + slot);
    }
    return SymbolicExtent.of(call.real(attribute, defaultValue));
  }

  /**
   * Returns an axis, counted from the front.
   *
   * @throws ShapeMismatchException if there is no such axis
   */
  static int axis(long axis, int rank) {
    long place = axis < 0 ? axis + rank : axis;
    if (place < 0 || place >= rank) {
      throw new ShapeMismatchException("there is no axis " + axis + " in " + rank + " extents");
    }
    return (int) place;
  }

  /**
   * Returns the axes in an input or an attribute, counted from the front; an empty array if neither
   * is present.
   *
   * @throws UnknownShapeException if the axes are not known exactly
   */
  static int[] axes(ShapeCall call, String slot, String attribute, int rank) {
    ImmutableList<SymbolicExtent> given = numbers(call, slot, attribute);
    int[] axes = new int[given.size()];
    for (int i = 0; i < axes.length; i++) {
      axes[i] = axis(given.get(i).asLong(), rank);
    }
    return axes;
  }
}
