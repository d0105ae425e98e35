package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Regions of images in C. */
final class RegionRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of("roi_align", RegionRoutines::align);

  private RegionRoutines() {}

  private static CRoutine align(OperatorCall call) {
    Tensor x = BoxRoutines.floats(call, "X", 4);
    long regions = BoxRoutines.corners(call, "ROIs").size(0);
    int height = (int) call.integer("pooled_height", 1);
    int width = (int) call.integer("pooled_width", 1);
    ImmutableLongArray lengths = SuppressionRoutines.lengths(call, "ROIs");
    boolean isKnown = !call.has("RoisNum");
    if (x.size(2) * x.size(3) == 0
        || height < 0
        || width < 0
        || (isKnown && lengths.stream().sum() != regions)) {
      throw new OperatorException(
          regions + " regions of X " + x.shape() + " for " + height + " × " + width + " bins");
    }
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare("Out", ElementType.FLOAT32, regions, x.size(1), height, width);
    routine.call("roi_align").numbers(regions).numbers(x.shape().toArray());
    routine.numbers(height, width, (int) call.integer("sampling_ratio", -1));
    routine.real((float) call.real("spatial_scale", 1)).flag(call.flag("aligned", false));
    routine.in("X").in("ROIs");
    if (isKnown) {
      routine.list(lengths).numbers(lengths.length(), 8);
    } else {
      Tensor numbers = call.input("RoisNum");
      routine.in("RoisNum").numbers(numbers.length(), numbers.type().bytes());
    }
    return routine.toOut("Out").build();
  }
}
