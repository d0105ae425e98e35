package dev.sublet.paddle.runtime;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.shape.ShapeOptions;
import java.util.SplittableRandom;

/**
 * What a model is fed with, by the names of its feeds. Values are pseudo-random but depend on the
 * name and shape alone, so every run of every version of a program gets the same.
 *
 * @param tensors the tensors, by name
 */
public record Feeds(ImmutableMap<String, TensorData> tensors) {

  public Feeds {
    requireNonNull(tensors, "tensors");
  }

  /** No feeds; the start of a chain of {@code with…} calls. */
  public static Feeds none() {
    return new Feeds(ImmutableMap.of());
  }

  /** Adds an FP32 tensor of values in [0, 1), as normalized images have. */
  public Feeds withImage(String name, long... dims) {
    ImmutableLongArray extents = ImmutableLongArray.copyOf(dims);
    SplittableRandom random = new SplittableRandom(name.hashCode());
    float[] values = new float[Math.toIntExact(TensorData.elements(extents))];
    for (int i = 0; i < values.length; i++) {
      // Eight bits, as pixels have: sums of a few of them are exact.
      values[i] = random.nextInt(256) / 256f;
    }
    return with(name, TensorData.ofFloats(extents, values));
  }

  /** Adds an FP32 tensor of one row. */
  public Feeds withRow(String name, float... values) {
    return with(name, TensorData.ofFloats(ImmutableLongArray.of(1, values.length), values));
  }

  /** Adds INT64 ids below a bound, as one column cut into sequences of these lengths. */
  public Feeds withSequencesOfIds(String name, int bound, int... lengths) {
    ImmutableLongArray offsets = offsets(lengths);
    long[] ids = new long[Math.toIntExact(offsets.get(lengths.length))];
    SplittableRandom random = new SplittableRandom(name.hashCode());
    for (int i = 0; i < ids.length; i++) {
      ids[i] = random.nextInt(bound);
    }
    TensorData column = TensorData.ofLongs(ImmutableLongArray.of(ids.length, 1), ids);
    return with(name, column.withLod(offsets));
  }

  private static ImmutableLongArray offsets(int... lengths) {
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long end = 0;
    for (int length : lengths) {
      end += length;
      offsets.add(end);
    }
    return offsets.build();
  }

  /** Adds a tensor. */
  public Feeds with(String name, TensorData tensor) {
    return new Feeds(
        ImmutableMap.<String, TensorData>builder()
            .putAll(tensors)
            .put(name, tensor)
            .buildOrThrow());
  }

  /** The shapes alone, by name: what Sublet can be told of these feeds. */
  public ImmutableMap<String, ImmutableLongArray> shapes() {
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    tensors.forEach((name, tensor) -> shapes.put(name, tensor.dims()));
    return shapes.buildOrThrow();
  }

  /** All that Sublet can be told of these feeds: shapes and sequences. */
  public ShapeOptions shapeOptions() {
    ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> lod = ImmutableMap.builder();
    tensors.forEach(
        (name, tensor) -> {
          if (!tensor.lod().isEmpty()) {
            lod.put(name, tensor.lod());
          }
        });
    return new ShapeOptions(1, shapes(), lod.buildOrThrow());
  }

  /** The names, in the order in which they were added. */
  public ImmutableList<String> names() {
    return tensors.keySet().asList();
  }
}
