package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.LinkedHashSet;
import java.util.Set;

/** Finds the inputs that a program needs. O(size of the program). */
public final class Inputs {

  private Inputs() {}

  /** Returns the inputs whose elements are read, in declaration order. */
  public static ImmutableSet<String> read(MicroProgram program) {
    Set<String> read = new LinkedHashSet<>();
    for (NamedBlock block : NamedBlock.of(program)) {
      read.addAll(BlockUse.of(block.block()).reads());
    }
    return inputs(program, read);
  }

  /** Returns the inputs whose extents occur in loops, indices or shapes of other tensors. */
  public static ImmutableSet<String> measured(MicroProgram program) {
    Measured measured = new Measured();
    measured.collect(program);
    return inputs(program, measured.tensors);
  }

  /** Returns the tensors of every role whose extents occur anywhere, requirements included. */
  public static ImmutableSet<String> measuredOrRequired(MicroProgram program) {
    Measured measured = new Measured();
    measured.collect(program);
    for (Requirement requirement : program.requirements()) {
      measured.tensors.addAll(mentioned(requirement));
    }
    return ImmutableSet.copyOf(measured.tensors);
  }

  /** Returns the tensors whose extents occur in a requirement. */
  public static ImmutableSet<String> mentioned(Requirement requirement) {
    Measured measured = new Measured();
    measured.index(requirement.left());
    measured.index(requirement.right());
    return ImmutableSet.copyOf(measured.tensors);
  }

  /** Collects the tensors whose extents occur in the visited expressions. */
  private static final class Measured extends Rewriter {

    final Set<String> tensors = new LinkedHashSet<>();

    @Override
    public IndexExpression leaf(IndexExpression leaf) {
      if (leaf instanceof AxisSize size) {
        tensors.add(size.tensor());
      }
      return leaf;
    }

    void collect(MicroProgram program) {
      for (TensorDeclaration tensor : program.tensors()) {
        for (IndexExpression extent : tensor.shape()) {
          if (!(extent instanceof AxisSize size && size.tensor().equals(tensor.name()))) {
            index(extent);
          }
        }
      }
      for (NamedBlock block : NamedBlock.of(program)) {
        block(block.block());
      }
    }
  }

  private static ImmutableSet<String> inputs(MicroProgram program, Set<String> names) {
    ImmutableSet.Builder<String> inputs = ImmutableSet.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.INPUT && names.contains(tensor.name())) {
        inputs.add(tensor.name());
      }
    }
    return inputs.build();
  }
}
