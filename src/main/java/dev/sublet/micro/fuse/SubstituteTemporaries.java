package dev.sublet.micro.fuse;

import dev.sublet.micro.ir.Expression;
import dev.sublet.micro.ir.LoopBlock;
import dev.sublet.micro.ir.MicroProgram;
import dev.sublet.micro.ir.Statement;
import dev.sublet.micro.ir.TensorDeclaration;
import dev.sublet.micro.ir.TensorDeclaration.Role;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces reads of a {@link LocalTemporary} by the expression assigned to it, so that nobody reads
 * it any more ({@link RemoveDeadBlocks} then removes it).
 *
 * <p>Refused if a statement between the assignment and the last read writes something that the
 * expression reads, or if several reads would compute too much anew ({@link Effort}; {@link
 * ShrinkTemporaries} has an answer to these). O(temporaries × size of the program).
 */
final class SubstituteTemporaries implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    List<NamedBlock> blocks = NamedBlock.of(program);
    boolean changed = false;
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() != Role.TEMPORARY) {
        continue;
      }
      Optional<LocalTemporary> local = LocalTemporary.of(extents, blocks, tensor.name());
      if (local.isPresent() && isSubstitutable(local.get(), blocks)) {
        NamedBlock old = blocks.get(local.get().block());
        Expression value = local.get().assignment().value();
        blocks.set(
            local.get().block(),
            new NamedBlock(old.function(), substituted(old.block(), tensor.name(), value)));
        changed = true;
      }
    }
    return changed ? NamedBlock.replace(program, blocks) : program;
  }

  private static boolean isSubstitutable(LocalTemporary local, List<NamedBlock> blocks) {
    Expression value = local.assignment().value();
    if ((long) Effort.of(value) * (local.reads() - 1) > Effort.LIMIT
        || Effort.parts(value) > Effort.MAX_PARTS) {
      return false;
    }
    Set<String> tensors = new LinkedHashSet<>();
    Reads.of(value).forEach(read -> tensors.add(read.tensor()));
    Set<Integer> carried = Reads.carriedIn(value);
    List<Statement> statements =
        blocks.get(local.block()).block().loops().get(local.loop()).statements();
    for (Statement between : statements.subList(local.statement(), local.lastRead())) {
      boolean changes =
          between instanceof Statement.Fold fold
              ? carried.contains(fold.carried())
              : tensors.contains(Site.target(between).orElseThrow().tensor());
      if (changes) {
        return false;
      }
    }
    return true;
  }

  private static LoopBlock substituted(LoopBlock block, String tensor, Expression value) {
    return new Rewriter() {
      @Override
      Expression load(Expression.Load load) {
        return load.access().tensor().equals(tensor) ? value : load;
      }
    }.block(block);
  }
}
