package dev.sublet.onnx;

import dev.sublet.onnx.OnnxScope.Value;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** Finds the outer variables that the graphs in a node's attributes read. */
final class Captures {

  private final OnnxScope scope;
  private final Set<String> captured = new LinkedHashSet<>();

  private Captures(OnnxScope scope) {
    this.scope = scope;
  }

  /**
   * Returns the outer variables that the node's graphs read, in the order of first use. O(size of
   * the graphs).
   */
  static Set<String> of(NodeProto node, OnnxScope scope) {
    Captures captures = new Captures(scope);
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.hasG()) {
        captures.collect(attribute.getG(), new HashSet<>());
      }
    }
    return captures.captured;
  }

  /**
   * Adds the variables that a graph reads, except for names that it or a graph between it and the
   * node defines.
   */
  private void collect(GraphProto graph, Set<String> inner) {
    graph.getInputList().forEach(info -> inner.add(info.getName()));
    graph.getInitializerList().forEach(tensor -> inner.add(tensor.getName()));
    graph.getSparseInitializerList().forEach(tensor -> inner.add(tensor.getValues().getName()));
    for (NodeProto node : graph.getNodeList()) {
      node.getInputList().forEach(name -> capture(name, inner));
      for (AttributeProto attribute : node.getAttributeList()) {
        if (attribute.hasG()) {
          collect(attribute.getG(), new HashSet<>(inner));
        }
      }
      inner.addAll(node.getOutputList());
    }
    graph.getOutputList().forEach(info -> capture(info.getName(), inner));
  }

  private void capture(String name, Set<String> inner) {
    Value value = inner.contains(name) ? null : scope.lookup(name);
    if (value != null) {
      captured.add(value.variable());
    }
  }
}
