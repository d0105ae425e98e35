package dev.sublet.execute;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** {@code prior_box} and {@code anchor_generator}: boxes of some sizes around each pixel. */
final class AnchorKernels {

  /** Ratios that are closer are the same. */
  private static final double SAME = 1e-6;

  private AnchorKernels() {}

  static void register(Kernels.Builder kernels) {
    kernels.kernel("anchor_generator", AnchorKernels::anchors);
    kernels.kernel("prior_box", AnchorKernels::priors);
  }

  /** Half the extents of a box. */
  private record Half(float width, float height) {}

  private static OperatorResult priors(OperatorCall call) {
    int height = (int) call.input("Input").size(2);
    int width = (int) call.input("Input").size(3);
    float imageHeight = call.input("Image").size(2);
    float imageWidth = call.input("Image").size(3);
    float stepWidth = (float) call.real("step_w", 0);
    float stepHeight = (float) call.real("step_h", 0);
    if (stepWidth == 0 || stepHeight == 0) {
      stepWidth = imageWidth / width;
      stepHeight = imageHeight / height;
    }
    float offset = (float) call.real("offset", 0.5);
    boolean clips = call.flag("clip", false);
    List<Half> sizes = sizes(call);
    float[] boxes = new float[height * width * sizes.size() * 4];
    int next = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        float centerX = (x + offset) * stepWidth;
        float centerY = (y + offset) * stepHeight;
        for (Half size : sizes) {
          boxes[next++] = clipped((centerX - size.width()) / imageWidth, clips);
          boxes[next++] = clipped((centerY - size.height()) / imageHeight, clips);
          boxes[next++] = clipped((centerX + size.width()) / imageWidth, clips);
          boxes[next++] = clipped((centerY + size.height()) / imageHeight, clips);
        }
      }
    }
    return result(call, "Boxes", ImmutableLongArray.of(height, width, sizes.size(), 4), boxes);
  }

  private static float clipped(float x, boolean clips) {
    return clips ? Math.min(Math.max(x, 0), 1) : x;
  }

  private static List<Half> sizes(OperatorCall call) {
    List<Double> ratios = ratios(call);
    List<Double> largest = call.reals("max_sizes");
    boolean squaresFirst = call.flag("min_max_aspect_ratios_order", false);
    List<Half> sizes = new ArrayList<>();
    for (int i = 0; i < call.reals("min_sizes").size(); i++) {
      float least = call.reals("min_sizes").get(i).floatValue();
      List<Half> between = new ArrayList<>();
      if (!largest.isEmpty()) {
        float half = (float) Math.sqrt(least * largest.get(i).floatValue()) / 2;
        between.add(new Half(half, half));
      }
      for (double ratio : ratios) {
        float root = (float) Math.sqrt(ratio);
        sizes.add(new Half(least * root / 2, least / root / 2));
        // The first ratio is 1.
        if (squaresFirst && ratio == 1) {
          sizes.addAll(between);
        }
      }
      if (!squaresFirst) {
        sizes.addAll(between);
      }
    }
    return sizes;
  }

  /** 1, then each new ratio and, if asked for, its reciprocal. */
  private static List<Double> ratios(OperatorCall call) {
    List<Double> ratios = new ArrayList<>();
    ratios.add(1.0);
    for (double ratio : call.reals("aspect_ratios")) {
      if (ratios.stream().noneMatch(other -> Math.abs(other - ratio) < SAME)) {
        ratios.add(ratio);
        if (call.flag("flip", false)) {
          ratios.add(1 / ratio);
        }
      }
    }
    return ratios;
  }

  private static OperatorResult anchors(OperatorCall call) {
    int height = (int) call.input("Input").size(2);
    int width = (int) call.input("Input").size(3);
    float strideX = call.reals("stride").get(0).floatValue();
    float strideY = call.reals("stride").get(1).floatValue();
    float offset = (float) call.real("offset", 0.5);
    int count = call.reals("aspect_ratios").size() * call.reals("anchor_sizes").size();
    float[] boxes = new float[height * width * count * 4];
    int next = 0;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        float centerX = x * strideX + offset * (strideX - 1);
        float centerY = y * strideY + offset * (strideY - 1);
        for (double ratio : call.reals("aspect_ratios")) {
          float baseWidth = Math.round(Math.sqrt(strideX * strideY / (float) ratio));
          float baseHeight = Math.round(baseWidth * (float) ratio);
          for (double size : call.reals("anchor_sizes")) {
            float halfWidth = ((float) size / strideX * baseWidth - 1) / 2;
            float halfHeight = ((float) size / strideY * baseHeight - 1) / 2;
            boxes[next++] = centerX - halfWidth;
            boxes[next++] = centerY - halfHeight;
            boxes[next++] = centerX + halfWidth;
            boxes[next++] = centerY + halfHeight;
          }
        }
      }
    }
    return result(call, "Anchors", ImmutableLongArray.of(height, width, count, 4), boxes);
  }

  private static OperatorResult result(
      OperatorCall call, String slot, ImmutableLongArray shape, float[] boxes) {
    float[] variances = new float[boxes.length];
    for (int i = 0; i < variances.length; i++) {
      variances[i] = call.reals("variances").get(i % 4).floatValue();
    }
    return OperatorResult.builder()
        .put(slot, LodTensor.of(Tensor.of(shape, boxes)))
        .put("Variances", LodTensor.of(Tensor.of(shape, variances)))
        .build();
  }
}
