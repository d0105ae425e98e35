package dev.sublet.onnx;

import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Models with the nodes of every graph and function in random order. */
final class ShuffledNodes {

  private final Random random;

  private ShuffledNodes(long seed) {
    random = new Random(seed);
  }

  static ModelProto of(ModelProto model, long seed) {
    ShuffledNodes shuffled = new ShuffledNodes(seed);
    ModelProto.Builder result = model.toBuilder();
    result.setGraph(shuffled.graph(model.getGraph()));
    for (int i = 0; i < model.getFunctionsCount(); i++) {
      FunctionProto function = model.getFunctions(i);
      result.setFunctions(
          i, function.toBuilder().clearNode().addAllNode(shuffled.nodes(function.getNodeList())));
    }
    return result.build();
  }

  private GraphProto graph(GraphProto graph) {
    return graph.toBuilder().clearNode().addAllNode(nodes(graph.getNodeList())).build();
  }

  private List<NodeProto> nodes(List<NodeProto> nodes) {
    List<NodeProto> result = new ArrayList<>();
    for (NodeProto node : nodes) {
      NodeProto.Builder copy = node.toBuilder();
      for (AttributeProto.Builder attribute : copy.getAttributeBuilderList()) {
        if (attribute.hasG()) {
          attribute.setG(graph(attribute.getG()));
        }
      }
      result.add(copy.build());
    }
    Collections.shuffle(result, random);
    return result;
  }
}
