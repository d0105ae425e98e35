package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;

/**
 * One element of a tensor, as an operand or as the target of a statement.
 *
 * @param tensor the tensor's name
 * @param at one index per axis, outermost first
 * @param checked whether the bounds are checked at run time; false only if the indices were proved
 *     to be in bounds. A checked read out of bounds returns {@link Expression.Load#outside()}; a
 *     checked write out of bounds does nothing
 */
public record Access(String tensor, ImmutableList<IndexExpression> at, boolean checked) {

  /** Returns an access with bounds checks. */
  public static Access of(String tensor, ImmutableList<IndexExpression> at) {
    return new Access(tensor, at, /* checked= */ true);
  }

  /** Returns {@code x[i0, i1]}, or {@code x![i0, i1]} if the bounds are not checked. */
  @Override
  public String toString() {
    return MicroName.text(tensor) + (checked ? "" : "!") + at;
  }
}
