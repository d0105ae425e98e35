package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ImageLayout;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SlidingWindows;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.infer.UnknownShapeException;
import dev.sublet.operator.paddle.convolution.InterpolationShapes;
import java.util.ArrayList;
import java.util.List;

/** Shapes of ONNX's convolutions and poolings: batch, channels, spatial extents. */
final class OnnxWindowShapes {

  private OnnxWindowShapes() {}

  /**
   * Returns the rule of a convolution of input 0 with the filter in a slot. The attribute {@code
   * channels_last} selects the layout.
   */
  static ShapeRule convolution(String filterSlot) {
    return call -> convolve(call, filterSlot, call.flag("channels_last", false));
  }

  /** {@code NhwcConv} and similar operators: the last axis is that of the channels. */
  static void convolutionChannelsLast(ShapeCall call) {
    convolve(call, "1", /* channelsLast= */ true);
  }

  private static void convolve(ShapeCall call, String filterSlot, boolean channelsLast) {
    AbstractShape x = call.in("0");
    AbstractShape filter = call.in(filterSlot);
    int axes = spatialAxes(x, filter);
    ImageLayout layout = new ImageLayout(x.rank(), channelsLast);
    SymbolicExtent channels = x.dim(layout.channelAxis());
    SymbolicExtent taken = filter.dim(1).times(call.integer("group", 1));
    DimLists.checkEqual(
        channels,
        taken,
        "input %s has %s channels, filter %s takes %s",
        x,
        channels,
        filter,
        taken);
    SlidingWindows windows = SlidingWindows.ofOnnx(call, axes);
    List<SymbolicExtent> extents = new ArrayList<>();
    for (int i = 0; i < axes; i++) {
      extents.add(windows.convolved(i, x.dim(layout.spatialAxis(i)), filter.dim(i + 2)));
    }
    call.out("0", layout.image(x, filter.dim(0), extents));
  }

  /**
   * {@code CausalConvWithState}: output 0 is like input 0; output 1 is the end of the input, one
   * element shorter than the filter.
   */
  static void causal(ShapeCall call) {
    AbstractShape x = call.in("0");
    SymbolicExtent kept = call.in("1").dim(-1).minus(1);
    call.out("0", AbstractShape.of(x.dims()));
    call.out("1", AbstractShape.of(DimLists.with(x.dims(), x.rank() - 1, kept)));
  }

  private static int spatialAxes(AbstractShape x, AbstractShape filter) {
    if (x.rank() < 3 || filter.rank() != x.rank()) {
      throw new ShapeMismatchException("a filter " + filter + " for images " + x);
    }
    return x.rank() - 2;
  }

  private static AbstractShape images(
      SymbolicExtent batch, SymbolicExtent channels, List<SymbolicExtent> extents) {
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    return AbstractShape.of(dims.add(batch).add(channels).addAll(extents).build());
  }

  /**
   * {@code ConvTranspose}: the extents are {@code output_shape} if it is given. Else they are the
   * extents from which a convolution makes the input, plus {@code output_padding}; with automatic
   * padding they are at most {@code strides} times those of the input.
   */
  static void transposed(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape filter = call.in("1");
    int axes = spatialAxes(x, filter);
    DimLists.checkEqual(
        x.dim(1),
        filter.dim(0),
        "input %s has %s channels, filter %s takes %s",
        x,
        x.dim(1),
        filter,
        filter.dim(0));
    List<Long> sizes = call.integers("output_shape");
    boolean isSame = call.text("auto_pad", "NOTSET").startsWith("SAME");
    SlidingWindows padded = SlidingWindows.ofOnnx(call, axes);
    SlidingWindows windows = isSame ? padded.unpadded() : padded;
    ImmutableIntArray added = SlidingWindows.numbers(call, "output_padding", axes, 0);
    ImmutableIntArray strides = SlidingWindows.numbers(call, "strides", axes, 1);
    List<SymbolicExtent> extents = new ArrayList<>();
    for (int i = 0; i < axes; i++) {
      SymbolicExtent extent = x.dim(i + 2);
      SymbolicExtent size = windows.transposed(i, extent, filter.dim(i + 2)).plus(added.get(i));
      if (sizes.size() >= axes) {
        size = SymbolicExtent.of(sizes.get(sizes.size() - axes + i));
      } else if (isSame) {
        size = size.min(extent.times(strides.get(i)));
      }
      extents.add(size);
    }
    SymbolicExtent made = filter.dim(1).times(call.integer("group", 1));
    call.out("0", images(x.dim(0), made, extents));
  }

