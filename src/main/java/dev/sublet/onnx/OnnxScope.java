package dev.sublet.onnx;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scope of a graph: maps a name to a value of the graph, else to a value of an outer graph. */
final class OnnxScope {

  /**
   * A value.
   *
   * @param variable the name of its variable, unique in the program
   * @param elementType the number of its element type in ONNX; 0 if unknown or not a tensor
   */
  record Value(String variable, int elementType) {}

  private final @Nullable OnnxScope outer;
  private final String path;
  private final int depth;
  private final Map<String, Value> values = new HashMap<>();

  private OnnxScope(@Nullable OnnxScope outer, String path, int depth) {
    this.outer = outer;
    this.path = path;
    this.depth = depth;
  }

  /**
   * Creates a scope in which no value is visible.
   *
   * @param path the graph's path in the model, such as {@code main/3.body}
   */
  static OnnxScope empty(String path) {
    return new OnnxScope(null, path, /* depth= */ 0);
  }

  /** Creates the scope of a graph in an attribute of a node of this graph. */
  OnnxScope inner(String innerPath) {
    return new OnnxScope(this, innerPath, depth);
  }

  /** Creates the scope of a function that a node of this graph calls; no value is visible in it. */
  OnnxScope called(String bodyPath) {
    return new OnnxScope(null, bodyPath, depth + 1);
  }

  /** The graph's path in the model. */
  String path() {
    return path;
  }

  /** The number of nested calls of functions around the graph. */
  int depth() {
    return depth;
  }

  /** The value that a name means here; null if there is none. O(depth). */
  @Nullable Value lookup(String name) {
    for (OnnxScope scope = this; scope != null; scope = scope.outer) {
      Value value = scope.values.get(name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /** Whether the graph itself has a value of that name. */
  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Binds a name to a value. */
  void put(String name, Value value) {
    values.put(name, value);
  }
}
