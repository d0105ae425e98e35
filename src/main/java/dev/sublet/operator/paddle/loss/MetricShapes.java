package dev.sublet.operator.paddle.loss;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for metrics. */
final class MetricShapes {

  private MetricShapes() {}

  /**
   * Gives {@code AUC} one number, and each statistic one number per threshold, for each step if
   * {@code slide_steps} is not 0.
   */
  static void auc(ShapeCall call) {
    int steps = call.integer("slide_steps", 1);
    int buckets = call.integer("num_thresholds", (1 << 12) - 1) + 1;
    AbstractShape statistic =
        steps == 0 ? AbstractShape.of(1, buckets) : AbstractShape.of((1L + steps) * buckets + 1);
    call.out("AUC", AbstractShape.of(1));
    call.out("StatPosOut", statistic);
    call.out("StatNegOut", statistic);
  }

  /** Gives {@code Out} one number per sequence of {@code Hyps}. */
  static void editDistance(ShapeCall call) {
    AbstractShape hypotheses = call.in("Hyps");
    SymbolicExtent sequences =
        call.has("HypsLength") ? hypotheses.dim(0) : DimLists.sequences(call, hypotheses);
    call.out("SequenceNum", AbstractShape.of(1));
    call.out("Out", AbstractShape.of(sequences, SymbolicExtent.of(1)));
  }

  /** Gives {@code OutMeanIou} one number, and the other outputs one number per class. */
  static void meanIou(ShapeCall call) {
    AbstractShape classes = AbstractShape.of(call.integer("num_classes", 0));
    call.out("OutMeanIou", AbstractShape.of(1));
    call.out("OutWrong", classes);
    call.out("OutCorrect", classes);
  }

  /**
   * Gives {@code Y} the shape of {@code X}, without the first two columns unless {@code use_cvm}.
   */
  static void clickThrough(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent width = x.dim(1).minus(call.flag("use_cvm", true) ? 0 : 2);
    call.out("Y", AbstractShape.of(x.dim(0), width).withLod(x.lod()));
  }

  /**
   * Gives the metrics of the batch and those of all batches six numbers each, and the states four
   * numbers per class.
   */
  static void precisionRecall(ShapeCall call) {
    call.out("BatchMetrics", AbstractShape.of(6));
    call.out("AccumMetrics", AbstractShape.of(6));
    call.out("AccumStatesInfo", AbstractShape.of(call.integer("class_number", 0), 4));
  }
}
