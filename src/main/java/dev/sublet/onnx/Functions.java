package dev.sublet.onnx;

import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions of a model: each is written out wherever a node calls it. */
final class Functions {

  /** Functions call each other at most so deep; ONNX forbids that one calls itself. */
  static final int MAX_DEPTH = 64;

  private final Map<String, FunctionProto> byKey = new HashMap<>();

  /**
   * The functions of a model.
   *
   * @throws ProgramException if two have one name
   */
  Functions(ModelProto model) {
    for (FunctionProto function : model.getFunctionsList()) {
      String key = key(function.getDomain(), function.getName(), function.getOverload());
      if (byKey.put(key, function) != null) {
        throw ProgramException.unreadable(
            Location.nowhere(), "function '" + function.getName() + "' is defined twice");
      }
    }
  }

  private static String key(String domain, String name, String overload) {
    return (OnnxNodes.isOnnx(domain) ? "" : domain) + "\n" + name + "\n" + overload;
  }

  /** Whether the model has no functions. */
  boolean isEmpty() {
    return byKey.isEmpty();
  }

  /**
   * Checks that a function may call others so deep.
   *
   * @throws ProgramException if not
   */
  static void checkDepth(FunctionProto function, int depth) {
    if (depth >= MAX_DEPTH) {
      throw OnnxNodes.malformed(
          "function '" + function.getName() + "'",
          "calls functions more than " + MAX_DEPTH + " deep, or itself");
    }
  }

  /** The function that a node calls; null if it is an operator. */
  @Nullable FunctionProto called(NodeProto node) {
    return byKey.isEmpty()
        ? null
        : byKey.get(key(node.getDomain(), node.getOpType(), node.getOverload()));
  }

  /** What the function's attributes are in a call: the node's, else the defaults. */
  static Map<String, AttributeProto> attributes(FunctionProto function, NodeProto call) {
    Map<String, AttributeProto> bound = new LinkedHashMap<>();
    for (AttributeProto attribute : function.getAttributeProtoList()) {
      bound.put(attribute.getName(), attribute);
    }
    for (AttributeProto attribute : call.getAttributeList()) {
      bound.put(attribute.getName(), attribute);
    }
    return bound;
  }
}
