package dev.sublet.onnx;

import com.google.protobuf.ByteString;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.SparseTensorProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.TensorShapeProto.Dimension;
import dev.sublet.proto.onnx.ValueInfoProto;

/**
 * Rejects names that are not UTF-8, because two such names may be equal after decoding. ONNX
 * requires UTF-8, but not every reader of its files checks.
 */
final class NameEncoding {

  private NameEncoding() {}

  /**
   * Checks the names of all values, extents, operators and functions. O(names).
   *
   * @throws ProgramException if a name is not UTF-8
   */
  static void check(ModelProto model) {
    check(model.getGraph(), OnnxValue.MAIN);
    for (FunctionProto function : model.getFunctionsList()) {
      String where = "function '" + function.getName() + "'";
      check(function.getNameBytes(), where);
      check(function.getDomainBytes(), where);
      check(function.getOverloadBytes(), where);
      for (int i = 0; i < function.getInputCount(); i++) {
        check(function.getInputBytes(i), where);
      }
      for (int i = 0; i < function.getOutputCount(); i++) {
        check(function.getOutputBytes(i), where);
      }
      function.getValueInfoList().forEach(info -> check(info, where));
      for (int i = 0; i < function.getNodeCount(); i++) {
        check(function.getNode(i), i, function.getName());
      }
    }
  }

  private static void check(GraphProto graph, String path) {
    String where = "graph '" + path + "'";
    graph.getInputList().forEach(info -> check(info, where));
    graph.getOutputList().forEach(info -> check(info, where));
    graph.getValueInfoList().forEach(info -> check(info, where));
    for (TensorProto tensor : graph.getInitializerList()) {
      check(tensor.getNameBytes(), where);
    }
    for (SparseTensorProto tensor : graph.getSparseInitializerList()) {
      check(tensor.getValues().getNameBytes(), where);
    }
    for (int i = 0; i < graph.getNodeCount(); i++) {
      check(graph.getNode(i), i, path);
    }
  }

  private static void check(NodeProto node, int index, String path) {
    String where = OnnxNodes.where(path, index, node);
    check(node.getOpTypeBytes(), where);
    check(node.getDomainBytes(), where);
    check(node.getOverloadBytes(), where);
    for (int i = 0; i < node.getInputCount(); i++) {
      check(node.getInputBytes(i), where);
    }
    for (int i = 0; i < node.getOutputCount(); i++) {
      check(node.getOutputBytes(i), where);
    }
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.hasG()) {
        check(attribute.getG(), path + "/" + index + "." + attribute.getName());
      }
    }
  }

  private static void check(ValueInfoProto info, String where) {
    check(info.getNameBytes(), where);
    for (Dimension dimension : info.getType().getTensorType().getShape().getDimList()) {
      check(dimension.getDimParamBytes(), where);
    }
  }

  private static void check(ByteString name, String where) {
    if (!name.isValidUtf8()) {
      throw OnnxNodes.malformed(
          where, "has a name that is not UTF-8, '" + name.toStringUtf8() + "'");
    }
  }
}
