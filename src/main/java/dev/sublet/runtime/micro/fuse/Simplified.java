package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;

/**
 * A simplified program and a report of the changes.
 *
 * @param program the program; its outputs are unchanged, and so are its inputs unless unused ones
 *     were to be dropped
 * @param requiredInputs the inputs whose elements the program reads
 * @param measuredInputs the inputs whose extents the program uses
 * @param blocksBefore the number of blocks of the given program
 * @param blocksAfter the number of blocks of the simplified program
 * @param removed the removed temporaries, with their shapes over extents of inputs; the bytes saved
 *     are the product of the shape times the bytes per element
 * @param shrunk the temporaries shrunk to one element, with their former shapes
 * @param refusals the pairs of producer and consumer that were not merged
 */
public record Simplified(
    MicroProgram program,
    ImmutableSet<String> requiredInputs,
    ImmutableSet<String> measuredInputs,
    int blocksBefore,
    int blocksAfter,
    ImmutableList<TensorDeclaration> removed,
    ImmutableList<TensorDeclaration> shrunk,
    ImmutableList<Refusal> refusals) {}
