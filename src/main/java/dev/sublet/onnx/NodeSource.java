package dev.sublet.onnx;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.SourceLine;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.StringStringEntryProto;

/**
 * Where a node comes from: its name, and the stack or the note that the exporter left. Exporters of
 * PyTorch write the stack to {@code doc_string}, or to {@code metadata_props}.
 *
 * @param name the name; empty if the node has none
 * @param stack the lines of the stack or of the note
 */
record NodeSource(String name, ImmutableList<String> stack) {

  /** The key of PyTorch's exporter in {@code metadata_props}. */
  private static final String STACK_TRACE = "pkg.torch.onnx.stack_trace";

  static NodeSource of(NodeProto node) {
    String text = node.getDocString();
    for (StringStringEntryProto entry : node.getMetadataPropsList()) {
      if (entry.getKey().equals(STACK_TRACE)) {
        text = entry.getValue();
      }
    }
    return new NodeSource(
        node.getName(),
        text.isBlank()
            ? ImmutableList.of()
            : ImmutableList.copyOf(Splitter.on('\n').split(text.stripTrailing())));
  }

  boolean isEmpty() {
    return name.isEmpty() && stack.isEmpty();
  }

  /** Adds the attributes in which {@link SourceLine} looks. */
  void addTo(OperationBuilder operation) {
    if (!name.isEmpty()) {
      operation.attribute(SourceLine.NODE, name);
    }
    if (!stack.isEmpty()) {
      operation.textsAttribute(SourceLine.STACK, stack);
    }
  }

  /** Returns a model without stacks and notes of nodes. Names stay. O(size of the model). */
  static ModelProto strip(ModelProto model) {
    ModelProto.Builder stripped = model.toBuilder();
    strip(stripped.getGraphBuilder());
    for (FunctionProto.Builder function : stripped.getFunctionsBuilderList()) {
      function.getNodeBuilderList().forEach(NodeSource::strip);
    }
    return stripped.build();
  }

  private static void strip(GraphProto.Builder graph) {
    graph.getNodeBuilderList().forEach(NodeSource::strip);
  }

  private static void strip(NodeProto.Builder node) {
    node.clearDocString();
    for (int i = node.getMetadataPropsCount() - 1; i >= 0; i--) {
      if (node.getMetadataProps(i).getKey().equals(STACK_TRACE)) {
        node.removeMetadataProps(i);
      }
    }
    for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
      if (attribute.hasG()) {
        strip(attribute.getGBuilder());
      }
      attribute.getGraphsBuilderList().forEach(NodeSource::strip);
    }
  }
}
