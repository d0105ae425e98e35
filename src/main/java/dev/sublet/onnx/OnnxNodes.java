package dev.sublet.onnx;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import org.jspecify.annotations.Nullable;

/** Reads parts of nodes, and describes for diagnostics where a node is in the model. */
final class OnnxNodes {

  /** The greatest length of a path in diagnostics; longer paths are shortened. */
  private static final int MAX_PATH = 100;

  private OnnxNodes() {}

  /**
   * The node's type as in the catalog: after the domain and a dot, unless it is an operator of ONNX
   * itself.
   */
  static String type(NodeProto node) {
    String type = node.getOpType();
    if (!isOnnx(node.getDomain())) {
      return node.getDomain() + "." + type;
    }
    // Operators of ONNX begin in upper case. A type in lower case could be one of Paddle's.
    boolean isOfOnnx = type.isEmpty() || !Character.isLowerCase(type.charAt(0));
    return isOfOnnx ? type : "ai.onnx." + type;
  }

  /** Whether a domain is the domain of ONNX's own operators. */
  static boolean isOnnx(String domain) {
    return domain.isEmpty() || domain.equals("ai.onnx");
  }

  /** Returns the location of a node, for diagnostics: {@code graph 'main', node 3 (Conv 'c1')}. */
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

  /** The name of an input; empty if the input is omitted. */
  static String input(NodeProto node, int i) {
    return i < node.getInputCount() ? node.getInput(i) : "";
  }

  /** The name of an output; empty if the output is omitted. */
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

  /** The graph in an attribute of the node. */
  static GraphProto graph(NodeProto node, String name, String where) {
    AttributeProto attribute = attribute(node, name);
    if (attribute == null || !attribute.hasG()) {
      throw malformed(where, "has no graph '" + name + "'");
    }
    return attribute.getG();
  }

  /**
   * An element of an attribute that is a list of integers; the default if there is no such element.
   */
  static long listed(NodeProto node, String name, int i, long defaultValue) {
    AttributeProto attribute = attribute(node, name);
    return attribute == null || i >= attribute.getIntsCount() ? defaultValue : attribute.getInts(i);
  }

  /** Returns the exception for a malformed part of a model. */
  static ProgramException malformed(String where, String what) {
    return ProgramException.unreadable(Location.nowhere(), where + " " + what);
  }

  /** Returns the exception for a well-formed part of a model that is not supported. */
  static ProgramException unsupported(String where, String what) {
    return ProgramException.of(Diagnostic.Kind.UNSUPPORTED, Location.nowhere(), where + " " + what);
  }
}
