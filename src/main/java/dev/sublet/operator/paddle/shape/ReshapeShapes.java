package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.TensorType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Shape rules for operators that give the same elements another shape.
 *
 * <p>{@code XShape} is {@code [0, …]}, with the shape of {@code X} after the zero.
 */
public final class ReshapeShapes {

  private ReshapeShapes() {}

  private static void out(ShapeCall call, AbstractShape x, Iterable<SymbolicExtent> dims) {
    AbstractShape result = x.withDims(dims);
    call.out("Out", x.hasElements() ? result.withElements(x.elements()) : result);
    ImmutableList.Builder<SymbolicExtent> shape = ImmutableList.builder();
    shape.add(SymbolicExtent.of(0)).addAll(x.dims());
    call.out("XShape", AbstractShape.of(shape.build()).withLod(x.lod()));
  }

  /** {@code reshape}: 0 copies an extent of {@code X}, -1 stands for the extent that remains. */
  static void reshape(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<SymbolicExtent> wanted =
        call.has("ShapeTensor")
            ? CreationShapes.numbers(call, "ShapeTensor", "ShapeTensor", "shape")
            : CreationShapes.numbers(call, "Shape", "Shape", "shape");
    if (call.has("Shape") && !call.has("ShapeTensor")) {
      wanted = call.in("Shape").elements();
    }
    out(call, x, fill(x, wanted));
  }

  /**
   * Returns the wanted extents of a reshape, with the extents that 0 and -1 stand for in their
   * place.
   */
  public static List<SymbolicExtent> fill(AbstractShape x, List<SymbolicExtent> wanted) {
    List<SymbolicExtent> dims = new ArrayList<>();
    SymbolicExtent known = SymbolicExtent.of(1);
    int open = -1;
    for (int i = 0; i < wanted.size(); i++) {
      SymbolicExtent extent = wanted.get(i);
      if (extent.is(-1) && extent.isConstant()) {
        open = i;
        dims.add(extent);
        continue;
      }
      if (extent.is(0) && extent.isConstant() && i < x.rank()) {
        extent = x.dim(i);
      }
      dims.add(extent);
      known = known.times(extent);
    }
    SymbolicExtent count = x.count();
    if (open >= 0) {
      checkDivides(x, wanted, count, known);
      dims.set(open, count.floorDividedBy(known));
    } else if (count.isExact() && known.isExact() && count.value() != known.value()) {
      throw mismatch(x, wanted);
    }
    return dims;
  }

  private static void checkDivides(
      AbstractShape x, List<SymbolicExtent> wanted, SymbolicExtent count, SymbolicExtent known) {
    if (count.isExact()
        && known.isExact()
        && known.value() != 0
        && count.value() % known.value() != 0) {
      throw mismatch(x, wanted);
    }
  }

  private static ShapeMismatchException mismatch(AbstractShape x, List<SymbolicExtent> wanted) {
    return new ShapeMismatchException("X " + x + " cannot be reshaped to " + wanted);
  }

  /** {@code flatten}: two extents; {@code axis} is the first axis of the second one. */
  static void flatten(ShapeCall call) {
    AbstractShape x = call.in("X");
    out(call, x, flattened(x, call.integer("axis", 1)));
  }

  /**
   * Returns two extents: the product of the extents before an axis, and the product of the others.
   */
  public static ImmutableList<SymbolicExtent> flattened(AbstractShape x, int axis) {
    int cut = Math.max(0, Math.min(axis, x.rank()));
    return ImmutableList.of(
        DimLists.product(x.dims().subList(0, cut)),
        DimLists.product(x.dims().subList(cut, x.rank())));
  }

