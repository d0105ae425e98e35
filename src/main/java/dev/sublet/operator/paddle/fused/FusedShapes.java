package dev.sublet.operator.paddle.fused;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.product.LayerShapes;
import dev.sublet.operator.paddle.shape.JoinShapes;
import dev.sublet.operator.paddle.shape.ReshapeShapes;
import java.util.ArrayList;
import java.util.List;

/** Shape rules for the operators that fusion passes write. */
final class FusedShapes {

  private FusedShapes() {}

  /** Gives {@code Out} one embedding per id: the sum of the embeddings of several kinds of ids. */
  static void embeddings(ShapeCall call) {
    AbstractShape ids = call.in("Ids");
    call.out("Out", AbstractShape.of(ids.dim(0), ids.dim(1), call.in("Embs").dim(1)));
  }

  /**
   * Gives {@code Out} the shape of a fully connected layer's result, and each statistic one number
   * per combination of indices before the axis of the norm.
   */
  static void connectedNormalized(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape out = LayerShapes.connected(call, x, call.integer("x_num_col_dims", 1));
    int axis = call.axis(call.integer("begin_norm_axis", 1), out.rank());
    AbstractShape statistic = AbstractShape.of(DimLists.product(out.dims().subList(0, axis)));
    call.out("Out", out);
    call.out("Mean", statistic);
    call.out("Variance", statistic);
  }

  /**
   * Gives {@code Out} the shape to which {@code X} and {@code Y} broadcast. {@code IntermediateOut}
   * is the result of the inner function: of both inputs if the function is binary, else of {@code
   * Y} alone.
   */
  static void elementwise(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    AbstractShape out =
        AbstractShape.of(
                ElementwiseShapes.broadcastDims(call, x.dims(), y.dims(), call.integer("axis", -1)))
            .withLod(x.lod());
    AbstractShape larger = x.rank() >= y.rank() ? x : y;
    for (int i = 0; i < out.rank(); i++) {
      DimLists.checkEqual(out.dim(i), larger.dim(i), "only one of X %s and Y %s is repeated", x, y);
    }
    if (x.rank() < y.rank() && isPaddedTo(x, y)) {
      throw new ShapeMismatchException(
          "Paddle computes the first element only if X " + x + " is Y " + y + " without its ones");
    }
    call.out("Out", out);
    ImmutableList<String> functions =
        call.operation()
            .attribute("functor_list")
            .map(list -> list.strings())
            .orElse(ImmutableList.of());
    boolean isBinaryInside = functions.size() > 1 && functions.get(1).startsWith("elementwise");
    call.out("IntermediateOut", isBinaryInside ? out : y.withElements(null));
  }

  /** Whether a shape with ones in front is another shape. */
  private static boolean isPaddedTo(AbstractShape x, AbstractShape y) {
    int more = y.rank() - x.rank();
    return y.dims().subList(0, more).stream().allMatch(extent -> extent.is(1))
        && y.dims().subList(more, y.rank()).equals(x.dims());
  }

  /**
   * Gives {@code Out} one row per sequence. The row contains, for each column of {@code Ids}, the
   * sum of the embeddings, one sum after the other.
   */
  static void embeddingPool(ShapeCall call) {
    AbstractShape ids = call.in("Ids");
    SymbolicExtent perRow = DimLists.product(ids.dims().subList(1, ids.rank()));
    SymbolicExtent width = call.in("W").dim(1).times(perRow);
    call.out("Out", AbstractShape.of(DimLists.sequences(call, ids), width));
  }

  /** Gives {@code Out} one row per sequence, as wide as the rows of all inputs side by side. */
  static void poolAndConcat(ShapeCall call) {
    SymbolicExtent width = SymbolicExtent.of(0);
    for (AbstractShape x : call.all("X")) {
      width = width.plus(x.dim(1));
    }
    call.out("Out", AbstractShape.of(DimLists.sequences(call, call.in("X")), width));
  }

  /**
   * Gives each {@code Out} one row per sequence, without {@code cvm_offset} columns unless {@code
   * use_cvm}.
   */
  static void poolClickThrough(ShapeCall call) {
    int offset = call.flag("use_cvm", true) ? 0 : call.integer("cvm_offset", 2);
    List<AbstractShape> inputs = call.all("X");
    for (int i = 0; i < inputs.size(); i++) {
      AbstractShape x = inputs.get(i);
      call.out("Out", i, AbstractShape.of(DimLists.sequences(call, x), x.dim(1).minus(offset)));
    }
  }

  /** Gives {@code Out} all {@code X}, transposed, as matrices, one after the other. */
  static void transposedAndFlattened(ShapeCall call) {
    List<AbstractShape> parts = new ArrayList<>();
    parts.add(transposedMatrix(call, call.in("X")));
    for (AbstractShape x : Iterables.skip(call.all("X"), 1)) {
      parts.add(transposedMatrix(call, x));
    }
    int axis = call.axis(call.integer("concat_axis", 1), /* rank= */ 2);
    call.out("Out", JoinShapes.concatenated(parts, axis));
  }

  private static AbstractShape transposedMatrix(ShapeCall call, AbstractShape x) {
    AbstractShape transposed =
        AbstractShape.of(ReshapeShapes.permuted(x, call.required("trans_axis")));
    int axis = call.integer("flatten_axis", 1);
    return AbstractShape.of(ReshapeShapes.flattened(transposed, axis));
  }

