package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Regions of images in C. */
final class RegionRoutines {

  static final ImmutableMap<String, CRoutine.Rule> RULES =
      ImmutableMap.of(
          "roi_align",
          RegionRoutines::align,
          "RoiAlign",
          RegionRoutines::alignOfOnnx,
          "MaxRoiPool",
          call -> {
            long[] size = size(IntegerArguments.attribute(call, "pooled_shape"), "pooled_shape");
            RoutineBuilder routine = parts(call, "max_roi_pool", size);
            return regions(call, routine.real((float) call.real("spatial_scale", 1)));
          },
          "com.microsoft.CropAndResize",
          call -> {
            long[] size = size(IntegerArguments.elements(call.input("3")), "crop_size");
            RoutineBuilder routine = parts(call, "crop_and_resize", size);
            routine.flag(call.text("mode", "bilinear").equals("nearest"));
            return regions(call, routine.real(call.real("extrapolation_value", 0)));
          });

  private static final long MOST_PLACES = 1 << 24;

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
    checkExtents(x);
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare("Out", ElementType.FLOAT32, regions, x.size(1), height, width);
    routine.call("roi_align").numbers(regions).numbers(x.shape().toArray());
    int ratio = (int) call.integer("sampling_ratio", -1);
    routine.numbers(height, width, ratio);
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

  private static CRoutine alignOfOnnx(OperatorCall call) {
    int height = (int) call.integer("output_height", 1);
    int width = (int) call.integer("output_width", 1);
    RoutineBuilder routine = parts(call, "onnx_roi_align", new long[] {height, width});
    if (call.input("0").size(2) * call.input("0").size(3) == 0) {
      throw new OperatorException("regions of empty images " + call.shape("0"));
    }
    String absent = call.integer("sublet.opset", 16) < 16 ? "output_half_pixel" : "half_pixel";
    String coordinates = call.text("coordinate_transformation_mode", absent);
    int ratio = (int) call.integer("sampling_ratio", 0);
    routine.numbers(ratio);
    routine.real((float) call.real("spatial_scale", 1)).flag(coordinates.equals("half_pixel"));
    return regions(call, routine.flag(call.text("mode", "avg").equals("max")));
  }

  /** Checks that float32 has the places of all elements. */
  private static void checkExtents(Tensor x) {
    if (Math.max(x.size(2), x.size(3)) > MOST_PLACES) {
      throw new UncompiledException("regions of images " + x.shape());
    }
  }

  private static long[] size(long[] numbers, String name) {
    return IntegerArguments.exactly(2, numbers, name);
  }

  /** Declares the result of one of ONNX's operators, and begins a call with the extents. */
  private static RoutineBuilder parts(OperatorCall call, String function, long[] size) {
    Tensor x = call.input("0");
    Tensor regions = call.input("1");
    int numbers = call.has("2") ? 4 : 5;
    if (!x.type().isFloating() || regions.type() != x.type()) {
      throw new UncompiledException("regions in " + regions.type() + " of " + x.type());
    }
    boolean isWhole =
        numbers == 5
            || call.input("2").type() == ElementType.INT32
            || call.input("2").type() == ElementType.INT64;
    if (x.rank() != 4
        || !isWhole
        || regions.rank() != 2
        || regions.size(1) != numbers
        || (call.has("2") && call.input("2").length() != regions.size(0))
        || size[0] < 0
        || size[1] < 0) {
      throw new OperatorException("regions " + regions.shape() + " of images " + x.shape());
    }
    checkExtents(x);
    RoutineBuilder routine = new RoutineBuilder(call);
    routine.declare("0", x.type(), regions.size(0), x.size(1), size[0], size[1]);
    routine.call(function + "_" + CLibrary.suffix(x.type())).numbers(regions.size(0));
    return routine.numbers(x.shape().toArray()).numbers(size);
  }

  /** Passes the images, the regions and their images, and ends the call. */
  private static CRoutine regions(OperatorCall call, RoutineBuilder routine) {
    routine.in("0").in("1").numbers(call.input("1").size(1));
    routine.in("2").numbers(call.has("2") ? call.input("2").type().bytes() : 0);
    return routine.toOut("0").build();
  }
}
