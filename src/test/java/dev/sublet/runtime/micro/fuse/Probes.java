package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.Site;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs that say whether an access that is not checked was out of bounds: the output {@code
 * probe} is 1 then. For every tensor there is one of zeros and of the same shape, which is read at
 * the same indices and is 1 outside.
 */
final class Probes {

  private Probes() {}

  static MicroProgram in(MicroProgram program) {
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    tensors.addAll(program.tensors());
    for (TensorDeclaration tensor : program.tensors()) {
      tensors.add(
          new TensorDeclaration(
              zeros(tensor.name()), Role.TEMPORARY, ElementType.INT64, tensor.shape()));
    }
    tensors.add(new TensorDeclaration("probe", Role.OUTPUT, ElementType.INT64, ImmutableList.of()));
    List<NamedBlock> blocks = NamedBlock.of(program);
    blocks.replaceAll(block -> new NamedBlock(block.function(), probed(block.block())));
    return NamedBlock.replace(
        new MicroProgram(
            program.name(),
            program.parameters(),
            tensors.build(),
            program.requirements(),
            program.functions()),
        blocks);
  }

  private static String zeros(String tensor) {
    return "zeros_" + tensor;
  }

  private static LoopBlock probed(LoopBlock block) {
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    for (Loop loop : block.loops()) {
      ImmutableList.Builder<Statement> statements = ImmutableList.builder();
      for (Statement statement : loop.statements()) {
        for (Access access : unchecked(statement)) {
          Access zero = Access.of(zeros(access.tensor()), access.at());
          statements.add(
              new Statement.Accumulation(
                  Access.of("probe", ImmutableList.of()),
                  ReduceOperator.MAXIMUM,
                  new Expression.Load(zero, /* outside= */ 1)));
        }
        statements.add(statement);
      }
      loops.add(new Loop(loop.id(), loop.start(), loop.end(), loop.carried(), statements.build()));
    }
    return new LoopBlock(loops.build());
  }

  private static List<Access> unchecked(Statement statement) {
    List<Access> unchecked = new ArrayList<>();
    Site.target(statement).filter(target -> !target.checked()).ifPresent(unchecked::add);
    for (Reads.Read read : Reads.of(statement)) {
      if (!read.checked()) {
        unchecked.add(new Access(read.tensor(), read.at(), false));
      }
    }
    return unchecked;
  }
}
