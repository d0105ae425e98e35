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
 * The size that a model has after its functions are written out, found before anything is written:
 * functions that each call the one before twice double it with every line of the file.
 *
 * <p>Each function is measured once, so that the measure costs O(size of the model).
 */
final class WrittenSize {

  /** Nodes of functions may be written out to so many bytes, paths of calls included. */
  static final long MAX_BYTES = 1L << 30;

  /** Of a constant no more than its small elements is written. */
  private static final int MAX_CONSTANT = 1 << 14;

  /**
   * What some nodes become. Sums do not overflow: they stay at the greatest number.
   *
   * @param operators how many operators and calls, at least
   * @param calls how many calls of functions
   * @param bytes how many bytes the nodes have, and the paths of calls
   * @param depth how deep functions call each other
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

    /** The same below a path that is longer by so many characters. */
    Size under(int characters) {
      long paths = LongMath.saturatedMultiply(calls, characters);
      return new Size(operators, calls, LongMath.saturatedAdd(bytes, paths), depth);
    }
  }

  private final Functions functions;
  private final IdentityHashMap<FunctionProto, Size> sizes = new IdentityHashMap<>();

  /** The functions that are being measured: one of them that is called again calls itself. */
  private final Set<FunctionProto> open = Sets.newIdentityHashSet();

  private WrittenSize(Functions functions) {
    this.functions = functions;
  }

  /**
   * Checks that a graph becomes no larger than a model may be.
   *
   * @throws ProgramException if it becomes larger, or a function calls itself
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

  /** The bytes of a node without the graphs in it, whose nodes count by themselves. */
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
