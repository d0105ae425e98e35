package dev.sublet.runtime.kernel.onnx.layer;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.convolution.SlidingWindow;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.product.ImageWindows;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Operators whose elements decide which boxes are selected, or where elements are written. */
public final class OnnxBoxes {

  private OnnxBoxes() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("NonMaxSuppression", Use.NUMBERS, OutputTypes.asComputed(), OnnxBoxes::suppress);
    family.kernel("MaxUnpool", Use.NUMBERS, OutputTypes.like(0), OnnxBoxes::unpool);
  }

  /**
   * Selects boxes by descending score, without boxes that overlap an earlier one too much. Inputs:
   * boxes; scores with the axes image, class, box; the greatest number per class; the greatest
   * overlap; the least score. O(boxes · (log boxes + selected boxes)) per image and class.
   */
  private static OperatorResult suppress(OperatorCall call) {
    Tensor boxes = call.input("0");
    Tensor scores = call.input("1");
    call.shape("0", 3);
    call.shape("1", 3);
    int count = (int) boxes.size(1);
    if (boxes.size(2) != 4 || scores.size(2) != count || scores.size(0) != boxes.size(0)) {
      throw new OperatorException("boxes " + boxes.shape() + " with scores " + scores.shape());
    }
    long most = call.has("2") ? call.scalarInput("2").getLong(0) : 0;
    float overlap = call.has("3") ? (float) call.scalarInput("3").getDouble(0) : 0;
    double least = call.has("4") ? call.scalarInput("4").getDouble(0) : Double.NEGATIVE_INFINITY;
    float[] corners = corners(boxes, call.integer("center_point_box", 0) == 1);
    List<Long> selected = new ArrayList<>();
    int classes = (int) scores.size(1);
    for (int list = 0; list < scores.size(0) * classes && count > 0; list++) {
      int image = list / classes;
      int from = list * count;
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        if (!call.has("4") || scores.getDouble(from + i) > least) {
          order.add(i);
        }
      }
      order.sort(Comparator.comparingDouble((Integer i) -> -scores.getDouble(from + i)));
      for (int box : select(corners, image * count, order, most, overlap)) {
        selected.add((long) image);
        selected.add((long) list % classes);
        selected.add((long) box);
      }
    }
    long[] rows = selected.stream().mapToLong(Long::longValue).toArray();
    return OperatorResult.of("0", Tensor.of(ImmutableLongArray.of(rows.length / 3, 3), rows));
  }

  /** Returns two opposite corners of each box, the lesser coordinates first. */
  private static float[] corners(Tensor boxes, boolean hasCenters) {
    float[] corners = new float[boxes.length()];
    for (int i = 0; i < corners.length; i += 4) {
      for (int k = 0; k < 2; k++) {
        float a = (float) boxes.getDouble(i + k);
        float b = (float) boxes.getDouble(i + 2 + k);
        corners[i + k] = hasCenters ? a - b / 2 : Math.min(a, b);
        corners[i + 2 + k] = hasCenters ? a + b / 2 : Math.max(a, b);
      }
    }
    return corners;
  }

  private static List<Integer> select(
      float[] corners, int first, List<Integer> order, long most, float overlap) {
    List<Integer> selected = new ArrayList<>();
    for (int box : order) {
      if (selected.size() >= most) {
        break;
      }
      boolean stays = true;
      for (int other : selected) {
        stays = stays && !overlaps(corners, 4 * (first + box), 4 * (first + other), overlap);
      }
      if (stays) {
        selected.add(box);
      }
    }
    return selected;
  }

  /** Whether the common area of two boxes is more than a part of the area of both. */
  private static boolean overlaps(float[] corners, int a, int b, float part) {
    float height = Math.min(corners[a + 2], corners[b + 2]) - Math.max(corners[a], corners[b]);
    float width =
        Math.min(corners[a + 3], corners[b + 3]) - Math.max(corners[a + 1], corners[b + 1]);
    if (height <= 0 || width <= 0) {
      return false;
    }
    float common = height * width;
    float first = area(corners, a);
    float second = area(corners, b);
    float union = first + second - common;
    return first > 0 && second > 0 && union > 0 && common / union > part;
  }

  private static float area(float[] corners, int at) {
    return (corners[at + 2] - corners[at]) * (corners[at + 3] - corners[at + 1]);
  }

  /**
   * Writes the elements of input 0 at the positions of input 1 in a tensor of zeros. The positions
   * are those in the least tensor from which a pooling makes input 0; input 2 is a larger shape.
   */
  private static OperatorResult unpool(OperatorCall call) {
    Tensor x = call.input("0");
    Tensor positions = call.input("1");
    long[] shape = Shapes.ofRankFrom(3, x.shape().toArray(), "input 0");
    int axes = shape.length - 2;
    long[] kernels =
        IntegerArguments.exactly(
            axes, IntegerArguments.attribute(call, "kernel_shape"), "kernel_shape");
    SlidingWindow[] windows = ImageWindows.of(call, ImageWindows.spatial(shape), kernels);
    for (int i = 0; i < axes; i++) {
      shape[i + 2] = windows[i].transposedExtent();
    }
    long[] whole =
        call.has("2")
            ? IntegerArguments.exactly(
                axes + 2, IntegerArguments.elements(call.input("2")), "output_shape")
            : shape;
    Tensor y = Tensor.zeros(x.type(), ImmutableLongArray.copyOf(whole));
    if (!positions.shape().equals(x.shape())) {
      throw new OperatorException("positions " + positions.shape() + " for " + x.shape());
    }
    for (int i = 0; i < x.length(); i++) {
      long position = positions.getLong(i);
      if (position < 0 || position >= y.length()) {
        throw new OperatorException("position " + position + " of " + y.length());
      }
      ElementWriter.put(y, (int) position, x.getDouble(i));
    }
    return OperatorResult.of("0", y);
  }
}
