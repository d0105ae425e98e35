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

/** The functions of a model. Each function is inlined wherever a node calls it. */
final class Functions {

  /** The greatest nesting depth of calls; ONNX forbids recursion. */
  static final int MAX_DEPTH = 64;

  private final Map<String, FunctionProto> byKey = new HashMap<>();

  /**
   * Collects the functions of a model.
   *
   * @throws ProgramException if two functions have the same name
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
   * Checks that the nesting depth of a function's calls is within the limit.
   *
   * @throws ProgramException if it is not
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

  /** Returns the function's attributes in a call: the node's attributes, else the defaults. */
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
