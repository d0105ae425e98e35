package dev.sublet.shape;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;

/**
 * The shapes of one run, as the user gives them.
 *
 * @param batch the value of a leading extent of -1 in the declaration of a feed; at least 1
 * @param feedShapes the shapes of feeds, by name; these replace the declared ones
 * @param lod the sequence offsets of feeds, by name, the coarsest level first: each level ascends
 *     from 0, and the finest ends at the number of rows
 */
public record ShapeOptions(
    long batch,
    ImmutableMap<String, ImmutableLongArray> feedShapes,
    ImmutableMap<String, ImmutableList<ImmutableLongArray>> lod) {

  /** Throws {@link IllegalArgumentException} if the batch is less than one. */
  public ShapeOptions {
    checkArgument(batch >= 1, "batch %s", batch);
    requireNonNull(feedShapes, "feedShapes");
    requireNonNull(lod, "lod");
  }

  /** Batch 1, the declared shapes, no sequences. */
  public static ShapeOptions defaults() {
    return new ShapeOptions(1, ImmutableMap.of(), ImmutableMap.of());
  }

  /** The same with another batch. */
  public ShapeOptions withBatch(long newBatch) {
    return new ShapeOptions(newBatch, feedShapes, lod);
  }

  /** The same with another shape of a feed, or another value of a named extent of an ONNX model. */
  public ShapeOptions withShape(String feed, long... extents) {
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    shapes.putAll(feedShapes).put(feed, ImmutableLongArray.copyOf(extents));
    return new ShapeOptions(batch, shapes.buildKeepingLast(), lod);
  }

  /** The same with other sequences of a feed: levels of offsets, the coarsest one first. */
  public ShapeOptions withSequences(String feed, ImmutableLongArray... levels) {
    ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> sequences =
        ImmutableMap.builder();
    sequences.putAll(lod).put(feed, ImmutableList.copyOf(levels));
    return new ShapeOptions(batch, feedShapes, sequences.buildKeepingLast());
  }

  /** Whether all values are those of {@link #defaults}. */
  public boolean isDefault() {
    return batch == 1 && feedShapes.isEmpty() && lod.isEmpty();
  }
}
