package dev.sublet.operator.paddle.loss;

import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8_GENERATED;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.paddle.product.LayerShapes;
import dev.sublet.operator.spec.CatalogBuilder;

/** Catalog entries for losses and metrics. */
public final class LossOperators {

  private LossOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addLosses(catalog);
    addCrossEntropies(catalog);
    addRankLosses(catalog);
    addSampledLosses(catalog);
    addMetrics(catalog);
  }

  private static void addLosses(CatalogBuilder catalog) {
    catalog.add("hinge_loss").shape(ElementwiseShapes.like("Logits", "Loss")).withGradient();
    catalog
        .add("huber_loss")
        .shape(LossShapes::huber)
        .withGradient()
        .shape(ElementwiseShapes.like("Residual", "X@GRAD", "Y@GRAD"));
    catalog.add("label_smooth").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("log_loss").shape(ElementwiseShapes.like("Predicted", "Loss")).withGradient();
    catalog
        .add("modified_huber_loss")
        .shape(LossShapes.columnAnd("IntermediateVal"))
        .withGradient()
        .shape(ElementwiseShapes.like("IntermediateVal", "X@GRAD"));
    catalog.add("nll_loss").shape(LossShapes::negativeLogLikelihood).withGradient();
    catalog.add("sigmoid_focal_loss").shape(ElementwiseShapes::likeX).withGradient();
    catalog
        .add("smooth_l1_loss")
        .shape(LossShapes.columnAnd("Diff"))
        .withGradient()
        .shape(ElementwiseShapes.like("Diff", "X@GRAD", "Y@GRAD"));
    catalog
        .add("teacher_student_sigmoid_loss")
        .shape(LossShapes::teacherStudent)
        .withGradient()
        .replacesLod("X@GRAD");
    catalog
        .add("center_loss")
        .shape(LossShapes::center)
        .mayWrite("CentersOut")
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog.add("kldiv_loss").shape(LossShapes::divergence).withGradient().needsOnlyShapeOf("X");
    catalog
        .add("warpctc")
        .shape(LossShapes::connectionist)
        .mayWrite("WarpCTCGrad")
        .withGradient()
        .replacesLod("Logits@GRAD")
        .needsOnlyShapeOf("Logits");
    catalog
        .add("yolov3_loss")
        .shape(LossShapes::yolo)
        .mayWrite("ObjectnessMask", "GTMatchMask")
        .withGradient();
  }

  private static void addCrossEntropies(CatalogBuilder catalog) {
    catalog
        .add("cross_entropy")
        .replacesLod("Y")
        .shape(LossShapes::crossEntropy)
        .withGradient()
        .replacesLod("X@GRAD");
    catalog.add("cross_entropy2").shape(LossShapes::crossEntropy).mayWrite("XShape");
    catalog.add("cross_entropy_grad2").shape(LossShapes::crossEntropy2Gradient);
    catalog
        .add("margin_cross_entropy")
        .shape(LossShapes::marginCrossEntropy)
        .withGradient()
        .shape(ElementwiseShapes.like("Softmax", "Logits@GRAD"))
        .inPlace("Softmax", "Logits@GRAD", GENERATED_ONLY);
    catalog
        .add("sigmoid_cross_entropy_with_logits")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace(SINCE_1_8_GENERATED);
    catalog
        .add("softmax_with_cross_entropy")
        .shape(LossShapes::softmaxCrossEntropy)
        .inPlace("Logits", "Softmax", "1.5,1.8,2.0,2.2,2.3,2.4,yaml")
        .withGradient()
        .clearsLod()
        .shape(ElementwiseShapes.like("Softmax", "Logits@GRAD"))
        .inPlace("Softmax", "Logits@GRAD", "1.5,1.8,2.0,2.2,2.3,2.4,yaml");
    catalog
        .add("bce_loss")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace(SINCE_1_8_GENERATED);
  }

  private static void addRankLosses(CatalogBuilder catalog) {
    catalog.add("bpr_loss").shape(LossShapes::crossEntropy).withGradient().replacesLod("X@GRAD");
    catalog
        .add("margin_rank_loss")
        .shape(ElementwiseShapes.like("Label", "Activated", "Out"))
        .withGradient()
        .shape(ElementwiseShapes.like("Label", "X1@GRAD", "X2@GRAD"));
    catalog.add("rank_loss").shape(ElementwiseShapes.like("Label", "Out")).withGradient();
  }

  private static void addSampledLosses(CatalogBuilder catalog) {
    catalog.add("class_center_sample").shape(LossShapes::sampleClasses);
    catalog
        .add("hierarchical_sigmoid")
        .shape(LossShapes::hierarchicalSigmoid)
        .mayWrite("W_Out")
        .onHost("Out", "PreOut", "W_Out")
        .withGradient()
        .needsOnlyShapeOf("Bias");
    catalog
        .add("nce")
        .shape(LossShapes::noiseContrastive)
        .mayWrite("SampleLogits", "SampleLabels")
        .onHost("Cost", "SampleLogits", "SampleLabels")
        .withGradient()
        .needsOnlyShapeOf("Bias");
    catalog
        .add("sample_logits")
        .shape(LossShapes::sampleLogits)
        .mayWrite("Samples", "Probabilities", "LogitsDim", "LabelsDim", "SampledLogits")
        .withGradient();
    catalog.add("similarity_focus").shape(ElementwiseShapes::likeX).onHost("Out");
  }

  private static void addMetrics(CatalogBuilder catalog) {
    catalog.add("accuracy").shape(LayerShapes::single).keepsIfEmpty("Accuracy", "Correct", "Total");
    catalog.add("edit_distance").shape(MetricShapes::editDistance);
    catalog.add("mean_iou").shape(MetricShapes::meanIou);
    catalog.add("auc").shape(MetricShapes::auc).mayWrite("StatPosOut", "StatNegOut");
    catalog
        .add("chunk_eval")
        .shape(LayerShapes::single)
        .onHost(
            "Precision",
            "Recall",
            "F1-Score",
            "NumInferChunks",
            "NumLabelChunks",
            "NumCorrectChunks");
    catalog
        .add("cvm")
        .shape(MetricShapes::clickThrough)
        .needsOnlyShapeOf("CVM")
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("positive_negative_pair")
        .shape(LayerShapes::single)
        .mayWrite("NeutralPair")
        .onHost("PositivePair", "NegativePair", "NeutralPair");
    catalog
        .add("precision_recall")
        .shape(MetricShapes::precisionRecall)
        .onHost("BatchMetrics", "AccumMetrics", "AccumStatesInfo");
  }
}
