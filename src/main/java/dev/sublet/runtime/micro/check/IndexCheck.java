package dev.sublet.runtime.micro.check;

import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.IndexExpression.Parameter;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.ElementType;

/**
 * The check of index expressions at one place of a program: which names they may refer to.
 *
 * @param program the program, as far as it has been declared
 * @param loops the loops around the place
 * @param elements whether the expressions may read elements of tensors
 * @param own the extents of the input being declared that the caller decides
 */
record IndexCheck(
    MicroProgramCheck program,
    ImmutableSet<Integer> loops,
    boolean elements,
    ImmutableSet<AxisSize> own) {

  /** Returns the check for a place outside of loops. */
  static IndexCheck ofExtents(MicroProgramCheck program) {
    return new IndexCheck(program, ImmutableSet.of(), false, ImmutableSet.of());
  }

  /** Returns the check for an input's shape. The caller decides some of its extents. */
  static IndexCheck ofInput(MicroProgramCheck program, ImmutableSet<AxisSize> own) {
    return new IndexCheck(program, ImmutableSet.of(), false, own);
  }

  /** Returns the check for a loop's bounds inside other loops. */
  static IndexCheck ofBounds(MicroProgramCheck program, ImmutableSet<Integer> loops) {
    return new IndexCheck(program, loops, false, ImmutableSet.of());
  }

  /** Returns the check for accesses inside loops. */
  static IndexCheck ofAccesses(MicroProgramCheck program, ImmutableSet<Integer> loops) {
    return new IndexCheck(program, loops, true, ImmutableSet.of());
  }

  /** Checks an expression. O(size). */
  void check(IndexExpression expression) {
    if (expression instanceof Negation negation) {
      check(negation.operand());
    } else if (expression instanceof Arithmetic arithmetic) {
      check(arithmetic.left());
      check(arithmetic.right());
    } else if (expression instanceof AxisSize size) {
      checkAxis(size);
    } else if (expression instanceof Parameter parameter) {
      ElementType type = program.parameter(parameter.name(), parameter);
      checkInteger(type, "parameter " + parameter, parameter);
    } else if (expression instanceof LoopIndex loop) {
      if (!loops.contains(loop.id())) {
        throw program.invalid("there is no loop " + loop + " around this", loop);
      }
    } else if (expression instanceof Element element) {
      checkElement(element);
    } else if (!(expression instanceof Constant)) {
      throw new AssertionError(expression);
    }
  }

  private void checkAxis(AxisSize size) {
    if (own.contains(size)) {
      return;
    }
    TensorDeclaration tensor = program.tensor(size.tensor(), size);
    if (size.axis() >= tensor.rank()) {
      throw program.invalid(
          MicroName.text(size.tensor()) + " has " + tensor.rank() + " axes, counted from 0", size);
    }
  }

  private void checkElement(Element element) {
    if (!elements) {
      throw program.invalid(
          loops.isEmpty()
              ? "an extent cannot depend on elements"
              : "the bounds of a loop cannot depend on elements",
          element);
    }
    TensorDeclaration tensor = program.tensor(element.tensor(), element.at(), element);
    checkInteger(tensor.type(), "tensor " + MicroName.text(element.tensor()), element);
    element.at().forEach(this::check);
  }

  private void checkInteger(ElementType type, String what, IndexExpression culprit) {
    if (type != ElementType.INT32 && type != ElementType.INT64) {
      throw program.invalid(what + " is " + type + " and cannot be a part of an index", culprit);
    }
  }
}
