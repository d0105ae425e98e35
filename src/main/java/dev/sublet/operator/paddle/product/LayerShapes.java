package dev.sublet.operator.paddle.product;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.program.Slot;

/** Shape rules for fully connected layers, embeddings, and similar layers. */
public final class LayerShapes {

  private LayerShapes() {}

  /**
   * Gives {@code Out} the extents of {@code Input} before axis {@code in_num_col_dims}, and the
   * columns of {@code W}. With {@code padding_weights}, {@code W} has 4 surplus rows and columns.
   */
  public static void fullyConnected(ShapeCall call) {
    AbstractShape input = call.in("Input");
    call.out("Out", connected(call, input, call.integer("in_num_col_dims", 1)));
  }

  /** Returns the shape of an input times {@code W}: the extents before an axis, and the columns. */
  public static AbstractShape connected(ShapeCall call, AbstractShape input, int axis) {
    AbstractShape w = call.in("W");
    DimLists.checkRank(w, "W", 2);
    int padding = call.flag("padding_weights", false) ? 4 : 0;
    if (axis < 1 || axis >= input.rank()) {
      throw new ShapeMismatchException("there is no axis " + axis + " within Input " + input);
    }
    SymbolicExtent width = DimLists.product(input.dims().subList(axis, input.rank()));
    DimLists.checkEqual(
        width,
        w.dim(0).minus(padding),
        "Input %s has %s numbers from axis %s on, but W %s takes %s",
        input,
        width,
        axis,
        w,
        w.dim(0).minus(padding));
    return AbstractShape.of(DimLists.append(input.dims().subList(0, axis), w.dim(1).minus(padding)))
        .withLod(input.lod());
  }

  /** Gives {@code Out} a row of {@code W} per element of {@code Ids}, whose last extent is 1. */
  public static void lookup(ShapeCall call) {
    AbstractShape ids = call.in("Ids");
    DimLists.checkEqual(
        ids.dim(-1), SymbolicExtent.of(1), "Ids %s do not have 1 as their last extent", ids);
    rows(call, DimLists.dropLast(ids, 1), call.in("W").dim(1));
  }

  /** Gives {@code Out} a row of {@code W} per element of {@code Ids}. */
  public static void lookupV2(ShapeCall call) {
    rows(call, call.in("Ids").dims(), call.in("W").dim(1));
  }

  /**
   * Gives {@code Out} a row per element of {@code Ids}: four numbers for each number in a row of
   * {@code W}, except the two numbers that scale the row.
   */
  public static void lookupDequantized(ShapeCall call) {
    SymbolicExtent width = call.in("W").dim(1).minus(2).times(4);
    rows(call, DimLists.dropLast(call.in("Ids"), 1), width);
  }

  private static void rows(
      ShapeCall call, ImmutableList<SymbolicExtent> dims, SymbolicExtent width) {
    call.out("Out", AbstractShape.of(DimLists.append(dims, width)).withLod(call.in("Ids").lod()));
  }

  /** Gives {@code Out} one matrix product per slot. */
  public static void batchConnected(ShapeCall call) {
    AbstractShape input = call.in("Input");
    call.out("Out", AbstractShape.of(input.dim(0), input.dim(1), call.in("W").dim(-1)));
  }

  /**
   * Gives {@code Out} the columns of {@code RankParam} for each row; the other outputs are
   * workspaces.
   */
  public static void rankAttention(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent rows = x.dim(0);
    SymbolicExtent width = x.dim(1).times(call.integer("MaxRank", 3));
    call.out("Out", AbstractShape.of(rows, call.in("RankParam").dim(1)).withLod(x.lod()));
    call.out("InputHelp", AbstractShape.of(rows, width));
    call.out("InsRank", AbstractShape.of(rows, SymbolicExtent.of(1)));
  }

  /** Gives {@code Out} the shape of {@code X}, and {@code ShuffleIdx} one number per row. */
  public static void shuffleBatch(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", x.withElements(null));
    call.out("ShuffleIdx", AbstractShape.of(DimLists.product(DimLists.dropLast(x, 1))));
    call.out("SeedOut", call.in("Seed").withElements(null));
  }

  /**
   * Gives {@code Out} the shape of {@code X}, with {@code out_size} rows if this is given, and
   * {@code Dst_count} one number per row.
   */
  public static void graphSendReceive(ShapeCall call) {
    AbstractShape x = call.in("X");
    if (call.has("Out_size")) {
      throw new UnknownShapeException("it depends on the elements of Out_size");
    }
    int size = call.integer("out_size", 0);
    SymbolicExtent rows = size > 0 ? SymbolicExtent.of(size) : x.dim(0);
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), 0, rows)));
    call.out("Dst_count", AbstractShape.of(rows));
  }

  /**
   * Gives {@code Out} one row per segment. The number of rows is unknown, because it depends on the
   * greatest element of {@code SegmentIds}.
   */
  public static void segmentPool(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent rows = call.unknown("segments", "it depends on the elements of SegmentIds");
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), 0, rows)));
    call.out("SummedIds", AbstractShape.of(rows, SymbolicExtent.of(1)));
  }

  /** Gives every output one element. */
  public static void single(ShapeCall call) {
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        call.out(slot.name(), i, AbstractShape.of(1));
      }
    }
  }
}
