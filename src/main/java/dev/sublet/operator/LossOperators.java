package dev.sublet.operator;

import static dev.sublet.operator.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_8_GENERATED;

/** Losses and metrics. */
final class LossOperators {

  private LossOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addLosses(catalog);
    addSampledLosses(catalog);
    addMetrics(catalog);
  }

  private static void addLosses(CatalogBuilder catalog) {
    catalog.addAll("cross_entropy_grad2");
    catalog.addAllWithGradients(
        "bpr_loss",
        "cross_entropy",
        "hinge_loss",
        "huber_loss",
        "label_smooth",
        "log_loss",
        "margin_rank_loss",
        "modified_huber_loss",
        "nll_loss",
        "rank_loss",
        "sigmoid_focal_loss",
        "smooth_l1_loss",
        "teacher_student_sigmoid_loss");
    catalog
        .add("bce_loss")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace(SINCE_1_8_GENERATED);
    catalog.add("center_loss").mayWrite("CentersOut").withGradient().needsOnlyShapeOf("X");
    catalog.add("cross_entropy2").mayWrite("XShape");
    catalog.add("kldiv_loss").withGradient().needsOnlyShapeOf("X");
    catalog
        .add("margin_cross_entropy")
        .withGradient()
        .inPlace("Softmax", "Logits@GRAD", GENERATED_ONLY);
    catalog
        .add("sigmoid_cross_entropy_with_logits")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace(SINCE_1_8_GENERATED);
    catalog
        .add("softmax_with_cross_entropy")
        .inPlace("Logits", "Softmax", "1.5,1.8,2.0,2.2,2.3,2.4,yaml")
        .withGradient()
        .inPlace("Softmax", "Logits@GRAD", "1.5,1.8,2.0,2.2,2.3,2.4,yaml");
    catalog.add("warpctc").mayWrite("WarpCTCGrad").withGradient().needsOnlyShapeOf("Logits");
    catalog.add("yolov3_loss").mayWrite("ObjectnessMask", "GTMatchMask").withGradient();
  }

  private static void addSampledLosses(CatalogBuilder catalog) {
    catalog.addAll("class_center_sample");
    catalog
        .add("hierarchical_sigmoid")
        .mayWrite("W_Out")
        .onHost("Out", "PreOut", "W_Out")
        .withGradient()
        .needsOnlyShapeOf("Bias");
    catalog
        .add("nce")
        .mayWrite("SampleLogits", "SampleLabels")
        .onHost("Cost", "SampleLogits", "SampleLabels")
        .withGradient()
        .needsOnlyShapeOf("Bias");
    catalog
        .add("sample_logits")
        .mayWrite("Samples", "Probabilities", "LogitsDim", "LabelsDim", "SampledLogits")
        .withGradient();
    catalog.add("similarity_focus").onHost("Out");
  }

  private static void addMetrics(CatalogBuilder catalog) {
    catalog.addAll("accuracy", "edit_distance", "mean_iou");
    catalog.add("auc").mayWrite("StatPosOut", "StatNegOut");
    catalog
        .add("chunk_eval")
        .onHost(
            "Precision",
            "Recall",
            "F1-Score",
            "NumInferChunks",
            "NumLabelChunks",
            "NumCorrectChunks");
    catalog.add("cvm").needsOnlyShapeOf("CVM").withGradient().needsOnlyShapeOf("X");
    catalog
        .add("positive_negative_pair")
        .mayWrite("NeutralPair")
        .onHost("PositivePair", "NegativePair", "NeutralPair");
    catalog.add("precision_recall").onHost("BatchMetrics", "AccumMetrics", "AccumStatesInfo");
  }
}
