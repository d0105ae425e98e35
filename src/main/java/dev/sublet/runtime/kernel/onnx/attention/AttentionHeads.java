package dev.sublet.runtime.kernel.onnx.attention;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.NumpyBroadcast;
import dev.sublet.runtime.kernel.onnx.element.OnnxSoftmax;
import dev.sublet.runtime.kernel.onnx.product.OnnxProducts;
import dev.sublet.runtime.kernel.shape.JoinLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Scaled dot-product attention of several heads: softmax(scale · Q Kᵀ + mask) V. Tensors have the
 * axes image, head, step, element.
 *
 * <p>Source: A. Vaswani et al., "Attention Is All You Need", 2017. O(steps · total steps ·
 * elements) per head.
 *
 * @param scores the scores of each step of the query for each step of the key, with the scale
 */
record AttentionHeads(MicroValue scores) {

  /** The score of a step that may not be looked at. */
  private static final double LEAST = -Float.MAX_VALUE;

  /**
   * Splits the last axis of [batch, steps, heads · size] into heads: [batch, heads, steps, size].
   */
  static MicroValue split(Formula f, MicroValue x, long heads) {
    long[] shape = Shapes.ofRank(3, f.shape(x), "an input");
    if (heads < 1 || shape[2] % heads != 0) {
      throw new OperatorException(shape[2] + " elements in " + heads + " heads");
    }
    MicroValue parts = f.reshape(x, shape[0], shape[1], heads, shape[2] / heads);
    return f.transpose(parts, 0, 2, 1, 3);
  }

  /** Undoes {@link #split}. */
  static MicroValue joined(Formula f, MicroValue x) {
    long[] shape = f.shape(x);
    MicroValue steps = f.transpose(x, 0, 2, 1, 3);
    return f.reshape(steps, shape[0], shape[2], shape[1] * shape[3]);
  }

  /** Returns keys or values after those of earlier steps, if there are some. */
  static MicroValue after(Formula f, Optional<MicroValue> past, MicroValue x) {
    return past.isPresent() ? JoinLowerings.joined(f, List.of(past.get(), x), 2) : x;
  }

  /** Scores the steps. */
  static AttentionHeads of(Formula f, MicroValue query, MicroValue key, double scale) {
    double factor = scale == 0 ? 1 / Math.sqrt((double) f.shape(query)[3]) : scale;
    MicroValue products =
        OnnxProducts.product(f, query, OnnxProducts.transposed(f, key, /* transposes= */ true));
    return new AttentionHeads(f.times(products, factor));
  }

  /** Adds a mask, whose extents of 1 repeat. */
  AttentionHeads plus(Formula f, MicroValue mask) {
    return new AttentionHeads(f.plus(scores, NumpyBroadcast.stretch(f, mask, f.shape(scores))));
  }

  /** Lets each step of the query look at steps up to itself only; it is one of the last steps. */
  AttentionHeads causal(Formula f) {
    long[] shape = f.shape(scores);
    MicroValue ahead =
        f.position(
            shape,
            Indices.plus(Indices.minus(Indices.loop(3), Indices.loop(2)), shape[2] - shape[3]));
    return only(f, f.apply(BinaryOperator.LESS_EQUAL, ahead, 0L));
  }

  /** Lets steps look only where a condition in the shape of the scores is true. */
  AttentionHeads only(Formula f, MicroValue isSeen) {
    return new AttentionHeads(f.graph().choose(isSeen, scores, f.number(scores, LEAST)));
  }

  /**
   * Adds a number to the scores of masked steps.
   *
   * @param mask integers: the number of steps that are seen, for each image; then maybe the first
   *     step that is seen; or 0 for each masked step, with the axes image, (query,) step
   */
  AttentionHeads masked(Formula f, MicroValue mask, double filter) {
    long[] shape = f.shape(scores);
    long[] given = f.shape(mask);
    MicroValue isSeen;
    if (given.length == 1) {
      isSeen = range(f, mask, shape);
    } else {
      MicroValue flags = f.apply(BinaryOperator.GREATER, mask, 0L);
      Shapes.ofRankFrom(2, given, "mask");
      long[] whole = {given[0], 1, given.length == 3 ? given[1] : 1, given[given.length - 1]};
      boolean fits = given.length < 4 && whole[3] == shape[3];
      if (!fits) {
        throw new OperatorException(
            "a mask " + Arrays.toString(given) + " for scores " + Arrays.toString(shape));
      }
      isSeen = NumpyBroadcast.stretch(f, f.reshape(flags, whole), shape);
    }
    MicroValue added = f.filled(f.type(scores), filter, shape);
    MicroValue zeros = f.times(added, 0.0);
    return new AttentionHeads(f.plus(scores, f.graph().choose(isSeen, zeros, added)));
  }

  private static MicroValue range(Formula f, MicroValue mask, long[] shape) {
    long count = f.shape(mask)[0];
    if (count != shape[0] && count != 2 * shape[0]) {
      throw new OperatorException("a mask of " + count + " numbers for " + shape[0] + " images");
    }
    MicroValue step = f.position(shape, Indices.loop(3));
    MicroValue numbers = f.as(ElementType.INT64, mask);
    MicroValue end = f.reindex(numbers, shape, Indices.loop(0));
    MicroValue isSeen = f.apply(BinaryOperator.LESS, step, end);
    if (count == shape[0]) {
      return isSeen;
    }
    MicroValue begin = f.reindex(numbers, shape, Indices.plus(Indices.loop(0), shape[0]));
    return f.apply(BinaryOperator.AND, isSeen, f.apply(BinaryOperator.GREATER_EQUAL, step, begin));
  }

  /** Returns the means of the values, weighted by the softmax of the scores. */
  MicroValue of(Formula f, MicroValue value) {
    return OnnxProducts.product(f, OnnxSoftmax.softmax(f, scores, 3), value);
  }
}
