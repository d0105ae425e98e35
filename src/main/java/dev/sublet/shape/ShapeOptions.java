package dev.sublet.shape;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;

/**
 * What the user says about the shapes of one run.
 *
 * @param batch what a leading -1 of a feed is bound by; at least 1
 * @param feedShapes the shapes of feeds, by name; these replace the declared ones
 * @param lod the sequence offsets of feeds, by name, the coarsest level first: each level ascends
 *     from 0, and the finest ends at the number of rows
 */
public record ShapeOptions(
    long batch,
    ImmutableMap<String, ImmutableLongArray> feedShapes,
    ImmutableMap<String, ImmutableList<ImmutableLongArray>> lod) {

  public ShapeOptions {
    checkArgument(batch >= 1, "batch %s", batch);
    requireNonNull(feedShapes, "feedShapes");
    requireNonNull(lod, "lod");
  }

  /** Batch 1, the declared shapes, no sequences. */
  public static ShapeOptions defaults() {
    return new ShapeOptions(1, ImmutableMap.of(), ImmutableMap.of());
  }

  /** Whether the user says anything at all. */
  boolean isGiven() {
    return batch != 1 || !feedShapes.isEmpty() || !lod.isEmpty();
  }
}
