package dev.sublet.onnx;

import com.google.common.collect.ImmutableSet;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.NodeProto;

/**
 * The nodes whose outputs are the same in every run if their inputs are: a runtime computes them
 * once, before the first run.
 *
 * <pre>
 *   w = DequantizeLinear(weights, scale)      w is a constant, of four times the bytes
 * </pre>
 */
final class ConstantNodes {

  private static final ImmutableSet<String> RANDOM =
      ImmutableSet.of(
          "Bernoulli",
          "Dropout",
          "Multinomial",
          "RandomNormal",
          "RandomNormalLike",
          "RandomUniform",
          "RandomUniformLike");

  /** The nodes whose inputs or outputs are no dense tensors. */
  private static final ImmutableSet<String> NOT_DENSE =
      ImmutableSet.of(
          "ConcatFromSequence",
          "Optional",
          "OptionalGetElement",
          "OptionalHasElement",
          "SequenceAt",
          "SequenceConstruct",
          "SequenceEmpty",
          "SequenceErase",
          "SequenceInsert",
          "SequenceLength",
          "SequenceMap",
          "SplitToSequence");

  private static final ImmutableSet<String> OF_MICROSOFT =
      ImmutableSet.of("DequantizeLinear", "QuantizeLinear");

  private ConstantNodes() {}

  /** Whether equal inputs give equal outputs. False for operators of other domains. O(1). */
  static boolean isComputable(NodeProto node) {
    if (node.getAttributeList().stream().anyMatch(ConstantNodes::hasGraphs)) {
      return false;
    }
    String type = node.getOpType();
    if (OnnxNodes.isOnnx(node.getDomain())) {
      return !RANDOM.contains(type) && !NOT_DENSE.contains(type);
    }
    return node.getDomain().equals("com.microsoft") && OF_MICROSOFT.contains(type);
  }

  private static boolean hasGraphs(AttributeProto attribute) {
    return attribute.hasG() || attribute.getGraphsCount() > 0;
  }
}
