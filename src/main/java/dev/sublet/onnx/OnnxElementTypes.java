package dev.sublet.onnx;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A table of the element types of the outputs of ONNX's operators. It summarizes the type
 * constraints of the operators' schemas (ai.onnx opset 1 to 26, ai.onnx.ml 1 to 5, and ONNX
 * Runtime's com.microsoft).
 *
 * <p>A line of the table is a list of operator types and, after the colon, one word per output; a
 * word that ends in {@code *} applies to all further outputs too. A word is a list of alternatives,
 * separated by {@code |}; the first alternative that yields a type counts:
 *
 * <ul>
 *   <li>{@code 2}: the type of input 2; {@code any}: the type of the first input whose type is
 *       known;
 *   <li>{@code float}: this type;
 *   <li>{@code @dtype}: the number in this integer attribute, if it is present and not 0; for a
 *       tensor attribute its element type, for a string the type with that name;
 *   <li>{@code categories}: int64 if input 0 is of strings, else string;
 *   <li>{@code classlabels_ints?int64}: this type if this attribute is present.
 * </ul>
 *
 * <p>The type of a sequence or an optional is the type of its elements. Types are numbers of ONNX's
 * {@code TensorProto.DataType}. Constraints are not checked: a model that violates one gets some
 * type. The mask of a Dropout with attribute {@code ratio} gets the type of the data, as before
 * opset 10, although it is boolean from opset 10 on.
 */
final class OnnxElementTypes {

  /** The number that means "unknown type". */
  static final int UNKNOWN = 0;

  private static final ImmutableMap<String, Integer> NUMBERS =
      ImmutableMap.<String, Integer>builder()
          .put("float", 1)
          .put("uint8", 2)
          .put("int32", 6)
          .put("int64", 7)
          .put("string", 8)
          .put("bool", 9)
          .put("uint32", 12)
          .buildOrThrow();

  /** The rules for the default domain. */
  private static final String STANDARD =
      """
      Abs Acos Acosh Asin Asinh Atan Atanh Ceil Celu Cos Cosh Elu Erf Exp Floor : 0
      Gelu HardSigmoid HardSwish Hardmax Identity LRN LeakyRelu Log LogSoftmax : 0
      LpNormalization MeanVarianceNormalization Mish Neg Not Reciprocal Relu Round : 0
      Selu Shrink Sigmoid Sign Sin Sinh Softmax Softplus Softsign Sqrt Swish Tan Tanh : 0
      ThresholdedRelu BitwiseNot Clip CumProd CumSum Trilu Affine Crop ImageScaler : 0
      ParametricSoftplus Scale ScaledTanh GivenTensorFill : 0
      Add BitShift BitwiseAnd BitwiseOr BitwiseXor Div Max Mean Min Mod Mul PRelu Sub Sum : any
      SwiGLU Concat Einsum Gemm MatMul Conv ConvTranspose DeformConv StringConcat : any
      Pow : 0
      And Equal Greater GreaterOrEqual Less LessOrEqual Or Xor IsInf IsNaN RegexFullMatch : bool
      AffineGrid AveragePool GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample LpPool : 0
      MaxRoiPool MaxUnpool RoiAlign Col2Im InstanceNormalization GroupNormalization : 0
      Resize Upsample DepthToSpace SpaceToDepth CenterCropPad Det DFT STFT : 0
      MaxPool : 0 int64
      BatchNormalization : 0 3|0 4|0 3|0 4|0
      LayerNormalization : 0 @stash_type|float @stash_type|float
      SimplifiedLayerNormalization : 1|0 @stash_type|float
      RMSNormalization : 1|0
      RotaryEmbedding TensorScatter : 0
      Attention : 0 0 2|0 0
      CausalConvWithState : 0*
      LinearAttention : 0 3|0
      LSTM GRU RNN : 0*
      ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin : 0
      ReduceProd ReduceSum ReduceSumSquare : 0
      ArgMax ArgMin NonZero NonMaxSuppression Shape Size SequenceLength : int64
      TopK : 0 int64
      Unique : 0 int64*
      Compress Expand Flatten Gather GatherElements GatherND Pad Reshape ReverseSequence : 0
      Slice Squeeze Tile Transpose Unsqueeze : 0
      Scatter ScatterElements ScatterND : 0|2
      Split : 0*
      Where : 1|2
      OneHot : 2
      Range : any
      Cast BitCast : @to
      CastLike : 1
      Bernoulli EyeLike RandomNormalLike RandomUniformLike : @dtype|0
      RandomNormal RandomUniform : @dtype|float
      Multinomial : @dtype|int32
      ConstantOfShape : @value|float
      ConstantFill : @dtype|float
      BlackmanWindow HammingWindow HannWindow MelWeightMatrix : @output_datatype|float
      Dropout : 0 is_test?0|ratio?0|bool
      NegativeLogLikelihoodLoss : 0
      SoftmaxCrossEntropyLoss : 0*
      QuantizeLinear : 2|@output_dtype|uint8
      DequantizeLinear : @output_dtype|1
      DynamicQuantizeLinear : uint8 float uint8
      ConvInteger MatMulInteger : int32
      QLinearConv QLinearMatMul : 7
      ImageDecoder : uint8
      StringNormalizer : string
      StringSplit : string int64
      TfIdfVectorizer : float
      SequenceConstruct : any
      SequenceErase SequenceAt ConcatFromSequence SplitToSequence : 0
      SequenceInsert : 0|1
      SequenceEmpty : @dtype|float
      Optional OptionalGetElement : 0
      OptionalHasElement : bool
      """;

