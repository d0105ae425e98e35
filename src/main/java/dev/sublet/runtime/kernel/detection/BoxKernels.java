package dev.sublet.runtime.kernel.detection;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Operators that encode, decode, clip and compare boxes, in float32.
 *
 * <p>Source: {@code box_coder_op.h}, {@code box_clip_op.h}, {@code iou_similarity_op.h}, {@code
 * yolo_box_kernel.cc} of Paddle 2.3.
 */
public final class BoxKernels {

  private BoxKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("box_clip", BoxKernels::clip);
    kernels.kernel("box_coder", BoxKernels::code);
    kernels.kernel("iou_similarity", BoxKernels::similarity);
    kernels.kernel("yolo_box", BoxKernels::yolo);
  }

  private static OperatorResult clip(OperatorCall call) {
    LodTensor input = call.lodInput("Input");
    float[] boxes = Boxes.floats(call, "Input", input.tensor().rank());
    float[] images = Boxes.floats(call, "ImInfo", 2);
    ImmutableLongArray offsets = Boxes.offsets(call, "Input");
    int width = Slices.width(input.tensor());
    if (call.shape("ImInfo").get(1) != 3 || images.length < 3 * (offsets.length() - 1)) {
      throw new OperatorException(
          "ImInfo has the shape " + call.shape("ImInfo") + ", but three numbers per image are due");
    }
    float[] clipped = new float[boxes.length];
    for (int image = 0; image + 1 < offsets.length(); image++) {
      float bottom = Math.round(images[3 * image] / images[3 * image + 2]) - 1;
      float right = Math.round(images[3 * image + 1] / images[3 * image + 2]) - 1;
      int end = (int) offsets.get(image + 1) * width;
      for (int i = (int) offsets.get(image) * width; i < end; i++) {
        clipped[i] = Boxes.clamp(boxes[i], 0, i % 2 == 0 ? right : bottom);
      }
    }
    return OperatorResult.builder()
        .put("Output", new LodTensor(Tensor.of(input.tensor().shape(), clipped), input.lod()))
        .build();
  }

  private static OperatorResult code(OperatorCall call) {
    String kind = call.text("code_type", "encode_center_size");
    return switch (kind) {
      case "encode_center_size" -> encode(call);
      case "decode_center_size" -> decode(call);
      default -> throw new OperatorException("attribute code_type is '" + kind + "'");
    };
  }

  /** Returns the factors of the codes: per prior box, for all boxes, or 1. */
  private static float[] variances(OperatorCall call, int priors) {
    float[] variances = new float[4 * priors];
    ImmutableList<Double> common = call.reals("variance");
    if (call.has("PriorBoxVar")) {
      Tensor given = call.input("PriorBoxVar");
      float[] floats = Boxes.floats(call, "PriorBoxVar", given.rank());
      if (floats.length < Math.min(4, variances.length)) {
        throw new OperatorException("PriorBoxVar has the shape " + given.shape());
      }
      for (int i = 0; i < variances.length; i++) {
        variances[i] = floats[i % floats.length];
      }
    } else {
      if (!common.isEmpty() && common.size() != 4) {
        throw new OperatorException("variance is " + common + ", but must have 4 numbers");
      }
      for (int i = 0; i < variances.length; i++) {
        variances[i] = common.isEmpty() ? 1 : common.get(i % 4).floatValue();
      }
    }
    return variances;
  }

  private static OperatorResult encode(OperatorCall call) {
    float[] priors = Boxes.corners(call, "PriorBox");
    float[] targets = Boxes.corners(call, "TargetBox");
    float offset = call.flag("box_normalized", true) ? 0 : 1;
    int rows = targets.length / 4;
    int columns = priors.length / 4;
    float[] variances = variances(call, columns);
    float[] codes = new float[Shapes.length(rows, columns, 4)];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        int code = 4 * (i * columns + j);
        for (int axis = 0; axis < 2; axis++) {
          int prior = 4 * j + axis;
          int target = 4 * i + axis;
          float extent = priors[prior + 2] - priors[prior] + offset;
          float center = priors[prior] + extent / 2;
          float targetCenter = (targets[target + 2] + targets[target]) / 2;
          float targetExtent = targets[target + 2] - targets[target] + offset;
          codes[code + axis] = (targetCenter - center) / extent / variances[prior];
          codes[code + 2 + axis] =
              (float) StrictMath.log(Math.abs(targetExtent / extent)) / variances[prior + 2];
        }
      }
    }
    return OperatorResult.of(
        "OutputBox", Tensor.of(ImmutableLongArray.of(rows, columns, 4), codes));
  }

  private static OperatorResult decode(OperatorCall call) {
    float[] priors = Boxes.corners(call, "PriorBox");
    Tensor target = call.input("TargetBox");
    float[] codes = Boxes.floats(call, "TargetBox", 3);
    float offset = call.flag("box_normalized", true) ? 0 : 1;
    int columns = (int) target.size(1);
    boolean byColumn = call.integer("axis", 0) == 0;
    int count = byColumn ? columns : (int) target.size(0);
    if (priors.length != 4 * count || target.size(2) != 4) {
      throw new OperatorException(
          priors.length / 4 + " prior boxes for " + target.type() + target.shape());
    }
    float[] variances = variances(call, count);
    float[] boxes = new float[codes.length];
    for (int i = 0; i < codes.length; i += 4) {
      int index = i / 4;
      for (int axis = 0; axis < 2; axis++) {
        int prior = 4 * (byColumn ? index % columns : index / columns) + axis;
        float extent = priors[prior + 2] - priors[prior] + offset;
        float center = priors[prior] + extent / 2;
        float boxCenter = variances[prior] * codes[i + axis] * extent + center;
        float boxExtent =
            (float) StrictMath.exp(variances[prior + 2] * codes[i + 2 + axis]) * extent;
        boxes[i + axis] = boxCenter - boxExtent / 2;
        boxes[i + 2 + axis] = boxCenter + boxExtent / 2 - offset;
      }
    }
    return OperatorResult.of("OutputBox", Tensor.of(target.shape(), boxes));
  }

  private static OperatorResult similarity(OperatorCall call) {
    float[] x = Boxes.floats(call, "X", 2);
    float[] y = Boxes.floats(call, "Y", 2);
    float offset = call.flag("box_normalized", true) ? 0 : 1;
    int rows = x.length / 4;
    int columns = y.length / 4;
    float[] both = new float[8];
    float[] result = new float[rows * columns];
    for (int i = 0; i < result.length; i++) {
      System.arraycopy(x, 4 * (i / columns), both, 0, 4);
      System.arraycopy(y, 4 * (i % columns), both, 4, 4);
      result[i] = Boxes.overlap(both, 0, 4, offset);
    }
    return OperatorResult.builder()
        .put(
            "Out",
            new LodTensor(
                Tensor.of(ImmutableLongArray.of(rows, columns), result), call.lodInput("X").lod()))
        .build();
  }

  private static OperatorResult yolo(OperatorCall call) {
    if (call.flag("iou_aware", false)) {
      throw new OperatorException("attribute iou_aware is not supported");
    }
    Tensor x = call.input("X");
    float[] cells = Boxes.floats(call, "X", 4);
    Tensor images = call.input("ImgSize");
    ImmutableList<Long> anchors = call.integers("anchors");
    int anchorCount = anchors.size() / 2;
    int classes = (int) call.integer("class_num", 1);
    int area = (int) (x.size(2) * x.size(3));
    if (anchorCount == 0 || x.size(1) != (long) anchorCount * (5 + classes)) {
      throw new OperatorException("input X is " + x.shape() + " for " + anchorCount + " anchors");
    }
    int count = anchorCount * area;
    int batch = (int) x.size(0);
    if (images.length() != 2 * batch || classes < 0) {
      throw new OperatorException(
          "ImgSize has the shape " + images.shape() + " for " + batch + " images");
    }
    float[] boxes = new float[Shapes.length(batch, count, 4)];
    float[] scores = new float[Shapes.length(batch, count, classes)];
    for (int i = 0; i < batch * count; i++) {
      int base = i / area * (5 + classes) * area + i % area;
      float confidence = sigmoid(cells[base + 4 * area]);
      if (confidence >= (float) call.real("conf_thresh", 0)) {
        int image = i / count;
        long anchor = i % count / area;
        yoloBox(
            call,
            cells,
            base,
            new float[] {
              anchors.get((int) (2 * anchor)), anchors.get((int) (2 * anchor + 1)),
              images.getLong(2 * image + 1), images.getLong(2 * image)
            },
            boxes,
            4 * i);
        for (int c = 0; c < classes; c++) {
          scores[i * classes + c] = confidence * sigmoid(cells[base + (5 + c) * area]);
        }
      }
    }
    return OperatorResult.builder()
        .put("Boxes", Tensor.of(ImmutableLongArray.of(batch, count, 4), boxes))
        .put("Scores", Tensor.of(ImmutableLongArray.of(batch, count, classes), scores))
        .build();
  }

  /**
   * Computes one box and writes its corners.
   *
   * @param base the index of the box's first number in the cells; the other numbers follow at a
   *     distance of one map area
   * @param sizes width and height of the anchor and of the image
   */
  private static void yoloBox(
      OperatorCall call, float[] cells, int base, float[] sizes, float[] boxes, int target) {
    Tensor x = call.input("X");
    int area = (int) (x.size(2) * x.size(3));
    float scale = (float) call.real("scale_x_y", 1);
    float bias = -0.5f * (scale - 1);
    long downsample = call.integer("downsample_ratio", 32);
    for (int axis = 0; axis < 2; axis++) {
      long extent = x.size(3 - axis);
      long position = axis == 0 ? base % area % x.size(3) : base % area / x.size(3);
      float image = sizes[2 + axis];
      float center =
          (position + sigmoid(cells[base + axis * area]) * scale + bias) * image / extent;
      float size =
          (float) StrictMath.exp(cells[base + (2 + axis) * area])
              * sizes[axis]
              * image
              / (downsample * extent);
      boxes[target + axis] = center - size / 2;
      boxes[target + 2 + axis] = center + size / 2;
      if (call.flag("clip_bbox", true)) {
        boxes[target + axis] = Math.max(boxes[target + axis], 0);
        boxes[target + 2 + axis] = Math.min(boxes[target + 2 + axis], image - 1);
      }
    }
  }

  private static float sigmoid(float x) {
    return (float) (1 / (1 + StrictMath.exp(-x)));
  }
}
