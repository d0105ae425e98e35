package dev.sublet.onnx;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.VariableId;

/**
 * A value of a model, with its variable. Several values may have one variable: a loop-carried value
 * has one name in the body and another after the loop.
 *
 * @param graph the path of the value's graph, such as {@code main/3.then_branch}; {@code main} for
 *     the model's own graph
 * @param name the value's name in that graph
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
