package dev.sublet.offset;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * How offsets are planned.
 *
 * @param planner the planner's name
 * @param alignment every offset is a multiple of this; 1 to {@link #MAX_ALIGNMENT}
 * @param inPlace whether an output may lie on an input that dies at its operator
 * @param views which variables may lie in the bytes of others that hold the same bytes
 */
public record OffsetOptions(String planner, long alignment, boolean inPlace, Views views) {

  /** The largest alignment: 1 GiB. */
  public static final long MAX_ALIGNMENT = 1L << 30;

  public OffsetOptions {
    requireNonNull(planner, "planner");
    requireNonNull(views, "views");
    checkArgument(alignment >= 1 && alignment <= MAX_ALIGNMENT, "alignment %s", alignment);
  }

  /** Greedy by size, 64-byte alignment, in place, views of whole variables. */
  public static OffsetOptions defaults() {
    return new OffsetOptions(GreedyBySizePlanner.NAME, 64, /* inPlace= */ true, Views.RESHAPE);
  }
}
