package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroProgram;

/**
 * A program that computes gradients, and what the names of its tensors mean.
 *
 * <p>The gradient of x is {@code x_grad}, or {@code x_grad_2}, … if the graph has that name. The
 * program has the parameters of the graph.
 *
 * @param program its inputs are {@code requiredInputs}, its outputs the values of {@code
 *     inputGradients}
 * @param requiredInputs the tensors that the program reads: of the graph the inputs and outputs
 *     that were given and are needed, by their names, then gradients of outputs
 * @param onlyExtents those of them whose elements do not matter: the extents of the result cannot
 *     be told without them
 * @param outputGradients for each output whose gradient is needed the input that it is given as
 * @param inputGradients for each wanted input of the graph the output with its gradient
 */
public record Gradient(
    MicroProgram program,
    ImmutableSet<String> requiredInputs,
    ImmutableSet<String> onlyExtents,
    ImmutableMap<String, String> outputGradients,
    ImmutableMap<String, String> inputGradients) {

  public Gradient {
    requireNonNull(program, "program");
    requireNonNull(requiredInputs, "requiredInputs");
    requireNonNull(onlyExtents, "onlyExtents");
    requireNonNull(outputGradients, "outputGradients");
    requireNonNull(inputGradients, "inputGradients");
  }
}
