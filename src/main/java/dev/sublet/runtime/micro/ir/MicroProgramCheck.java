package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Checks that a program means something. Every pass that makes a program makes one that passes.
 *
 * <ul>
 *   <li>Names of tensors are unique, and so are names of parameters; numbers of loops and of
 *       carried variables are unique in their block.
 *   <li>A shape mentions numbers, integer parameters and extents of tensors in front of it. An
 *       input's axis may be its own extent, which the caller decides, and other axes of the input
 *       may mention that one. Requirements mention the same.
 *   <li>The bounds of a loop mention loops around it, but no elements of tensors.
 *   <li>An access has one index an axis, over loops around it; elements in indices are of integer
 *       tensors. Inputs are not written.
 *   <li>A carried variable is read and folded into by its own loop and by loops inside it. A fold
 *       has a position if the operator is one of positions, and only then; tensors cannot take in
 *       positions.
 *   <li>Operands of one operator have one type, which is one that it is defined for; what is stored
 *       has the type of where it goes; literals fit their type.
 * </ul>
 *
 * <p>What is not checked: that a tensor is written before it is read, that unchecked accesses stay
 * in bounds, and values of extents.
 */
public final class MicroProgramCheck {

  private final MicroProgram program;
  private final Map<String, ElementType> parameters = new LinkedHashMap<>();
  private final Map<String, TensorDeclaration> tensors = new LinkedHashMap<>();

  /** Where in the program the check is, for messages. */
  private String place = "";

  private MicroProgramCheck(MicroProgram program) {
    this.program = requireNonNull(program, "program");
  }

  /**
   * Checks a program. O(size).
   *
   * @throws InvalidMicroProgramException with the first rule that is broken
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
      if (isDecidedByCaller(tensor, axis)) {
        own.add(new AxisSize(tensor.name(), axis));
      }
    }
    IndexCheck extents = IndexCheck.ofInput(this, own.build());
    for (IndexExpression extent : tensor.shape()) {
      extents.check(extent);
    }
  }

  /** Whether the caller decides the extent of an axis of an input. */
  static boolean isDecidedByCaller(TensorDeclaration tensor, int axis) {
    return tensor.role() == Role.INPUT
        && tensor.shape().get(axis) instanceof AxisSize size
        && size.tensor().equals(tensor.name())
        && size.axis() == axis;
  }

  /** The type of a parameter. */
  ElementType parameter(String name, Object culprit) {
    ElementType type = parameters.get(name);
    if (type == null) {
      throw invalid("$" + MicroName.text(name) + " is not declared", culprit);
    }
    return type;
  }

  /** A tensor that is declared so far. */
  TensorDeclaration tensor(String name, Object culprit) {
    TensorDeclaration tensor = tensors.get(name);
    if (tensor == null) {
      throw invalid("tensor " + MicroName.text(name) + " is not declared", culprit);
    }
    return tensor;
  }

  /** A tensor that is declared so far, with as many axes as there are indices. */
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
