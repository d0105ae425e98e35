package dev.sublet.execute;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.tensor.Tensor;

/** Boxes written as differences from others, and cut off where an image ends. */
final class BoxKernels {

  private BoxKernels() {}

  static void register(Kernels.Builder kernels) {
    kernels.kernel("box_clip", BoxKernels::clip);
    kernels.kernel("box_coder", BoxKernels::code);
  }

  private static OperatorResult code(OperatorCall call) {
    boolean encodes = call.text("code_type", "encode_center_size").equals("encode_center_size");
    Tensor target = call.input("TargetBox");
    float[] priors = Boxes.floats(call.input("PriorBox"));
    float[] targets = Boxes.floats(target);
    int rows = (int) target.size(0);
    int columns = encodes ? priors.length / 4 : (int) target.size(1);
    float edge = call.flag("box_normalized", true) ? 0 : 1;
    boolean priorOfRow = !encodes && call.integer("axis", 0) == 1;
    float[] out = new float[rows * columns * 4];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        int prior = priorOfRow ? i : j;
        float[] variance = variance(call, prior);
        int to = (i * columns + j) * 4;
        if (encodes) {
          encode(priors, prior * 4, targets, i * 4, variance, edge, out, to);
        } else {
          decode(priors, prior * 4, targets, to, variance, edge, out, to);
        }
      }
    }
    ImmutableLongArray shape = ImmutableLongArray.of(rows, columns, 4);
    return OperatorResult.of("OutputBox", Tensor.of(shape, out));
  }

  /** What differences are measured in: given for each box, or for all, or 1. */
  private static float[] variance(OperatorCall call, int prior) {
    float[] variance = {1, 1, 1, 1};
    if (call.has("PriorBoxVar")) {
      System.arraycopy(Boxes.floats(call.input("PriorBoxVar")), prior * 4, variance, 0, 4);
    } else if (call.reals("variance").size() == 4) {
      for (int i = 0; i < 4; i++) {
        variance[i] = call.reals("variance").get(i).floatValue();
      }
    }
    return variance;
  }

  private static void encode(
      float[] priors,
      int p,
      float[] boxes,
      int b,
      float[] variance,
      float edge,
      float[] out,
      int to) {
    for (int axis = 0; axis < 2; axis++) {
      float extent = priors[p + 2 + axis] - priors[p + axis] + edge;
      float center = priors[p + axis] + extent / 2;
      float ownExtent = boxes[b + 2 + axis] - boxes[b + axis] + edge;
      float ownCenter = (boxes[b + 2 + axis] + boxes[b + axis]) / 2;
      out[to + axis] = (ownCenter - center) / extent / variance[axis];
      out[to + 2 + axis] = (float) Math.log(Math.abs(ownExtent / extent)) / variance[2 + axis];
    }
  }

  private static void decode(
      float[] priors,
      int p,
      float[] codes,
      int b,
      float[] variance,
      float edge,
      float[] out,
      int to) {
    for (int axis = 0; axis < 2; axis++) {
      float extent = priors[p + 2 + axis] - priors[p + axis] + edge;
      float center = priors[p + axis] + extent / 2;
      float ownCenter = variance[axis] * codes[b + axis] * extent + center;
      float ownExtent = (float) Math.exp(variance[2 + axis] * codes[b + 2 + axis]) * extent;
      out[to + axis] = ownCenter - ownExtent / 2;
      out[to + 2 + axis] = ownCenter + ownExtent / 2 - edge;
    }
  }

  /** Boxes within images whose extents and scales are known; each image is a sequence of rows. */
  private static OperatorResult clip(OperatorCall call) {
    LodTensor input = call.lodInput("Input");
    ImmutableLongArray offsets = Rows.offsets(input);
    float[] info = Boxes.floats(call.input("ImInfo"));
    int width = Rows.width(input.tensor());
    float[] out = Boxes.floats(input.tensor()).clone();
    for (int image = 0; image < offsets.length() - 1; image++) {
      float bottom = Math.round(info[image * 3] / info[image * 3 + 2]) - 1;
      float right = Math.round(info[image * 3 + 1] / info[image * 3 + 2]) - 1;
      int end = (int) offsets.get(image + 1) * width;
      for (int i = (int) offsets.get(image) * width; i < end; i++) {
        out[i] = Math.max(Math.min(out[i], i % 2 == 0 ? right : bottom), 0);
      }
    }
    LodTensor result = new LodTensor(Tensor.of(input.tensor().shape(), out), input.lod());
    return OperatorResult.builder().put("Output", result).build();
  }
}