  /**
   * Pooling: all outputs have one element per position of a window of extents {@code kernel_shape}.
   */
  static void pool(ShapeCall call) {
    call.outAll(pooled(call, call.flag("channels_last", false)));
  }

  /** {@code NhwcMaxPool}: a pooling in which the last axis is that of the channels. */
  static void poolChannelsLast(ShapeCall call) {
    call.outAll(pooled(call, /* channelsLast= */ true));
  }

  private static AbstractShape pooled(ShapeCall call, boolean channelsLast) {
    AbstractShape x = call.in("0");
    List<Long> kernel = call.required("kernel_shape");
    int axes = kernel.size();
    DimLists.checkRank(x, "input", axes + 2);
    ImageLayout layout = new ImageLayout(x.rank(), channelsLast);
    SlidingWindows windows = SlidingWindows.ofOnnx(call, axes);
    List<Long> pads = call.integers("pads");
    boolean ceil = call.flag("ceil_mode", false);
    List<SymbolicExtent> extents = new ArrayList<>();
    for (int i = 0; i < axes; i++) {
      long before = pads.isEmpty() ? 0 : pads.get(i);
      SymbolicExtent size = SymbolicExtent.of((long) kernel.get(i));
      SymbolicExtent extent = x.dim(layout.spatialAxis(i));
      extents.add(windows.pooledInside(call, i, extent, size, ceil, before));
    }
    return layout.image(x, x.dim(layout.channelAxis()), extents);
  }

  /** Pooling of whole images: the spatial extents become 1. */
  static void global(ShapeCall call) {
    AbstractShape x = call.in("0");
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    boolean last = call.flag("channels_last", false);
    for (int i = 1; i < dims.size(); i++) {
      if (i != (last ? dims.size() - 1 : 1)) {
        dims.set(i, SymbolicExtent.of(1));
      }
    }
    call.out("0", AbstractShape.of(dims));
  }

  /**
   * {@code MaxUnpool}: the extents in input 2, or the least extents from which a pooling makes the
   * input.
   */
  static void unpool(ShapeCall call) {
    AbstractShape x = call.in("0");
    if (call.has("2")) {
      call.out("0", AbstractShape.of(OnnxInputs.extents(call, "2", "output_shape")));
      return;
    }
    List<Long> kernel = call.required("kernel_shape");
    SlidingWindows windows = SlidingWindows.ofOnnx(call, kernel.size());
    List<SymbolicExtent> extents = new ArrayList<>();
    for (int i = 0; i < kernel.size(); i++) {
      SymbolicExtent size = SymbolicExtent.of((long) kernel.get(i));
      extents.add(windows.transposed(i, x.dim(i + 2), size));
    }
    call.out("0", images(x.dim(0), x.dim(1), extents));
  }

  /** {@code MaxRoiPool}: all channels of each region, with the extents {@code pooled_shape}. */
  static void poolRegions(ShapeCall call) {
    List<Long> size = call.required("pooled_shape");
    SymbolicExtent regions = call.in("1").dim(0);
    List<SymbolicExtent> extents = new ArrayList<>();
    size.forEach(extent -> extents.add(SymbolicExtent.of((long) extent)));
    call.out("0", images(regions, call.in("0").dim(1), extents));
  }

  /** {@code RoiAlign}: all channels of each region. */
  static void alignRegions(ShapeCall call) {
    SymbolicExtent regions = call.in("1").dim(0);
    call.out(
        "0",
        AbstractShape.of(
            regions,
            call.in("0").dim(1),
            SymbolicExtent.of(call.integer("output_height", 1)),
            SymbolicExtent.of(call.integer("output_width", 1))));
  }

  /** {@code Col2Im}: columns become images of the extents in input 1. */
  static void columnsToImages(ShapeCall call) {
    AbstractShape x = call.in("0");
    ImmutableList<SymbolicExtent> image = OnnxInputs.extents(call, "1", "image_shape");
    SymbolicExtent block = DimLists.product(OnnxInputs.extents(call, "2", "block_shape"));
    call.out("0", images(x.dim(0), x.dim(1).floorDividedBy(block), image));
  }

  /** {@code GridSample}: all channels at every point of a grid. */
  static void sample(ShapeCall call) {
    AbstractShape x = call.in("0");
    AbstractShape grid = call.in("1");
    DimLists.checkRank(grid, "grid", x.rank());
    call.out("0", images(x.dim(0), x.dim(1), grid.dims().subList(1, grid.rank() - 1)));
  }

