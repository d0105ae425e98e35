package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import dev.sublet.compile.kernel.CRoutine.Place;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Proposals of regions in C. Their number depends on data; the largest one follows from the number
 * of anchors and the limits in the attributes.
 */
final class ProposalRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "generate_proposals", call -> generate(call, "ImInfo", /* isScaled= */ true),
          "generate_proposals_v2", call -> generate(call, "ImShape", /* isScaled= */ false));

  private ProposalRoutines() {}

  private static CRoutine generate(OperatorCall call, String imageSlot, boolean isScaled) {
    Tensor scores = BoxRoutines.floats(call, "Scores", 4);
    Tensor info = BoxRoutines.floats(call, imageSlot, 2);
    long images = scores.size(0);
    long kinds = scores.size(1);
    long area = scores.size(2) * scores.size(3);
    long count = kinds * area;
    if (BoxRoutines.floats(call, "BboxDeltas", 4).length() != 4 * images * count
        || BoxRoutines.floats(call, "Anchors", 4).length() != 4 * count
        || BoxRoutines.floats(call, "Variances", 4).length() != 4 * count
        || info.size(0) != images
        || info.size(1) < (isScaled ? 3 : 2)) {
      throw new OperatorException("Scores " + scores.shape() + " with other shapes");
    }
    int before = (int) call.integer("pre_nms_topN", 6000);
    int after = (int) call.integer("post_nms_topN", 1000);
    float threshold = (float) call.real("nms_thresh", 0.5);
    long candidates = before > 0 ? Math.min(before, count) : count;
    if (threshold <= 0 && candidates < count) {
      throw new UncompiledException("keeps the best proposals without suppression");
    }
    long most = threshold > 0 && after > 0 ? Math.min(after, candidates) : candidates;
    long rows = images * Math.max(most, 1);
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declareDynamic("RpnRois", ElementType.FLOAT32, rows, 4);
    routine.declareDynamic("RpnRoiProbs", ElementType.FLOAT32, rows, 1);
    routine.declare("RpnRoisNum", ElementType.INT32, images);
    Place own = routine.reserve(4 * count);
    Place list = routine.reserve(4 * candidates);
    Place found = routine.reserve(20 * candidates);
    routine.call("generate_proposals");
    routine.numbers(images, kinds, area, info.size(1), candidates, most, rows);
    routine.real(threshold).real((float) call.real("eta", 1));
    routine.real(call.flag("pixel_offset", true) ? 1f : 0f);
    routine.real(Math.max((float) call.real("min_size", 0.1), 1)).flag(isScaled);
    routine.in("Scores").in("BboxDeltas").in(imageSlot).in("Anchors").in("Variances");
    for (String slot : new String[] {"RpnRois", "RpnRoiProbs"}) {
      if (call.wants(slot)) {
        routine.toOut(slot).toShape(slot);
      } else {
        routine.none().none();
      }
    }
    routine.toOut("RpnRoisNum");
    return routine.scratch(own).scratch(list).scratch(found).build();
  }
}
