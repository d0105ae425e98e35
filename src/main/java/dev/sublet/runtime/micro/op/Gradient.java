package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroProgram;

/**
 * A program that computes gradients, and the meaning of the names of its tensors.
 *
 * <p>The gradient of x is called {@code x_grad}, or {@code x_grad_2}, … if the graph already uses
 * that name. The program has the parameters of the graph.
 *
 * @param program the program; its inputs are {@code requiredInputs} and its outputs the values of
 *     {@code inputGradients}
 * @param requiredInputs the tensors that the program reads: first the needed ones among the given
 *     inputs and outputs of the graph, under their own names, then gradients of outputs
 * @param onlyExtents the required inputs whose elements are not read; the program needs their
 *     extents to compute the extents of the result
 * @param outputGradients for each output whose gradient is needed, the program input with that
 *     gradient
 * @param inputGradients for each wanted input of the graph, the program output with its gradient
 */
public record Gradient(
    MicroProgram program,
    ImmutableSet<String> requiredInputs,
    ImmutableSet<String> onlyExtents,
    ImmutableMap<String, String> outputGradients,
    ImmutableMap<String, String> inputGradients) {}
