package dev.sublet.onnx;

import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An order of nodes in which the nodes that compute constants come as late as possible: directly
 * before the first node that needs them. The other nodes keep their order.
 *
 * <pre>
 * w = Dequantize(q)              y = Relu(x)
 * y = Relu(x)            →       w = Dequantize(q)
 * z = MatMul(y, w)               z = MatMul(y, w)
 * </pre>
 */
final class LateConstants {

  private final List<ModelNode> nodes;
  private final BitSet constants;

  /** The position in the list of the node that writes a value, by the name of the value. */
  private final Map<String, Integer> writers = new HashMap<>();

  private final BitSet placed = new BitSet();
  private final ImmutableIntArray.Builder order = ImmutableIntArray.builder();

  private LateConstants(List<ModelNode> nodes, BitSet constants) {
    this.nodes = nodes;
    this.constants = constants;
    for (int i = 0; i < nodes.size(); i++) {
      for (String name : nodes.get(i).writes()) {
        writers.put(name, i);
      }
    }
  }

  /**
   * Returns the positions of the nodes in their file, in the new order. O(reads and writes).
   *
   * @param nodes the nodes, in an order in which each comes after the nodes whose outputs it reads
   * @param constants the places in that list of the nodes that compute constants
   */
  static ImmutableIntArray order(List<ModelNode> nodes, BitSet constants) {
    LateConstants result = new LateConstants(nodes, constants);
    for (int i = 0; i < nodes.size(); i++) {
      if (!constants.get(i)) {
        result.place(i);
      }
    }
    // Nothing but results of the model needs the rest.
    for (int i = 0; i < nodes.size(); i++) {
      result.place(i);
    }
    return result.order.build();
  }

  /** Adds a node after the constants that it needs and that are not in the order yet. */
  private void place(int node) {
    Deque<Integer> open = new ArrayDeque<>();
    open.push(node);
    while (!open.isEmpty()) {
      int next = open.peek();
      List<Integer> missing = placed.get(next) ? List.of() : missing(next);
      if (missing.isEmpty()) {
        open.pop();
        if (!placed.get(next)) {
          placed.set(next);
          order.add(nodes.get(next).index());
        }
      } else {
        // The first one that is read comes first.
        for (int i = missing.size() - 1; i >= 0; i--) {
          open.push(missing.get(i));
        }
      }
    }
  }

  private List<Integer> missing(int node) {
    List<Integer> missing = new ArrayList<>();
    for (String name : nodes.get(node).reads()) {
      Integer writer = writers.get(name);
      if (writer != null && constants.get(writer) && !placed.get(writer)) {
        missing.add(writer);
      }
    }
    return missing;
  }
}