  /** The rules for ai.onnx.ml. */
  private static final String LEARNING =
      """
      CategoryMapper : categories
      ArrayFeatureExtractor Binarizer Imputer TreeEnsemble : 0
      FeatureVectorizer LinearRegressor Normalizer OneHotEncoder SVMRegressor Scaler : float
      TreeEnsembleRegressor DictVectorizer ZipMap : float
      LinearClassifier SVMClassifier : classlabels_strings?string|int64 float
      TreeEnsembleClassifier : classlabels_strings?string|int64 float
      LabelEncoder : @values_tensor|values_int64s?int64|values_floats?float|values_strings?string
      """;

  /** The rules for com.microsoft, the operators of ONNX Runtime. */
  private static final String RUNTIME =
      """
      BiasAdd BiasGelu BiasSplitGelu FastGelu Gelu QuickGelu BiasSoftmax Inverse ComplexMul : 0
      ComplexMulConj ConvTransposeWithDynamicPads CropAndResize ExpandDims GatherND GridSample : 0
      GroupNorm ImageScaler Irfft Rfft MaxpoolWithMask NhwcMaxPool Pad Range RotaryEmbedding : 0
      SampleOp Trilu UnfoldTensor CDist TorchEmbedding GemmFloat8 : 0
      FusedConv FusedGemm FusedMatMul FusedMatMulActivation GemmFastGelu NhwcConv NhwcFusedConv : any
      TransposeMatMul : any
      MatMulNBits MatMulFpQ4 MatMulBnb4 MoE QMoE : 0
      SkipGroupNorm : 0*
      BiasDropout : 0 bool
      LayerNormalization : 0 float float
      SkipLayerNormalization SkipSimplifiedLayerNormalization : 0 float float 0
      EmbedLayerNormalization : 2 int32 2
      QEmbedLayerNormalization : float int32
      Attention PackedAttention PackedMultiHeadAttention LongformerAttention DecoderAttention : 0*
      MultiHeadAttention DecoderMaskedMultiHeadAttention DecoderMaskedSelfAttention : 0*
      SparseAttention RelativePositionBias GatedRelativePositionBias : 0*
      GroupQueryAttention : 0 3|0 4|0 0
      QAttention : 3*
      RemovePadding : 0 int32*
      RestorePadding : 0
      QLinearAdd QLinearMul QLinearSigmoid QLinearLeakyRelu QLinearSoftmax : 0
      QLinearAveragePool QLinearGlobalAveragePool QLinearReduceMean : 0
      QLinearConcat QLinearWhere : 1
      QLinearConv : 7
      QGemm : 8|float
      MatMulInteger16 : int32
      MatMulIntegerToFloat : 2
      DynamicQuantizeMatMul : 0
      DynamicQuantizeLSTM : 0*
      QuantizeLinear : 2|uint8
      DequantizeLinear : 1
      IsAllFinite : bool
      MurmurHash3 : uint32
      NGramRepeatBlock SparseToDenseMatMul : 1
      Tokenizer : string
      Unique : 0 int64 int64
      WordConvEmbedding : float
      """;

  /** The rules for ai.onnx.preview.training: the outputs are the updated tensors. */
  private static final String TRAINING = "Adagrad Adam Momentum : 2*";

