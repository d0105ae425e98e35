package dev.sublet.operator;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.spec.OperatorSpec;
import java.util.stream.Stream;

/**
 * A version of ONNX's standard domain: which operator types it has.
 *
 * <p>Source: ONNX's {@code operator_sets.h}; the schemas of ONNX Runtime 1.20 have judged it for
 * the opsets from {@link #FIRST} to {@link #LATEST}. Types that were experiments have been in no
 * opset.
 *
 * @param number the version
 */
public record OnnxOpset(int number) {

  /** The first opset that can be counted. */
  public static final int FIRST = 7;

  /** The last opset that can be counted. */
  public static final int LATEST = 21;

  /** The types that opsets before this one do not have, after the opset that has them first. */
  private static final String LATER =
      """
      7 Acos Asin Atan Cos Multinomial Sin Tan Upsample
      8 Expand Scan
      9 Acosh Asinh Atanh Compress ConstantOfShape Cosh Erf EyeLike IsNaN MaxUnpool
      9 MeanVarianceNormalization NonZero OneHot Scatter Shrink Sign Sinh TfIdfVectorizer Where
      10 ConvInteger DequantizeLinear IsInf MatMulInteger Mod NonMaxSuppression QLinearConv
      10 QLinearMatMul QuantizeLinear Resize ReverseSequence RoiAlign StringNormalizer ThresholdedRelu
      11 BitShift ConcatFromSequence CumSum Det DynamicQuantizeLinear GatherElements GatherND Range
      11 Round ScatterElements ScatterND SequenceAt SequenceConstruct SequenceEmpty SequenceErase
      11 SequenceInsert SequenceLength SplitToSequence Unique
      12 Celu Einsum GreaterOrEqual LessOrEqual NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss
      14 HardSwish Trilu
      15 Bernoulli CastLike Optional OptionalGetElement OptionalHasElement
      16 GridSample
      17 BlackmanWindow DFT HammingWindow HannWindow LayerNormalization MelWeightMatrix STFT
      17 SequenceMap
      18 BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CenterCropPad Col2Im GroupNormalization Mish
      19 DeformConv
      20 AffineGrid Gelu ImageDecoder RegexFullMatch StringConcat StringSplit
      23 Attention RMSNormalization RotaryEmbedding
      24 Swish TensorScatter
      26 BitCast CumProd
      27 CausalConvWithState LinearAttention SwiGLU
      """;

  private static final ImmutableMap<String, Integer> BEGIN = begin();

  /** The opsets that no longer have a type. */
  private static final ImmutableMap<String, Integer> REMOVED =
      ImmutableMap.of("Upsample", 10, "Scatter", 11);

  /** Types of this domain in the catalog that only some runtimes have. */
  private static final ImmutableSet<String> IN_NO_OPSET =
      ImmutableSet.of(
          "Affine",
          "ImageScaler",
          "ParametricSoftplus",
          "Scale",
          "ScaledTanh",
          "SimplifiedLayerNormalization");

  /** Types without an entry in the catalog, which become parameters or operators with blocks. */
  public static final ImmutableSet<String> TRANSLATED =
      ImmutableSet.of("Constant", "If", "Loop", "Scan");

  private static ImmutableMap<String, Integer> begin() {
    ImmutableMap.Builder<String, Integer> begin = ImmutableMap.builder();
    LATER
        .lines()
        .map(line -> Splitter.on(' ').splitToList(line))
        .forEach(
            words ->
                words
                    .subList(1, words.size())
                    .forEach(type -> begin.put(type, Integer.valueOf(words.get(0)))));
    return begin.buildOrThrow();
  }

  /** Whether this opset has a type. */
  public boolean has(String type) {
    boolean isStandard = type.indexOf('.') < 0 && !IN_NO_OPSET.contains(type);
    return isStandard
        && BEGIN.getOrDefault(type, 1) <= number
        && number < REMOVED.getOrDefault(type, Integer.MAX_VALUE);
  }

  /** The types of this opset, in the order of the alphabet. O(catalog). */
  public ImmutableSet<String> types(OperatorCatalog catalog) {
    ImmutableSet.Builder<String> types = ImmutableSet.builder();
    Stream.concat(
            TRANSLATED.stream(),
            catalog.all().stream().filter(OperatorSpec::isOnnx).map(OperatorSpec::type))
        .filter(this::has)
        .sorted()
        .forEach(types::add);
    return types.build();
  }
}
