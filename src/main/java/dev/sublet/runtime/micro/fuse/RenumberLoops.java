package dev.sublet.runtime.micro.fuse;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers loops and carried variables of each block from 0, outermost first. O(size). */
final class RenumberLoops implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    List<NamedBlock> blocks = NamedBlock.of(program);
    blocks.replaceAll(block -> new NamedBlock(block.function(), renumbered(block.block())));
    return NamedBlock.replace(program, blocks);
  }

  private static LoopBlock renumbered(LoopBlock block) {
    Map<Integer, Integer> loops = new HashMap<>();
    Map<Integer, Integer> carried = new HashMap<>();
    for (Loop loop : block.loops()) {
      loops.put(loop.id(), loops.size());
      for (CarriedVariable variable : loop.carried()) {
        carried.put(variable.id(), carried.size());
      }
    }
    Rewriter rewriter =
        new Rewriter() {
          @Override
          public IndexExpression leaf(IndexExpression leaf) {
            return leaf instanceof LoopIndex loop && loops.containsKey(loop.id())
                ? new LoopIndex(loops.get(loop.id()))
                : leaf;
          }

          @Override
          public int carried(int id) {
            return carried.getOrDefault(id, id);
          }
        };
    ImmutableList.Builder<Loop> renumbered = ImmutableList.builder();
    for (Loop loop : block.loops()) {
      Loop inside = rewriter.loop(loop);
      renumbered.add(
          new Loop(
              requireNonNull(loops.get(loop.id())),
              inside.start(),
              inside.end(),
              inside.carried(),
              inside.statements()));
    }
    return new LoopBlock(renumbered.build());
  }
}