  private static AbstractShape rows(AbstractShape x, SymbolicExtent width) {
    return AbstractShape.of(x.dim(0), width).withLod(x.lod());
  }

  /**
   * Gives the outputs one row per row of {@code X}; the width of {@code Hidden} is the height of
   * {@code WeightH}.
   */
  static void gru(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent frame = call.in("WeightH").dim(0);
    SymbolicExtent gates = call.in("WeightX").dim(1);
    call.out("Hidden", rows(x, frame));
    call.out("XX", projected(call, x, gates));
    call.out("BatchedInput", rows(x, gates));
    call.out("BatchedOut", rows(x, frame));
    call.out("ReorderedH0", AbstractShape.of(DimLists.sequences(call, x), frame));
  }

  /**
   * Gives the outputs one row per row of {@code X}; the width of {@code Hidden} and {@code Cell} is
   * the height of {@code WeightH}.
   */
  static void lstm(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent frame = call.in("WeightH").dim(0);
    SymbolicExtent gates = call.in("WeightX").dim(1);
    call.out("XX", projected(call, x, gates));
    lstmStates(call, rows(x, frame), gates);
  }

  /**
   * Gives the outputs the shapes of {@link #lstm}, with one row per id instead of one per row of
   * {@code X}.
   */
  static void embeddingLstm(ShapeCall call) {
    AbstractShape ids = call.in("Ids");
    SymbolicExtent gates = call.in("WeightH").dim(1);
    call.out("XX", rows(ids, gates));
    lstmStates(call, rows(ids, call.in("WeightH").dim(0)), gates);
  }

  private static void lstmStates(ShapeCall call, AbstractShape frames, SymbolicExtent gates) {
    SymbolicExtent frame = frames.dim(1);
    for (String name : new String[] {"Hidden", "Cell", "BatchedHidden", "BatchedCell"}) {
      call.out(name, frames);
    }
    call.out("BatchedInput", rows(frames, gates));
    AbstractShape first = AbstractShape.of(DimLists.sequences(call, frames), frame);
    call.out("ReorderedH0", first);
    call.out("ReorderedC0", first);
    call.out("CheckedCell", AbstractShape.of(SymbolicExtent.of(2), frame));
  }

  /**
   * Returns the shape of the projected input in {@code XX}. Several sequences without {@code
   * use_seq} are put into batches: then {@code XX} has the offsets of the batches, and the width of
   * the input if the input is narrower, because it is projected later.
   */
  private static AbstractShape projected(ShapeCall call, AbstractShape x, SymbolicExtent gates) {
    boolean isGates = call.flag("use_seq", true) || x.dim(1).min(gates).isSame(gates);
    return rows(x, isGates ? gates : call.atMost("projected", gates)).withLod(null);
  }

  /** Gives {@code Hidden} the states of both directions of the last layer. */
  static void multiGru(ShapeCall call) {
    List<AbstractShape> weights = call.all("WeightH");
    AbstractShape last = weights.get(weights.size() - 1);
    call.out("Hidden", rows(call.in("X"), last.dim(0).times(2)));
  }

  /** Gives {@code Out}, and each {@code ReluOut} before it, as many columns as its weight has. */
  static void repeatedConnected(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<AbstractShape> weights = call.all("W");
    List<AbstractShape> results = new ArrayList<>();
    for (AbstractShape w : weights) {
      results.add(rows(x, w.dim(1)));
    }
    for (int i = 0; i < results.size() - 1; i++) {
      call.out("ReluOut", i, results.get(i));
    }
    call.out("Out", rows(x, weights.get(weights.size() - 1).dim(1)));
  }

  /**
   * Gives {@code Out} the columns of {@code Filter}; {@code ColMat} has one column per row of
   * {@code Filter}.
   */
  static void sequenceConvolution(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape filter = call.in("Filter");
    call.out("Out", rows(x, filter.dim(1)));
    call.out("ColMat", AbstractShape.of(x.dim(0), filter.dim(0)));
  }

  /**
   * Gives {@code Out} one row per row of the first input, and {@code FCOut} one row per sequence.
   */
  static void expandAndConnect(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent width = call.in("FCWeight").dim(1);
    call.out("Out", rows(x, width));
    call.out("FCOut", AbstractShape.of(DimLists.sequences(call, x), width));
  }

  /**
   * Gives {@code Out} the shape of {@code X}, and each {@code CacheKVOut} that of its {@code
   * CacheKV}.
   */
  static void transformer(ShapeCall call) {
    call.out("Out", call.in("X").withElements(null));
    List<AbstractShape> caches = call.all("CacheKV");
    for (int i = 0; i < caches.size(); i++) {
      call.out("CacheKVOut", i, caches.get(i).withElements(null));
    }
  }

  /**
   * Gives {@code Out} and {@code SquaredXY} the shape of the matrix product, and each square the
   * shape of its input.
   */
  static void squaredDifference(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    AbstractShape product = AbstractShape.of(x.dim(0), y.dim(1));
    call.out("SquaredX", x.withElements(null));
    call.out("SquaredY", y.withElements(null));
    call.out("SquaredXY", product);
    call.out("Out", product);
  }
}
