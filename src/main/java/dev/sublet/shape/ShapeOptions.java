package dev.sublet.shape;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;

/**
 * The shapes of one run, as the user gives them.
 *
 * @param batch the value of a leading extent of -1 in the declaration of a feed; at least 1
 * @param feedShapes the shapes of feeds, by name; these replace the declared ones
 * @param lod the sequence offsets of feeds, by name, the coarsest level first: each level ascends
 *     from 0, and the finest ends at the number of rows
 * @param values the elements of feeds that are the same in each of these runs, by name
 */
public record ShapeOptions(
    long batch,
    ImmutableMap<String, ImmutableLongArray> feedShapes,
    ImmutableMap<String, ImmutableList<ImmutableLongArray>> lod,
    ImmutableMap<String, ImmutableLongArray> values) {

  /** The maximum number of levels for which one sequence is assumed; real programs have two. */
  private static final int MOST_LEVELS = 8;

  /** Throws {@link IllegalArgumentException} if the batch is less than one. */
  public ShapeOptions {
    checkArgument(batch >= 1, "batch %s", batch);
    requireNonNull(feedShapes, "feedShapes");
    requireNonNull(lod, "lod");
    requireNonNull(values, "values");
  }

  /** Shapes and sequences without values. */
  public ShapeOptions(
      long batch,
      ImmutableMap<String, ImmutableLongArray> feedShapes,
      ImmutableMap<String, ImmutableList<ImmutableLongArray>> lod) {
    this(batch, feedShapes, lod, ImmutableMap.of());
  }

  /** Batch 1, the declared shapes, no sequences. */
  public static ShapeOptions defaults() {
    return new ShapeOptions(1, ImmutableMap.of(), ImmutableMap.of());
  }

  /** The same with another batch. */
  public ShapeOptions withBatch(long newBatch) {
    return new ShapeOptions(newBatch, feedShapes, lod, values);
  }

  /** The same with another shape of a feed, or another value of a named extent of an ONNX model. */
  public ShapeOptions withShape(String feed, long... extents) {
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    shapes.putAll(feedShapes).put(feed, ImmutableLongArray.copyOf(extents));
    return new ShapeOptions(batch, shapes.buildKeepingLast(), lod, values);
  }

  /** The same with other sequences of a feed: levels of offsets, the coarsest one first. */
  public ShapeOptions withSequences(String feed, ImmutableLongArray... levels) {
    ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> sequences =
        ImmutableMap.builder();
    sequences.putAll(lod).put(feed, ImmutableList.copyOf(levels));
    return new ShapeOptions(batch, feedShapes, sequences.buildKeepingLast(), values);
  }

  /** The same with the shapes of feeds replaced. */
  public ShapeOptions withShapes(ImmutableMap<String, ImmutableLongArray> shapes) {
    return new ShapeOptions(batch, shapes, lod, values);
  }

  /** The same with the elements of a feed. Results then hold for runs with this value only. */
  public ShapeOptions withValue(String feed, long... elements) {
    ImmutableMap.Builder<String, ImmutableLongArray> all = ImmutableMap.builder();
    all.putAll(values).put(feed, ImmutableLongArray.copyOf(elements));
    return new ShapeOptions(batch, feedShapes, lod, all.buildKeepingLast());
  }

  /** The same with the values of feeds replaced. */
  public ShapeOptions withValues(ImmutableMap<String, ImmutableLongArray> newValues) {
    return new ShapeOptions(batch, feedShapes, lod, newValues);
  }

  /**
   * The same with one sequence for each feed that a program declares to have sequences, and whose
   * shape is given without offsets. Other feeds of that kind have unknown sequences.
   *
   * <pre>{@code words: 9 by 1, with one level of LoD     offsets [0, 9]}</pre>
   */
  public ShapeOptions withSingleSequences(Program program) {
    ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> sequences =
        ImmutableMap.builder();
    sequences.putAll(lod);
    feedShapes.forEach(
        (feed, shape) -> {
          int variable = program.declared(0, feed);
          int levels = variable < 0 ? 0 : declaredLevels(program.variable(variable));
          if (0 < levels && levels <= MOST_LEVELS && !shape.isEmpty() && !lod.containsKey(feed)) {
            ImmutableList.Builder<ImmutableLongArray> offsets = ImmutableList.builder();
            for (int level = 1; level < levels; level++) {
              offsets.add(ImmutableLongArray.of(0, 1));
            }
            sequences.put(feed, offsets.add(ImmutableLongArray.of(0, shape.get(0))).build());
          }
        });
    return new ShapeOptions(batch, feedShapes, sequences.buildOrThrow(), values);
  }

  private static int declaredLevels(Variable variable) {
    return variable.tensorType().map(TensorType::lodLevel).orElse(0);
  }

  /** Whether all values are those of {@link #defaults}. */
  public boolean isDefault() {
    return batch == 1 && feedShapes.isEmpty() && lod.isEmpty() && values.isEmpty();
  }
}