  /** {@code AffineGrid}: the coordinates of each point of images of the size in input 1. */
  static void affineGrid(ShapeCall call) {
    ImmutableList<SymbolicExtent> size = OnnxInputs.extents(call, "1", "size");
    List<SymbolicExtent> dims = new ArrayList<>(size);
    if (dims.size() < 3) {
      throw new ShapeMismatchException("a grid for images " + size);
    }
    dims.remove(1);
    dims.add(SymbolicExtent.of(size.size() - 2));
    call.out("0", AbstractShape.of(dims));
  }

  /** {@code Resize}, {@code Upsample}: the extents are scaled, or are the given sizes. */
  static void resize(ShapeCall call) {
    AbstractShape x = call.in("0");
    // Input 1 is the region of interest, except in Upsample and in the first version of Resize.
    boolean isLong = call.has("2") || call.has("3") || call.operation().inputSlots().size() > 2;
    int[] axes = new int[x.rank()];
    for (int i = 0; i < axes.length; i++) {
      axes[i] =
          call.hasAttribute("axes") && i < call.integers("axes").size()
              ? OnnxInputs.axis(call.integers("axes").get(i), x.rank())
              : i;
    }
    boolean sized = call.has("3");
    ImmutableList<SymbolicExtent> numbers =
        sized
            ? OnnxInputs.extents(call, "3", "sizes")
            : OnnxInputs.extents(call, isLong ? "2" : "1", "scales");
    if (numbers.isEmpty() || numbers.size() > axes.length) {
      throw new ShapeMismatchException(numbers.size() + " scales or sizes for " + x);
    }
    List<SymbolicExtent> dims = new ArrayList<>(x.dims());
    for (int i = 0; i < numbers.size(); i++) {
      SymbolicExtent extent = dims.get(axes[i]);
      String name = "axis " + axes[i];
      dims.set(
          axes[i],
          sized ? numbers.get(i) : InterpolationShapes.scaled(call, extent, numbers.get(i), name));
    }
    call.out("0", AbstractShape.of(sized ? keptInRatio(call, x, dims, axes, numbers) : dims));
  }

  /**
   * Returns the extents of images that keep their aspect ratio; the given sizes are upper or lower
   * bounds. Returns {@code dims} if the policy is {@code stretch}.
   */
  private static List<SymbolicExtent> keptInRatio(
      ShapeCall call,
      AbstractShape x,
      List<SymbolicExtent> dims,
      int[] axes,
      ImmutableList<SymbolicExtent> sizes) {
    String policy = call.text("keep_aspect_ratio_policy", "stretch");
    if (policy.equals("stretch")) {
      return dims;
    }
    boolean isSmaller = policy.equals("not_larger");
    float scale = isSmaller ? Float.MAX_VALUE : 0;
    SymbolicExtent all = SymbolicExtent.of(0);
    for (int i = 0; i < sizes.size(); i++) {
      SymbolicExtent extent = x.dim(axes[i]);
      if (!extent.isExact() || !sizes.get(i).isExact()) {
        throw new UnknownShapeException("the aspect ratio depends on data");
      }
      float each = (float) (sizes.get(i).value() / extent.value());
      scale = isSmaller ? Math.min(scale, each) : Math.max(scale, each);
      all = all.combined("and", extent.combined("to", sizes.get(i), each), scale);
    }
    List<SymbolicExtent> kept = new ArrayList<>(dims);
    for (int i = 0; i < sizes.size(); i++) {
      SymbolicExtent extent = x.dim(axes[i]);
      double rounded = Math.floor(scale * (float) extent.value() + 0.5f);
      kept.set(axes[i], extent.combined(policy, all, rounded));
    }
    return kept;
  }

  /**
   * {@code Upsample} before opset 9: the scales are attributes; before opset 7 there is one
   * attribute per side.
   */
  static void upsample(ShapeCall call) {
    if (!call.hasAttribute("height_scale")) {
      resize(call);
      return;
    }
    AbstractShape x = call.in("0");
    SymbolicExtent height = SymbolicExtent.of(call.real("height_scale", 1));
    SymbolicExtent width = SymbolicExtent.of(call.real("width_scale", 1));
    call.out(
        "0",
        AbstractShape.of(
            x.dim(0),
            x.dim(1),
            InterpolationShapes.scaled(call, x.dim(2), height, "axis 2"),
            InterpolationShapes.scaled(call, x.dim(3), width, "axis 3")));
  }
}
