package dev.sublet.runtime.micro.fuse;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;

/**
 * A simplified program and what became of the given one.
 *
 * @param program the program: same outputs, same inputs unless they were to be dropped
 * @param requiredInputs the inputs of which it reads elements
 * @param measuredInputs the inputs whose extents it uses
 * @param blocksBefore the number of blocks of the given program
 * @param blocksAfter the number of blocks now
 * @param removed the temporaries that are gone, with their shapes over extents of inputs: what they
 *     would have taken is the product of the shape times the bytes of an element
 * @param shrunk the temporaries of which one element is left, with the shapes that they had
 * @param refusals which producers and consumers were not merged
 */
public record Simplified(
    MicroProgram program,
    ImmutableSet<String> requiredInputs,
    ImmutableSet<String> measuredInputs,
    int blocksBefore,
    int blocksAfter,
    ImmutableList<TensorDeclaration> removed,
    ImmutableList<TensorDeclaration> shrunk,
    ImmutableList<Refusal> refusals) {

  public Simplified {
    requireNonNull(program, "program");
    requireNonNull(requiredInputs, "requiredInputs");
    requireNonNull(measuredInputs, "measuredInputs");
    requireNonNull(removed, "removed");
    requireNonNull(shrunk, "shrunk");
    requireNonNull(refusals, "refusals");
  }
}
