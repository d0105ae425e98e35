package dev.sublet.runtime.micro.ir;

import dev.sublet.runtime.tensor.ElementType;

/**
 * A scalar parameter of a program; the generated code takes it as an argument.
 *
 * @param name the name, without the {@code $}
 * @param type the type; only INT32 and INT64 parameters may occur in indices
 */
public record ScalarDeclaration(String name, ElementType type) {}
