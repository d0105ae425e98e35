package dev.sublet.operator.paddle.loss;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.ShapeRule;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for losses. */
final class LossShapes {

  private LossShapes() {}

  private static AbstractShape column(SymbolicExtent rows) {
    return AbstractShape.of(rows, SymbolicExtent.of(1));
  }

  /** Returns the shape of class scores with 1 in place of the number of classes. */
  private static AbstractShape perSample(AbstractShape scores, int axis) {
    return AbstractShape.of(DimLists.with(scores.dims(), axis, SymbolicExtent.of(1)))
        .withLod(scores.lod());
  }

  /** Gives {@code Y} one number per row of class scores. */
  static void crossEntropy(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape loss = perSample(x, x.rank() - 1);
    boolean hasNoColumn =
        !call.flag("soft_label", false) && call.in("Label").rank() == x.rank() - 1;
    call.out(
        "Y",
        hasNoColumn
            ? AbstractShape.of(DimLists.without(x.dims(), x.rank() - 1)).withLod(x.lod())
            : loss);
    call.out("MatchX", loss);
    call.out(
        "XShape",
        AbstractShape.of(
            ImmutableList.<SymbolicExtent>builder()
                .addAll(x.dims())
                .add(SymbolicExtent.of(0))
                .build()));
  }

  /** Gives {@code X@GRAD} the extents of {@code XShape} before its 0. */
  static void crossEntropy2Gradient(ShapeCall call) {
    call.out("X@GRAD", AbstractShape.of(DimLists.dropLast(call.in("XShape"), 1)));
  }

  /**
   * Gives {@code Softmax} the shape of {@code Logits}, and {@code Loss} the same with 1 along
   * {@code axis}.
   */
  static void softmaxCrossEntropy(ShapeCall call) {
    AbstractShape logits = call.in("Logits");
    int axis = call.axis(call.integer("axis", -1), logits.rank());
    call.out("Softmax", logits.withElements(null));
    call.out("Loss", perSample(logits, axis));
  }

  /**
   * Gives {@code Softmax} the shape of {@code Logits}, and {@code Loss} the same with 1 along the
   * last axis.
   */
  static void marginCrossEntropy(ShapeCall call) {
    AbstractShape logits = call.in("Logits");
    call.out("Softmax", logits.withElements(null));
    call.out("Loss", perSample(logits, logits.rank() - 1));
  }

  /**
   * Returns a rule that gives {@code Out} one number per row of {@code X}, and another output the
   * shape of {@code X}.
   */
  static ShapeRule columnAnd(String likeX) {
    return call -> {
      AbstractShape x = call.in("X");
      call.out(likeX, x.withElements(null));
      call.out("Out", column(x.dim(0)).withLod(x.lod()));
    };
  }

  /** Gives {@code Out}, and {@code Residual}, which the gradient needs, the shape of {@code Y}. */
  static void huber(ShapeCall call) {
    AbstractShape y = call.in("Y").withElements(null);
    call.out("Residual", y);
    call.out("Out", y.withLod(call.in("X").lod()));
  }

  /** Gives {@code Y} one number per row of {@code X}. */
  static void teacherStudent(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Y", column(x.dim(0)).withLod(x.lod()));
  }

  /** Gives {@code Out} one number, or one per sample if {@code reduction} is none. */
  static void negativeLogLikelihood(ShapeCall call) {
    AbstractShape x = call.in("X");
    boolean isReduced = !call.text("reduction", "mean").equals("none");
    ImmutableList<SymbolicExtent> rest = x.dims().subList(Math.min(2, x.rank()), x.rank());
    AbstractShape each =
        AbstractShape.of(
            ImmutableList.<SymbolicExtent>builder().add(x.dim(0)).addAll(rest).build());
    call.out("Out", isReduced ? AbstractShape.of(1) : each);
    call.out("Total_weight", AbstractShape.of(1));
  }

  /** Gives {@code Loss} one number, or the shape of {@code X} if {@code reduction} is none. */
  static void divergence(ShapeCall call) {
    boolean isReduced = !call.text("reduction", "mean").equals("none");
    call.out("Loss", isReduced ? AbstractShape.of(1) : call.in("X").withElements(null));
  }

