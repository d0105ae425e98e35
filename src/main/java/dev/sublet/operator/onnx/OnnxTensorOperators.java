package dev.sublet.operator.onnx;

import static dev.sublet.operator.onnx.OnnxInputs.FIRST;
import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;

import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.CatalogBuilder;

/**
 * ONNX's operators on tensors: shapes, joins and cuts, indices, reductions, creation of tensors.
 */
final class OnnxTensorOperators {

  private OnnxTensorOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addShapes(catalog);
    addJoins(catalog);
    addIndexing(catalog);
    addReductions(catalog);
    addSelections(catalog);
    addCreations(catalog);
  }

  private static void addShapes(CatalogBuilder catalog) {
    catalog.addOnnx("Reshape").shape(OnnxReshapeShapes::reshape).view("0", "0");
    catalog.addOnnx("Flatten").shape(OnnxReshapeShapes::flatten).view("0", "0");
    catalog.addOnnx("Squeeze").shape(OnnxReshapeShapes::squeeze).view("0", "0");
    catalog.addOnnx("Unsqueeze").shape(OnnxReshapeShapes::unsqueeze).view("0", "0");
    catalog.addOnnx("Transpose").shape(OnnxReshapeShapes::transpose);
    catalog.addOnnx("Expand").shape(OnnxReshapeShapes::expand);
    catalog.addOnnx("Tile").shape(OnnxReshapeShapes::tile);
    catalog.addOnnx("Shape").shape(OnnxReshapeShapes::shape).needsOnlyShapeOf("0");
    catalog.addOnnx("Size").shape(OnnxReshapeShapes::size).needsOnlyShapeOf("0");
    catalog.addOnnx("DepthToSpace").shape(OnnxReshapeShapes::depthToSpace);
    catalog.addOnnx("SpaceToDepth").shape(OnnxReshapeShapes::spaceToDepth);
    catalog.addOnnx("Pad").shape(OnnxReshapeShapes::pad);
    catalog.addOnnx("CenterCropPad").shape(OnnxReshapeShapes::centerCropPad);
  }

  private static void addJoins(CatalogBuilder catalog) {
    catalog.addOnnx("Concat").shape(OnnxIndexShapes::concat).view(OnnxViewRules.concat());
    catalog.addOnnx("Split").shape(OnnxIndexShapes::split).view(OnnxViewRules.split());
    catalog.addOnnx("Slice").shape(OnnxIndexShapes::slice).view(OnnxViewRules.slice());
  }

  private static void addIndexing(CatalogBuilder catalog) {
    catalog.addOnnx("Gather").shape(OnnxIndexShapes::gather);
    catalog.addOnnx("GatherElements").shape(OnnxIndexShapes::gatherElements);
    catalog.addOnnx("GatherND").shape(OnnxIndexShapes::gatherNd);
    catalog.addOnnx("OneHot").shape(OnnxIndexShapes::oneHot);
    catalog.addAllOnnx(OnnxElementShapes::like, "ReverseSequence");
    // These copy the data and replace some of the elements.
    catalog.addAllOnnxInPlace(
        OnnxIndexShapes::scatter, FIRST, "Scatter", "ScatterElements", "ScatterND");
    catalog.addAllOnnxInPlace(OnnxElementShapes::firstLike, FIRST, "TensorScatter");
  }

  private static void addReductions(CatalogBuilder catalog) {
    catalog.addAllOnnx(
        OnnxReductionShapes::reduce,
        "ReduceL1",
        "ReduceL2",
        "ReduceLogSum",
        "ReduceLogSumExp",
        "ReduceMean",
        "ReduceSumSquare");
    catalog.addOnnx("ReduceMax").shape(OnnxReductionShapes.fold(SymbolicExtent::max));
    catalog.addOnnx("ReduceMin").shape(OnnxReductionShapes.fold(SymbolicExtent::min));
    catalog.addOnnx("ReduceProd").shape(OnnxReductionShapes.fold(SymbolicExtent::times));
    catalog.addOnnx("ReduceSum").shape(OnnxReductionShapes.fold(SymbolicExtent::plus));
    catalog.addAllOnnx(OnnxReductionShapes::search, "ArgMax", "ArgMin");
  }

  private static void addSelections(CatalogBuilder catalog) {
    catalog.addOnnx("TopK").shape(OnnxReductionShapes::topK);
    catalog.addOnnx("NonZero").shape(OnnxReductionShapes::nonZero);
    catalog.addOnnx("Unique").shape(OnnxReductionShapes::unique);
    catalog.addOnnx("Compress").shape(OnnxReductionShapes::compress);
    catalog.addOnnx("NonMaxSuppression").shape(OnnxReductionShapes::suppress);
  }

  private static void addCreations(CatalogBuilder catalog) {
    catalog.addOnnx("ConstantOfShape").shape(OnnxCreationShapes::constant);
    catalog.addOnnx("Range").shape(OnnxCreationShapes::range);
    catalog.addAllOnnx(OnnxCreationShapes::ofShape, "RandomNormal", "RandomUniform");
    for (String type : new String[] {"EyeLike", "RandomNormalLike", "RandomUniformLike"}) {
      catalog.addOnnx(type).shape(OnnxElementShapes::like).needsOnlyShapeOf("0");
    }
    catalog.addOnnx("Bernoulli").shape(OnnxElementShapes::like).inPlace("0", "0", DEFINITION);
    catalog.addOnnx("Multinomial").shape(OnnxCreationShapes::multinomial);
    catalog.addAllOnnx(OnnxCreationShapes::window, "BlackmanWindow", "HammingWindow", "HannWindow");
    catalog.addOnnx("MelWeightMatrix").shape(OnnxCreationShapes::melWeights);
    catalog.addOnnx("TfIdfVectorizer").shape(OnnxCreationShapes::tfIdf);
  }
}
