package dev.sublet.execute;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;

/**
 * Operators that cut regions out of feature maps, in float32.
 *
 * <p>Source: {@code roi_align_kernel.cc} of Paddle 2.3.
 */
final class RegionKernels {

  private RegionKernels() {}

  static void register(Kernels.Builder kernels) {
    kernels.kernel("roi_align", RegionKernels::align);
  }

  private static OperatorResult align(OperatorCall call) {
    Tensor x = call.input("X");
    float[] maps = Boxes.floats(call, "X", 4);
    float[] regions = Boxes.floats(call, "ROIs", 2);
    int height = (int) call.integer("pooled_height", 1);
    int width = (int) call.integer("pooled_width", 1);
    int channels = (int) x.size(1);
    int area = (int) (x.size(2) * x.size(3));
    int[] images = imagesOfRegions(call);
    float[] pooled = new float[images.length * channels * height * width];
    for (int region = 0; region < images.length; region++) {
      Sampling sampling = new Sampling(call, regions, 4 * region, height, width);
      for (int c = 0; c < channels; c++) {
        int map = (images[region] * channels + c) * area;
        for (int bin = 0; bin < height * width; bin++) {
          pooled[(region * channels + c) * height * width + bin] =
              sampling.average(maps, map, bin / width, bin % width);
        }
      }
    }
    ImmutableLongArray shape = ImmutableLongArray.of(images.length, channels, height, width);
    return OperatorResult.of("Out", Tensor.of(shape, pooled));
  }

  /** Which image each region is in. */
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

  /** The points of one region at which a map is looked at. */
  private static final class Sampling {

    private final int rows;
    private final int columns;
    private final float left;
    private final float top;
    private final float binWidth;
    private final float binHeight;
    private final int gridWidth;
    private final int gridHeight;

    Sampling(OperatorCall call, float[] regions, int at, int height, int width) {
      boolean aligned = call.flag("aligned", false);
      float scale = (float) call.real("spatial_scale", 1);
      float shift = aligned ? 0.5f : 0;
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
    }

    /** The average of a bin's points; 0 if it has none. */
    float average(float[] maps, int map, int binRow, int binColumn) {
      float sum = 0;
      for (int i = 0; i < gridHeight; i++) {
        float y = top + binHeight * (binRow + (i + 0.5f) / gridHeight);
        for (int j = 0; j < gridWidth; j++) {
          float x = left + binWidth * (binColumn + (j + 0.5f) / gridWidth);
          sum += sample(maps, map, y, x);
        }
      }
      int count = gridHeight * gridWidth;
      return count == 0 ? 0 : sum / count;
    }

    /** The map between its four nearest elements; 0 outside. */
    private float sample(float[] maps, int map, float y, float x) {
      if (y < -1 || y > rows || x < -1 || x > columns) {
        return 0;
      }
      float clampedY = Boxes.clamp(y, 0, rows - 1);
      float clampedX = Boxes.clamp(x, 0, columns - 1);
      int row = (int) clampedY;
      int column = (int) clampedX;
      int nextRow = Math.min(row + 1, rows - 1);
      int nextColumn = Math.min(column + 1, columns - 1);
      float lowerY = clampedY - row;
      float lowerX = clampedX - column;
      float upper =
          (1 - lowerX) * maps[map + row * columns + column]
              + lowerX * maps[map + row * columns + nextColumn];
      float lower =
          (1 - lowerX) * maps[map + nextRow * columns + column]
              + lowerX * maps[map + nextRow * columns + nextColumn];
      return (1 - lowerY) * upper + lowerY * lower;
    }
  }
}
