package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.BlockIndex;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.LocalTemporary;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.fuse.fact.Site;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces reads of a {@link LocalTemporary} by the assigned expression. The temporary is then
 * unread, and {@link RemoveDeadBlocks} removes it.
 *
 * <p>The substitution is refused if a statement between the assignment and the last read writes a
 * tensor that the expression reads, or if several reads would repeat too much computation ({@link
 * Effort}); {@link ShrinkTemporaries} handles the latter case. O(temporaries × size of the blocks
 * that touch them).
 */
final class SubstituteTemporaries implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    BlockIndex blocks = new BlockIndex(program);
    boolean changed = false;
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() != Role.TEMPORARY) {
        continue;
      }
      Optional<LocalTemporary> local = LocalTemporary.of(extents, blocks, tensor.name());
      if (local.isPresent() && isSubstitutable(local.get(), blocks)) {
        substitute(blocks, local.get(), tensor.name());
        changed = true;
      }
    }
    return changed ? blocks.applyTo(program) : program;
  }

  private static boolean isSubstitutable(LocalTemporary local, BlockIndex blocks) {
    Expression value = local.assignment().value();
    if ((long) Effort.of(value) * (local.reads() - 1) > Effort.LIMIT
        || Effort.parts(value) > Effort.MAX_PARTS) {
      return false;
    }
    Set<String> tensors = new LinkedHashSet<>();
    Reads.of(value).forEach(read -> tensors.add(read.tensor()));
    Set<Integer> carried = Reads.carriedIn(value);
    List<Statement> statements = blocks.get(local.block()).loops().get(local.loop()).statements();
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

  private static void substitute(BlockIndex blocks, LocalTemporary local, String tensor) {
    Expression value = local.assignment().value();
    Rewriter rewriter =
        new Rewriter() {
          @Override
          public Expression load(Expression.Load load) {
            return load.access().tensor().equals(tensor) ? value : load;
          }
        };
    List<Loop> loops = new ArrayList<>(blocks.get(local.block()).loops());
    Loop loop = loops.get(local.loop());
    ImmutableList.Builder<Statement> statements = ImmutableList.builder();
    for (Statement statement : loop.statements()) {
      boolean isReader = blocks.countReads(statement, tensor) > 0;
      statements.add(isReader ? rewriter.statement(statement) : statement);
    }
    loops.set(
        local.loop(),
        new Loop(loop.id(), loop.start(), loop.end(), loop.carried(), statements.build()));
    blocks.replace(local.block(), new LoopBlock(ImmutableList.copyOf(loops)));
  }
}
