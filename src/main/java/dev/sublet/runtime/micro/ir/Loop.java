package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * One loop of a nest.
 *
 * @param id the number of its index, unique in its block
 * @param start the first index
 * @param end the index behind the last; no iteration if it is not above {@code start}
 * @param carried the variables that each iteration begins anew
 * @param statements what each iteration does after the loop inside it has ended
 */
public record Loop(
    int id,
    IndexExpression start,
    IndexExpression end,
    ImmutableList<CarriedVariable> carried,
    ImmutableList<Statement> statements) {

  public Loop {
    requireNonNull(start, "start");
    requireNonNull(end, "end");
    requireNonNull(carried, "carried");
    requireNonNull(statements, "statements");
  }
}
