package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.fuse.fact.BlockIndex;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.Inputs;
import dev.sublet.runtime.micro.fuse.fact.LocalTemporary;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes all axes of each {@link LocalTemporary}: a scalar suffices for a value that is read only
 * in the iteration that writes it. The pass is meant for values that are too expensive to
 * substitute several times. O(temporaries × size of the blocks that touch them).
 */
final class ShrinkTemporaries implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    BlockIndex index = new BlockIndex(program);
    ImmutableSet<String> measured = Inputs.measuredOrRequired(program);
    Set<String> shrunk = new LinkedHashSet<>();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.TEMPORARY
          && tensor.rank() > 0
          && !measured.contains(tensor.name())
          && LocalTemporary.of(extents, index, tensor.name()).isPresent()) {
        shrunk.add(tensor.name());
      }
    }
    if (shrunk.isEmpty()) {
      return program;
    }
    Rewriter rewriter = withoutIndices(shrunk);
    List<NamedBlock> blocks = NamedBlock.of(program);
    blocks.replaceAll(block -> new NamedBlock(block.function(), rewriter.block(block.block())));
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      tensors.add(
          shrunk.contains(tensor.name())
              ? new TensorDeclaration(
                  tensor.name(), tensor.role(), tensor.type(), ImmutableList.of())
              : tensor);
    }
    return NamedBlock.replace(
        new MicroProgram(
            program.name(),
            program.parameters(),
            tensors.build(),
            program.requirements(),
            program.functions()),
        blocks);
  }

  private static Rewriter withoutIndices(Set<String> tensors) {
    return new Rewriter() {
      @Override
      public Expression load(Expression.Load load) {
        return tensors.contains(load.access().tensor())
            ? new Expression.Load(target(load.access()), load.outside())
            : load;
      }

      @Override
      public Access target(Access target) {
        return tensors.contains(target.tensor())
            ? new Access(target.tensor(), ImmutableList.of(), /* checked= */ false)
            : target;
      }
    };
  }
}
