package dev.sublet.operator.paddle.optimizer;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for the operators of training whose output names do not name the matching input. */
final class OptimizerShapes {

  private OptimizerShapes() {}

  private static void like(ShapeCall call, String input, String output) {
    for (int i = 0; i < call.all(input).size(); i++) {
      call.out(output, i, call.all(input).get(i));
    }
  }

  /**
   * Gives the outputs the shapes of their parameters. The names of the accumulators' outputs are
   * shorter than those of the accumulators.
   */
  static void ftrl(ShapeCall call) {
    GradientShapes.likeParameters(call);
    like(call, "SquaredAccumulator", "SquaredAccumOut");
    like(call, "LinearAccumulator", "LinearAccumOut");
  }

  /** Gives {@code out_sum_1} the shape of {@code in_sum_1}, and so on. */
  static void averageAccumulates(ShapeCall call) {
    for (String name :
        new String[] {
          "sum_1", "sum_2", "sum_3", "num_accumulates", "old_num_accumulates", "num_updates"
        }) {
      like(call, "in_" + name, "out_" + name);
    }
  }

  /**
   * Gives {@code Out} the shape of {@code X}; the state of the scaling consists of single numbers.
   */
  static void lossScaling(ShapeCall call) {
    like(call, "X", "Out");
    for (String name :
        new String[] {"FoundInfinite", "LossScaling", "OutGoodSteps", "OutBadSteps"}) {
      call.out(name, AbstractShape.of(1));
    }
  }

  /**
   * Gives {@code Grad_out} the shape of {@code Grad}, and the other outputs the shapes of their
   * parameters.
   */
  static void gradientCompression(ShapeCall call) {
    GradientShapes.likeParameters(call);
    like(call, "Grad", "Grad_out");
  }

  /** Gives the outputs eight numbers: the state of an accelerator. */
  static void floatStatus(ShapeCall call) {
    call.out("FloatStatus", AbstractShape.of(8));
    call.out("FloatStatusOut", AbstractShape.of(8));
  }

  /** Gives {@code Out} some rows of a sparse gradient; their number is unknown. */
  static void sparseRows(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent rows = call.unknown("rows", "it counts the rows of a sparse gradient");
    call.out("Out", AbstractShape.of(DimLists.with(x.dims(), 0, rows)));
  }
}
