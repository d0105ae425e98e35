package dev.sublet.operator.paddle.optimizer;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shapes of what optimizers update where the names do not say it. */
final class OptimizerShapes {

  private OptimizerShapes() {}

  private static void like(ShapeCall call, String input, String output) {
    for (int i = 0; i < call.all(input).size(); i++) {
      call.out(output, i, call.all(input).get(i));
    }
  }

  /** The accumulators' outputs have shorter names than they. */
  static void ftrl(ShapeCall call) {
    GradientShapes.likeParameters(call);
    like(call, "SquaredAccumulator", "SquaredAccumOut");
    like(call, "LinearAccumulator", "LinearAccumOut");
  }

  /** {@code out_sum_1} is like {@code in_sum_1}, and so on. */
  static void averageAccumulates(ShapeCall call) {
    for (String name :
        new String[] {
          "sum_1", "sum_2", "sum_3", "num_accumulates", "old_num_accumulates", "num_updates"
        }) {
      like(call, "in_" + name, "out_" + name);
    }
  }

  /** {@code Out} is like {@code X}; the state of the scaling is single numbers. */
  static void lossScaling(ShapeCall call) {
    like(call, "X", "Out");
    for (String name :
        new String[] {"FoundInfinite", "LossScaling", "OutGoodSteps", "OutBadSteps"}) {
      call.out(name, AbstractShape.of(1));
    }
  }

  /** {@code Grad_out} is like {@code Grad}, the others as usual. */
  static void gradientCompression(ShapeCall call) {
    GradientShapes.likeParameters(call);
    like(call, "Grad", "Grad_out");
  }

  /** Eight numbers of an accelerator's state. */
  static void floatStatus(ShapeCall call) {
    call.out("FloatStatus", AbstractShape.of(8));
    call.out("FloatStatusOut", AbstractShape.of(8));
  }

  /** {@code Out}: some rows of a sparse gradient. */
  static void sparseRows(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent rows = call.unknown("rows", "it counts the rows of a sparse gradient");
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), 0, rows)));
  }
}
