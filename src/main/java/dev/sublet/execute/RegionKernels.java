package dev.sublet.execute;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;

/** {@code roi_align}: parts of pictures brought to one size, with bilinear interpolation. */
final class RegionKernels {

  private final float[] picture;
  private final int height;
  private final int width;

  private RegionKernels(Tensor x) {
    this.picture = Boxes.floats(x);
    this.height = (int) x.size(2);
    this.width = (int) x.size(3);
  }

  static void register(Kernels.Builder kernels) {
    kernels.kernel("roi_align", RegionKernels::align);
  }

  private static OperatorResult align(OperatorCall call) {
    Tensor x = call.input("X");
    RegionKernels regions = new RegionKernels(x);
    Tensor rois = call.input("ROIs");
    int channels = (int) x.size(1);
    int rows = (int) call.integer("pooled_height", 1);
    int columns = (int) call.integer("pooled_width", 1);
    float[] out = new float[(int) rois.size(0) * channels * rows * columns];
    int next = 0;
    for (int roi = 0; roi < rois.size(0); roi++) {
      int image = image(call, roi);
      float[] region = region(call, roi);
      for (int channel = 0; channel < channels; channel++) {
        int plane = (image * channels + channel) * regions.height * regions.width;
        for (int i = 0; i < rows * columns; i++) {
          out[next++] = regions.bin(call, region, plane, i / columns, i % columns);
        }
      }
    }
    ImmutableLongArray shape = ImmutableLongArray.of(rois.size(0), channels, rows, columns);
    return OperatorResult.of("Out", Tensor.of(shape, out));
  }

  private static int image(OperatorCall call, int roi) {
    long end = 0;
    if (!call.has("RoisNum")) {
      ImmutableLongArray offsets = Rows.offsets(call.lodInput("ROIs"));
      for (int image = 0; image < offsets.length() - 1; image++) {
        if (roi < offsets.get(image + 1)) {
          return image;
        }
      }
    }
    for (int image = 0; call.has("RoisNum") && image < call.input("RoisNum").length(); image++) {
      end += call.input("RoisNum").getLong(image);
      if (roi < end) {
        return image;
      }
    }
    throw new OperatorException("region " + roi + " is of no image");
  }

  /** Left, top, width and height of a bin, in pixels. */
  private static float[] region(OperatorCall call, int roi) {
    float[] rois = Boxes.floats(call.input("ROIs"));
    float scale = (float) call.real("spatial_scale", 1);
    boolean aligned = call.flag("aligned", false);
    float offset = aligned ? 0.5f : 0;
    float left = rois[4 * roi] * scale - offset;
    float top = rois[4 * roi + 1] * scale - offset;
    float regionWidth = rois[4 * roi + 2] * scale - offset - left;
    float regionHeight = rois[4 * roi + 3] * scale - offset - top;
    // What is aligned may be smaller than a pixel.
    regionWidth = aligned ? regionWidth : Math.max(regionWidth, 1);
    regionHeight = aligned ? regionHeight : Math.max(regionHeight, 1);
    return new float[] {
      left,
      top,
      regionWidth / call.integer("pooled_width", 1),
      regionHeight / call.integer("pooled_height", 1)
    };
  }

  /** The mean of some points of a bin. */
  private float bin(OperatorCall call, float[] region, int plane, int row, int column) {
    int samples = (int) call.integer("sampling_ratio", -1);
    int down = samples > 0 ? samples : (int) Math.ceil(region[3]);
    int across = samples > 0 ? samples : (int) Math.ceil(region[2]);
    float sum = 0;
    for (int i = 0; i < down; i++) {
      float y = region[1] + row * region[3] + (i + 0.5f) * region[3] / down;
      for (int k = 0; k < across; k++) {
        float x = region[0] + column * region[2] + (k + 0.5f) * region[2] / across;
        sum += point(plane, y, x);
      }
    }
    return sum / Math.max(down * across, 1);
  }

  /** Between four pixels; 0 outside of the picture. */
  private float point(int plane, float y, float x) {
    if (y < -1 || y > height || x < -1 || x > width) {
      return 0;
    }
    float down = Math.min(Math.max(y, 0), height - 1);
    float across = Math.min(Math.max(x, 0), width - 1);
    int top = (int) down;
    int left = (int) across;
    int bottom = Math.min(top + 1, height - 1);
    int right = Math.min(left + 1, width - 1);
    float below = down - top;
    float beyond = across - left;
    return (1 - below) * (1 - beyond) * picture[plane + top * width + left]
        + (1 - below) * beyond * picture[plane + top * width + right]
        + below * (1 - beyond) * picture[plane + bottom * width + left]
        + below * beyond * picture[plane + bottom * width + right];
  }
}
