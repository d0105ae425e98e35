package dev.sublet.runtime.kernel.onnx.layer;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.detection.RegionSampling;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Pooling of regions of images. The kernels are native because elements decide which parts of the
 * images are read. O(elements of the result · points of a bin).
 */
public final class OnnxRegions {

  private OnnxRegions() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("RoiAlign", Use.NUMBERS, OutputTypes.like(0), OnnxRegions::align);
    family.kernel("MaxRoiPool", Use.NUMBERS, OutputTypes.like(0), OnnxRegions::pool);
    family.kernel(
        "com.microsoft.CropAndResize", Use.NUMBERS, OutputTypes.like(0), OnnxRegions::crop);
  }

  /**
   * The images, the regions and the extents of their parts in the result.
   *
   * @param x the images
   * @param regions the regions' numbers
   * @param images the index of each region's image
   * @param height the number of rows of each region in the result
   * @param width the number of columns
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Parts(Tensor x, float[] regions, int[] images, int height, int width) {

    /** Checks the extents and the indices. */
    Parts {
      Shapes.ofRank(4, x.shape().toArray(), "input 0");
      for (int image : images) {
        if (image < 0 || image >= x.size(0)) {
          throw new OperatorException("a region of image " + image + " of " + x.size(0));
        }
      }
    }

    int rows() {
      return (int) x.size(2);
    }

    int columns() {
      return (int) x.size(3);
    }

    /** Computes each element of the result. */
    OperatorResult map(Element element) {
      int channels = (int) x.size(1);
      Tensor y =
          Tensor.zeros(x.type(), ImmutableLongArray.of(images.length, channels, height, width));
      int next = 0;
      for (int region = 0; region < images.length; region++) {
        for (int c = 0; c < channels; c++) {
          int first = (images[region] * channels + c) * rows() * columns();
          for (int bin = 0; bin < height * width; bin++) {
            ElementWriter.put(y, next++, element.of(region, first, bin));
          }
        }
      }
      return OperatorResult.of("0", y);
    }
  }

  /** The computation of one element of the result from the image that begins at an index. */
  private interface Element {
    double of(int region, int first, int bin);
  }

  private static Parts parts(OperatorCall call, int height, int width) {
    Tensor x = call.input("0");
    Tensor regions = call.input("1");
    int numbers = call.has("2") ? 4 : 5;
    call.shape("1", 2);
    if (regions.size(1) != numbers) {
      throw new OperatorException("regions of " + regions.size(1) + " numbers");
    }
    int count = (int) regions.size(0);
    float[] corners = new float[4 * count];
    int[] images = new int[count];
    if (call.has("2") && call.input("2").length() != count) {
      throw new OperatorException(call.input("2").length() + " images for " + count + " regions");
    }
    for (int i = 0; i < count; i++) {
      images[i] =
          (int)
              (call.has("2") ? call.input("2").getLong(i) : (long) regions.getDouble(i * numbers));
      for (int k = 0; k < 4; k++) {
        corners[4 * i + k] = (float) regions.getDouble((i + 1) * numbers - 4 + k);
      }
    }
    return new Parts(x, corners, images, height, width);
  }

  private static OperatorResult align(OperatorCall call) {
    int height = (int) call.integer("output_height", 1);
    int width = (int) call.integer("output_width", 1);
    Parts parts = parts(call, height, width);
    String absent = call.integer("sublet.opset", 16) < 16 ? "output_half_pixel" : "half_pixel";
    String coordinates = call.text("coordinate_transformation_mode", absent);
    RegionSampling.Bins bins =
        new RegionSampling.Bins(
            parts.rows(),
            parts.columns(),
            height,
            width,
            (int) call.integer("sampling_ratio", 0),
            (float) call.real("spatial_scale", 1),
            coordinates.equals("half_pixel"));
    boolean isMaximum = call.text("mode", "avg").equals("max");
    RegionSampling[] samplings = new RegionSampling[parts.images().length];
    for (int i = 0; i < samplings.length; i++) {
      samplings[i] = new RegionSampling(bins, parts.regions(), 4 * i);
    }
    return parts.map(
        (region, first, bin) ->
            isMaximum
                ? maximum(samplings[region], parts.x(), first, bin)
                : mean(samplings[region], parts.x(), first, bin));
  }

  private static double mean(RegionSampling sampling, Tensor x, int first, int bin) {
    double sum = 0;
    int points = sampling.points();
    for (int i = 0; i < points; i++) {
      if (sampling.look(bin, i)) {
        for (int k = 0; k < sampling.places().length; k++) {
          sum += sampling.weights()[k] * x.getDouble(first + sampling.places()[k]);
        }
      }
    }
    return sum / Math.max(points, 1);
  }

  /** Returns the largest weighted neighbor of all points, as in ONNX Runtime. */
  private static double maximum(RegionSampling sampling, Tensor x, int first, int bin) {
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < sampling.points(); i++) {
      boolean isInside = sampling.look(bin, i);
      for (int k = 0; k < sampling.places().length; k++) {
        double value =
            isInside ? sampling.weights()[k] * x.getDouble(first + sampling.places()[k]) : 0;
        most = Math.max(most, value);
      }
    }
    return sampling.points() == 0 ? 0 : most;
  }

  private static OperatorResult pool(OperatorCall call) {
    long[] shape =
        IntegerArguments.exactly(
            2, IntegerArguments.attribute(call, "pooled_shape"), "pooled_shape");
    Parts parts = parts(call, (int) shape[0], (int) shape[1]);
    float scale = (float) call.real("spatial_scale", 1);
    return parts.map(
        (region, first, bin) -> {
          float[] corners = parts.regions();
          int at = 4 * region;
          int row = bin / parts.width();
          int column = bin % parts.width();
          int[] rows = span(corners[at + 1], corners[at + 3], scale, parts.height(), row);
          int[] columns = span(corners[at], corners[at + 2], scale, parts.width(), column);
          double most = Double.NEGATIVE_INFINITY;
          for (int y = Math.max(rows[0], 0); y < Math.min(rows[1], parts.rows()); y++) {
            for (int x = Math.max(columns[0], 0); x < Math.min(columns[1], parts.columns()); x++) {
              most = Math.max(most, parts.x().getDouble(first + y * parts.columns() + x));
            }
          }
          return most == Double.NEGATIVE_INFINITY ? 0 : most;
        });
  }

  /** Returns the begin and the end, exclusive, of one of the parts of an interval. */
  private static int[] span(float from, float to, float scale, int parts, int part) {
    int begin = Math.round(from * scale);
    int extent = Math.max(Math.round(to * scale) - begin + 1, 1);
    float size = (float) extent / parts;
    return new int[] {
      begin + (int) Math.floor(part * size), begin + (int) Math.ceil((part + 1) * size)
    };
  }

  private static OperatorResult crop(OperatorCall call) {
    long[] size =
        IntegerArguments.exactly(2, IntegerArguments.elements(call.input("3")), "crop_size");
    Parts parts = parts(call, (int) size[0], (int) size[1]);
    boolean isNearest = call.text("mode", "bilinear").equals("nearest");
    double outside = call.real("extrapolation_value", 0);
    return parts.map(
        (region, first, bin) -> {
          float[] corners = parts.regions();
          int at = 4 * region;
          float y =
              place(
                  corners[at], corners[at + 2], parts.rows(), parts.height(), bin / parts.width());
          float x =
              place(
                  corners[at + 1],
                  corners[at + 3],
                  parts.columns(),
                  parts.width(),
                  bin % parts.width());
          boolean isInside = y >= 0 && y <= parts.rows() - 1 && x >= 0 && x <= parts.columns() - 1;
          if (!isInside) {
            return outside;
          }
          return isNearest
              ? parts.x().getDouble(first + Math.round(y) * parts.columns() + Math.round(x))
              : between(parts, first, y, x);
        });
  }

  private static float place(float from, float to, int extent, int count, int index) {
    return count > 1
        ? from * (extent - 1) + index * ((to - from) * (extent - 1) / (count - 1))
        : 0.5f * (from + to) * (extent - 1);
  }

  private static double between(Parts parts, int first, float y, float x) {
    int top = (int) Math.floor(y);
    int left = (int) Math.floor(x);
    int upper = first + top * parts.columns();
    int lower = first + (int) Math.ceil(y) * parts.columns();
    int right = (int) Math.ceil(x);
    Tensor images = parts.x();
    double above = mixed(images.getDouble(upper + left), images.getDouble(upper + right), x - left);
    double below = mixed(images.getDouble(lower + left), images.getDouble(lower + right), x - left);
    return mixed(above, below, y - top);
  }

  private static double mixed(double a, double b, double part) {
    return a + (b - a) * part;
  }
}
