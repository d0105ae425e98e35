package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.fuse.fact.Inputs;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Removes inputs whose elements and extents a program does not use.
 *
 * <p>Such an input may link other inputs by requirements: {@code d(x, 0) = d(a, 0)} and {@code d(x,
 * 0) = d(b, 0)} imply {@code d(a, 0) = d(b, 0)}. To keep what they imply, the pass solves one
 * requirement for each extent of the input, substitutes the solution into the others and drops that
 * requirement. An input that cannot be eliminated in this way stays. O(inputs × requirements).
 */
final class DropUnusedInputs implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    ImmutableSet<String> read = Inputs.read(program);
    ImmutableSet<String> measured = Inputs.measured(program);
    List<TensorDeclaration> tensors = new ArrayList<>();
    List<Requirement> requirements = new ArrayList<>(program.requirements());
    for (TensorDeclaration tensor : program.tensors()) {
      boolean unused =
          tensor.role() == Role.INPUT
              && !read.contains(tensor.name())
              && !measured.contains(tensor.name());
      Optional<List<Requirement>> without =
          unused ? without(requirements, tensor) : Optional.empty();
      if (without.isPresent()) {
        requirements = without.get();
      } else {
        tensors.add(tensor);
      }
    }
    return new MicroProgram(
        program.name(),
        program.parameters(),
        ImmutableList.copyOf(tensors),
        ImmutableList.copyOf(new LinkedHashSet<>(requirements)),
        program.functions());
  }

  /**
   * Returns equivalent requirements that do not refer to an input; empty if the input cannot be
   * eliminated.
   */
  private static Optional<List<Requirement>> without(
      List<Requirement> requirements, TensorDeclaration input) {
    List<Requirement> rest = requirements;
    for (int axis = 0; axis < input.rank(); axis++) {
      AxisSize extent = new AxisSize(input.name(), axis);
      IndexExpression declared = input.shape().get(axis);
      IndexExpression value = declared;
      if (declared.equals(extent)) {
        value = given(rest, extent).orElse(extent);
      }
      rest = replaced(rest, extent, value);
    }
    for (Requirement requirement : rest) {
      if (Inputs.mentioned(requirement).contains(input.name())) {
        return Optional.empty();
      }
    }
    return Optional.of(rest);
  }

  /** Returns the value that a requirement gives to an extent, in terms of other tensors. */
  private static Optional<IndexExpression> given(List<Requirement> requirements, AxisSize extent) {
    for (Requirement requirement : requirements) {
      for (boolean swap : new boolean[] {false, true}) {
        IndexExpression side = swap ? requirement.right() : requirement.left();
        IndexExpression other = swap ? requirement.left() : requirement.right();
        boolean mentioned =
            Inputs.mentioned(new Requirement(other, other)).contains(extent.tensor());
        if (side.equals(extent) && !mentioned) {
          return Optional.of(other);
        }
      }
    }
    return Optional.empty();
  }

  private static List<Requirement> replaced(
      List<Requirement> requirements, AxisSize extent, IndexExpression value) {
    Rewriter rewriter =
        new Rewriter() {
          @Override
          public IndexExpression leaf(IndexExpression leaf) {
            return leaf.equals(extent) ? value : leaf;
          }
        };
    List<Requirement> replaced = new ArrayList<>();
    for (Requirement requirement : requirements) {
      IndexExpression left = rewriter.index(requirement.left());
      IndexExpression right = rewriter.index(requirement.right());
      if (!left.equals(right)) {
        replaced.add(new Requirement(left, right));
      }
    }
    return replaced;
  }
}
