package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.StridedElements;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.operator.paddle.reduction.ReductionShapes;
import dev.sublet.operator.paddle.shape.RepeatShapes;
import dev.sublet.operator.paddle.shape.ReshapeShapes;
import dev.sublet.operator.paddle.shape.WindowShapes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** Shapes of ONNX's operators that change the shape, the order or the number of elements. */
final class OnnxReshapeShapes {

  private OnnxReshapeShapes() {}

  private static void out(ShapeCall call, Iterable<SymbolicExtent> dims) {
    AbstractShape x = call.in("0");
    AbstractShape result = AbstractShape.of(dims);
    call.out("0", x.hasElements() ? result.withElements(x.elements()) : result);
  }

  /**
   * {@code Reshape}: 0 copies an extent of the input unless {@code allowzero} is set; -1 is the
   * extent that remains.
   */
  static void reshape(ShapeCall call) {
    AbstractShape x = call.in("0");
    ImmutableList<SymbolicExtent> wanted = OnnxInputs.extents(call, "1", "shape");
    boolean takesZero = call.flag("allowzero", false);
    out(call, takesZero ? wanted : ReshapeShapes.fill(x, withOpenExtent(wanted)));
  }

  /**
   * Replaces the only unknown extent by -1, because the number of elements determines that extent.
   * Returns the extents unchanged if several are unknown or -1.
   */
  private static ImmutableList<SymbolicExtent> withOpenExtent(
      ImmutableList<SymbolicExtent> wanted) {
    int open = -1;
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.get(i).isKnown() || wanted.get(i).is(-1)) {
        if (open >= 0) {
          return wanted;
        }
        open = i;
      }
    }
    return open < 0 ? wanted : DimLists.with(wanted, open, SymbolicExtent.of(-1));
  }

  /**
   * {@code Flatten}: two extents, the products of those before {@code axis} and from {@code axis}
   * on. The axis is 1 by default.
   */
  static void flatten(ShapeCall call) {
    AbstractShape x = call.in("0");
    int axis = call.integer("axis", 1);
    out(call, ReshapeShapes.flattened(x, axis < 0 ? axis + x.rank() : axis));
  }

  /** {@code Squeeze}: removes extents of 1, those at the given axes or all. */
  static void squeeze(ShapeCall call) {
    AbstractShape x = call.in("0");
    boolean[] taken = new boolean[x.rank()];
    if (OnnxInputs.has(call, "1", "axes")) {
      for (int axis : OnnxInputs.axes(call, "1", "axes", x.rank())) {
        taken[axis] = true;
      }
    } else {
      for (int i = 0; i < taken.length; i++) {
        taken[i] = x.dim(i).asLong() == 1;
      }
    }
    out(call, ReductionShapes.remaining(x, taken, /* keep= */ false));
  }

  /** {@code Unsqueeze}: inserts extents of 1 at the given axes of the result. */
  static void unsqueeze(ShapeCall call) {
    AbstractShape x = call.in("0");
    ImmutableList<SymbolicExtent> given = OnnxInputs.extents(call, "1", "axes");
    TreeSet<Integer> axes = new TreeSet<>();
    for (SymbolicExtent axis : given) {
      axes.add(OnnxInputs.axis(axis.asLong(), x.rank() + given.size()));
    }
    if (axes.size() != given.size()) {
      throw new ShapeMismatchException("an axis of " + given + " is there twice");
    }
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    for (int axis : axes) {
      dims.add(axis, SymbolicExtent.of(1));
    }
    out(call, dims);
  }

  /**
   * {@code Transpose}: extent i is that of axis {@code perm[i]}; by default the axes are reversed.
   */
  static void transpose(ShapeCall call) {
    AbstractShape x = call.in("0");
    List<Long> axes = new ArrayList<>(call.integers("perm"));
    if (!call.hasAttribute("perm")) {
      for (int i = x.rank() - 1; i >= 0; i--) {
        axes.add((long) i);
      }
    }
    AbstractShape result = AbstractShape.of(ReshapeShapes.permuted(x, axes));
    int[] sources = new int[axes.size()];
    for (int i = 0; i < sources.length; i++) {
      if (axes.get(i) < 0) {
        throw new ShapeMismatchException("perm " + axes + " has a negative axis");
      }
      sources[i] = axes.get(i).intValue();
    }
    call.out("0", result.withElements(StridedElements.permuted(x, sources)));
  }

  /** {@code Expand}: the input and the wanted extents broadcast. */
  static void expand(ShapeCall call) {
    AbstractShape x = call.in("0");
    ImmutableList<SymbolicExtent> wanted = OnnxInputs.extents(call, "1", "shape");
    AbstractShape result =
        AbstractShape.of(ElementwiseShapes.broadcastDims(call, x.dims(), wanted, -1));
    call.out("0", result.withElements(RepeatShapes.repeated(x, result)));
  }

  /**
   * {@code Tile}: each extent is multiplied by its number of repeats. Before opset 6 the repeats
   * are one number, for one axis.
   */
  static void tile(ShapeCall call) {
    AbstractShape x = call.in("0");
    if (!call.has("2")) {
      call.out("0", RepeatShapes.multiplied(x, OnnxInputs.extents(call, "1", "repeats")));
      return;
    }
    int axis = OnnxInputs.axis(call.number("2").asLong(), x.rank());
    List<SymbolicExtent> times =
        new ArrayList<>(Collections.nCopies(x.rank(), SymbolicExtent.of(1)));
    times.set(axis, OnnxInputs.number(call, "1", "tiles", 1));
    call.out("0", RepeatShapes.multiplied(x, times));
  }

  /** {@code Shape}: the elements are the extents from {@code start} to before {@code end}. */
  static void shape(ShapeCall call) {
    AbstractShape x = call.in("0");
    int start = clamped(call.whole("start", 0), x.rank());
    int end = Math.max(start, clamped(call.whole("end", x.rank()), x.rank()));
    call.out("0", AbstractShape.of(end - start).withElements(x.dims().subList(start, end)));
  }

  private static int clamped(long axis, int rank) {
    return (int) Math.max(0, Math.min(axis < 0 ? axis + rank : axis, rank));
  }

  /** {@code Size}: the number of elements, as a scalar. */
  static void size(ShapeCall call) {
    SymbolicExtent count = call.in("0").count();
    call.out("0", AbstractShape.of(ImmutableList.of()).withElements(ImmutableList.of(count)));
  }

  /** {@code DepthToSpace}: channels become squares of pixels with sides of {@code blocksize}. */
  static void depthToSpace(ShapeCall call) {
    int side = call.positive("blocksize", 1);
    call.out("0", WindowShapes.unpacked(images(call), side, /* channel= */ 1, /* height= */ 2));
  }

  /** {@code SpaceToDepth}: squares of pixels with sides of {@code blocksize} become channels. */
  static void spaceToDepth(ShapeCall call) {
    call.out("0", WindowShapes.packed(images(call), call.positive("blocksize", 1), 1, 2));
  }

  private static AbstractShape images(ShapeCall call) {
    AbstractShape x = call.in("0");
    DimLists.checkRank(x, "input", 4);
    return x;
  }

  /** {@code Pad}: each extent grows by the pads before and after it. */
  static void pad(ShapeCall call) {
    AbstractShape x = call.in("0");
    String attribute = call.hasAttribute("paddings") ? "paddings" : "pads";
    ImmutableList<SymbolicExtent> pads = OnnxInputs.extents(call, "1", attribute);
    int[] axes = new int[x.rank()];
    for (int i = 0; i < axes.length; i++) {
      axes[i] = i;
    }
    if (call.has("3")) {
      axes = OnnxInputs.axes(call, "3", "axes", x.rank());
    }
    if (pads.size() != 2 * axes.length) {
      throw new ShapeMismatchException(
          "there are " + pads.size() + " pads for " + axes.length + " axes");
    }
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    for (int i = 0; i < axes.length; i++) {
      SymbolicExtent extent = dims.get(axes[i]);
      dims.set(axes[i], extent.plus(pads.get(i)).plus(pads.get(i + axes.length)));
    }
    call.out("0", AbstractShape.of(dims));
  }

  /** {@code CenterCropPad}: the given axes, or all axes, get the extents in input 1. */
  static void centerCropPad(ShapeCall call) {
    AbstractShape x = call.in("0");
    ImmutableList<SymbolicExtent> wanted = OnnxInputs.extents(call, "1", "shape");
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    for (int i = 0; i < wanted.size(); i++) {
      List<Long> axes = call.integers("axes");
      long axis = i < axes.size() ? axes.get(i) : i;
      if (wanted.get(i).isExact() && wanted.get(i).value() < 0) {
        throw new UnknownShapeException("an extent of " + wanted.get(i)); // ONNX Runtime takes it
      }
      dims.set(OnnxInputs.axis(axis, x.rank()), wanted.get(i));
    }
    call.out("0", AbstractShape.of(dims));
  }
}
