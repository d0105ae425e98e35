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

  /**
   * The limit on the points of one bin. A bin with more points belongs to a region far larger than
   * any image, and would take hours.
   */
  private static final long MOST_POINTS = 1 << 24;

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
      Sampling sampling = regions.sampling(region);
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
      Sampling sampling = regions.sampling(region);
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

    Sampling sampling(int region) {
      return new Sampling(call, corners, 4 * region, height, width);
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

  /** The points at which the map is sampled for one region. */
  private static final class Sampling {

    private final int rows;
    private final int columns;
    private final float left;
    private final float top;
    private final float binWidth;
    private final float binHeight;
    private final int gridWidth;
    private final int gridHeight;
    private final int binColumns;
    private final int[] places = new int[4];
    private final float[] weights = new float[4];

    Sampling(OperatorCall call, float[] regions, int at, int height, int width) {
      boolean aligned = call.flag("aligned", false);
      float scale = (float) call.real("spatial_scale", 1);
      float shift = aligned ? 0.5f : 0;
      binColumns = width;
      rows = (int) call.shape("X").get(2);
      columns = (int) call.shape("X").get(3);
      left = regions[at] * scale - shift;
      top = regions[at + 1] * scale - shift;
      float regionWidth = regions[at + 2] * scale - shift - left;
      float regionHeight = regions[at + 3] * scale - shift - top;
      if (!aligned) {
        regionWidth = Math.max(regionWidth, 1);
        regionHeight = Math.max(regionHeight, 1);
      }
      binWidth = regionWidth / width;
      binHeight = regionHeight / height;
      int ratio = (int) call.integer("sampling_ratio", -1);
      gridWidth = ratio > 0 ? ratio : (int) Math.ceil(binWidth);
      gridHeight = ratio > 0 ? ratio : (int) Math.ceil(binHeight);
      if ((long) gridWidth * gridHeight > MOST_POINTS) {
        throw OperatorException.beyondLimits(
            "a bin of " + gridWidth + " × " + gridHeight + " points is more than are looked at");
      }
    }

    /** Returns the average of a bin's points; 0 if it has none. */
    float average(float[] maps, int map, int bin) {
      float sum = 0;
      for (int i = 0; i < gridHeight * gridWidth; i++) {
        if (look(bin, i)) {
          for (int k = 0; k < places.length; k++) {
            sum += weights[k] * maps[map + places[k]];
          }
        }
      }
      int count = gridHeight * gridWidth;
      return count == 0 ? 0 : sum / count;
    }

    /**
     * Adds the gradient of a bin's average to the map elements that the average was computed from.
     */
    void spread(float gradient, float[] maps, int map, int bin) {
      int count = gridHeight * gridWidth;
      for (int i = 0; i < count; i++) {
        if (look(bin, i)) {
          for (int k = 0; k < places.length; k++) {
            maps[map + places[k]] += gradient * weights[k] / count;
          }
        }
      }
    }

    /**
     * Finds the four elements nearest to a point of a bin, and their weights. Returns false if the
     * point is more than one element outside the map.
     */
    private boolean look(int bin, int point) {
      int row = bin / binColumns;
      int column = bin % binColumns;
      int gridRow = point / gridWidth;
      int gridColumn = point % gridWidth;
      float y = top + binHeight * (row + (gridRow + 0.5f) / gridHeight);
      float x = left + binWidth * (column + (gridColumn + 0.5f) / gridWidth);
      if (y < -1 || y > rows || x < -1 || x > columns) {
        return false;
      }
      float clampedY = Boxes.clamp(y, 0, rows - 1);
      float clampedX = Boxes.clamp(x, 0, columns - 1);
      int upper = (int) clampedY;
      int before = (int) clampedX;
      int lower = Math.min(upper + 1, rows - 1);
      int behind = Math.min(before + 1, columns - 1);
      float down = clampedY - upper;
      float right = clampedX - before;
      set(0, upper, before, (1 - down) * (1 - right));
      set(1, upper, behind, (1 - down) * right);
      set(2, lower, before, down * (1 - right));
      set(3, lower, behind, down * right);
      return true;
    }

    private void set(int k, int row, int column, float weight) {
      places[k] = row * columns + column;
      weights[k] = weight;
    }
  }
}
