package dev.sublet.onnx;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The graphs of a model whose nodes may be put in another order.
 *
 * <p>These are the main graph and the graphs that it runs, at any depth. Left out are the bodies of
 * functions, which several nodes may call, graphs of other operators, and inner graphs whose nodes
 * are not sorted, with the graphs inside them.
 */
final class ModelGraphs {

  private final Functions functions;
  private final ImmutableList.Builder<ModelGraph> found = ImmutableList.builder();
  private final Deque<OpenGraph> open = new ArrayDeque<>();

  private record OpenGraph(GraphProto message, String path, boolean isLoop) {}

  private ModelGraphs(ModelProto model) {
    this.functions = new Functions(model);
  }

  /** Finds the graphs; a graph comes before those inside it. O(size of the model × depth). */
  static ImmutableList<ModelGraph> of(ModelProto model) {
    ModelGraphs graphs = new ModelGraphs(model);
    graphs.open.add(new OpenGraph(model.getGraph(), OnnxValue.MAIN, /* isLoop= */ false));
    while (!graphs.open.isEmpty()) {
      graphs.add(graphs.open.remove());
    }
    return graphs.found.build();
  }

  private void add(OpenGraph graph) {
    List<NodeProto> nodes = graph.message().getNodeList();
    boolean isMain = graph.path().equals(OnnxValue.MAIN);
    if (!isMain && !isSorted(nodes)) {
      return;
    }
    ImmutableList.Builder<ModelNode> planned = ImmutableList.builder();
    sorted(nodes)
        .forEach(
            i ->
                planned.add(
                    new ModelNode(
                        i,
                        ImmutableSet.copyOf(TopologicalOrder.reads(nodes.get(i))),
                        ImmutableList.copyOf(nodes.get(i).getOutputList()),
                        addInside(nodes.get(i), graph.path() + "/" + i))));
    ImmutableSet.Builder<String> results = ImmutableSet.builder();
    if (!isMain) {
      graph.message().getOutputList().forEach(info -> results.add(info.getName()));
    }
    found.add(new ModelGraph(graph.path(), graph.isLoop(), results.build(), planned.build()));
  }

  private ImmutableList<String> addInside(NodeProto node, String place) {
    if (!OnnxNodes.isOnnx(node.getDomain()) || functions.called(node) != null) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<String> paths = ImmutableList.builder();
    boolean isBranch = node.getOpType().equals("If");
    boolean isLoop = node.getOpType().equals("Loop") || node.getOpType().equals("Scan");
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.hasG() && (isBranch || isLoop)) {
        String path = place + "." + attribute.getName();
        paths.add(path);
        open.add(new OpenGraph(attribute.getG(), path, isLoop));
      }
    }
    return paths.build();
  }

  /** Whether no node reads an output of a later node. */
  private static boolean isSorted(List<NodeProto> nodes) {
    Set<String> later = new HashSet<>();
    nodes.forEach(node -> later.addAll(node.getOutputList()));
    later.remove("");
    for (NodeProto node : nodes) {
      for (String name : TopologicalOrder.reads(node)) {
        if (later.contains(name)) {
          return false;
        }
      }
      node.getOutputList().forEach(later::remove);
    }
    return true;
  }

  private static ImmutableIntArray sorted(List<NodeProto> nodes) {
    return TopologicalOrder.of(nodes, OnnxValue.MAIN, name -> false, new DiagnosticLog());
  }

  /**
   * Returns a model with nodes in another order, see {@link OnnxModel#reordered}. O(size of the
   * model).
   */
  static ModelProto reordered(ModelProto model, ImmutableMap<String, ImmutableIntArray> orders) {
    Set<String> changed = new HashSet<>();
    for (String path : orders.keySet()) {
      for (String each = path; changed.add(each) && !each.equals(OnnxValue.MAIN); ) {
        each = ModelGraph.around(each);
      }
    }
    return changed.isEmpty()
        ? model
        : model.toBuilder()
            .setGraph(reordered(model.getGraph(), OnnxValue.MAIN, changed, orders))
            .build();
  }

  private static GraphProto reordered(
      GraphProto message,
      String path,
      Set<String> changed,
      ImmutableMap<String, ImmutableIntArray> orders) {
    List<NodeProto> nodes = new ArrayList<>(message.getNodeList());
    for (int i = 0; i < nodes.size(); i++) {
      for (int j = 0; j < nodes.get(i).getAttributeCount(); j++) {
        AttributeProto attribute = nodes.get(i).getAttribute(j);
        String inner = path + "/" + i + "." + attribute.getName();
        if (attribute.hasG() && changed.contains(inner)) {
          GraphProto graph = reordered(attribute.getG(), inner, changed, orders);
          nodes.set(
              i,
              nodes.get(i).toBuilder().setAttribute(j, attribute.toBuilder().setG(graph)).build());
        }
      }
    }
    ImmutableIntArray moved = orders.get(path);
    return message.toBuilder()
        .clearNode()
        .addAllNode(moved == null ? nodes : reordered(nodes, moved))
        .build();
  }

  private static List<NodeProto> reordered(List<NodeProto> nodes, ImmutableIntArray moved) {
    BitSet others = new BitSet();
    others.set(0, nodes.size());
    moved.forEach(
        i -> {
          checkArgument(others.get(i), "node %s is listed twice or does not exist", i);
          others.clear(i);
        });
    List<NodeProto> wanted = new ArrayList<>();
    int next = others.nextSetBit(0);
    for (int i : moved.asList()) {
      for (; 0 <= next && next < i; next = others.nextSetBit(next + 1)) {
        wanted.add(nodes.get(next));
      }
      wanted.add(nodes.get(i));
    }
    for (; next >= 0; next = others.nextSetBit(next + 1)) {
      wanted.add(nodes.get(next));
    }
    List<NodeProto> result = new ArrayList<>();
    sorted(wanted).forEach(i -> result.add(wanted.get(i)));
    return result;
  }
}
