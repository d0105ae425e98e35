package dev.sublet.runtime.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import java.util.Arrays;

/**
 * Builds index expressions; folds constants and leaves out operations without effect. All methods
 * are O(1) or O(axes).
 */
public final class Indices {

  private Indices() {}

  /** Returns the index of a loop, which is the axis of the result with this number. */
  public static IndexExpression loop(int id) {
    return new LoopIndex(id);
  }

  /** Returns the indices of the first loops: each axis has its own. */
  public static IndexExpression[] loops(int rank) {
    IndexExpression[] at = new IndexExpression[rank];
    Arrays.setAll(at, Indices::loop);
    return at;
  }

  /** Returns a constant. */
  public static IndexExpression number(long value) {
    return new Constant(value);
  }

  /** Returns the sum of two expressions. */
  public static IndexExpression plus(IndexExpression left, IndexExpression right) {
    if (right instanceof Constant constant) {
      return plus(left, constant.value());
    }
    if (left instanceof Constant constant) {
      return plus(right, constant.value());
    }
    return new Arithmetic(Operator.ADD, left, right);
  }

  /** Returns the sum of an expression and a number. */
  public static IndexExpression plus(IndexExpression left, long right) {
    if (left instanceof Constant constant) {
      return number(constant.value() + right);
    }
    if (right < 0) {
      return new Arithmetic(Operator.SUBTRACT, left, number(-right));
    }
    return right == 0 ? left : new Arithmetic(Operator.ADD, left, number(right));
  }

  /** Returns the difference of two expressions. */
  public static IndexExpression minus(IndexExpression left, IndexExpression right) {
    return right instanceof Constant constant
        ? plus(left, -constant.value())
        : new Arithmetic(Operator.SUBTRACT, left, right);
  }

  /** Returns the product of an expression and a number. */
  public static IndexExpression times(IndexExpression left, long right) {
    if (left instanceof Constant constant) {
      return number(constant.value() * right);
    }
    if (right == 0) {
      return number(0);
    }
    return right == 1 ? left : new Arithmetic(Operator.MULTIPLY, left, number(right));
  }

  /**
   * Returns the quotient of an expression and a positive number, rounded towards minus infinity.
   */
  public static IndexExpression over(IndexExpression left, long right) {
    checkArgument(right > 0, "division by %s", right);
    if (left instanceof Constant constant) {
      return number(Math.floorDiv(constant.value(), right));
    }
    return right == 1 ? left : new Arithmetic(Operator.DIVIDE, left, number(right));
  }

  /** Returns the remainder of {@link #over}: from 0 to less than the divisor. */
  public static IndexExpression modulo(IndexExpression left, long right) {
    return right == 1 ? number(0) : minus(left, times(over(left, right), right));
  }

  /**
   * Returns the source indices of a reshape: for each axis of the old shape an index, in terms of
   * the axes of the new shape. Axes need no division if they stay, merge, or come or go with extent
   * 1.
   */
  public static ImmutableList<IndexExpression> reshaped(long[] from, long[] to) {
    return reshaped(from, to, /* firstLoop= */ 0);
  }

  /**
   * Returns the source indices of a reshape whose new axes are the loops from {@code firstLoop} on.
   */
  public static ImmutableList<IndexExpression> reshaped(long[] from, long[] to, int firstLoop) {
    IndexExpression[] at = new IndexExpression[from.length];
    if (Arrays.stream(from).anyMatch(extent -> extent == 0)) {
      // The tensor has no elements.
      Arrays.fill(at, number(0));
      return ImmutableList.copyOf(at);
    }
    int i = 0;
    int k = 0;
    while (i < from.length || k < to.length) {
      int firstFrom = i;
      int firstTo = k;
      long left = i < from.length ? from[i++] : 1;
      long right = k < to.length ? to[k++] : 1;
      while (left != right) {
        if (left < right) {
          checkArgument(i < from.length, "the number of elements differs");
          left *= from[i++];
        } else {
          checkArgument(k < to.length, "the number of elements differs");
          right *= to[k++];
        }
      }
      split(from, firstFrom, i, merged(to, firstTo, k, firstLoop), at);
    }
    return ImmutableList.copyOf(at);
  }

  /** Returns the row-major position of an element among the elements along some axes. */
  private static IndexExpression merged(long[] extents, int begin, int end, int firstLoop) {
    IndexExpression flat = number(0);
    for (int axis = begin; axis < end; axis++) {
      if (extents[axis] != 1) {
        flat = plus(times(flat, extents[axis]), loop(firstLoop + axis));
      }
    }
    return flat;
  }

  /** Splits a row-major position among the elements along some axes into one index per axis. */
  private static void split(
      long[] extents, int begin, int end, IndexExpression place, IndexExpression[] at) {
    IndexExpression rest = place;
    int outermost = begin;
    while (outermost < end - 1 && extents[outermost] == 1) {
      at[outermost++] = number(0);
    }
    for (int axis = end - 1; axis >= outermost; axis--) {
      at[axis] = axis == outermost ? rest : modulo(rest, extents[axis]);
      rest = over(rest, extents[axis]);
    }
  }
}
