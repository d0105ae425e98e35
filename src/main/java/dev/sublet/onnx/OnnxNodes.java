package dev.sublet.onnx;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import org.jspecify.annotations.Nullable;

/** Looks things up in nodes, and says where they are in the model. */
final class OnnxNodes {

  /** Longer paths are shortened in diagnostics. */
  private static final int MAX_PATH = 100;

  private OnnxNodes() {}

  /** The type as the catalog lists it: behind the domain, unless that is ONNX's own. */
  static String type(NodeProto node) {
    return isOnnx(node.getDomain()) ? node.getOpType() : node.getDomain() + "." + node.getOpType();
  }

  /** Whether a domain is that of ONNX's own operators. */
  static boolean isOnnx(String domain) {
    return domain.isEmpty() || domain.equals("ai.onnx");
  }

  /** Where a node is, for diagnostics: {@code graph 'main', node 3 (Conv 'c1')}. */
  static String where(String path, int index, NodeProto node) {
    String name = node.getName().isEmpty() ? "" : " '" + node.getName() + "'";
    return "graph '" + shortened(path) + "', node " + index + " (" + type(node) + name + ")";
  }

  /** The path without its middle, if it is long. */
  private static String shortened(String path) {
    return path.length() <= MAX_PATH
        ? path
        : path.substring(0, MAX_PATH / 2) + "…" + path.substring(path.length() - MAX_PATH / 2);
  }

  /** An input; empty if it is left out. */
  static String input(NodeProto node, int i) {
    return i < node.getInputCount() ? node.getInput(i) : "";
  }

  /** An output; empty if it is left out. */
  static String output(NodeProto node, int i) {
    return i < node.getOutputCount() ? node.getOutput(i) : "";
  }

  /** The attribute of that name; null if there is none. */
  static @Nullable AttributeProto attribute(NodeProto node, String name) {
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.getName().equals(name)) {
        return attribute;
      }
    }
    return null;
  }

  /** A graph among the attributes. */
  static GraphProto graph(NodeProto node, String name, String where) {
    AttributeProto attribute = attribute(node, name);
    if (attribute == null || !attribute.hasG()) {
      throw malformed(where, "has no graph '" + name + "'");
    }
    return attribute.getG();
  }

  /** An element of a list of integers among the attributes; the default if it is not there. */
  static long listed(NodeProto node, String name, int i, long defaultValue) {
    AttributeProto attribute = attribute(node, name);
    return attribute == null || i >= attribute.getIntsCount() ? defaultValue : attribute.getInts(i);
  }

  /** What is thrown about a malformed part of a model. */
  static ProgramException malformed(String where, String what) {
    return ProgramException.unreadable(Location.nowhere(), where + " " + what);
  }

  /** What is thrown about a sound part of a model that is not supported. */
  static ProgramException unsupported(String where, String what) {
    return ProgramException.of(Diagnostic.Kind.UNSUPPORTED, Location.nowhere(), where + " " + what);
  }
}
