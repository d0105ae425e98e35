package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shape rules for operators that select elements by index. */
final class GatherShapes {

  private GatherShapes() {}

  /** {@code gather}: the extent of {@code axis} becomes the number of indices. */
  static void gather(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape index = call.in("Index");
    long axis = call.has("Axis") ? call.number("Axis").asLong() : call.integer("axis", 0);
    int place = call.axis(axis, x.rank());
    boolean list = index.rank() == 1 || (index.rank() == 2 && index.dim(1).is(1));
    if (!list) {
      throw new ShapeMismatchException("Index " + index + " is not a list of indices");
    }
    DataType type = call.dataType("Index");
    if (type != DataType.INT32 && type != DataType.INT64 && type != DataType.UNKNOWN) {
      throw new ShapeMismatchException("Index is of " + type + ": Paddle writes nothing");
    }
    AbstractShape result = AbstractShape.of(DimLists.with(x.dims(), place, index.dim(0)));
    call.out("Out", result.withElements(picked(x, index)));
  }

  private static @Nullable List<SymbolicExtent> picked(AbstractShape x, AbstractShape index) {
    if (x.rank() != 1 || !x.hasElements() || !index.hasElements()) {
      return null;
    }
    List<SymbolicExtent> elements = new ArrayList<>();
    for (SymbolicExtent place : index.elements()) {
      if (!place.isExact() || place.value() < 0 || place.value() >= x.elements().size()) {
        return null;
      }
      elements.add(x.elements().get((int) place.value()));
    }
    return elements;
  }

  /** {@code gather_nd}: each row along the last axis of {@code Index} selects a slice. */
  static void gatherNd(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape index = call.in("Index");
    long depth = index.dim(-1).asLong();
    if (depth > x.rank()) {
      throw new ShapeMismatchException(
          "Index " + index + " has more numbers than X " + x + " axes");
    }
    List<SymbolicExtent> dims = new ArrayList<>(index.dims().subList(0, index.rank() - 1));
    dims.addAll(x.dims().subList((int) depth, x.rank()));
    call.out("Out", AbstractShape.of(dims.isEmpty() ? List.of(SymbolicExtent.of(1)) : dims));
  }

  /** {@code take_along_axis}: an element of {@code Input} per index. */
  static void takeAlongAxis(ShapeCall call) {
    // For an axis that is negative or does not exist, Paddle writes nothing.
    long axis = call.integer("Axis", 0);
    if (call.axis(axis, call.in("Input").rank()) != axis) {
      throw new ShapeMismatchException("Axis " + axis + " is negative: Paddle writes nothing");
    }
    call.out("Result", call.in("Index").withElements(null));
  }

  /** {@code index_select}: the extent of {@code dim} becomes the number of indices. */
  static void indexSelect(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = call.axis(call.integer("dim", 0), x.rank());
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), axis, call.in("Index").dim(0))));
  }

  /** {@code one_hot}: the last extent, which is 1, becomes {@code depth}. */
  static void oneHot(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<SymbolicExtent> dims = DimLists.with(x.dims(), x.rank() - 1, depth(call));
    call.out("Out", AbstractShape.of(dims).withLod(x.lod()));
  }

  /** {@code one_hot_v2}: {@code depth} is a new last extent. */
  static void oneHotV2(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    dims.add(depth(call));
    call.out("Out", AbstractShape.of(dims).withLod(x.lod()));
  }

  private static SymbolicExtent depth(ShapeCall call) {
    return call.has("depth_tensor")
        ? call.number("depth_tensor")
        : SymbolicExtent.of(call.integer("depth", -1));
  }

  /**
   * {@code repeat_interleave}: the extent of {@code dim} times {@code Repeats}, or the sum of the
   * elements of {@code RepeatsTensor}.
   */
  static void repeatInterleave(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = call.axis(call.integer("dim", 0), x.rank());
    SymbolicExtent extent;
    if (call.has("RepeatsTensor")) {
      ImmutableList<SymbolicExtent> counts = call.in("RepeatsTensor").elements();
      SymbolicExtent sum = SymbolicExtent.of(0);
      for (SymbolicExtent count : counts) {
        sum = sum.plus(count);
      }
      extent = counts.size() == 1 ? x.dim(axis).times(counts.get(0)) : sum;
    } else {
      extent = x.dim(axis).times(call.integer("Repeats", 1));
    }
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), axis, extent)));
  }

  /** {@code diag_v2}: a vector becomes a matrix, a matrix becomes its diagonal. */
  static void diag(ShapeCall call) {
    String slot = call.has("X") ? "X" : "Diagonal";
    AbstractShape x = call.in(slot);
    int offset = call.integer("offset", 0);
    if (x.rank() == 1) {
      SymbolicExtent side = x.dim(0).plus(Math.abs(offset));
      call.out("Out", AbstractShape.of(side, side));
      return;
    }
    SymbolicExtent rows = offset < 0 ? x.dim(0).plus(offset) : x.dim(0);
    SymbolicExtent columns = offset > 0 ? x.dim(1).minus(offset) : x.dim(1);
    call.out("Out", AbstractShape.of(rows.min(columns)));
  }

  /**
   * {@code diag_embed}: each list along the last axis becomes a diagonal of a square matrix with
   * the axes {@code dim1} and {@code dim2}.
   */
  static void diagEmbed(ShapeCall call) {
    AbstractShape input = call.in("Input");
    SymbolicExtent side = input.dim(-1).plus(Math.abs(call.integer("offset", 0)));
    int first = call.axis(call.integer("dim1", -2), input.rank() + 1);
    int second = call.axis(call.integer("dim2", -1), input.rank() + 1);
    if (first == second) {
      throw new ShapeMismatchException("dim1 and dim2 are both axis " + first);
    }
    List<SymbolicExtent> dims = new ArrayList<>(DimLists.dropLast(input, 1));
    dims.add(Math.min(first, second), side);
    dims.add(Math.max(first, second), side);
    call.out("Out", AbstractShape.of(dims));
  }
}
