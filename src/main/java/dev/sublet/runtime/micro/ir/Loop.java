package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;

/**
 * One loop of a nest.
 *
 * @param id the number of the loop's index, unique in its block
 * @param start the first index
 * @param end the index after the last (exclusive); there are no iterations if it is at most {@code
 *     start}
 * @param carried the accumulators that each iteration resets
 * @param statements the statements that each iteration runs after the inner loop has ended
 */
public record Loop(
    int id,
    IndexExpression start,
    IndexExpression end,
    ImmutableList<CarriedVariable> carried,
    ImmutableList<Statement> statements) {}
