package dev.sublet.operator.onnx;

import static com.google.common.truth.Truth.assertThat;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableMap;
import dev.sublet.operator.OnnxOpset;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.OperatorSetIdProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which operator types an opset has, against the schemas of ONNX Runtime 1.20. */
final class OnnxOpsetAgainstRuntimeTest {

  /**
   * Types of which ONNX Runtime has schemas of its own in the standard domain, before the first
   * opset that has them.
   */
  private static final ImmutableMap<String, Integer> OF_THE_RUNTIME =
      ImmutableMap.<String, Integer>builder()
          .put("MeanVarianceNormalization", 9)
          .put("ThresholdedRelu", 10)
          .put("LayerNormalization", 17)
          .put("Affine", Integer.MAX_VALUE)
          .put("ImageScaler", Integer.MAX_VALUE)
          .put("ParametricSoftplus", Integer.MAX_VALUE)
          .put("Scale", Integer.MAX_VALUE)
          .put("ScaledTanh", Integer.MAX_VALUE)
          .put("SimplifiedLayerNormalization", Integer.MAX_VALUE)
          .buildOrThrow();

  @ParameterizedTest
  @ValueSource(ints = {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21})
  void types_areThoseOfTheRuntime(int number) {
    Set<String> candidates = new TreeSet<>(OnnxOpset.TRANSLATED);
    for (OperatorSpec spec : OperatorCatalog.standard().all()) {
      if (spec.isOnnx() && spec.type().indexOf('.') < 0) {
        candidates.add(spec.type());
      }
    }
    List<String> expected = new ArrayList<>();
    for (String type : candidates) {
      if (number >= OF_THE_RUNTIME.getOrDefault(type, 1) && isKnown(type, number)) {
        expected.add(type);
      }
    }
    assertThat(new OnnxOpset(number).types(OperatorCatalog.standard()))
        .containsExactlyElementsIn(expected);
  }

  private static boolean isKnown(String type, int opset) {
    ModelProto model =
        ModelProto.newBuilder()
            .setIrVersion(8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
            .setGraph(
                GraphProto.newBuilder()
                    .setName("g")
                    .addNode(NodeProto.newBuilder().setOpType(type).addOutput("y"))
                    .addOutput(ValueInfoProto.newBuilder().setName("y")))
            .build();
    try {
      OrtEnvironment.getEnvironment().createSession(model.toByteArray()).close();
      return true;
    } catch (OrtException e) {
      String message = String.valueOf(e.getMessage());
      return !message.contains("No Op registered for " + type)
          && !message.contains("Op registered for " + type + " is deprecated");
    }
  }
}
