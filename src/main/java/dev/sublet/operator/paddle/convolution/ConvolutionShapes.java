package dev.sublet.operator.paddle.convolution;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ImageLayout;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SlidingWindows;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for convolutions of images and of sequences. */
public final class ConvolutionShapes {

  private ConvolutionShapes() {}

  /**
   * Gives {@code Output} one channel per filter and one pixel per position of the kernel. The
   * attributes are {@code strides}, {@code paddings}, {@code padding_algorithm}, {@code dilations},
   * {@code groups} and {@code data_format}.
   */
  public static void convolution(ShapeCall call) {
    AbstractShape input = call.in("Input");
    AbstractShape filter = call.in("Filter");
    int axes = filter.rank() - 2;
    ImageLayout layout = ImageLayout.of(call, "data_format", input, axes);
    int groups = call.integer("groups", 1);
    SymbolicExtent channels = input.dim(layout.channelAxis());
    SymbolicExtent taken = filter.dim(1).times(groups);
    DimLists.checkEqual(
        channels,
        taken,
        "Input %s has %s channels, but Filter %s takes %s",
        input,
        channels,
        filter,
        taken + (groups == 1 ? "" : " in " + groups + " groups"));
    SlidingWindows windows = SlidingWindows.of(call, axes);
    ImmutableList.Builder<SymbolicExtent> extents = ImmutableList.builder();
    for (int i = 0; i < axes; i++) {
      extents.add(windows.convolved(i, input.dim(layout.spatialAxis(i)), filter.dim(i + 2)));
    }
    call.out("Output", layout.image(input, filter.dim(0), extents.build()));
  }

  /**
   * Gives {@code Output} the second extent of {@code Filter}, times {@code groups}, as channels.
   * The spatial extents are {@code output_size} if it is given. Otherwise they are the least
   * extents from which a convolution gives the input's extents, plus {@code output_padding}.
   */
  static void transposed(ShapeCall call) {
    AbstractShape input = call.in("Input");
    AbstractShape filter = call.in("Filter");
    int axes = filter.rank() - 2;
    ImageLayout layout = ImageLayout.of(call, "data_format", input, axes);
    SymbolicExtent channels = input.dim(layout.channelAxis());
    DimLists.checkEqual(
        channels,
        filter.dim(0),
        "Input %s has %s channels, but Filter %s takes %s",
        input,
        channels,
        filter,
        filter.dim(0));
    SlidingWindows windows = SlidingWindows.of(call, axes);
    ImmutableIntArray sizes = optional(call, "output_size", axes);
    ImmutableIntArray padding = optional(call, "output_padding", axes);
    ImmutableList.Builder<SymbolicExtent> extents = ImmutableList.builder();
    for (int i = 0; i < axes; i++) {
      SymbolicExtent extent =
          windows.transposed(i, input.dim(layout.spatialAxis(i)), filter.dim(i + 2));
      extents.add(
          sizes.isEmpty()
              ? extent.plus(padding.isEmpty() ? 0 : padding.get(i))
              : SymbolicExtent.of(sizes.get(i)));
    }
    SymbolicExtent made = filter.dim(1).times(call.integer("groups", 1));
    call.out("Output", layout.image(input, made, extents.build()));
  }

  private static ImmutableIntArray optional(ShapeCall call, String attribute, int axes) {
    return !call.hasAttribute(attribute) || isEmptyList(call, attribute)
        ? ImmutableIntArray.of()
        : SlidingWindows.numbers(call, attribute, axes, 0);
  }

  private static boolean isEmptyList(ShapeCall call, String attribute) {
    return call.operation().attribute(attribute).stream()
        .allMatch(given -> given.longs().isEmpty() && !given.holdsVariables());
  }

  /** Gives {@code Output} one channel per displacement between the two feature maps. */
  static void correlation(ShapeCall call) {
    AbstractShape input = call.in("Input1");
    int displacement = call.integer("max_displacement", 0);
    int radius = (call.integer("kernel_size", 1) - 1) / 2 + displacement;
    int padding = 2 * (call.integer("pad_size", 0) - radius);
    int stride = call.positive("stride1", 1);
    int side = displacement / call.positive("stride2", 1) * 2 + 1;
    call.out(
        "Output",
        AbstractShape.of(
            input.dim(0),
            SymbolicExtent.of(side).times(side),
            input.dim(2).plus(padding).ceilDividedBy(stride),
            input.dim(3).plus(padding).ceilDividedBy(stride)));
  }

  /** Gives {@code Out} the third and fourth extents of {@code Filter} for each node. */
  static void tree(ShapeCall call) {
    AbstractShape nodes = call.in("NodesVector");
    AbstractShape filter = call.in("Filter");
    call.out("Out", AbstractShape.of(nodes.dim(0), nodes.dim(1), filter.dim(2), filter.dim(3)));
  }
}
