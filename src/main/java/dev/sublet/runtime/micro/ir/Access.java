package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * An element of a tensor.
 *
 * @param tensor the tensor's name
 * @param at one index an axis, outermost first
 * @param checked whether the indices may be out of bounds; if not, that was proved. Reading out of
 *     bounds gives the value that the {@link Expression.Load} names; writing there does nothing
 */
public record Access(String tensor, ImmutableList<IndexExpression> at, boolean checked) {

  public Access {
    requireNonNull(tensor, "tensor");
    requireNonNull(at, "at");
  }

  /** An access that checks its bounds. */
  public static Access of(String tensor, ImmutableList<IndexExpression> at) {
    return new Access(tensor, at, /* checked= */ true);
  }

  /** {@code x[i0, i1]}; {@code x![i0, i1]} if the bounds are not checked. */
  @Override
  public String toString() {
    return MicroName.text(tensor) + (checked ? "" : "!") + at;
  }
}
