package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.tensor.ElementType;

/**
 * A tensor of a program.
 *
 * @param name its name, unique in the program
 * @param role who makes it and who wants it
 * @param type its elements
 * @param shape one expression an axis, over extents of tensors declared before it, parameters and
 *     numbers. An input's extent that the caller decides is its own {@link
 *     IndexExpression.AxisSize}
 */
public record TensorDeclaration(
    String name, Role role, ElementType type, ImmutableList<IndexExpression> shape) {

  public TensorDeclaration {
    requireNonNull(name, "name");
    requireNonNull(role, "role");
    requireNonNull(type, "type");
    requireNonNull(shape, "shape");
  }

  /** The number of axes. */
  public int rank() {
    return shape.size();
  }

  /** Who makes a tensor and who wants it. */
  public enum Role {
    /** Given by the caller, never written. */
    INPUT,
    /** Written by the program and wanted by the caller. */
    OUTPUT,
    /** Written and read by the program only; undefined until written. */
    TEMPORARY
  }
}
