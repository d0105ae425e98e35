package dev.sublet.onnx;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What names mean in a graph: its own values, else those of the graph around it. */
final class OnnxScope {

  /**
   * A value.
   *
   * @param variable its variable, whose name no other variable of the program has
   * @param elementType the number of its element type in ONNX; 0 if unknown or no tensor
   */
  record Value(String variable, int elementType) {}

  private final @Nullable OnnxScope outer;
  private final String path;
  private final Map<String, Value> values = new HashMap<>();

  private OnnxScope(@Nullable OnnxScope outer, String path) {
    this.outer = outer;
    this.path = path;
  }

  /**
   * A scope in which nothing is visible.
   *
   * @param path where the graph is in the model, such as {@code main/Loop_3.body}
   */
  static OnnxScope empty(String path) {
    return new OnnxScope(null, path);
  }

  /** The scope of a graph in an attribute of a node in this one. */
  OnnxScope inner(String innerPath) {
    return new OnnxScope(this, innerPath);
  }

  /** Where the graph is in the model. */
  String path() {
    return path;
  }

  /** What a name means here; null if nothing. O(depth). */
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

  /** Gives a name a meaning. */
  void put(String name, Value value) {
    values.put(name, value);
  }
}
