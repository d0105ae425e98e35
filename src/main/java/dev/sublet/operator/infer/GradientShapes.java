package dev.sublet.operator.infer;

import dev.sublet.program.Slot;
import java.util.Optional;

/**
 * Shape rules for gradients and updated parameters: each output has the shape of the tensor that it
 * belongs to.
 */
public final class GradientShapes {

  private static final String GRADIENT = "@GRAD";

  private GradientShapes() {}

  /**
   * Gives {@code X@GRAD} the shape of {@code X}. An operator without {@code X} among its inputs has
   * the shape in {@code XShape}, or is the gradient of an elementwise function: then the shape is
   * that of {@code Out@GRAD}.
   */
  public static void likeForward(ShapeCall call) {
    for (Slot slot : call.operation().outputSlots()) {
      int end = slot.name().lastIndexOf(GRADIENT);
      if (end <= 0) {
        continue;
      }
      String forward = slot.name().substring(0, end);
      if (!call.has(forward) && (forward.equals("X") || call.has(forward + "Shape"))) {
        likeOutput(call, slot.name(), forward);
      }
      for (int i = 0; i < slot.size(); i++) {
        if (i < call.all(forward).size()) {
          call.out(slot.name(), i, call.all(forward).get(i).withElements(null));
        }
      }
    }
  }

  /**
   * Returns the shape that an {@code XShape} records: its extents after the first one, which is 0.
   */
  public static AbstractShape ofXShape(AbstractShape shape) {
    return AbstractShape.of(DimLists.without(shape.dims(), 0));
  }

  private static void likeOutput(ShapeCall call, String slot, String forward) {
    if (call.has(forward + "Shape")) {
      call.out(slot, ofXShape(call.in(forward + "Shape")));
    } else if (call.has("Out" + GRADIENT)) {
      call.out(slot, call.in("Out" + GRADIENT).withElements(null));
    } else if (call.has("Y" + GRADIENT)) {
      call.out(slot, call.in("Y" + GRADIENT).withElements(null));
    }
  }

  /**
   * Shapes of the gradient of a gradient: {@code DX} has the shape of {@code X}, {@code DDOut} that
   * of {@code DOut}, and so on.
   */
  public static void likeSecond(ShapeCall call) {
    for (Slot slot : call.operation().outputSlots()) {
      String name = slot.name();
      while (name.startsWith("D") && !call.has(name)) {
        name = name.substring(1);
      }
      if (call.has(name)) {
        call.out(slot.name(), call.in(name).withElements(null));
      }
    }
  }

  /**
   * Gives {@code ParamOut} the shape of {@code Param}, and so on for every output whose name ends
   * with {@code Out}.
   */
  public static void likeParameters(ShapeCall call) {
    for (Slot slot : call.operation().outputSlots()) {
      Optional<String> input =
          slot.name().endsWith("Out")
              ? Optional.of(slot.name().substring(0, slot.name().length() - 3))
              : Optional.empty();
      for (int i = 0; i < slot.size(); i++) {
        if (input.isPresent() && i < call.all(input.get()).size()) {
          call.out(slot.name(), i, call.all(input.get()).get(i));
        }
      }
    }
  }
}
