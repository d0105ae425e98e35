package dev.sublet.onnx;

import com.google.common.collect.Sets;
import com.google.common.math.LongMath;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.FunctionProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The size of a model after its functions are inlined, computed before the inlining. A small file
 * can become large: each function that calls the previous one twice doubles the size.
 *
 * <p>Each function is measured once, so the cost is O(size of the model).
 */
final class WrittenSize {

  /** The greatest number of bytes of the inlined nodes, including the paths of calls. */
  static final long MAX_BYTES = 1L << 30;

  /**
   * The greatest number of bytes that count for a constant: only elements of small constants are
   * written.
   */
  private static final int MAX_CONSTANT = 1 << 14;

  /**
   * The size of some nodes after inlining. Sums saturate instead of overflowing.
   *
   * @param operators a lower bound on the number of operators and calls
   * @param calls the number of calls of functions
   * @param bytes the bytes of the nodes and of the paths of calls
   * @param depth the nesting depth of calls
   */
  private record Size(long operators, long calls, long bytes, int depth) {

    static final Size NOTHING = new Size(0, 0, 0, 0);

    Size plus(Size other) {
      return new Size(
          LongMath.saturatedAdd(operators, other.operators),
          LongMath.saturatedAdd(calls, other.calls),
          LongMath.saturatedAdd(bytes, other.bytes),
          Math.max(depth, other.depth));
    }

    /** The size of the same nodes if their path is longer by this many characters. */
    Size under(int characters) {
      long paths = LongMath.saturatedMultiply(calls, characters);
      return new Size(operators, calls, LongMath.saturatedAdd(bytes, paths), depth);
    }
  }

  private final Functions functions;
  private final IdentityHashMap<FunctionProto, Size> sizes = new IdentityHashMap<>();

  /** The functions that are being measured; a call to one of them is recursive. */
  private final Set<FunctionProto> open = Sets.newIdentityHashSet();

  private WrittenSize(Functions functions) {
    this.functions = functions;
  }

  /**
   * Checks that the size of a graph after inlining is within the limits.
   *
   * @throws ProgramException if it is not, or if a function calls itself
   */
  static void check(GraphProto graph, Functions functions) {
    WrittenSize measure = new WrittenSize(functions);
    Size size = Size.NOTHING;
    for (int i = 0; i < graph.getNodeCount() && !functions.isEmpty(); i++) {
      size = size.plus(measure.ofNode(graph.getNode(i)));
      String where = OnnxNodes.where(OnnxValue.MAIN, i, graph.getNode(i));
      Draft.checkOperators(size.operators(), where);
      if (size.calls() > 0 && size.bytes() > MAX_BYTES) {
        throw OnnxNodes.unsupported(
            where,
            "makes it more than the " + MAX_BYTES + " bytes that functions may be written to");
      }
    }
  }

  private Size ofNodes(List<NodeProto> nodes) {
    Size size = Size.NOTHING;
    for (NodeProto node : nodes) {
      size = size.plus(ofNode(node));
    }
    return size;
  }

  private Size ofNode(NodeProto node) {
    FunctionProto function = functions.called(node);
    if (function != null) {
      Size body = ofFunction(function);
      Size call = new Size(1, 1, bytes(node), body.depth() + 1);
      return call.plus(body).under(function.getName().length());
    }
    boolean isConstant = OnnxNodes.isOnnx(node.getDomain()) && node.getOpType().equals("Constant");
    Size size = new Size(isConstant ? 0 : 1, 0, bytes(node), 0);
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.hasG()) {
        Size inner = ofNodes(attribute.getG().getNodeList());
        size = size.plus(inner.under(attribute.getName().length()));
      }
    }
    return size;
  }

  private Size ofFunction(FunctionProto function) {
    Size known = sizes.get(function);
    if (known != null) {
      return known;
    }
    if (!open.add(function)) {
      Functions.checkDepth(function, Integer.MAX_VALUE);
    }
    Size size = ofNodes(function.getNodeList());
    Functions.checkDepth(function, size.depth());
    open.remove(function);
    sizes.put(function, size);
    return size;
  }

  /**
   * The bytes of a node without the graphs in its attributes, whose nodes are counted separately.
   */
  private static long bytes(NodeProto node) {
    long bytes = node.getSerializedSize();
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.hasG()) {
        bytes -= attribute.getSerializedSize();
      } else if (attribute.hasT() || attribute.hasSparseTensor()) {
        bytes -= Math.max(0, attribute.getSerializedSize() - MAX_CONSTANT);
      }
    }
    return bytes;
  }
}
