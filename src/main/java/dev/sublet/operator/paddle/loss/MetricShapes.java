package dev.sublet.operator.paddle.loss;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shapes of metrics. */
final class MetricShapes {

  private MetricShapes() {}

  /** {@code AUC} is one number; the statistics are for each threshold, of each step if any. */
  static void auc(ShapeCall call) {
    int steps = call.integer("slide_steps", 1);
    int buckets = call.integer("num_thresholds", (1 << 12) - 1) + 1;
    AbstractShape statistic =
        steps == 0 ? AbstractShape.of(1, buckets) : AbstractShape.of((1L + steps) * buckets + 1);
    call.out("AUC", AbstractShape.of(1));
    call.out("StatPosOut", statistic);
    call.out("StatNegOut", statistic);
  }

  /** {@code Out}: one number for each sequence of {@code Hyps}. */
  static void editDistance(ShapeCall call) {
    AbstractShape hypotheses = call.in("Hyps");
    SymbolicExtent sequences =
        call.has("HypsLength") ? hypotheses.dim(0) : DimLists.sequences(call, hypotheses);
    call.out("SequenceNum", AbstractShape.of(1));
    call.out("Out", AbstractShape.of(sequences, SymbolicExtent.of(1)));
  }

  /** {@code OutMeanIou} is one number; the others are for each class. */
  static void meanIou(ShapeCall call) {
    AbstractShape classes = AbstractShape.of(call.integer("num_classes", 0));
    call.out("OutMeanIou", AbstractShape.of(1));
    call.out("OutWrong", classes);
    call.out("OutCorrect", classes);
  }

  /** {@code Y} is like {@code X}, without its first two columns unless {@code use_cvm}. */
  static void clickThrough(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent width = x.dim(1).minus(call.flag("use_cvm", true) ? 0 : 2);
    call.out("Y", AbstractShape.of(x.dim(0), width).withLod(x.lod()));
  }

  /** Six numbers of the batch and of all batches; four for each class. */
  static void precisionRecall(ShapeCall call) {
    call.out("BatchMetrics", AbstractShape.of(6));
    call.out("AccumMetrics", AbstractShape.of(6));
    call.out("AccumStatesInfo", AbstractShape.of(call.integer("class_number", 0), 4));
  }
}
