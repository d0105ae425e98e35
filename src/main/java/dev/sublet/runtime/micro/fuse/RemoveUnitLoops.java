package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes loops that have one iteration in every run, such as loops over axes of extent 1. The
 * loop's index is replaced by its start. Its carried variables and statements move to the enclosing
 * loop, before that loop's own. After this pass, nests over {@code [n, 1]} and {@code [n]} have the
 * same form.
 *
 * <p>The outermost loop of a block stays if it has statements, carried variables or no inner loop.
 * Any other loop stays if it folds into a carried variable of the directly enclosing loop, so that
 * the fold remains in an inner loop.
 */
final class RemoveUnitLoops implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    List<NamedBlock> blocks = NamedBlock.of(program);
    blocks.replaceAll(block -> new NamedBlock(block.function(), drop(extents, block.block())));
    return NamedBlock.replace(program, blocks);
  }

  private static LoopBlock drop(Extents extents, LoopBlock block) {
    LoopBlock result = block;
    for (int place = 0; place < block.loops().size(); place++) {
      if (extents.isSingle(result.loops().get(place))) {
        result = atStart(result.loops().get(place), result);
      }
    }
    int depth = 0;
    while (depth < result.loops().size()) {
      if (isSuperfluous(extents, result, depth)) {
        result = without(result, depth);
        depth = 0;
      } else {
        depth++;
      }
    }
    return result;
  }

  /** Returns the block with the start of a loop in place of its index. */
  private static LoopBlock atStart(Loop single, LoopBlock block) {
    LoopIndex index = new LoopIndex(single.id());
    return new Rewriter() {
      @Override
      public IndexExpression leaf(IndexExpression leaf) {
        return leaf.equals(index) ? single.start() : leaf;
      }
    }.block(block);
  }

  private static boolean isSuperfluous(Extents extents, LoopBlock block, int depth) {
    Loop loop = block.loops().get(depth);
    if (!extents.isSingle(loop)) {
      return false;
    }
    if (depth == 0) {
      return loop.statements().isEmpty() && loop.carried().isEmpty() && block.loops().size() > 1;
    }
    Loop around = block.loops().get(depth - 1);
    for (Statement statement : loop.statements()) {
      if (statement instanceof Statement.Fold fold
          && around.carried().stream().anyMatch(c -> c.id() == fold.carried())) {
        return false;
      }
    }
    return true;
  }

  private static LoopBlock without(LoopBlock block, int depth) {
    List<Loop> loops = new ArrayList<>(block.loops());
    Loop dropped = loops.remove(depth);
    if (depth > 0) {
      Loop around = loops.get(depth - 1);
      loops.set(
          depth - 1,
          new Loop(
              around.id(),
              around.start(),
              around.end(),
              ImmutableList.<CarriedVariable>builder()
                  .addAll(around.carried())
                  .addAll(dropped.carried())
                  .build(),
              ImmutableList.<Statement>builder()
                  .addAll(dropped.statements())
                  .addAll(around.statements())
                  .build()));
    }
    return new LoopBlock(ImmutableList.copyOf(loops));
  }
}
