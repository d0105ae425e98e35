package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

/**
 * A graph of a model: the main graph, or one that an {@code If}, a {@code Loop} or a {@code Scan}
 * runs.
 *
 * @param path the path of the graph, as in {@link OnnxValue}
 * @param isLoop whether it may run more than once
 * @param results the names of its outputs; empty for the main graph
 * @param nodes its nodes in the order in which they are planned
 */
public record ModelGraph(
    String path, boolean isLoop, ImmutableSet<String> results, ImmutableList<ModelNode> nodes) {

  /** Whether it is the main graph. */
  public boolean isMain() {
    return path.equals(OnnxValue.MAIN);
  }

  /** The path of the graph around a graph. */
  public static String around(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }
}
