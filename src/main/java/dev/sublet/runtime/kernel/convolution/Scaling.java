package dev.sublet.runtime.kernel.convolution;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * The scaling of one axis by an interpolation.
 *
 * @param extent the old extent
 * @param size the new extent
 * @param ratio the number of old elements per new element, rounded to a float
 * @param alignsCorners whether the first and last elements keep their positions
 * @param alignsMiddles if the corners are not aligned, whether the middles of elements are scaled
 *     instead of their beginnings
 */
record Scaling(long extent, long size, double ratio, boolean alignsCorners, boolean alignsMiddles) {

  /** The attributes of explicit extents. Images with fewer axes use the last attributes. */
  private static final ImmutableList<String> SIZES = ImmutableList.of("out_d", "out_h", "out_w");

  /**
   * Returns the scaling of each axis from {@code SizeTensor}, {@code OutSize}, {@code Scale},
   * {@code scale}, {@code out_d}, {@code out_h} and {@code out_w}, in this order of precedence.
   * Only {@code _v2} operators use a given scale as the ratio; the others divide the extents.
   *
   * @param images the shape of the images, channels first
   */
  static Scaling[] of(OperatorCall call, long[] images) {
    if (images.length < 3 || images.length > 2 + SIZES.size()) {
      throw new OperatorException("images of the shape " + Arrays.toString(images));
    }
    Scaling[] scalings = new Scaling[images.length - 2];
    boolean keepsScale = call.type().endsWith("_v2") || call.type().endsWith("_v2_grad");
    List<LodTensor> sizes = call.arguments("SizeTensor");
    if (!sizes.isEmpty() && sizes.size() != scalings.length) {
      throw new OperatorException(sizes.size() + " new extents for " + scalings.length + " axes");
    }
    double[] scales = sizes.isEmpty() ? scales(call, scalings.length) : new double[0];
    for (int i = 0; i < scalings.length; i++) {
      String name = SIZES.get(3 - scalings.length + i);
      long extent = images[i + 2];
      long size;
      if (!sizes.isEmpty()) {
        size = IntegerArguments.first(sizes.get(i).tensor());
      } else if (call.has("OutSize")) {
        long[] all = IntegerArguments.elements(call.input("OutSize"));
        size = IntegerArguments.exactly(scalings.length, all, "OutSize")[i];
      } else if (scales.length > 0) {
        size = (long) ((float) extent * (float) scales[i]);
      } else {
        size = call.integer(name, -1);
      }
      if (size < 1) {
        throw new OperatorException("the new extent of axis " + (i + 2) + " is " + size);
      }
      double scale = keepsScale && scales.length > 0 ? scales[i] : 0;
      scalings[i] = of(call, extent, size, scale);
    }
    return scalings;
  }

  private static Scaling of(OperatorCall call, long extent, long size, double scale) {
    boolean corners = call.flag("align_corners", true);
    boolean middles = !corners && call.integer("align_mode", 1) == 0;
    float ratio = 0;
    if (size > 1) {
      if (corners) {
        ratio = (float) (extent - 1) / (size - 1);
      } else {
        ratio = scale > 0 ? (float) (1 / scale) : (float) extent / size;
      }
    }
    float last = middles ? ratio * (size - 0.5f) - 0.5f : ratio * (size - 1);
    if ((long) last >= extent) {
      throw new OperatorException(
          "a factor of " + scale + " leads from " + extent + " elements beyond the last one");
    }
    return new Scaling(extent, size, ratio, corners, middles);
  }

  private static void checkCount(int factors, int axes) {
    if (factors > 1 && factors != axes) {
      throw new OperatorException(factors + " factors for " + axes + " axes");
    }
  }

  /** Returns one factor per axis; none if a factor is not positive. */
  private static double[] scales(OperatorCall call, int axes) {
    double[] scales = new double[axes];
    if (call.has("Scale")) {
      Tensor given = call.input("Scale");
      checkCount(given.length(), axes);
      for (int i = 0; i < axes; i++) {
        scales[i] = given.length() == 0 ? 0 : given.getDouble(given.length() > 1 ? i : 0);
      }
    } else {
      List<Double> given = call.reals("scale");
      checkCount(given.size(), axes);
      for (int i = 0; i < axes; i++) {
        scales[i] = given.isEmpty() ? 0 : given.get(given.size() > 1 ? i : 0).floatValue();
      }
    }
    for (double scale : scales) {
      if (scale <= 0) {
        return new double[0];
      }
    }
    return scales;
  }
}