  /** The rules for ai.onnx.preview. */
  private static final String PREVIEW = "FlexAttention : 0";

  /** The words for the outputs of each operator type. */
  private static final ImmutableMap<String, ImmutableList<Word>> RULES = parse();

  private record Word(List<String> alternatives, boolean repeats) {}

  private OnnxElementTypes() {}

  /**
   * Returns the element types of a node's outputs. O(words of its rule + outputs).
   *
   * @param type the operator type, after the domain and a dot unless the domain is the default one
   * @param inputs the element types of the node's inputs, 0 for an unknown or omitted input
   * @param attribute the value of an integer attribute, the element type of a tensor, or the
   *     element type that a string names; 0 for any other present attribute, {@code Long.MIN_VALUE}
   *     for an absent one
   * @param outputCount the number of outputs of the node
   * @return for each output its type; 0 if it is unknown
   */
  static int[] ofOutputs(
      String type, int[] inputs, ToLongFunction<String> attribute, int outputCount) {
    ImmutableList<Word> words = RULES.getOrDefault(type, ImmutableList.of());
    int[] outputs = new int[outputCount];
    for (int i = 0; i < outputCount && !words.isEmpty(); i++) {
      Word last = words.get(words.size() - 1);
      if (i < words.size() || last.repeats()) {
        Word word = i < words.size() ? words.get(i) : last;
        outputs[i] = resolve(word, inputs, attribute);
      }
    }
    return outputs;
  }

  private static int resolve(Word word, int[] inputs, ToLongFunction<String> attribute) {
    for (String alternative : word.alternatives()) {
      int type = resolve(alternative, inputs, attribute);
      if (type != UNKNOWN) {
        return type;
      }
    }
    return UNKNOWN;
  }

  private static int resolve(String alternative, int[] inputs, ToLongFunction<String> attribute) {
    int condition = alternative.indexOf('?');
    if (condition >= 0) {
      boolean holds = attribute.applyAsLong(alternative.substring(0, condition)) != Long.MIN_VALUE;
      return holds ? resolve(alternative.substring(condition + 1), inputs, attribute) : UNKNOWN;
    }
    if (alternative.startsWith("@")) {
      long number = attribute.applyAsLong(alternative.substring(1));
      return number > 0 && number <= Integer.MAX_VALUE ? (int) number : UNKNOWN;
    }
    if (alternative.equals("any")) {
      return firstKnown(inputs);
    }
    if (alternative.equals("categories")) {
      return inputs.length == 0 || inputs[0] == UNKNOWN ? UNKNOWN : inputs[0] == 8 ? 7 : 8;
    }
    Integer number = NUMBERS.get(alternative);
    if (number != null) {
      return number;
    }
    int input = Integer.parseInt(alternative);
    return input < inputs.length ? inputs[input] : UNKNOWN;
  }

  private static int firstKnown(int[] inputs) {
    for (int input : inputs) {
      if (input != UNKNOWN) {
        return input;
      }
    }
    return UNKNOWN;
  }

  private static ImmutableMap<String, ImmutableList<Word>> parse() {
    ImmutableMap.Builder<String, ImmutableList<Word>> rules = ImmutableMap.builder();
    parse("", STANDARD, rules);
    parse("ai.onnx.ml.", LEARNING, rules);
    parse("com.microsoft.", RUNTIME, rules);
    parse("ai.onnx.preview.", PREVIEW, rules);
    parse("ai.onnx.preview.training.", TRAINING, rules);
    return rules.buildOrThrow();
  }

  private static void parse(
      String prefix, String table, ImmutableMap.Builder<String, ImmutableList<Word>> rules) {
    Splitter words = Splitter.on(CharMatcher.whitespace()).omitEmptyStrings();
    for (String line : Splitter.on('\n').omitEmptyStrings().split(table)) {
      int colon = line.indexOf(':');
      ImmutableList.Builder<Word> outputs = ImmutableList.builder();
      for (String word : words.split(line.substring(colon + 1))) {
        boolean repeats = word.endsWith("*");
        String alternatives = repeats ? word.substring(0, word.length() - 1) : word;
        outputs.add(new Word(Splitter.on('|').splitToList(alternatives), repeats));
      }
      ImmutableList<Word> rule = outputs.build();
      for (String type : words.split(line.substring(0, colon))) {
        rules.put(prefix + type, rule);
      }
    }
  }
}
