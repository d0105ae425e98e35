package dev.sublet.operator.paddle.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shape rules for padding, and for operators that move elements between space and channels. */
public final class WindowShapes {

  private WindowShapes() {}

  /** {@code pad}: {@code paddings} contains the padding before and after each axis in turn. */
  static void pad(ShapeCall call) {
    call.out("Out", padded(call, call.in("X"), 1));
  }

  /** {@code pad_grad}: {@code X@GRAD} is {@code Out@GRAD} without the padding. */
  static void padGradient(ShapeCall call) {
    call.out("X@GRAD", padded(call, call.in("Out@GRAD"), -1));
  }

  /** Returns the shape with {@code paddings} added (1) or taken away (-1). */
  private static AbstractShape padded(ShapeCall call, AbstractShape tensor, int sign) {
    List<Long> paddings = call.required("paddings");
    List<SymbolicExtent> dims = new ArrayList<>(tensor.dims());
    for (int i = 0; i < dims.size() && 2 * i + 1 < paddings.size(); i++) {
      double padding = paddings.get(2 * i) + paddings.get(2 * i + 1);
      dims.set(i, dims.get(i).plus(sign * padding));
    }
    return AbstractShape.of(dims).withLod(tensor.lod());
  }

  /** {@code pad2d}: {@code paddings} is top, bottom, left, right. */
  static void pad2d(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<SymbolicExtent> paddings =
        CreationShapes.numbers(call, "Paddings", "Paddings ", "paddings");
    int height = call.text("data_format", "NCHW").equals("NHWC") ? 1 : 2;
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    widen(dims, height, paddings.get(0), paddings.get(1));
    widen(dims, height + 1, paddings.get(2), paddings.get(3));
    call.out("Out", AbstractShape.of(dims));
  }

  /** {@code pad3d}: {@code paddings} is left, right, top, bottom, front, back. */
  static void pad3d(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<SymbolicExtent> paddings =
        CreationShapes.numbers(call, "Paddings", "Paddings ", "paddings");
    int depth = call.text("data_format", "NCDHW").equals("NDHWC") ? 1 : 2;
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    widen(dims, depth + 2, paddings.get(0), paddings.get(1));
    widen(dims, depth + 1, paddings.get(2), paddings.get(3));
    widen(dims, depth, paddings.get(4), paddings.get(5));
    call.out("Out", AbstractShape.of(dims));
  }

  private static void widen(
      List<SymbolicExtent> dims, int axis, SymbolicExtent before, SymbolicExtent after) {
    if (axis >= dims.size()) {
      throw new ShapeMismatchException("there is no axis " + axis + " to pad in " + dims);
    }
    dims.set(axis, dims.get(axis).plus(before).plus(after));
  }

  /** {@code pixel_shuffle}: channels become squares of pixels, {@code upscale_factor} per side. */
  static void pixelShuffle(ShapeCall call) {
    boolean last = call.text("data_format", "NCHW").equals("NHWC");
    int side = call.positive("upscale_factor", 1);
    call.out("Out", unpacked(call.in("X"), side, last ? 3 : 1, last ? 1 : 2));
  }

  /** {@code pixel_shuffle_grad}: squares of pixels become channels again. */
  static void pixelShuffleGradient(ShapeCall call) {
    boolean last = call.text("data_format", "NCHW").equals("NHWC");
    int side = call.positive("upscale_factor", 1);
    call.out("X@GRAD", packed(call.in("Out@GRAD"), side, last ? 3 : 1, last ? 1 : 2));
  }

  /** {@code space_to_depth}: squares of pixels, {@code blocksize} per side, become channels. */
  static void spaceToDepth(ShapeCall call) {
    call.out("Out", packed(call.in("X"), call.positive("blocksize", 1), 1, 2));
  }

  /**
   * Returns the shape of images after squares of {@code side} by {@code side} pixels become
   * channels.
   */
  public static AbstractShape packed(AbstractShape images, int side, int channel, int height) {
    List<SymbolicExtent> dims = new ArrayList<>(images.dims());
    dims.set(channel, images.dim(channel).times((double) side * side));
    dims.set(height, images.dim(height).floorDividedBy(side));
    dims.set(height + 1, images.dim(height + 1).floorDividedBy(side));
    return AbstractShape.of(dims);
  }

  /**
   * Returns the shape of images after channels become squares of {@code side} by {@code side}
   * pixels.
   */
  public static AbstractShape unpacked(AbstractShape images, int side, int channel, int height) {
    double square = (double) side * side;
    SymbolicExtent channels = images.dim(channel);
    if (channels.isExact() && channels.value() % square != 0) {
      throw new ShapeMismatchException(
          "the channels of X " + images + " are no multiple of " + side + " × " + side);
    }
    List<SymbolicExtent> dims = new ArrayList<>(images.dims());
    dims.set(channel, channels.floorDividedBy(square));
    dims.set(height, images.dim(height).times(side));
    dims.set(height + 1, images.dim(height + 1).times(side));
    return AbstractShape.of(dims);
  }

