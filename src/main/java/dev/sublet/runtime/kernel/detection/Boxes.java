package dev.sublet.runtime.kernel.detection;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Rows;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Helpers for boxes in one array: left, top, right, bottom of each box in turn, in float32.
 *
 * <p>If boxes are not normalized, their corners are pixels, and a box of one pixel has the width
 * right - left + 1. The {@code offset} of several methods is this 1, or 0 for normalized boxes.
 */
final class Boxes {

  private Boxes() {}

  /**
   * Returns the elements of an input.
   *
   * @throws OperatorException if it is not float32, or its number of axes is another
   */
  static float[] floats(OperatorCall call, String slot, int rank) {
    Tensor tensor = call.input(slot);
    if (tensor.type() != ElementType.FLOAT32 || tensor.rank() != rank) {
      throw new OperatorException(
          "input "
              + slot
              + " must be float32 with "
              + rank
              + " axes but is "
              + tensor.type()
              + tensor.shape());
    }
    return tensor.floats();
  }

  /**
   * Returns the elements of an input with four numbers in each row.
   *
   * @throws OperatorException if it is not float32, or of another shape
   */
  static float[] corners(OperatorCall call, String slot) {
    float[] corners = floats(call, slot, 2);
    if (call.shape(slot).get(1) != 4) {
      throw new OperatorException(
          slot + " has the shape " + call.shape(slot) + ", but boxes have 4 numbers");
    }
    return corners;
  }

  /**
   * Converts lengths to offsets.
   *
   * @param most the number of rows
   * @throws OperatorException if a length is negative, or the sum of the lengths exceeds the number
   *     of rows
   */
  static ImmutableLongArray offsets(Tensor lengths, long most) {
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long end = 0;
    for (int i = 0; i < lengths.length(); i++) {
      long length = lengths.getLong(i);
      if (length < 0 || length > most - end) {
        throw new OperatorException(
            "sequence " + i + " has " + length + " rows, of " + most + " in all");
      }
      end += length;
      offsets.add(end);
    }
    return offsets.build();
  }

  /**
   * Returns the offsets at which the boxes of each image begin, and the end of the last image's
   * boxes.
   *
   * @throws OperatorException if the input has no sequences, or they do not fit its rows
   */
  static ImmutableLongArray offsets(OperatorCall call, String slot) {
    LodTensor boxes = call.lodInput(slot);
    ImmutableLongArray offsets = Rows.offsets(boxes);
    boolean fits = offsets.length() > 0 && offsets.get(0) == 0;
    for (int i = 1; fits && i < offsets.length(); i++) {
      fits = offsets.get(i - 1) <= offsets.get(i);
    }
    if (!fits || offsets.get(offsets.length() - 1) != boxes.tensor().size(0)) {
      throw new OperatorException(
          "sequences at " + offsets + " in " + boxes.tensor().type() + boxes.tensor().shape());
    }
    return offsets;
  }

  /** Returns the area of a box; 0 if its corners are not in order. */
  static float area(float[] boxes, int at, float offset) {
    float width = boxes[at + 2] - boxes[at];
    float height = boxes[at + 3] - boxes[at + 1];
    return boxes[at + 2] < boxes[at] || boxes[at + 3] < boxes[at + 1]
        ? 0
        : (width + offset) * (height + offset);
  }

  /** Returns the area of the intersection of two boxes divided by the area of their union. */
  static float overlap(float[] boxes, int a, int b, float offset) {
    if (boxes[b] > boxes[a + 2]
        || boxes[b + 2] < boxes[a]
        || boxes[b + 1] > boxes[a + 3]
        || boxes[b + 3] < boxes[a + 1]) {
      return 0;
    }
    float width = Math.min(boxes[a + 2], boxes[b + 2]) - Math.max(boxes[a], boxes[b]) + offset;
    float height =
        Math.min(boxes[a + 3], boxes[b + 3]) - Math.max(boxes[a + 1], boxes[b + 1]) + offset;
    float common = width * height;
    return common / (area(boxes, a, offset) + area(boxes, b, offset) - common);
  }

  /** Returns a number clamped to two limits. */
  static float clamp(float number, float low, float high) {
    return Math.max(Math.min(number, high), low);
  }
}
