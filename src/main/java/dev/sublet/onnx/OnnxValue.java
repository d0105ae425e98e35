package dev.sublet.onnx;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.VariableId;

/**
 * A value of a model and the variable that it is. Several values may be one variable: what a loop
 * carries has a name in the body and another behind the loop.
 *
 * @param graph where the value's graph is, such as {@code main/3.then_branch}; {@code main} for the
 *     model's own
 * @param name the value's name there
 * @param variable the variable
 */
public record OnnxValue(String graph, String name, VariableId variable) {

  /** The path of the model's own graph. */
  public static final String MAIN = "main";

  public OnnxValue {
    requireNonNull(graph, "graph");
    requireNonNull(name, "name");
    requireNonNull(variable, "variable");
  }

  /** Whether it is a value of the model's own graph. */
  public boolean isInMainGraph() {
    return graph.equals(MAIN);
  }
}
