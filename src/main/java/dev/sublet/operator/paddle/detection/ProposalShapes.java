package dev.sublet.operator.paddle.detection;

import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;

/**
 * Shape rules for operators that select boxes: suppression, proposals, levels. The numbers of
 * selected boxes depend on the data.
 */
final class ProposalShapes {

  private static final SymbolicExtent ONE = SymbolicExtent.of(1);
  private static final SymbolicExtent FOUR = SymbolicExtent.of(4);

  private ProposalShapes() {}

  /** Gives the output the kept boxes of a single class: at most all boxes. */
  static void nms(ShapeCall call) {
    SymbolicExtent rows = call.atMost("rows", call.in("Boxes").dim(0));
    call.out("KeepBoxesIdxs", AbstractShape.of(rows));
  }

  /**
   * Gives the outputs the kept boxes of all classes and images. A class keeps at most {@code
   * nms_top_k} boxes, an image at most {@code keep_top_k}. Without an output {@code Index}, a
   * single -1 stands for no boxes.
   */
  static void multiclassNms(ShapeCall call) {
    AbstractShape boxes = call.in("BBoxes");
    AbstractShape scores = call.in("Scores");
    boolean batched = scores.rank() == 3;
    SymbolicExtent classes = scores.dim(1);
    int background = call.integer("background_label", 0);
    if (background >= 0 && classes.isExact() && background < classes.value()) {
      classes = classes.minus(1);
    }
    SymbolicExtent images = batched ? scores.dim(0) : images(call, boxes);
    SymbolicExtent bound =
        batched
            ? images.times(perImage(call, classes, scores.dim(2)))
            : classes.times(boxes.dim(0));
    int keep = call.integer("keep_top_k", -1);
    if (!batched && keep >= 0) {
      bound = bound.min(images.times(keep));
    }
    writeKept(call, bound, boxes.dim(2).plus(2));
    call.out("NmsRoisNum", AbstractShape.of(images));
  }

  private static SymbolicExtent images(ShapeCall call, AbstractShape boxes) {
    return call.has("RoisNum")
        ? call.in("RoisNum").count()
        : Offsets.mayExist(boxes)
            ? Offsets.count(call, boxes, -1)
            : call.unknown("images", "neither RoisNum nor sequences say how many images there are");
  }

  private static SymbolicExtent perImage(
      ShapeCall call, SymbolicExtent classes, SymbolicExtent boxes) {
    SymbolicExtent candidates = limited(boxes, call.integer("nms_top_k", -1));
    return limited(classes.times(candidates), call.integer("keep_top_k", -1));
  }

  private static SymbolicExtent limited(SymbolicExtent number, long limit) {
    return limit < 0 ? number : number.min(SymbolicExtent.of(limit));
  }

  private static void writeKept(ShapeCall call, SymbolicExtent bound, SymbolicExtent width) {
    boolean indexed = call.outputs("Index") > 0;
    SymbolicExtent rows = call.atMost("rows", indexed ? bound : bound.max(ONE));
    SymbolicExtent columns = indexed ? width : call.atMost("columns", width);
    call.out("Out", AbstractShape.of(rows, columns).withLod(null));
    call.out("Index", AbstractShape.of(rows, ONE).withLod(null));
  }

  /**
   * Gives the outputs the kept boxes with decayed scores; the bounds are those of {@link
   * #multiclassNms}.
   */
  static void matrixNms(ShapeCall call) {
    AbstractShape scores = call.in("Scores");
    SymbolicExtent classes = scores.dim(1);
    int background = call.integer("background_label", 0);
    if (background >= 0 && classes.isExact() && background < classes.value()) {
      classes = classes.minus(1);
    }
    SymbolicExtent bound = scores.dim(0).times(perImage(call, classes, scores.dim(2)));
    SymbolicExtent rows = call.atMost("rows", bound);
    SymbolicExtent columns = call.in("BBoxes").dim(2).plus(2);
    call.out("Out", AbstractShape.of(rows, columns).withLod(null));
    call.out("Index", AbstractShape.of(rows, ONE).withLod(null));
    call.out("RoisNum", AbstractShape.of(scores.dim(0)));
  }

