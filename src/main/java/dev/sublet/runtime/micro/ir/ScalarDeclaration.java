package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.tensor.ElementType;

/**
 * A scalar parameter of a program, kept as an argument of the code that is generated from it.
 *
 * @param name without the {@code $}
 * @param type its type; indices may use INT32 and INT64
 */
public record ScalarDeclaration(String name, ElementType type) {

  public ScalarDeclaration {
    requireNonNull(name, "name");
    requireNonNull(type, "type");
  }
}