  /**
   * Gives {@code Loss} one number per row, and {@code CentersOut} the shape of {@code Centers}.
   * {@code SampleCenterDiff} has the first two extents of {@code X}, also if {@code X} has more.
   * Paddle reads other memory if {@code Centers} has too few rows.
   */
  static void center(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape centers = call.in("Centers");
    int clusters = call.integer("cluster_num", 0);
    if (centers.dim(0).isExact() && centers.dim(0).value() < clusters) {
      throw new ShapeMismatchException(
          "Centers " + centers + " has fewer rows than cluster_num, " + clusters);
    }
    call.out("SampleCenterDiff", AbstractShape.of(x.dim(0), x.dim(1)).withLod(x.lod()));
    call.out("Loss", column(x.dim(0)));
    call.out("CentersOut", centers.withElements(null));
  }

  /**
   * Gives {@code Loss} one number per sequence. The number of sequences is the second extent of
   * {@code Logits} if {@code LogitsLength} is given; otherwise it follows from the sequence
   * offsets.
   */
  static void connectionist(ShapeCall call) {
    AbstractShape logits = call.in("Logits");
    if (call.has("LogitsLength")) {
      call.out("Loss", column(logits.dim(1)));
      call.out("WarpCTCGrad", logits.withElements(null));
      return;
    }
    SymbolicExtent sequences = DimLists.sequences(call, logits);
    call.out("Loss", column(sequences));
    call.out(
        "WarpCTCGrad",
        AbstractShape.of(call.atMost("longest sequence", logits.dim(0)), sequences, logits.dim(1)));
  }

  /**
   * Gives {@code Loss} one number per image, {@code ObjectnessMask} one per cell of each anchor,
   * and {@code GTMatchMask} one per box.
   */
  static void yolo(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent anchors = SymbolicExtent.of(call.integers("anchor_mask").size());
    call.out("Loss", AbstractShape.of(x.dim(0)));
    call.out("ObjectnessMask", AbstractShape.of(x.dim(0), anchors, x.dim(2), x.dim(3)));
    call.out("GTMatchMask", AbstractShape.of(x.dim(0), call.in("GTBox").dim(1)));
  }

  /**
   * Gives {@code Out} one number per row, and {@code PreOut} one number per bit of a row's code.
   */
  static void hierarchicalSigmoid(ShapeCall call) {
    AbstractShape x = call.in("X");
    int bits = 32 - Integer.numberOfLeadingZeros(call.integer("num_classes", 2) - 1);
    SymbolicExtent length =
        call.has("PathTable") ? call.in("PathTable").dim(1) : SymbolicExtent.of(bits);
    call.out("Out", column(x.dim(0)).withLod(x.lod()));
    call.out("PreOut", AbstractShape.of(x.dim(0), length));
    call.out("W_Out", call.in("W").withElements(null));
  }

  /**
   * Gives {@code Cost} one number per row. The samples of a row are the true labels and the
   * negative ones.
   */
  static void noiseContrastive(ShapeCall call) {
    SymbolicExtent rows = call.in("Input").dim(0);
    AbstractShape label = call.in("Label");
    SymbolicExtent truths = label.rank() == 2 ? label.dim(1) : SymbolicExtent.of(1);
    AbstractShape samples =
        AbstractShape.of(rows, truths.plus(call.integer("num_neg_samples", 10)));
    call.out("Cost", column(rows));
    call.out("SampleLogits", samples);
    call.out("SampleLabels", samples);
  }

  /**
   * Gives the samples of each row: the true labels, and {@code num_samples} more. {@code
   * SampledLabels} has the true labels only.
   */
  static void sampleLogits(ShapeCall call) {
    AbstractShape logits = call.in("Logits");
    AbstractShape labels = call.in("Labels");
    AbstractShape samples =
        AbstractShape.of(logits.dim(0), labels.dim(1).plus(call.integer("num_samples", 0)));
    call.out("Samples", samples);
    call.out("Probabilities", samples);
    call.out("SampledLogits", samples);
    call.out("SampledLabels", AbstractShape.of(logits.dim(0), labels.dim(1)));
    SymbolicExtent zero = SymbolicExtent.of(0);
    call.out("LogitsDim", AbstractShape.of(zero, logits.dim(0), logits.dim(1)));
    call.out("LabelsDim", AbstractShape.of(zero, labels.dim(0), labels.dim(1)));
  }

  /**
   * Gives {@code RemappedLabel} the shape of {@code Label}; the sampled classes are at most all
   * classes.
   */
  static void sampleClasses(ShapeCall call) {
    AbstractShape label = call.in("Label");
    call.out("RemappedLabel", label.withElements(null));
    SymbolicExtent classes = SymbolicExtent.of(call.integer("num_classes", 0));
    call.out("SampledLocalClassCenter", AbstractShape.of(call.atMost("classes", classes)));
  }
}
