package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

/**
 * A node of a graph of a model.
 *
 * @param index the position of the node in the file
 * @param reads the names of the values that the node and its inner graphs read from outside of them
 * @param writes the names of its outputs; empty for an output that is left out
 * @param graphs the paths of the graphs that it runs, if it is an {@code If}, {@code Loop} or
 *     {@code Scan}
 */
public record ModelNode(
    int index,
    ImmutableSet<String> reads,
    ImmutableList<String> writes,
    ImmutableList<String> graphs) {}
