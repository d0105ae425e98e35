package dev.sublet.operator.paddle.detection;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.spec.CatalogBuilder;

/**
 * Catalog entries for object detection: boxes, suppression, proposals, targets, region pooling.
 *
 * <p>The outputs of operators that select boxes have one LoD sequence per image, whatever LoD the
 * inputs carry.
 */
public final class DetectionOperators {

  private DetectionOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addBoxes(catalog);
    addSuppression(catalog);
    addProposals(catalog);
    addTargets(catalog);
    addRegionPooling(catalog);
  }

  private static void addBoxes(CatalogBuilder catalog) {
    catalog.add("box_clip").shape(ElementwiseShapes.like("Input", "Output"));
    catalog.add("box_coder").shape(AnchorShapes::boxCoder);
    catalog.add("box_decoder_and_assign").shape(AnchorShapes::decodeAndAssign);
    catalog.add("iou_similarity").shape(AnchorShapes::iouSimilarity);
    catalog.add("polygon_box_transform").shape(ElementwiseShapes.like("Input", "Output"));
    catalog.add("yolo_box").shape(AnchorShapes::yoloBox);
    catalog.add("anchor_generator").shape(AnchorShapes::anchorGenerator).clearsLod();
    catalog.add("density_prior_box").shape(AnchorShapes::densityPriorBox).clearsLod();
    catalog.add("prior_box").shape(AnchorShapes::priorBox).clearsLod();
  }

  // The operators with outputs on the host have CPU kernels only.
  private static void addSuppression(CatalogBuilder catalog) {
    catalog.add("nms").shape(ProposalShapes::nms);
    catalog
        .add("locality_aware_nms")
        .shape(ProposalShapes::multiclassNms)
        .producesLod()
        .onHost("Out");
    catalog.add("matrix_nms").shape(ProposalShapes::matrixNms).producesLod();
    catalog.add("multiclass_nms").shape(ProposalShapes::multiclassNms).producesLod().onHost("Out");

    catalog
        .add("multiclass_nms2")
        .shape(ProposalShapes::multiclassNms)
        .producesLod()
        .onHost("Out", "Index");
    catalog.add("multiclass_nms3").shape(ProposalShapes::multiclassNms).producesLod();
    catalog
        .add("retinanet_detection_output")
        .shape(ProposalShapes::retinanet)
        .producesLod()
        .onHost("Out");
  }

  private static void addProposals(CatalogBuilder catalog) {
    catalog
        .add("collect_fpn_proposals")
        .shape(ProposalShapes::collect)
        .mayWrite("RoisNum")
        .producesLod();
    catalog.add("distribute_fpn_proposals").shape(ProposalShapes::distribute).producesLod();
    catalog.add("generate_proposals").shape(ProposalShapes::generate).producesLod();
    catalog.add("generate_proposals_v2").shape(ProposalShapes::generate).producesLod();
  }

  // The operators with outputs on the host have CPU kernels only.
  private static void addTargets(CatalogBuilder catalog) {
    catalog.add("target_assign").shape(AnchorShapes::targetAssign);
    catalog
        .add("bipartite_match")
        .shape(AnchorShapes::bipartiteMatch)
        .onHost("ColToRowMatchIndices", "ColToRowMatchDist");
    catalog
        .add("detection_map")
        .producesLod()
        .onHost("AccumPosCount", "AccumTruePos", "AccumFalsePos", "MAP");
    catalog
        .add("generate_mask_labels")
        .producesLod()
        .onHost("MaskRois", "RoiHasMaskInt32", "MaskInt32");
    catalog
        .add("generate_proposal_labels")
        .producesLod()
        .onHost(
            "Rois",
            "LabelsInt32",
            "BboxTargets",
            "BboxInsideWeights",
            "BboxOutsideWeights",
            "MaxOverlapWithGT");
    catalog
        .add("mine_hard_examples")
        .shape(ProposalShapes::mineHardExamples)
        .producesLod()
        .onHost("NegIndices", "UpdatedMatchIndices");
    catalog
        .add("retinanet_target_assign")
        .producesLod()
        .onHost(
            "LocationIndex",
            "ScoreIndex",
            "TargetBBox",
            "TargetLabel",
            "BBoxInsideWeight",
            "ForegroundNumber");
    catalog
        .add("rpn_target_assign")
        .producesLod()
        .onHost("LocationIndex", "ScoreIndex", "TargetBBox", "TargetLabel", "BBoxInsideWeight");
  }

  private static void addRegionPooling(CatalogBuilder catalog) {
    catalog.addAll("decode_jpeg", "read_file");
    catalog.add("deformable_psroi_pooling").shape(RegionShapes::deformable).withGradient();
    catalog.add("prroi_pool").shape(RegionShapes::pool).withGradient();
    catalog
        .add("psroi_pool")
        .shape(RegionShapes::positionSensitive)
        .withGradient()
        .replacesLod("X@GRAD");
    catalog
        .add("roi_align")
        .clearsLod()
        .shape(RegionShapes::pool)
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog
        .add("roi_perspective_transform")
        .shape(RegionShapes::perspective)
        .mayWrite("Out2InIdx", "Out2InWeights")
        .withGradient();
    catalog.add("roi_pool").clearsLod().shape(RegionShapes::pool).mayWrite("Argmax").withGradient();
  }
}
