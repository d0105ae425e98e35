package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.Tensor;
import java.util.List;

/** Reads new extents and factors of Resize and Upsample from their inputs and attributes. */
final class ResizedAxes {

  private ResizedAxes() {}

  /**
   * Returns the axes that are resized, or whose factors or extents are given.
   *
   * @param shape the extents of the images
   */
  static ResizedAxis[] of(OperatorCall call, long[] shape) {
    int[] axes =
        call.integers("axes").stream().mapToInt(axis -> Shapes.axis(axis, shape.length)).toArray();
    axes = axes.length == 0 ? Shapes.range(0, shape.length) : axes;
    boolean isOld = call.type().equals("Upsample") || !(has(call, "2") || has(call, "3"));
    float[] scales = new float[axes.length];
    long[] sizes = new long[axes.length];
    if (!isOld && has(call, "3")) {
      readSizes(call, shape, axes, scales, sizes);
    } else {
      float[] given = factors(call, isOld);
      check(given.length, axes.length);
      for (int i = 0; i < axes.length; i++) {
        if (!(given[i] > 0)) {
          throw new OperatorException("a scale of " + given[i]);
        }
        scales[i] = given[i];
        sizes[i] = (long) (given[i] * shape[axes[i]]);
      }
    }
    float[] region = isOld ? new float[0] : region(call, axes.length);
    ResizedAxis[] resized = new ResizedAxis[axes.length];
    for (int i = 0; i < axes.length; i++) {
      boolean isGiven = region.length > 0;
      resized[i] =
          new ResizedAxis(
              axes[i],
              shape[axes[i]],
              sizes[i],
              scales[i],
              isGiven ? region[i] : 0,
              isGiven ? region[axes.length + i] : 1,
              ResizeRule.of(call, isOld));
    }
    return resized;
  }

  private static boolean has(OperatorCall call, String slot) {
    return call.has(slot) && call.input(slot).length() > 0;
  }

  private static void check(int given, int axes) {
    if (given != axes) {
      throw new OperatorException(given + " scales or sizes for " + axes + " axes");
    }
  }

  private static void readSizes(
      OperatorCall call, long[] shape, int[] axes, float[] scales, long[] sizes) {
    long[] given = IntegerArguments.elements(call.input("3"));
    check(given.length, axes.length);
    String policy = call.text("keep_aspect_ratio_policy", "stretch");
    float common = policy.equals("not_larger") ? Float.MAX_VALUE : 0;
    for (int i = 0; i < axes.length; i++) {
      sizes[i] = given[i];
      scales[i] = (float) given[i] / shape[axes[i]];
      common =
          policy.equals("not_larger") ? Math.min(common, scales[i]) : Math.max(common, scales[i]);
    }
    for (int i = 0; i < axes.length && !policy.equals("stretch"); i++) {
      scales[i] = common;
      sizes[i] = Math.round((double) (common * shape[axes[i]]));
    }
  }

  private static float[] factors(OperatorCall call, boolean isOld) {
    String slot = isOld ? "1" : "2";
    return has(call, slot) ? floats(call.input(slot)) : floats(call.reals("scales"));
  }

  private static float[] floats(List<Double> numbers) {
    float[] floats = new float[numbers.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = numbers.get(i).floatValue();
    }
    return floats;
  }

  private static float[] floats(Tensor tensor) {
    float[] floats = new float[tensor.length()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) tensor.getDouble(i);
    }
    return floats;
  }

  /** Returns the begins, then the ends, of the region to resize, of tf_crop_and_resize only. */
  private static float[] region(OperatorCall call, int axes) {
    boolean isNeeded = call.text("coordinate_transformation_mode", "").equals("tf_crop_and_resize");
    if (!isNeeded) {
      return new float[0];
    }
    float[] region = floats(call.input("1"));
    check(region.length, 2 * axes);
    return region;
  }
}