  /**
   * Gives {@code Out} the kept boxes: at most {@code nms_top_k} boxes of each level are candidates,
   * and an image keeps at most {@code keep_top_k} candidates.
   */
  static void retinanet(ShapeCall call) {
    AbstractShape first = call.in("BBoxes");
    SymbolicExtent candidates = SymbolicExtent.of(0);
    for (AbstractShape scores : call.all("Scores")) {
      SymbolicExtent all = scores.dim(1).times(scores.dim(2));
      candidates = candidates.plus(limited(all, call.integer("nms_top_k", -1)));
    }
    SymbolicExtent kept = limited(candidates, call.integer("keep_top_k", -1));
    SymbolicExtent rows = call.atMost("rows", first.dim(0).times(kept));
    call.out("Out", AbstractShape.of(rows, first.dim(2).plus(2)).withLod(null));
  }

  /**
   * Gives the outputs the proposals of all images. An image has at most {@code pre_nms_topN}
   * proposals, and at most {@code post_nms_topN} if suppression is on. If none is left, the image
   * has one proposal of zeros.
   */
  static void generate(ShapeCall call) {
    AbstractShape scores = call.in("Scores");
    SymbolicExtent all = scores.dim(1).times(scores.dim(2)).times(scores.dim(3));
    SymbolicExtent each = limited(all, positive(call.integer("pre_nms_topN", 6000)));
    if (call.real("nms_thresh", 0.5) > 0) {
      each = limited(each, positive(call.integer("post_nms_topN", 1000)));
    }
    SymbolicExtent rows = call.atMost("rows", scores.dim(0).times(each.max(ONE)));
    call.out("RpnRois", AbstractShape.of(rows, FOUR).withLod(null));
    call.out("RpnRoiProbs", AbstractShape.of(rows, ONE).withLod(null));
    call.out("RpnRoisNum", AbstractShape.of(scores.dim(0)));
  }

  /** Returns the limit, or -1, which stands for no limit, if it is not positive. */
  private static long positive(long limit) {
    return limit <= 0 ? -1 : limit;
  }

  /**
   * Gives {@code FpnRois} the best {@code post_nms_topN} boxes of all levels, or all boxes if there
   * are fewer.
   */
  static void collect(ShapeCall call) {
    SymbolicExtent rows = SymbolicExtent.of(0);
    for (AbstractShape rois : call.all("MultiLevelRois")) {
      rows = rows.plus(rois.dim(0));
    }
    SymbolicExtent kept = rows.min(SymbolicExtent.of((long) call.integer("post_nms_topN", 1000)));
    call.out("FpnRois", AbstractShape.of(kept, FOUR).withLod(null));
    SymbolicExtent images =
        call.has("MultiLevelRoIsNum")
            ? call.in("MultiLevelRoIsNum").count()
            : Offsets.count(call, call.in("MultiLevelRois"), -1);
    call.out("RoisNum", AbstractShape.of(images));
  }

  /** Gives each level some of {@code FpnRois}; {@code RestoreIndex} restores their order. */
  static void distribute(ShapeCall call) {
    AbstractShape rois = call.in("FpnRois");
    for (int i = 0; i < call.outputs("MultiFpnRois"); i++) {
      SymbolicExtent rows = call.atMost("level " + i, rois.dim(0));
      call.out("MultiFpnRois", i, AbstractShape.of(rows, FOUR).withLod(null));
    }
    call.out("RestoreIndex", AbstractShape.of(rois.dim(0), ONE));
    for (int i = 0; i < call.outputs("MultiLevelRoIsNum"); i++) {
      call.out("MultiLevelRoIsNum", i, AbstractShape.of(images(call, rois)));
    }
  }

  /**
   * Gives {@code NegIndices} at most all boxes, and {@code UpdatedMatchIndices} the shape of {@code
   * MatchIndices}.
   */
  static void mineHardExamples(ShapeCall call) {
    AbstractShape matches = call.in("MatchIndices");
    SymbolicExtent rows = call.atMost("rows", matches.dim(0).times(matches.dim(1)));
    call.out("NegIndices", AbstractShape.of(rows, ONE).withLod(null));
    call.out("UpdatedMatchIndices", AbstractShape.of(matches.dims()));
  }
}
