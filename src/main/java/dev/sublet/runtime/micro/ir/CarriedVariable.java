package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.tensor.ElementType;

/**
 * A variable that lives for one iteration of its loop: it starts from the operator's first value,
 * loops inside fold values into it, and statements of its loop read it.
 *
 * @param id its number, unique in its block
 * @param operator how it takes values in
 * @param type the type of the values
 */
public record CarriedVariable(int id, ReduceOperator operator, ElementType type) {

  public CarriedVariable {
    requireNonNull(operator, "operator");
    requireNonNull(type, "type");
  }
}
