package dev.sublet.runtime.kernel.detection;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Operators that generate boxes for each cell of a feature map, in float32.
 *
 * <p>Source: {@code prior_box_op.h}, {@code anchor_generator_op.h} of Paddle 2.3.
 */
public final class AnchorKernels {

  private static final double SAME_RATIO = 1e-6;

  private AnchorKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("anchor_generator", AnchorKernels::anchors);
    kernels.kernel("prior_box", AnchorKernels::priors);
  }

  /** Half the width and half the height of a box, or its center. */
  private record Point(float x, float y) {}

  private static OperatorResult priors(OperatorCall call) {
    Tensor input = call.input("Input");
    Tensor image = call.input("Image");
    call.shape("Input", 4);
    call.shape("Image", 4);
    float imageWidth = image.size(3);
    float imageHeight = image.size(2);
    float stepX = (float) call.real("step_w", 0);
    float stepY = (float) call.real("step_h", 0);
    if (stepX == 0 || stepY == 0) {
      stepX = imageWidth / input.size(3);
      stepY = imageHeight / input.size(2);
    }
    float offset = (float) call.real("offset", 0.5);
    List<Point> halves = priorHalves(call);
    int rows = (int) input.size(2);
    int columns = (int) input.size(3);
    float[] boxes = new float[Shapes.length(rows, columns, halves.size(), 4)];
    int next = 0;
    for (int cell = 0; cell < rows * columns; cell++) {
      int row = cell / columns;
      int column = cell % columns;
      float x = (column + offset) * stepX;
      float y = (row + offset) * stepY;
      for (Point half : halves) {
        boxes[next++] = (x - half.x()) / imageWidth;
        boxes[next++] = (y - half.y()) / imageHeight;
        boxes[next++] = (x + half.x()) / imageWidth;
        boxes[next++] = (y + half.y()) / imageHeight;
      }
    }
    if (call.flag("clip", false)) {
      for (int i = 0; i < boxes.length; i++) {
        boxes[i] = Boxes.clamp(boxes[i], 0, 1);
      }
    }
    return result(call, "Boxes", boxes, halves.size(), input);
  }

  private static List<Point> priorHalves(OperatorCall call) {
    ImmutableList<Double> smallest = call.reals("min_sizes");
    ImmutableList<Double> largest = call.reals("max_sizes");
    List<Double> ratios = ratios(call);
    boolean squaresFirst = call.flag("min_max_aspect_ratios_order", false);
    List<Point> halves = new ArrayList<>();
    for (int i = 0; i < smallest.size(); i++) {
      float size = smallest.get(i).floatValue();
      if (squaresFirst) {
        halves.add(new Point(size / 2, size / 2));
      } else {
        addRatios(halves, size, ratios, /* alsoSquares= */ true);
      }
      if (i < largest.size()) {
        float side = (float) (Math.sqrt(size * largest.get(i).floatValue()) / 2);
        halves.add(new Point(side, side));
      }
      if (squaresFirst) {
        addRatios(halves, size, ratios, /* alsoSquares= */ false);
      }
    }
    return halves;
  }

  private static void addRatios(
      List<Point> halves, float size, List<Double> ratios, boolean alsoSquares) {
    for (double ratio : ratios) {
      if (alsoSquares || Math.abs(ratio - 1) >= SAME_RATIO) {
        float root = (float) Math.sqrt((float) ratio);
        halves.add(new Point(size * root / 2, size / root / 2));
      }
    }
  }

  private static ImmutableList<Double> aspectRatios(OperatorCall call) {
    ImmutableList<Double> ratios = call.reals("aspect_ratios");
    for (double ratio : ratios) {
      if (!(ratio > 0)) {
        throw new OperatorException("an aspect ratio of " + ratio);
      }
    }
    return ratios;
  }

  /** Returns the ratios: 1 first, then each new ratio and, if requested, its inverse. */
  private static List<Double> ratios(OperatorCall call) {
    List<Double> ratios = new ArrayList<>(List.of(1.0));
    for (double ratio : aspectRatios(call)) {
      if (ratios.stream().noneMatch(known -> Math.abs(known - ratio) < SAME_RATIO)) {
        ratios.add(ratio);
        if (call.flag("flip", false)) {
          ratios.add(1 / ratio);
        }
      }
    }
    return ratios;
  }

  private static OperatorResult anchors(OperatorCall call) {
    Tensor input = call.input("Input");
    ImmutableList<Double> stride = call.reals("stride");
    if (input.rank() != 4 || stride.size() != 2) {
      throw new OperatorException("input " + input.shape() + " with the strides " + stride);
    }
    float stepX = stride.get(0).floatValue();
    float stepY = stride.get(1).floatValue();
    float offset = (float) call.real("offset", 0.5);
    List<Point> halves = new ArrayList<>();
    for (double ratio : aspectRatios(call)) {
      float width = Math.round(Math.sqrt(stepX * stepY / (float) ratio));
      float height = Math.round(width * (float) ratio);
      for (double size : call.reals("anchor_sizes")) {
        halves.add(
            new Point(
                0.5f * ((float) size / stepX * width - 1),
                0.5f * ((float) size / stepY * height - 1)));
      }
    }
    int rows = (int) input.size(2);
    int columns = (int) input.size(3);
    float[] boxes = new float[Shapes.length(rows, columns, halves.size(), 4)];
    int next = 0;
    for (int cell = 0; cell < rows * columns; cell++) {
      int row = cell / columns;
      int column = cell % columns;
      float x = column * stepX + offset * (stepX - 1);
      float y = row * stepY + offset * (stepY - 1);
      for (Point half : halves) {
        boxes[next++] = x - half.x();
        boxes[next++] = y - half.y();
        boxes[next++] = x + half.x();
        boxes[next++] = y + half.y();
      }
    }
    return result(call, "Anchors", boxes, halves.size(), input);
  }

  private static OperatorResult result(
      OperatorCall call, String slot, float[] boxes, int count, Tensor input) {
    ImmutableList<Double> given = call.reals("variances");
    float[] variances = new float[boxes.length];
    for (int i = 0; i < variances.length; i++) {
      variances[i] = given.isEmpty() ? 0.1f : given.get(i % given.size()).floatValue();
    }
    ImmutableLongArray shape = ImmutableLongArray.of(input.size(2), input.size(3), count, 4);
    return OperatorResult.builder()
        .put(slot, Tensor.of(shape, boxes))
        .put("Variances", Tensor.of(shape, variances))
        .build();
  }
}
