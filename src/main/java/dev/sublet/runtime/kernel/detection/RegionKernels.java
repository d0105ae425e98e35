package dev.sublet.runtime.kernel.detection;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Operators that pool regions of feature maps into bins, in float32.
 *
 * <p>Source: {@code roi_align_kernel.cc} of Paddle 2.3.
 */
public final class RegionKernels {

  private RegionKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("roi_align", RegionKernels::align);
    kernels.kernel("roi_align_grad", RegionKernels::alignGradient);
  }

  private static OperatorResult align(OperatorCall call) {
    float[] maps = Boxes.floats(call, "X", 4);
    Regions regions = new Regions(call);
    float[] pooled =
        new float[Shapes.length(regions.count(), regions.channels, regions.height, regions.width)];
    for (int region = 0; region < regions.count(); region++) {
      RegionSampling sampling = regions.sampling(region);
      for (int c = 0; c < regions.channels; c++) {
        int first = regions.firstBin(region, c);
        for (int bin = 0; bin < regions.bins(); bin++) {
          pooled[first + bin] = sampling.average(maps, regions.map(region, c), bin);
        }
      }
    }
    ImmutableLongArray shape =
        ImmutableLongArray.of(regions.count(), regions.channels, regions.height, regions.width);
    return OperatorResult.of("Out", Tensor.of(shape, pooled));
  }

  private static OperatorResult alignGradient(OperatorCall call) {
    Tensor x = call.input("X");
    float[] gradient = Boxes.floats(call, "Out@GRAD", 4);
    Regions regions = new Regions(call);
    if (gradient.length
        != Shapes.length(regions.count(), regions.channels, regions.height, regions.width)) {
      throw new OperatorException(
          "Out@GRAD has the shape "
              + call.shape("Out@GRAD")
              + " for "
              + regions.count()
              + " regions of "
              + regions.height
              + " × "
              + regions.width);
    }
    float[] maps = new float[x.length()];
    for (int region = 0; region < regions.count(); region++) {
      RegionSampling sampling = regions.sampling(region);
      for (int c = 0; c < regions.channels; c++) {
        int first = regions.firstBin(region, c);
        for (int bin = 0; bin < regions.bins(); bin++) {
          sampling.spread(gradient[first + bin], maps, regions.map(region, c), bin);
        }
      }
    }
    return OperatorResult.of("X@GRAD", Tensor.of(x.shape(), maps));
  }

  /** The regions, the image of each region, and the number of bins. */
  private static final class Regions {

    private final OperatorCall call;
    private final float[] corners;
    private final int[] images;
    private final int channels;
    private final int area;
    private final int height;
    private final int width;

    Regions(OperatorCall call) {
      this.call = call;
      corners = Boxes.corners(call, "ROIs");
      images = imagesOfRegions(call);
      ImmutableLongArray maps = call.shape("X", 4);
      channels = (int) maps.get(1);
      area = (int) (maps.get(2) * maps.get(3));
      height = (int) call.integer("pooled_height", 1);
      width = (int) call.integer("pooled_width", 1);
      if (area == 0) {
        throw new OperatorException("X has the shape " + maps + ", which is empty");
      }
      for (int image : images) {
        if (image >= maps.get(0)) {
          throw new OperatorException("a region of image " + image + " of " + maps.get(0));
        }
      }
    }

    int count() {
      return images.length;
    }

    int bins() {
      return height * width;
    }

    /** Returns the index at which a channel of the region's image begins. */
    int map(int region, int channel) {
      return (images[region] * channels + channel) * area;
    }

    /** Returns the index at which the bins of a region's channel begin. */
    int firstBin(int region, int channel) {
      return (region * channels + channel) * bins();
    }

    RegionSampling sampling(int region) {
      ImmutableLongArray maps = call.shape("X");
      RegionSampling.Bins bins =
          new RegionSampling.Bins(
              (int) maps.get(2),
              (int) maps.get(3),
              height,
              width,
              (int) call.integer("sampling_ratio", -1),
              (float) call.real("spatial_scale", 1),
              call.flag("aligned", false));
      return new RegionSampling(bins, corners, 4 * region);
    }
  }

  /** Returns the index of the image of each region. */
  private static int[] imagesOfRegions(OperatorCall call) {
    int[] images = new int[(int) call.input("ROIs").size(0)];
    if (call.has("RoisNum")) {
      Tensor numbers = call.input("RoisNum");
      int next = 0;
      for (int image = 0; image < numbers.length(); image++) {
        for (long i = 0; i < numbers.getLong(image) && next < images.length; i++) {
          images[next++] = image;
        }
      }
      return images;
    }
    ImmutableLongArray offsets = Boxes.offsets(call, "ROIs");
    for (int image = 0; image + 1 < offsets.length(); image++) {
      for (long i = offsets.get(image); i < offsets.get(image + 1); i++) {
        images[(int) i] = image;
      }
    }
    return images;
  }
}
