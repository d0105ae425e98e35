package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
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
 * Removes inputs of which a program uses neither elements nor extents.
 *
 * <p>What requirements say of other inputs through such an input must remain required: one
 * requirement that gives its extent is solved for it, put into the others and dropped. An input
 * whose requirements cannot be solved so stays. O(inputs × requirements).
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

  /** Requirements that say the same of all but one input, unless it cannot be eliminated. */
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

  /** What a requirement says that an extent is, without mentioning its tensor. */
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
          IndexExpression leaf(IndexExpression leaf) {
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
