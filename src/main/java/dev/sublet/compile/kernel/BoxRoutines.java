package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Codes, overlaps and grids of boxes in C. */
final class BoxRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "box_coder", BoxRoutines::code,
          "iou_similarity", BoxRoutines::similarity,
          "yolo_box", BoxRoutines::yolo);

  private BoxRoutines() {}

  /**
   * Returns an input of float32.
   *
   * @throws OperatorException if it has another type or number of axes
   */
  static Tensor floats(OperatorCall call, String slot, int rank) {
    Tensor tensor = call.input(slot);
    if (tensor.type() != ElementType.FLOAT32 || tensor.rank() != rank) {
      throw new OperatorException(
          slot + " is " + tensor.type() + tensor.shape() + ", not float32 of " + rank + " axes");
    }
    return tensor;
  }

  /**
   * Returns an input of boxes, four numbers each.
   *
   * @throws OperatorException if the input has another type or shape
   */
  static Tensor corners(OperatorCall call, String slot) {
    Tensor boxes = floats(call, slot, 2);
    if (boxes.size(1) != 4) {
      throw new OperatorException(slot + " " + boxes.shape() + ", but boxes have 4 numbers");
    }
    return boxes;
  }

  private static float offset(OperatorCall call) {
    return call.flag("box_normalized", true) ? 0 : 1;
  }

  private static CRoutine code(OperatorCall call) {
    Tensor priors = corners(call, "PriorBox");
    boolean decodes = call.text("code_type", "encode_center_size").equals("decode_center_size");
    if (!decodes && !call.text("code_type", "encode_center_size").equals("encode_center_size")) {
      throw new OperatorException("attribute code_type is '" + call.text("code_type", "") + "'");
    }
    RoutineBuilder routine = new RoutineBuilder(call);
    if (decodes) {
      Tensor codes = floats(call, "TargetBox", 3);
      boolean byColumn = call.integer("axis", 0) == 0;
      if (priors.size(0) != codes.size(byColumn ? 1 : 0) || codes.size(2) != 4) {
        throw new OperatorException(priors.size(0) + " prior boxes for " + codes.shape());
      }
      routine.declare("OutputBox", ElementType.FLOAT32, codes.shape().toArray());
      routine.call("decode_boxes").numbers(codes.size(0), codes.size(1)).flag(byColumn);
    } else {
      long rows = corners(call, "TargetBox").size(0);
      routine.declare("OutputBox", ElementType.FLOAT32, rows, priors.size(0), 4);
      routine.call("encode_boxes").numbers(rows, priors.size(0));
    }
    routine.real(offset(call));
    variances(call, routine, 4 * priors.size(0));
    return routine.in("PriorBox").in("PriorBoxVar").in("TargetBox").toOut("OutputBox").build();
  }

  /** Passes the factors of the codes: the length of their tensor, and those that are common. */
  private static void variances(OperatorCall call, RoutineBuilder routine, long needed) {
    ImmutableList<Double> common = call.reals("variance");
    long given = 0;
    if (call.has("PriorBoxVar")) {
      given = floats(call, "PriorBoxVar", call.input("PriorBoxVar").rank()).length();
      if (given < Math.min(4, needed)) {
        throw new OperatorException("PriorBoxVar has " + given + " numbers");
      }
    } else if (!common.isEmpty() && common.size() != 4) {
      throw new OperatorException("variance is " + common + ", but must have 4 numbers");
    }
    routine.numbers(given);
    for (int i = 0; i < 4; i++) {
      routine.real(common.size() == 4 ? common.get(i).floatValue() : 1f);
    }
  }

  private static CRoutine similarity(OperatorCall call) {
    long rows = corners(call, "X").size(0);
    long columns = corners(call, "Y").size(0);
    return new RoutineBuilder(call)
        .declare("Out", ElementType.FLOAT32, rows, columns)
        .call("iou_similarity")
        .numbers(rows, columns)
        .real(offset(call))
        .in("X")
        .in("Y")
        .toOut("Out")
        .build();
  }

  private static CRoutine yolo(OperatorCall call) {
    if (call.flag("iou_aware", false)) {
      throw new OperatorException("attribute iou_aware is not supported");
    }
    Tensor x = floats(call, "X", 4);
    Tensor sizes = call.input("ImgSize");
    ImmutableList<Long> anchors = call.integers("anchors");
    int count = anchors.size() / 2;
    long classes = call.integer("class_num", 1);
    boolean isWhole = sizes.type() == ElementType.INT32 || sizes.type() == ElementType.INT64;
    if (count == 0
        || classes < 0
        || x.size(1) != count * (5 + classes)
        || !isWhole
        || sizes.length() != 2 * x.size(0)) {
      throw new OperatorException(
          "X " + x.shape() + " and ImgSize " + sizes.shape() + " for " + count + " anchors");
    }
    long boxes = count * x.size(2) * x.size(3);
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare("Boxes", ElementType.FLOAT32, x.size(0), boxes, 4);
    routine.declare("Scores", ElementType.FLOAT32, x.size(0), boxes, classes);
    for (int anchor = 0; anchor < count; anchor++) {
      routine.call("yolo_anchor");
      routine.numbers(x.size(0), x.size(2), x.size(3), classes, count, anchor);
      routine
          .real(anchors.get(2 * anchor).floatValue())
          .real(anchors.get(2 * anchor + 1).floatValue());
      routine.real((float) call.real("conf_thresh", 0));
      routine.real((float) call.real("scale_x_y", 1));
      routine.numbers(call.integer("downsample_ratio", 32));
      routine.flag(call.flag("clip_bbox", true));
      routine.in("X").in("ImgSize").numbers(sizes.type().bytes());
      routine.toOut("Boxes").toOut("Scores");
    }
    return routine.build();
  }
}
