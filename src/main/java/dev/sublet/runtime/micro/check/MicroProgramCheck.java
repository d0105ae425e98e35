package dev.sublet.runtime.micro.check;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.ElementType;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Checks that a program is well formed. Every program that a pass returns satisfies these rules:
 *
 * <ul>
 *   <li>The names of tensors are unique, and so are the names of parameters. The numbers of loops
 *       and of carried variables are unique in their block.
 *   <li>A shape refers only to numbers, integer parameters and extents of tensors declared earlier.
 *       An axis of an input may be its own extent, which the caller decides; the input's other axes
 *       may refer to that extent. Requirements refer to the same things as shapes.
 *   <li>The bounds of a loop refer to outer loops, but not to elements of tensors.
 *   <li>An access has one index per axis and refers only to enclosing loops. An element used as an
 *       index belongs to an integer tensor. Inputs are not written.
 *   <li>A carried variable is read and folded into only by its own loop and by inner loops. A fold
 *       has a position if and only if the operator is argmax or argmin. Tensors cannot accumulate
 *       positions.
 *   <li>The operands of an operator have the same type, and the operator is defined for it. A
 *       stored value has the type of its target. Literals fit their type.
 * </ul>
 *
 * <p>Not checked: that a tensor is written before it is read, that unchecked accesses stay in
 * bounds, and the values of extents.
 */
public final class MicroProgramCheck {

  private final MicroProgram program;
  private final Map<String, ElementType> parameters = new LinkedHashMap<>();
  private final Map<String, TensorDeclaration> tensors = new LinkedHashMap<>();

  /** The function and block being checked, for messages. */
  private String place = "";

  private MicroProgramCheck(MicroProgram program) {
    this.program = requireNonNull(program, "program");
  }

  /**
   * Checks a program. O(size).
   *
   * @throws InvalidMicroProgramException if the program breaks a rule; the exception states the
   *     first one
   */
  public static void check(MicroProgram program) {
    new MicroProgramCheck(program).check();
  }

  private void check() {
    for (ScalarDeclaration parameter : program.parameters()) {
      if (parameters.putIfAbsent(parameter.name(), parameter.type()) != null) {
        throw invalid("$" + MicroName.text(parameter.name()) + " is declared twice", parameter);
      }
    }
    for (TensorDeclaration tensor : program.tensors()) {
      checkShape(tensor);
      if (tensors.putIfAbsent(tensor.name(), tensor) != null) {
        throw invalid("tensor " + MicroName.text(tensor.name()) + " is declared twice", tensor);
      }
    }
    IndexCheck extents = IndexCheck.ofExtents(this);
    for (Requirement requirement : program.requirements()) {
      extents.check(requirement.left());
      extents.check(requirement.right());
    }
    for (MicroFunction function : program.functions()) {
      for (int i = 0; i < function.blocks().size(); i++) {
        place = "function " + MicroName.text(function.name()) + ", block " + i;
        new BlockCheck(this).check(function.blocks().get(i));
      }
    }
  }

  private void checkShape(TensorDeclaration tensor) {
    ImmutableSet.Builder<AxisSize> own = ImmutableSet.builder();
    for (int axis = 0; axis < tensor.rank(); axis++) {
      if (tensor.isDecidedByCaller(axis)) {
        own.add(new AxisSize(tensor.name(), axis));
      }
    }
    IndexCheck extents = IndexCheck.ofInput(this, own.build());
    for (IndexExpression extent : tensor.shape()) {
      extents.check(extent);
    }
  }

  /** Returns the type of a parameter. */
  ElementType parameter(String name, Object culprit) {
    ElementType type = parameters.get(name);
    if (type == null) {
      throw invalid("$" + MicroName.text(name) + " is not declared", culprit);
    }
    return type;
  }

  /** Returns a tensor that has been declared already. */
  TensorDeclaration tensor(String name, Object culprit) {
    TensorDeclaration tensor = tensors.get(name);
    if (tensor == null) {
      throw invalid("tensor " + MicroName.text(name) + " is not declared", culprit);
    }
    return tensor;
  }

  /** Returns a tensor that has been declared already and whose rank is the number of indices. */
  TensorDeclaration tensor(String name, ImmutableList<IndexExpression> at, Object culprit) {
    TensorDeclaration tensor = tensor(name, culprit);
    if (tensor.rank() != at.size()) {
      throw invalid(
          at.size() + " indices for the " + tensor.rank() + " axes of " + MicroName.text(name),
          culprit);
    }
    return tensor;
  }

  InvalidMicroProgramException invalid(String problem, Object culprit) {
    return new InvalidMicroProgramException(place, problem, culprit);
  }
}
