package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.compile.kernel.CRoutine.Place;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Rows;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Suppression of boxes in C. The number of rows depends on data; the largest one follows from the
 * numbers of boxes and the limits in the attributes.
 */
final class SuppressionRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "multiclass_nms", call -> multiclass(call, /* saysEmpty= */ true),
          "multiclass_nms2", call -> multiclass(call, /* saysEmpty= */ false),
          "multiclass_nms3", call -> multiclass(call, /* saysEmpty= */ false),
          "NonMaxSuppression", SuppressionRoutines::nonMaxSuppression);

  /** The images whose numbers of boxes are written into the code. */
  private static final int MOST_SEQUENCES = 64;

  private SuppressionRoutines() {}

  /**
   * Returns {@code multiclass_nms} and its successors.
   *
   * @param saysEmpty whether the result without any box is one row with the number -1
   */
  private static CRoutine multiclass(OperatorCall call, boolean saysEmpty) {
    Tensor boxes = BoxRoutines.floats(call, "BBoxes", 3);
    boolean byImage = call.input("Scores").rank() == 3;
    Tensor scores = BoxRoutines.floats(call, "Scores", byImage ? 3 : 2);
    long classes = scores.size(1);
    long count = byImage ? scores.size(2) : scores.size(0);
    ImmutableLongArray lengths = byImage ? ImmutableLongArray.of() : lengths(call, "BBoxes");
    long images =
        byImage
            ? scores.size(0)
            : call.has("RoisNum") ? call.input("RoisNum").length() : lengths.length();
    if (boxes.size(2) != 4 || (byImage ? images * count : count * classes) * 4 > boxes.length()) {
      throw new OperatorException("BBoxes " + boxes.shape() + " for Scores " + scores.shape());
    }
    long background = call.integer("background_label", 0);
    long limit = call.integer("nms_top_k", -1);
    long ofClass = limit > -1 ? Math.min(limit, count) : count;
    boolean hasBackground = background >= 0 && background < classes;
    long ofImage = (classes - (hasBackground ? 1 : 0)) * ofClass;
    long kept = call.integer("keep_top_k", -1);
    long most = kept > -1 ? Math.min(kept, ofImage) : ofImage;
    long rows = Math.max(images * most, saysEmpty ? 1 : 0);
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declareDynamic("Out", ElementType.FLOAT32, rows, 6);
    routine.declareDynamic("Index", ElementType.INT32, rows, 1);
    routine.declare("NmsRoisNum", ElementType.INT32, images);
    Place heap = routine.reserve(4 * ofClass);
    Place found = routine.reserve(12 * most);
    routine.call("multiclass_nms");
    routine.numbers(images, classes, count, background, ofClass, most, rows);
    routine.real((float) call.real("score_threshold", 0));
    routine.real((float) call.real("nms_threshold", 0.3));
    routine.real((float) call.real("nms_eta", 1));
    routine.real(call.flag("normalized", true) ? 0f : 1f);
    routine.flag(saysEmpty).in("BBoxes").in("Scores");
    rois(call, routine, lengths);
    for (String slot : new String[] {"Out", "Index"}) {
      if (call.wants(slot)) {
        routine.toOut(slot).toShape(slot);
      } else {
        routine.none().none();
      }
    }
    return routine.toOut("NmsRoisNum").scratch(heap).scratch(found).build();
  }

  /** Passes the numbers of boxes of each image, and the bytes of a number. */
  private static void rois(OperatorCall call, RoutineBuilder routine, ImmutableLongArray lengths) {
    if (lengths.isEmpty() && call.input("Scores").rank() == 2) {
      routine.in("RoisNum").numbers(call.input("RoisNum").type().bytes());
    } else if (lengths.isEmpty()) {
      routine.none().numbers(0);
    } else {
      routine.list(lengths).numbers(8);
    }
  }

  /** Returns the numbers of boxes of each image; empty if they depend on data. */
  static ImmutableLongArray lengths(OperatorCall call, String slot) {
    if (call.has("RoisNum")) {
      ElementType type = call.input("RoisNum").type();
      if (type != ElementType.INT32 && type != ElementType.INT64) {
        throw new OperatorException("RoisNum is " + type);
      }
      return ImmutableLongArray.of();
    }
    ImmutableLongArray offsets = Rows.offsets(call.lodInput(slot));
    if (offsets.length() < 2 || offsets.length() > MOST_SEQUENCES) {
      throw new UncompiledException("has boxes of " + (offsets.length() - 1) + " images");
    }
    ImmutableLongArray.Builder lengths = ImmutableLongArray.builder();
    for (int i = 1; i < offsets.length(); i++) {
      lengths.add(offsets.get(i) - offsets.get(i - 1));
    }
    return lengths.build();
  }

  private static CRoutine nonMaxSuppression(OperatorCall call) {
    Tensor boxes = BoxRoutines.floats(call, "0", 3);
    Tensor scores = BoxRoutines.floats(call, "1", 3);
    long count = boxes.size(1);
    if (boxes.size(2) != 4 || scores.size(2) != count || scores.size(0) != boxes.size(0)) {
      throw new OperatorException("boxes " + boxes.shape() + " with scores " + scores.shape());
    }
    long limit = call.has("2") ? call.scalarInput("2").getLong(0) : 0;
    float overlap = call.has("3") ? (float) call.scalarInput("3").getDouble(0) : 0;
    double least = call.has("4") ? call.scalarInput("4").getDouble(0) : 0;
    long most = Math.max(0, Math.min(limit, count));
    long rows = scores.size(0) * scores.size(1) * most;
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declareDynamic("0", ElementType.INT64, rows, 3);
    Place corners = routine.reserve(4L * boxes.length());
    Place heap = routine.reserve(4 * count);
    routine.call("nms_corners").numbers(boxes.length() / 4);
    routine.flag(call.integer("center_point_box", 0) == 1).in("0").scratch(corners);
    routine.call("non_max_suppression");
    routine.numbers(scores.size(0), scores.size(1), count, most, rows).real(overlap);
    routine.flag(call.has("4")).real(least).scratch(corners).in("1");
    return routine.toOut("0").toShape("0").scratch(heap).build();
  }
}