  /** {@code unfold}: every window becomes a column. */
  static void unfold(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<Long> kernel = call.required("kernel_sizes");
    SymbolicExtent columns =
        windows(call, x.dim(2), 0, 0, 2).times(windows(call, x.dim(3), 1, 1, 3));
    SymbolicExtent rows = x.dim(1).times((double) (kernel.get(0) * kernel.get(1)));
    call.out("Y", AbstractShape.of(x.dim(0), rows, columns));
  }

  private static SymbolicExtent windows(
      ShapeCall call, SymbolicExtent extent, int axis, int before, int after) {
    List<Long> paddings = call.integers("paddings");
    long padding =
        paddings.size() == 2
            ? 2 * paddings.get(axis)
            : paddings.isEmpty() ? 0 : paddings.get(before) + paddings.get(after);
    long stride = call.required("strides").get(axis);
    long dilation = call.integers("dilations").isEmpty() ? 1 : call.integers("dilations").get(axis);
    long window = dilation * (call.required("kernel_sizes").get(axis) - 1) + 1;
    return extent.plus((double) (padding - window)).floorDividedBy((double) stride).plus(1);
  }

  /**
   * {@code im2sequence}: every window of an image becomes a row, and the rows of an image become a
   * sequence. With {@code Y}, the sizes of the images in {@code Y} decide, unless there is one
   * image only.
   */
  static void imagesToSequences(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<Long> kernels = call.required("kernels");
    SymbolicExtent width = x.dim(1).times((double) (kernels.get(0) * kernels.get(1)));
    if (call.has("Y") && !x.dim(0).is(1)) {
      SymbolicExtent rows = call.unknown("rows", "it depends on Y");
      call.out("Out", AbstractShape.of(rows, width).withLod(null));
      return;
    }
    SymbolicExtent windows = sequenceExtent(call, x, 0).times(sequenceExtent(call, x, 1));
    AbstractShape rows = AbstractShape.of(x.dim(0).times(windows), width);
    call.out("Out", rows.withLod(sequences(call, x.dim(0), windows)));
  }

  /**
   * The windows along the height (0) or the width (1); {@code paddings} is up, left, down, right.
   */
  private static SymbolicExtent sequenceExtent(ShapeCall call, AbstractShape x, int axis) {
    List<Long> paddings = call.required("paddings");
    double padding = paddings.get(axis) + paddings.get(axis + 2);
    double stride = call.required("strides").get(axis);
    SymbolicExtent room = x.dim(axis + 2).plus(padding - call.required("kernels").get(axis));
    // Paddle rounds the quotient of a negative number up, and so counts a window that does not fit.
    boolean isTooSmall = room.isExact() && room.value() < 0 && stride > 0;
    SymbolicExtent steps =
        isTooSmall
            ? room.map("steps of " + stride, Math.ceil(room.value() / stride))
            : room.floorDividedBy(stride);
    return steps.plus(1);
  }

  /** The offsets of sequences of one length; null for too many, or for unknown numbers. */
  private static @Nullable ImmutableList<ImmutableLongArray> sequences(
      ShapeCall call, SymbolicExtent count, SymbolicExtent length) {
    if (!count.isExact() || !length.isExact() || count.value() > AbstractShape.MAX_ELEMENTS) {
      return null;
    }
    return call.offsets(
        Offsets.ofLengths(Collections.nCopies((int) count.value(), (long) length.value())));
  }

  /** {@code fold}: columns become an image of {@code output_sizes}. */
  static void fold(ShapeCall call) {
    AbstractShape x = call.in("X");
    List<Long> kernel = call.required("kernel_sizes");
    List<Long> sizes = call.required("output_sizes");
    call.out(
        "Y",
        AbstractShape.of(
            x.dim(0),
            x.dim(1).floorDividedBy((double) (kernel.get(0) * kernel.get(1))),
            SymbolicExtent.of(sizes.get(0)),
            SymbolicExtent.of(sizes.get(1))));
  }

  /** {@code as_real}: two real numbers per complex number. */
  public static void asReal(ShapeCall call) {
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    call.out(
        "Out",
        AbstractShape.of(dims.addAll(call.in("X").dims()).add(SymbolicExtent.of(2)).build()));
  }

  /** {@code as_complex}: one complex number per two real numbers. */
  public static void asComplex(ShapeCall call) {
    call.out("Out", AbstractShape.of(DimLists.dropLast(call.in("X"), 1)));
  }

  /** {@code maxout}: {@code groups} channels become one. */
  public static void maxout(ShapeCall call) {
    AbstractShape x = call.in("X");
    int axis = call.axis(call.integer("axis", 1), x.rank());
    SymbolicExtent channels = x.dim(axis).floorDividedBy(call.positive("groups", 1));
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), axis, channels)));
  }
}
