package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.BlockIndex;
import dev.sublet.runtime.micro.fuse.fact.BlockUse;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.fuse.fact.SameElement;
import dev.sublet.runtime.micro.fuse.fact.Site;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces reads of temporaries by the expressions assigned to them, across blocks and at any
 * index: with {@code t[i0, i1] = x[i0]} the load {@code t[i2, 0]} becomes {@code x[i2]}. This
 * removes the large intermediates of broadcasts and reindexes. {@link RemoveDeadBlocks} removes the
 * dead stores later.
 *
 * <p>The pass should run before {@link MergeBlocks}, because a producer in a block of its own is
 * easier to inline. All reads of a temporary are replaced if
 *
 * <ol>
 *   <li>it has a {@link Producer}, and all its readers are in later blocks;
 *   <li>from the producer's block to the last reader's block, no tensor that the value reads is
 *       written, and only the producer writes the temporary;
 *   <li>every read has a replacement;
 *   <li>the replacements are free to compute ({@link Effort}), or each reading statement runs at
 *       most once per element and the additional cost is small.
 * </ol>
 *
 * <p>O(temporaries × size of the blocks that touch them).
 */
final class InlineProducers implements Pass {

  private final boolean onlyFree;

  /**
   * Creates the pass.
   *
   * @param onlyFree whether to inline only values that are free to compute
   */
  InlineProducers(boolean onlyFree) {
    this.onlyFree = onlyFree;
  }

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    BlockIndex blocks = new BlockIndex(program);
    boolean changed = false;
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.TEMPORARY) {
        Optional<Producer> producer = Producer.of(extents, blocks, tensor.name());
        changed |=
            producer.isPresent()
                && Effort.parts(producer.get().value()) <= Effort.MAX_PARTS
                && (!onlyFree || Effort.of(producer.get().value()) == 0)
                && new Inlining(extents, blocks, tensor.name(), producer.get()).run();
      }
    }
    return changed ? blocks.applyTo(program) : program;
  }

  /** The inlining of one temporary; it replaces blocks in the index. */
  private static final class Inlining {

    private final Extents extents;
    private final BlockIndex blocks;
    private final String tensor;
    private final Producer producer;

    private int reads;
    private int lastReader = -1;

    /** The cost of all replacements minus the cost of computing the value once. */
    private long effort;

    private boolean possible = true;

    Inlining(Extents extents, BlockIndex blocks, String tensor, Producer producer) {
      this.extents = extents;
      this.blocks = blocks;
      this.tensor = tensor;
      this.producer = producer;
      this.effort = -Effort.of(producer.value());
    }

    boolean run() {
      Map<Integer, LoopBlock> inlined = new LinkedHashMap<>();
      for (int number : blocks.reading(tensor)) {
        int before = reads;
        LoopBlock block = inlined(blocks.get(number));
        if (reads > before) {
          possible &= number > producer.block();
          lastReader = number;
          inlined.put(number, block);
        }
        if (!possible) {
          return false;
        }
      }
      if (reads == 0 || effort > Effort.LIMIT || sourcesChange()) {
        return false;
      }
      List<Reads.Read> sources = Reads.of(producer.value());
      inlined.forEach((number, block) -> blocks.replace(number, block, sources));
      return true;
    }

    /** Whether a tensor that the value reads is written before the last read of the temporary. */
    private boolean sourcesChange() {
      for (Reads.Read source : Reads.of(producer.value())) {
        for (int block : blocks.writing(source.tensor())) {
          if (producer.block() <= block
              && block <= lastReader
              && BlockUse.of(blocks.get(block)).writes().contains(source.tensor())) {
            return true;
          }
        }
      }
      return false;
    }

    private LoopBlock inlined(LoopBlock block) {
      ImmutableList.Builder<Loop> loops = ImmutableList.builder();
      for (int place = 0; place < block.loops().size(); place++) {
        Loop loop = block.loops().get(place);
        Rewriter bounds = inside(block.loops().subList(0, place));
        Rewriter body = inside(block.loops().subList(0, place + 1));
        ImmutableList.Builder<Statement> statements = ImmutableList.builder();
        for (Statement statement : loop.statements()) {
          boolean isReader = blocks.countReads(statement, tensor) > 0;
          statements.add(isReader ? body.statement(statement) : statement);
        }
        loops.add(
            new Loop(
                loop.id(),
                bounds.index(loop.start()),
                bounds.index(loop.end()),
                loop.carried(),
                statements.build()));
      }
      return new LoopBlock(loops.build());
    }

    /** Returns a rewriter that replaces the reads inside some loops and counts their cost. */
    private Rewriter inside(List<Loop> around) {
      return new Rewriter() {
        @Override
        public Expression load(Expression.Load load) {
          if (!load.access().tensor().equals(tensor)) {
            return load;
          }
          Optional<Expression> value = producer.instead(load, around);
          count(around, load.access().at(), value.map(Effort::of));
          return value.orElse(load);
        }

        @Override
        public IndexExpression element(Element element) {
          if (!element.tensor().equals(tensor)) {
            return element;
          }
          Optional<IndexExpression> index = producer.instead(element, around);
          count(around, element.at(), index.map(i -> 0));
          return index.orElse(element);
        }
      };
    }

    private void count(
        List<Loop> around, ImmutableList<IndexExpression> at, Optional<Integer> cost) {
      reads++;
      possible &= cost.isPresent();
      int more = cost.orElse(0);
      effort += more;
      if (more > 0) {
        Site site = new Site(tensor, at, /* writes= */ false, around.size());
        possible &= SameElement.agreed(extents, site, site, around).size() == around.size();
      }
    }
  }
}
