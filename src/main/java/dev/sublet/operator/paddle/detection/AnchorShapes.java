package dev.sublet.operator.paddle.detection;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import java.util.ArrayList;
import java.util.List;

/** Shape rules for boxes: anchors for a feature map, encoded and decoded boxes, overlaps. */
final class AnchorShapes {

  private static final double SAME_RATIO = 1e-6;

  private AnchorShapes() {}

  /** Gives {@code Anchors}, per cell, one box for each size and each ratio. */
  static void anchorGenerator(ShapeCall call) {
    long sizes = call.reals("anchor_sizes").size();
    perCell(call, "Anchors", sizes * call.reals("aspect_ratios").size());
  }

  /**
   * Gives {@code Boxes}, per cell, one box for each minimum size and each distinct ratio, and one
   * for each maximum size.
   */
  static void priorBox(ShapeCall call) {
    boolean flips = call.flag("flip", false);
    List<Double> ratios = new ArrayList<>();
    ratios.add(1.0);
    for (double ratio : call.reals("aspect_ratios")) {
      if (ratios.stream().noneMatch(other -> Math.abs(other - ratio) < SAME_RATIO)) {
        ratios.add(ratio);
        if (flips) {
          ratios.add(1 / ratio);
        }
      }
    }
    long priors = (long) ratios.size() * call.reals("min_sizes").size();
    perCell(call, "Boxes", priors + call.reals("max_sizes").size());
  }

  /**
   * Gives {@code Boxes}, per cell, density² boxes for each density and each ratio; with {@code
   * flatten_to_2d} the boxes are one list.
   */
  static void densityPriorBox(ShapeCall call) {
    long priors = 0;
    for (long density : call.integers("densities")) {
      priors += call.reals("fixed_ratios").size() * density * density;
    }
    if (!call.flag("flatten_to_2d", false)) {
      perCell(call, "Boxes", priors);
      return;
    }
    AbstractShape input = call.in("Input");
    SymbolicExtent count = input.dim(2).times(input.dim(3)).times((double) priors);
    AbstractShape boxes = AbstractShape.of(count, SymbolicExtent.of(4));
    call.out("Boxes", boxes);
    call.out("Variances", boxes);
  }

  private static void perCell(ShapeCall call, String slot, long boxes) {
    AbstractShape input = call.in("Input");
    AbstractShape all =
        AbstractShape.of(
            input.dim(2), input.dim(3), SymbolicExtent.of(boxes), SymbolicExtent.of(4));
    call.out(slot, all);
    call.out("Variances", all);
  }

  /** Gives {@code Boxes} and {@code Scores} one row per cell and anchor of a YOLO feature map. */
  static void yoloBox(ShapeCall call) {
    AbstractShape x = call.in("X");
    long anchors = call.integers("anchors").size() / 2;
    long classes = call.integer("class_num", 1);
    long channels = anchors * (classes + (call.flag("iou_aware", false) ? 6 : 5));
    if (x.dim(1).isExact() && !x.dim(1).is((double) channels)) {
      throw new ShapeMismatchException(
          "X "
              + x
              + " has "
              + x.dim(1)
              + " channels, but "
              + anchors
              + " anchors of "
              + classes
              + " classes take "
              + channels);
    }
    SymbolicExtent boxes = x.dim(2).times(x.dim(3)).times((double) anchors);
    call.out("Boxes", AbstractShape.of(x.dim(0), boxes, SymbolicExtent.of(4)));
    call.out("Scores", AbstractShape.of(x.dim(0), boxes, SymbolicExtent.of(classes)));
  }

  /**
   * Gives {@code OutputBox} each target encoded by each prior, or the decoded boxes in the shape of
   * {@code TargetBox}.
   */
  static void boxCoder(ShapeCall call) {
    AbstractShape prior = call.in("PriorBox");
    AbstractShape target = call.in("TargetBox");
    String kind = call.text("code_type", "encode_center_size");
    if (!kind.startsWith("decode")) {
      call.out(
          "OutputBox",
          AbstractShape.of(target.dim(0), prior.dim(0), prior.dim(1)).withLod(target.lod()));
      return;
    }
    boolean alongSecond = call.integer("axis", 0) == 1;
    SymbolicExtent priors = target.dim(alongSecond ? 0 : 1);
    if (priors.isExact() && prior.dim(0).isExact() && !priors.is(prior.dim(0).value())) {
      throw new ShapeMismatchException(
          "TargetBox " + target + " has " + priors + " boxes for PriorBox " + prior);
    }
    call.out(
        "OutputBox",
        AbstractShape.of(target.dim(0), target.dim(1), prior.dim(1))
            .withLod(alongSecond ? prior.lod() : target.lod()));
  }

  /** Gives {@code Out} the overlap of each box of {@code X} with each box of {@code Y}. */
  static void iouSimilarity(ShapeCall call) {
    AbstractShape x = call.in("X");
    call.out("Out", AbstractShape.of(x.dim(0), call.in("Y").dim(0)).withLod(x.lod()));
  }

  /**
   * Gives {@code DecodeBox} the boxes of all classes, and {@code OutputAssignBox} the box of the
   * best class.
   */
  static void decodeAndAssign(ShapeCall call) {
    AbstractShape prior = call.in("PriorBox");
    AbstractShape target = call.in("TargetBox");
    call.out("DecodeBox", AbstractShape.of(target.dims()).withLod(prior.lod()));
    call.out("OutputAssignBox", AbstractShape.of(prior.dims()).withLod(prior.lod()));
  }

  /**
   * Gives the outputs one match per column, for each sequence of rows, or for all rows together if
   * there are no sequences.
   */
  static void bipartiteMatch(ShapeCall call) {
    AbstractShape distances = call.in("DistMat");
    SymbolicExtent count =
        Offsets.mayExist(distances) ? Offsets.count(call, distances, -1) : SymbolicExtent.of(1);
    AbstractShape match = AbstractShape.of(count, distances.dim(1));
    call.out("ColToRowMatchIndices", match);
    call.out("ColToRowMatchDist", match);
  }

  /** Gives {@code Out} one target per match, and {@code OutWeight} one weight per match. */
  static void targetAssign(ShapeCall call) {
    SymbolicExtent images = call.in("MatchIndices").dim(0);
    SymbolicExtent boxes = call.in("MatchIndices").dim(1);
    call.out("Out", AbstractShape.of(images, boxes, call.in("X").dim(-1)));
    call.out("OutWeight", AbstractShape.of(images, boxes, SymbolicExtent.of(1)));
  }
}
