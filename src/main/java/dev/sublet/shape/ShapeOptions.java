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

  /** The same with another batch. */
  public ShapeOptions withBatch(long newBatch) {
    return new ShapeOptions(newBatch, feedShapes, lod);
  }

  /** The same with another shape of a feed; of an ONNX model also with a number for a name. */
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

  /** Whether the user says anything at all. */
  boolean isGiven() {
    return batch != 1 || !feedShapes.isEmpty() || !lod.isEmpty();
  }
}
