package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.BoundsProver;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.List;

/**
 * Marks each access as unchecked that is proved to be in bounds in every execution ({@link
 * BoundsProver}). O(accesses) proofs.
 */
public final class RemoveBoundsChecks implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    List<NamedBlock> blocks = NamedBlock.of(program);
    blocks.replaceAll(block -> new NamedBlock(block.function(), proved(extents, block.block())));
    return NamedBlock.replace(program, blocks);
  }

  private static LoopBlock proved(Extents extents, LoopBlock block) {
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    for (int depth = 1; depth <= block.loops().size(); depth++) {
      Rewriter rewriter = unchecked(new BoundsProver(extents, block.loops().subList(0, depth)));
      Loop loop = block.loops().get(depth - 1);
      ImmutableList.Builder<Statement> statements = ImmutableList.builder();
      for (Statement statement : loop.statements()) {
        statements.add(rewriter.statement(statement));
      }
      loops.add(new Loop(loop.id(), loop.start(), loop.end(), loop.carried(), statements.build()));
    }
    return new LoopBlock(loops.build());
  }

  private static Rewriter unchecked(BoundsProver prover) {
    return new Rewriter() {
      @Override
      public Expression load(Expression.Load load) {
        return new Expression.Load(target(load.access()), load.outside());
      }

      @Override
      public Access target(Access target) {
        boolean checked = target.checked() && !prover.isInside(target.tensor(), target.at());
        return new Access(target.tensor(), target.at(), checked);
      }
    };
  }
}
