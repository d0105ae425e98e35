package dev.sublet.runtime.micro.ir;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.tensor.ElementType;

/**
 * A tensor of a program.
 *
 * @param name the tensor's name, unique in the program
 * @param role whether the tensor is an input, an output or a temporary
 * @param type the type of its elements
 * @param shape one expression per axis, over extents of tensors declared before it, parameters and
 *     numbers. An extent of an input that the caller decides is written as the axis's own {@link
 *     IndexExpression.AxisSize}
 */
public record TensorDeclaration(
    String name, Role role, ElementType type, ImmutableList<IndexExpression> shape) {

  /** Returns the number of axes. */
  public int rank() {
    return shape.size();
  }

  /** Whether the caller decides the extent of an axis. Only an input has such axes. */
  public boolean isDecidedByCaller(int axis) {
    return role == Role.INPUT
        && shape.get(axis) instanceof IndexExpression.AxisSize size
        && size.tensor().equals(name)
        && size.axis() == axis;
  }

  /** The role of a tensor in its program. */
  public enum Role {
    /** Passed by the caller, never written. */
    INPUT,
    /** Written by the program and returned to the caller. */
    OUTPUT,
    /** Written and read by the program only; undefined before the first write. */
    TEMPORARY;

    /** The word for the role in a program's text. */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }
}