  /** {@code flatten_contiguous_range}: the extents from one axis through another become one. */
  static void flattenRange(ShapeCall call) {
    AbstractShape x = call.in("X");
    int start = call.axis(call.integer("start_axis", 1), x.rank());
    int stop = call.axis(call.integer("stop_axis", 1), x.rank());
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    SymbolicExtent flat = SymbolicExtent.of(1);
    for (int i = 0; i < x.rank(); i++) {
      if (i < start || i > stop) {
        dims.add(x.dim(i));
        continue;
      }
      flat = flat.times(x.dim(i));
      if (i == stop) {
        dims.add(flat);
      }
    }
    out(call, x, dims.build());
  }

  /** {@code squeeze}: removes extents of 1, at the given {@code axes} or all of them. */
  static void squeeze(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<Long> axes = call.integers("axes");
    boolean[] taken = new boolean[x.rank()];
    for (long axis : axes) {
      int index = call.axis(axis, x.rank());
      taken[index] = x.dim(index).asLong() == 1;
    }
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    for (int i = 0; i < x.rank(); i++) {
      boolean takes = axes.isEmpty() ? x.dim(i).asLong() == 1 : taken[i];
      if (!takes) {
        dims.add(x.dim(i));
      }
    }
    ImmutableList<SymbolicExtent> rest = dims.build();
    out(call, x, rest.isEmpty() ? ImmutableList.of(SymbolicExtent.of(1)) : rest);
  }

  /** {@code unsqueeze}: inserts extents of 1, one axis after the other. */
  static void unsqueeze(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    List<SymbolicExtent> axes =
        CreationShapes.numbers(call, "AxesTensor", "AxesTensorList", "axes");
    if (axes.size() > TensorType.MAX_RANK) {
      throw new ShapeMismatchException(axes.size() + " axes cannot be put into " + x);
    }
    for (SymbolicExtent axis : axes) {
      long position = axis.asLong();
      long index = position < 0 ? position + dims.size() + 1 : position;
      if (index < 0 || index > dims.size()) {
        throw new ShapeMismatchException("there is no axis " + position + " to put into " + x);
      }
      dims.add((int) index, SymbolicExtent.of(1));
    }
    out(call, x, dims);
  }

  /** {@code transpose}: extent i is that of axis {@code axis[i]}. */
  static void transpose(ShapeCall call) {
    AbstractShape x = call.in("X");
    out(call, x.withElements(null), permuted(x, call.required("axis")));
  }

  /**
   * Returns the extents of a tensor in the order of the given axes.
   *
   * @throws ShapeMismatchException unless each axis is given exactly once
   */
  public static ImmutableList<SymbolicExtent> permuted(AbstractShape x, List<Long> axes) {
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    BitSet seen = new BitSet(x.rank());
    for (long axis : axes) {
      long index = axis < 0 ? axis + x.rank() : axis;
      if (index >= 0 && index < x.rank()) {
        seen.set((int) index);
        dims.add(x.dim((int) index));
      }
    }
    if (seen.cardinality() != x.rank() || axes.size() != x.rank()) {
      throw new ShapeMismatchException("X " + x + " cannot be transposed by " + axes);
    }
    return dims.build();
  }

  /** {@code transpose_grad} without {@code X}: the inverse permutation. */
  static void transposeGradient(ShapeCall call) {
    AbstractShape gradient = call.in("Out@GRAD");
    List<Long> axes = call.required("axis");
    List<SymbolicExtent> dims = new ArrayList<>(gradient.dims());
    for (int i = 0; i < axes.size(); i++) {
      dims.set(call.axis(axes.get(i), dims.size()), gradient.dim(i));
    }
    call.out("X@GRAD", AbstractShape.of(dims));
  }

  /** {@code shape}: the extents as elements. */
  static void shape(ShapeCall call) {
    AbstractShape input = call.in("Input");
    call.out("Out", AbstractShape.of(input.rank()).withElements(input.dims()));
  }

  /** {@code size}: the number of elements. */
  static void size(ShapeCall call) {
    AbstractShape input = call.in("Input");
    call.out("Out", AbstractShape.of(1).withElements(ImmutableList.of(input.count())));
  }
}
