package dev.sublet.runtime.micro.ir;

import dev.sublet.runtime.tensor.ElementType;

/**
 * An accumulator that lives for one iteration of its loop. It starts with the operator's initial
 * value, inner loops fold values into it, and statements of its loop read it.
 *
 * @param id the variable's number, unique in its block
 * @param operator the reduction that combines the folded values
 * @param type the type of the folded values
 */
public record CarriedVariable(int id, ReduceOperator operator, ElementType type) {}
