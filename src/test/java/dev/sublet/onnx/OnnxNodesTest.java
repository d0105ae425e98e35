package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.proto.onnx.NodeProto;
import org.junit.jupiter.api.Test;

/** The types of nodes in the catalog. */
final class OnnxNodesTest {

  private static String type(String domain, String type) {
    return OnnxNodes.type(NodeProto.newBuilder().setDomain(domain).setOpType(type).build());
  }

  @Test
  void operatorOfOnnx_hasItsOwnName() {
    assertThat(type("", "Relu")).isEqualTo("Relu");
    assertThat(type("ai.onnx", "Relu")).isEqualTo("Relu");
    assertThat(type("com.microsoft", "Gelu")).isEqualTo("com.microsoft.Gelu");
  }

  /** A translated program has operators called feed and while. No node becomes one of them. */
  @Test
  void typeInLowerCase_isNoOperatorOfPaddle() {
    assertThat(type("", "feed")).isEqualTo("ai.onnx.feed");
    assertThat(type("ai.onnx", "while")).isEqualTo("ai.onnx.while");
  }
}
