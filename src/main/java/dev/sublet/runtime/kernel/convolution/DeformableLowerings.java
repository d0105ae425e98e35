package dev.sublet.runtime.kernel.convolution;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.number;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.Arrays;
import java.util.Optional;

/**
 * Deformable convolution: an offset moves each point of a filter. In the second version, a mask
 * also weights each point.
 *
 * <p>Source: J. Dai et al., "Deformable Convolutional Networks", 2017; X. Zhu et al., "Deformable
 * ConvNets v2", 2019; {@code deformable_conv_kernel_impl.h} of Paddle 2.3.
 */
public final class DeformableLowerings {

  private DeformableLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("deformable_conv", DeformableLowerings::convolution);
    kernels.differentiated("deformable_conv_v1", DeformableLowerings::convolution);
  }

  /** Lowers a deformable convolution. {@code Output} is the sum of products at every place. */
  private static void convolution(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    long step = call.integer("im2col_step", 64);
    if (step != 1) {
      throw new OperatorException(
          "im2col_step " + step + ": Paddle mixes up the images of a step of more than one");
    }
    Points points =
        new Points(
            lowering.in("Offset"),
            lowering.has("Mask") ? Optional.of(lowering.in("Mask")) : Optional.empty(),
            call.integer("deformable_groups", 1));
    MicroValue input = lowering.in("Input");
    MicroValue filter = lowering.in("Filter");
    long[] images = f.shape(input);
    long[] kernel = f.shape(filter);
    SlidingWindow[] windows =
        images.length == 4 && kernel.length == 4
            ? SlidingWindow.of(
                call, new long[] {images[2], images[3]}, new long[] {kernel[2], kernel[3]})
            : new SlidingWindow[0];
    lowering.out("Output", convolve(f, input, filter, points, windows, call.integer("groups", 1)));
  }

  /**
   * The moved points of a filter.
   *
   * @param offset the distances by which they are moved: image; group, kernel, rows and columns in
   *     one axis; places
   * @param mask the weights of the points
   * @param parts the number of groups of channels that share points
   */
  public record Points(MicroValue offset, Optional<MicroValue> mask, long parts) {}

  /** Returns a deformable convolution. */
  public static MicroValue convolve(
      Formula f,
      MicroValue input,
      MicroValue filter,
      Points points,
      SlidingWindow[] windows,
      long groups) {
    long[] images = f.shape(input);
    long[] kernel = f.shape(filter);
    if (images.length != 4
        || kernel.length != 4
        || groups < 1
        || points.parts() < 1
        || images[1] != kernel[1] * groups
        || kernel[0] % groups != 0
        || images[1] % points.parts() != 0) {
      throw new OperatorException(
          Arrays.toString(images)
              + " for the filter "
              + Arrays.toString(kernel)
              + (" in " + groups + " groups, " + points.parts() + " deformable groups"));
    }
    return convolved(f, sampled(f, input, points, windows), filter, windows, groups);
  }

  /**
   * Returns the image values at the moved points of the filter, with the axes image, channel, and
   * kernel and place in one.
   */
  private static MicroValue sampled(
      Formula f, MicroValue input, Points points, SlidingWindow[] windows) {
    BilinearSampling sampling = new BilinearSampling(f, input);
    Shapes.ofRank(4, f.shape(points.offset()), "Offset");
    MicroValue y = coordinate(f, points.offset(), 0, windows, points.parts());
    MicroValue x = coordinate(f, points.offset(), 1, windows, points.parts());
    MicroValue sampled = sampling.at(y, x);
    return points.mask().isPresent()
        ? f.times(sampled, sampling.ofChannels(f.reshape(points.mask().get(), f.shape(y))))
        : sampled;
  }

  /**
   * Returns the rows ({@code which} = 0) or columns (1) of all points, with the axes image,
   * deformable group, and kernel and place in one.
   */
  private static MicroValue coordinate(
      Formula f, MicroValue offset, int which, SlidingWindow[] windows, long parts) {
    long images = f.shape(offset)[0];
    long kernel = windows[0].kernel() * windows[1].kernel();
    long places = windows[0].places() * windows[1].places();
    MicroValue pairs = f.reshape(offset, images, parts, kernel, 2, places);
    MicroValue moved =
        f.reindex(
            pairs,
            new long[] {images, parts, kernel, places},
            loop(0),
            loop(1),
            loop(2),
            number(which),
            loop(3));
    moved = f.reshape(moved, images, parts, kernel * places);
    long[] points = {
      windows[0].kernel(), windows[1].kernel(), windows[0].places(), windows[1].places()
    };
    MicroValue still = f.position(points, windows[which].point(which + 2, which));
    still = f.graph().cast(f.type(offset), f.reshape(still, kernel * places));
    return f.plus(f.along(still, f.shape(moved), 2), moved);
  }

  /**
   * Returns the convolution of the sampled values. The loops are: image, group, filter, place;
   * channel of the group, kernel.
   */
  private static MicroValue convolved(
      Formula f, MicroValue sampled, MicroValue filter, SlidingWindow[] windows, long groups) {
    long[] kernel = f.shape(filter);
    long images = f.shape(sampled)[0];
    long filters = kernel[0] / groups;
    long points = kernel[2] * kernel[3];
    long places = windows[0].places() * windows[1].places();
    MicroValue columns = f.reshape(sampled, images, kernel[1] * groups, points, places);
    IndexExpression[] columnsAt = {
      loop(0), groups == 1 ? loop(4) : plus(times(loop(1), kernel[1]), loop(4)), loop(5), loop(3)
    };
    IndexExpression[] filterAt = {
      groups == 1 ? loop(2) : plus(times(loop(1), filters), loop(2)), loop(4), loop(5)
    };
    MicroValue out =
        f.contract(
            new long[] {images, groups, filters, places},
            new long[] {kernel[1], points},
            columns,
            columnsAt,
            f.reshape(filter, kernel[0], kernel[1], points),
            filterAt);
    return f.reshape(out, images, kernel[0], windows[0].places(), windows[1].places());
  }
}
