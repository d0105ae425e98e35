package dev.sublet.onnx;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The order in which the nodes of a graph are translated: the order of the file, but each node
 * comes before the first one that reads an output of it. ONNX demands such an order; some
 * converters append nodes instead.
 *
 * <pre>
 *   y = Relu(a)              a = Cast(x)
 *   z = Neg(y)        →      y = Relu(a)
 *   a = Cast(x)              z = Neg(y)
 * </pre>
 *
 * <p>A sorted graph keeps its order. In an unsorted graph, the outputs of its nodes hide values of
 * outer graphs with the same name.
 *
 * <p>O(size of the graph × nesting depth).
 */
final class TopologicalOrder {

  private static final int UNSEEN = 0;
  private static final int OPEN = 1;
  private static final int PLACED = 2;

  private final List<NodeProto> nodes;
  private final String path;

  /** By name: the node that has the output. */
  private final Map<String, Integer> producers = new HashMap<>();

  private final byte[] states;
  private final ImmutableIntArray.Builder order;
  private int firstMoved;

  private TopologicalOrder(List<NodeProto> nodes, String path) {
    this.nodes = nodes;
    this.path = path;
    this.states = new byte[nodes.size()];
    this.order = ImmutableIntArray.builder(nodes.size());
  }

  /**
   * Finds the order.
   *
   * @param path the path of the graph in the model, for messages
   * @param isVisible whether a name means a value before the first node runs
   * @param log gets a note if the order differs from that of the file
   * @return the positions of the nodes in the file
   * @throws dev.sublet.diag.ProgramException if a node needs its own output
   */
  static ImmutableIntArray of(
      List<NodeProto> nodes, String path, Predicate<String> isVisible, DiagnosticLog log) {
    TopologicalOrder result = new TopologicalOrder(nodes, path);
    for (int i = 0; i < nodes.size(); i++) {
      for (String output : nodes.get(i).getOutputList()) {
        if (!output.isEmpty()) {
          result.producers.putIfAbsent(output, i);
        }
      }
    }
    if (result.isSorted(isVisible)) {
      result.order.addAll(IntStream.range(0, nodes.size()));
      return result.order.build();
    }
    log.note(Location.nowhere(), result.note(result.place()));
    return result.order.build();
  }

  /** Places all nodes; returns the number of nodes that come earlier than in the file. */
  private int place() {
    int moved = 0;
    Deque<Integer> pending = new ArrayDeque<>();
    for (int i = 0; i < nodes.size(); i++) {
      pending.push(i);
      while (!pending.isEmpty()) {
        int node = pending.peek();
        if (states[node] == UNSEEN) {
          states[node] = OPEN;
          pushProducers(node, pending);
        } else {
          pending.pop();
          if (states[node] == OPEN) {
            states[node] = PLACED;
            order.add(node);
            if (node > i) {
              firstMoved = moved == 0 ? node : Math.min(firstMoved, node);
              moved++;
            }
          }
        }
      }
    }
    return moved;
  }

  /** Pushes the nodes that must come before a node, so that the first one is on top. */
  private void pushProducers(int reader, Deque<Integer> pending) {
    List<Integer> missing = new ArrayList<>();
    for (String name : reads(nodes.get(reader))) {
      Integer producer = producers.get(name);
      if (producer == null || states[producer] == PLACED) {
        continue;
      }
      if (states[producer] == OPEN) {
        throw OnnxNodes.malformed(
            OnnxNodes.where(path, reader, nodes.get(reader)),
            "reads '" + name + "', which depends on the outputs of this node");
      }
      missing.add(producer);
    }
    for (int i = missing.size() - 1; i >= 0; i--) {
      pending.push(missing.get(i));
    }
  }

  /** Whether each name that a node reads means an earlier node or a value from outside. */
  private boolean isSorted(Predicate<String> isVisible) {
    Set<String> earlier = new HashSet<>();
    for (NodeProto node : nodes) {
      for (String name : reads(node)) {
        if (producers.containsKey(name) && !earlier.contains(name) && !isVisible.test(name)) {
          return false;
        }
      }
      earlier.addAll(node.getOutputList());
    }
    return true;
  }

  private String note(int moved) {
    String counted =
        moved == 1
            ? "comes after a node that reads its output"
            : "and " + (moved - 1) + " more come after nodes that read their outputs";
    return OnnxNodes.where(path, firstMoved, nodes.get(firstMoved))
        + " "
        + counted
        + "; the model is planned in a topological order";
  }

  /** Returns the names of the values that a node and its inner graphs read from outside of them. */
  static Set<String> reads(NodeProto node) {
    Set<String> names = new LinkedHashSet<>(node.getInputList());
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.hasG()) {
        addFreeNames(attribute.getG(), names);
      }
      for (GraphProto graph : attribute.getGraphsList()) {
        addFreeNames(graph, names);
      }
    }
    return names;
  }

  /** Adds the names that a graph reads and does not define. */
  private static void addFreeNames(GraphProto graph, Set<String> free) {
    Set<String> defined = new HashSet<>();
    graph.getInputList().forEach(info -> defined.add(info.getName()));
    graph.getInitializerList().forEach(tensor -> defined.add(tensor.getName()));
    graph.getSparseInitializerList().forEach(tensor -> defined.add(tensor.getValues().getName()));
    graph.getNodeList().forEach(node -> defined.addAll(node.getOutputList()));
    Set<String> read = new LinkedHashSet<>();
    graph.getNodeList().forEach(node -> read.addAll(reads(node)));
    graph.getOutputList().forEach(info -> read.add(info.getName()));
    read.removeAll(defined);
    free.addAll(read);
  }
}
