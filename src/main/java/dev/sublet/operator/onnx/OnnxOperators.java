package dev.sublet.operator.onnx;

import static dev.sublet.operator.spec.InPlaceVersions.DEFINITION;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.OrderRule;

/**
 * The operators of ONNX. An operator of the default domain is named by its type, others by domain,
 * dot and type. Input and output slots are named by position: {@code "0"}, {@code "1"} and so on.
 *
 * <p>An ONNX operator does not record its opset. A rule therefore accepts the attributes of old
 * versions and the inputs of new ones, so that it is right for all versions. Outputs carry no
 * sequence offsets, and each output is written entirely.
 *
 * <p>There is an in-place pair wherever each element of the output is computed from the elements of
 * the input at the same position, or from a group of elements that are all read before the first
 * element of the group is written (a softmax along its axis). ONNX defines these dependences; ONNX
 * Runtime declares with {@code MayInplace} that such kernels can run in place. There is no pair
 * where an element of the output depends on elements at other positions (products, convolutions,
 * transpositions, pads).
 *
 * <p>Source: ONNX's operator schemas 1 to 26, and ONNX Runtime's com.microsoft.
 */
public final class OnnxOperators {

  private OnnxOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    OnnxElementOperators.addTo(catalog);
    OnnxTensorOperators.addTo(catalog);
    OnnxLayerOperators.addTo(catalog);
    OnnxRuntimeOperators.addTo(catalog);
    addLearning(catalog, "ai.onnx.ml.");
    addTraining(catalog, "ai.onnx.preview.training.");
    addSequences(catalog);
    catalog.order(
        OrderRule.ORDERED,
        "Bernoulli",
        "Dropout",
        "Multinomial",
        "RandomNormal",
        "RandomNormalLike",
        "RandomUniform",
        "RandomUniformLike",
        "com.microsoft.BiasDropout");
    catalog.rejectSurely(
        "Add",
        "Concat",
        "Conv",
        "Div",
        "Expand",
        "Gemm",
        "LSTM",
        "MatMul",
        "Mul",
        "Reshape",
        "Split",
        "Squeeze",
        "Sub",
        "Transpose",
        "Unsqueeze",
        "Where");
  }

  private static void addLearning(CatalogBuilder catalog, String domain) {
    for (String type : new String[] {"Binarizer", "Imputer", "Normalizer", "Scaler"}) {
      catalog.addOnnx(domain + type).shape(OnnxElementShapes::like).inPlace("0", "0", DEFINITION);
    }
    for (String type : new String[] {"CategoryMapper", "LabelEncoder"}) {
      catalog.addOnnx(domain + type).shape(OnnxElementShapes::like);
    }
    for (String type :
        new String[] {"LinearClassifier", "SVMClassifier", "TreeEnsembleClassifier"}) {
      catalog.addOnnx(domain + type).shape(OnnxRuntimeShapes::classifier);
    }
    catalog.addOnnx(domain + "LinearRegressor").shape(OnnxRuntimeShapes.regressor("targets"));
    catalog.addOnnx(domain + "SVMRegressor").shape(OnnxRuntimeShapes.regressor("n_targets"));
    catalog
        .addOnnx(domain + "TreeEnsembleRegressor")
        .shape(OnnxRuntimeShapes.regressor("n_targets"));
    catalog.addOnnx(domain + "TreeEnsemble").shape(OnnxRuntimeShapes.regressor("n_targets"));
    catalog.addOnnx(domain + "ArrayFeatureExtractor").shape(OnnxIndexShapes::extract);
    catalog.addOnnx(domain + "FeatureVectorizer").shape(OnnxRuntimeShapes::features);
    catalog.addOnnx(domain + "OneHotEncoder").shape(OnnxRuntimeShapes::categories);
    // Maps have no shapes.
    catalog.addOnnx(domain + "CastMap");
    catalog.addOnnx(domain + "DictVectorizer");
    catalog.addOnnx(domain + "ZipMap");
  }

  private static void addTraining(CatalogBuilder catalog, String domain) {
    for (String type : new String[] {"Adagrad", "Adam", "Momentum"}) {
      catalog.addOnnx(domain + type).shape(OnnxOperators::updated);
    }
    catalog.addOnnx(domain + "Gradient");
  }

  /**
   * Optimizers: inputs 0 and 1 are the learning rate and the update count. The outputs are the
   * updated tensors and states; gradients have no output.
   */
  private static void updated(ShapeCall call) {
    int outputs = call.operation().outputSlots().size();
    int inputs = call.operation().inputSlots().size() - 2;
    // The further inputs are X, the gradients and the state; the outputs are X and the state.
    int optimized = inputs - outputs;
    for (int i = 0; i < outputs; i++) {
      int input = 2 + (i < optimized ? i : i + optimized);
      call.out(String.valueOf(i), AbstractShape.of(call.in(String.valueOf(input)).dims()));
    }
  }

  /** Adds sequences, optionals and strings. The contents of a sequence are not followed. */
  private static void addSequences(CatalogBuilder catalog) {
    for (String type :
        new String[] {
          "ConcatFromSequence",
          "ImageDecoder",
          "Optional",
          "OptionalGetElement",
          "SequenceAt",
          "SequenceConstruct",
          "SequenceEmpty",
          "SequenceErase",
          "SequenceInsert",
          "SequenceMap",
          "SplitToSequence",
          "StringNormalizer",
        }) {
      catalog.addOnnx(type);
    }
    catalog.addAllOnnx(OnnxCreationShapes::scalar, "OptionalHasElement", "SequenceLength");
    catalog.addAllOnnx(OnnxElementShapes::like, "RegexFullMatch");
    catalog.addAllOnnx(OnnxElementShapes::broadcast, "StringConcat");
    catalog.addOnnx("StringSplit").shape(OnnxOperators::splitStrings);
  }

  /** {@code StringSplit}: the greatest number of pieces depends on the strings. */
  private static void splitStrings(ShapeCall call) {
    ImmutableList<SymbolicExtent> dims = call.in("0").dims();
    SymbolicExtent pieces = call.unknown("pieces", "it depends on strings");
    call.out("0", AbstractShape.of(DimLists.append(dims, pieces)));
    call.out("1", AbstractShape.of(dims));
  }
}
