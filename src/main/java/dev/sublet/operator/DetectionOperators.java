package dev.sublet.operator;

/**
 * Object detection: boxes, suppression, proposals, targets, region pooling.
 *
 * <p>The operators that select boxes give one LoD sequence an image, whatever their inputs carry.
 */
final class DetectionOperators {

  private DetectionOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addBoxes(catalog);
    addSuppression(catalog);
    addProposals(catalog);
    addTargets(catalog);
    addRegionPooling(catalog);
  }

  private static void addBoxes(CatalogBuilder catalog) {
    catalog.addAll(
        "box_clip",
        "box_coder",
        "box_decoder_and_assign",
        "iou_similarity",
        "polygon_box_transform",
        "yolo_box");
    catalog.add("anchor_generator").clearsLod();
    catalog.add("density_prior_box").clearsLod();
    catalog.add("prior_box").clearsLod();
  }

  // Those on the host have CPU kernels only.
  private static void addSuppression(CatalogBuilder catalog) {
    catalog.addAll("nms");
    catalog.add("locality_aware_nms").producesLod().onHost("Out");
    catalog.add("matrix_nms").producesLod();
    catalog.add("multiclass_nms").producesLod().onHost("Out");
    catalog.add("multiclass_nms2").producesLod().onHost("Out", "Index");
    catalog.add("multiclass_nms3").producesLod();
    catalog.add("retinanet_detection_output").producesLod().onHost("Out");
  }

  private static void addProposals(CatalogBuilder catalog) {
    catalog.add("collect_fpn_proposals").mayWrite("RoisNum").producesLod();
    catalog.add("distribute_fpn_proposals").producesLod();
    catalog.add("generate_proposals").producesLod();
    catalog.add("generate_proposals_v2").producesLod();
  }

  // Those on the host have CPU kernels only.
  private static void addTargets(CatalogBuilder catalog) {
    catalog.addAll("target_assign");
    catalog.add("bipartite_match").onHost("ColToRowMatchIndices", "ColToRowMatchDist");
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
    catalog.add("mine_hard_examples").producesLod().onHost("NegIndices", "UpdatedMatchIndices");
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
    catalog.addAllWithGradients("deformable_psroi_pooling", "prroi_pool", "psroi_pool");
    catalog.add("roi_align").withGradient().needsOnlyShapeOf("X");
    catalog.add("roi_perspective_transform").mayWrite("Out2InIdx", "Out2InWeights").withGradient();
    catalog.add("roi_pool").mayWrite("Argmax").withGradient();
  }
}
