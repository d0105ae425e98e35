package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.sublet.runtime.micro.fuse.fact.BlockIndex;
import dev.sublet.runtime.micro.fuse.fact.BlockUse;
import dev.sublet.runtime.micro.fuse.fact.BoundsProver;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.Inputs;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes axes of temporaries along which all elements are equal. For example, {@code t[i0, i1] =
 * rsqrt(v[i0])} becomes {@code t[i0] = rsqrt(v[i0])}, computed once per row.
 *
 * <p>A temporary loses an axis if its {@link Producer} is the only statement of its block, the
 * produced value does not depend on the axis's loop, and all reads are proved to be in bounds along
 * the axis. The value is then computed even if the axis had extent 0. Therefore the value must
 * contain no index that divides by a possibly zero divisor, and all its loads become checked again.
 * O(temporaries × size of the blocks that touch them).
 */
final class DropConstantAxes implements Pass {

  @Override
  public MicroProgram apply(MicroProgram program) {
    Extents extents = Extents.of(program);
    ImmutableSet<String> measured = Inputs.measuredOrRequired(program);
    BlockIndex blocks = new BlockIndex(program);
    List<TensorDeclaration> tensors = new ArrayList<>(program.tensors());
    boolean changed = false;
    for (int i = 0; i < tensors.size(); i++) {
      TensorDeclaration tensor = tensors.get(i);
      if (tensor.role() == Role.TEMPORARY && !measured.contains(tensor.name())) {
        ImmutableMap<Integer, Integer> axes = constantAxes(extents, blocks, tensor.name());
        if (!axes.isEmpty()) {
          tensors.set(i, without(tensor, axes.values()));
          shorten(blocks, tensor.name(), axes);
          changed = true;
        }
      }
    }
    return changed
        ? blocks.applyTo(
            new MicroProgram(
                program.name(),
                program.parameters(),
                ImmutableList.copyOf(tensors),
                program.requirements(),
                program.functions()))
        : program;
  }

  /**
   * Returns the loops that the producer of a tensor does not need, each with the axis that the
   * tensor can lose.
   */
  private static ImmutableMap<Integer, Integer> constantAxes(
      Extents extents, BlockIndex blocks, String tensor) {
    Optional<Producer> found = Producer.of(extents, blocks, tensor);
    if (found.isEmpty()) {
      return ImmutableMap.of();
    }
    Producer producer = found.get();
    LoopBlock block = blocks.get(producer.block());
    if (!isAlone(block) || producer.mayDivideByZero()) {
      return ImmutableMap.of();
    }
    Set<Integer> mentioned = mentioned(block, producer.value());
    ImmutableMap.Builder<Integer, Integer> axes = ImmutableMap.builder();
    producer
        .axes()
        .forEach(
            (loop, axis) -> {
              if (!mentioned.contains(loop) && isReadInside(extents, blocks, tensor, axis)) {
                axes.put(loop, axis);
              }
            });
    return axes.buildOrThrow();
  }

  private static void shorten(
      BlockIndex blocks, String tensor, ImmutableMap<Integer, Integer> axes) {
    for (int number : blocks.writing(tensor)) {
      if (BlockUse.of(blocks.get(number)).writes().contains(tensor)) {
        blocks.replace(number, without(blocks.get(number), axes.keySet()));
      }
    }
    for (int number : Sets.union(blocks.writing(tensor), blocks.reading(tensor))) {
      blocks.replace(number, without(blocks.get(number), tensor, axes.values()));
    }
  }

  /** Whether a block has only one statement, in its innermost loop, and no carried variables. */
  private static boolean isAlone(LoopBlock block) {
    int statements = 0;
    for (Loop loop : block.loops()) {
      statements += loop.statements().size() + loop.carried().size();
    }
    return statements == 1 && !block.loops().get(block.loops().size() - 1).statements().isEmpty();
  }

  /** Returns the loops on which a value or the bounds of the block's loops depend. */
  private static Set<Integer> mentioned(LoopBlock block, Expression value) {
    Set<Integer> loops = new LinkedHashSet<>();
    Rewriter collector =
        new Rewriter() {
          @Override
          public IndexExpression leaf(IndexExpression leaf) {
            if (leaf instanceof LoopIndex loop) {
              loops.add(loop.id());
            }
            return leaf;
          }
        };
    collector.expression(value);
    for (Loop loop : block.loops()) {
      collector.index(loop.start());
      collector.index(loop.end());
    }
    return loops;
  }

  private static boolean isReadInside(Extents extents, BlockIndex blocks, String tensor, int axis) {
    for (int number : blocks.reading(tensor)) {
      List<Loop> loops = blocks.get(number).loops();
      for (int depth = 1; depth <= loops.size(); depth++) {
        if (Reads.ofBounds(loops.get(depth - 1)).stream()
            .anyMatch(read -> read.tensor().equals(tensor))) {
          return false;
        }
        BoundsProver prover = new BoundsProver(extents, loops.subList(0, depth));
        for (Statement statement : loops.get(depth - 1).statements()) {
          for (Reads.Read read : blocks.reads(statement)) {
            if (read.tensor().equals(tensor)
                && read.checked()
                && !prover.isInside(tensor, axis, read.at().get(axis))) {
              return false;
            }
          }
        }
      }
    }
    return true;
  }

  private static LoopBlock without(LoopBlock block, Collection<Integer> loops) {
    List<Loop> rest = new ArrayList<>(block.loops());
    Loop innermost = rest.get(rest.size() - 1);
    rest.removeIf(loop -> loops.contains(loop.id()));
    Loop last =
        rest.isEmpty()
            ? new Loop(
                innermost.id(),
                new Constant(0),
                new Constant(1),
                ImmutableList.of(),
                ImmutableList.of())
            : rest.remove(rest.size() - 1);
    Statement statement = innermost.statements().get(0);
    rest.add(
        new Loop(
            last.id(),
            last.start(),
            last.end(),
            ImmutableList.of(),
            ImmutableList.of(Producer.withCheckedLoads(statement))));
    return new LoopBlock(ImmutableList.copyOf(rest));
  }

  private static TensorDeclaration without(TensorDeclaration tensor, Collection<Integer> axes) {
    return new TensorDeclaration(
        tensor.name(), tensor.role(), tensor.type(), without(tensor.shape(), axes));
  }

  private static ImmutableList<IndexExpression> without(
      ImmutableList<IndexExpression> list, Collection<Integer> axes) {
    ImmutableList.Builder<IndexExpression> rest = ImmutableList.builder();
    for (int axis = 0; axis < list.size(); axis++) {
      if (!axes.contains(axis)) {
        rest.add(list.get(axis));
      }
    }
    return rest.build();
  }

  private static LoopBlock without(LoopBlock block, String tensor, Collection<Integer> axes) {
    Rewriter rewriter =
        new Rewriter() {
          @Override
          public Expression load(Expression.Load load) {
            return new Expression.Load(target(load.access()), load.outside());
          }

          @Override
          public IndexExpression element(Element element) {
            return element.tensor().equals(tensor)
                ? new Element(tensor, without(element.at(), axes))
                : element;
          }

          @Override
          public Access target(Access target) {
            return target.tensor().equals(tensor)
                ? new Access(tensor, without(target.at(), axes), target.checked())
                : target;
          }
        };
    return rewriter.block(block);
  }
}
