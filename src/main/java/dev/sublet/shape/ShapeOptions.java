package dev.sublet.shape;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;

/**
 * What the user says about the shapes of one run.
 *
 * @param batch what a leading -1 is bound by; at least 1
 * @param feedShapes the shapes of feeds, by name; these replace the declared ones
 */
public record ShapeOptions(long batch, ImmutableMap<String, ImmutableLongArray> feedShapes) {

  public ShapeOptions {
    checkArgument(batch >= 1, "batch %s", batch);
    requireNonNull(feedShapes, "feedShapes");
  }

  /** Batch 1, the declared shapes. */
  public static ShapeOptions defaults() {
    return new ShapeOptions(1, ImmutableMap.of());
  }
}
