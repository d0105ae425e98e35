package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.Inputs;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Polynomial;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes equal extents as the same expression.
 *
 * <p>Expressions with the same canonical form ({@link Extents}) form a class. In shapes, bounds of
 * loops and extents inside indices, the simplest member represents the class: a number if there is
 * one; otherwise members over extents of inputs that are read are preferred, then shorter members,
 * then earlier ones. Extents of temporaries and outputs are first replaced by their declared
 * shapes. Shapes of inputs and requirements undergo only this replacement, because a run checks
 * them. O(size of the program).
 */
final class UnifyExtents implements Pass {

  /** A member of a class of equal expressions; a smaller one is simpler. */
  private record Spelling(IndexExpression expression, boolean mentionsUnread, int size) {

    boolean isSimplerThan(Spelling other) {
      return mentionsUnread == other.mentionsUnread ? size < other.size : other.mentionsUnread;
    }
  }

  @Override
  public MicroProgram apply(MicroProgram program) {
    return new Unification(program).program();
  }

  /** The unification of one program. */
  private static final class Unification {

    private final MicroProgram program;
    private final Extents extents;
    private final Set<String> read;
    private final Map<Polynomial, Spelling> spellings = new LinkedHashMap<>();

    Unification(MicroProgram program) {
      this.program = program;
      this.extents = Extents.of(program);
      this.read = Inputs.read(program);
    }

    MicroProgram program() {
      for (TensorDeclaration tensor : program.tensors()) {
        for (int axis = 0; axis < tensor.rank(); axis++) {
          if (tensor.role() == Role.INPUT) {
            propose(new AxisSize(tensor.name(), axis));
          }
          propose(tensor.shape().get(axis));
        }
      }
      List<NamedBlock> blocks = NamedBlock.of(program);
      for (NamedBlock block : blocks) {
        for (Loop loop : block.block().loops()) {
          propose(loop.start());
          propose(loop.end());
        }
      }
      blocks.replaceAll(block -> new NamedBlock(block.function(), unified(block.block())));
      return NamedBlock.replace(
          new MicroProgram(
              program.name(), program.parameters(), tensors(), requirements(), program.functions()),
          blocks);
    }

    /** Proposes an expression without loops and elements as the representative of its class. */
    private void propose(IndexExpression expression) {
      IndexExpression plain = extents.overInputs(expression);
      Polynomial key = extents.canonical(plain);
      if (!key.loops().isEmpty() || Reads.mentionsElement(plain)) {
        return;
      }
      IndexExpression spelled = key.asConstant().<IndexExpression>map(Constant::new).orElse(plain);
      Spelling spelling = new Spelling(spelled, mentionsUnread(spelled), size(spelled));
      spellings.merge(key, spelling, (old, now) -> now.isSimplerThan(old) ? now : old);
    }

    private boolean mentionsUnread(IndexExpression expression) {
      boolean[] found = new boolean[1];
      Reads.leaves(
          expression,
          leaf -> found[0] |= leaf instanceof AxisSize size && !read.contains(size.tensor()));
      return found[0];
    }

    private static int size(IndexExpression expression) {
      int[] size = new int[1];
      Reads.leaves(expression, leaf -> size[0]++);
      return size[0];
    }

    /**
     * Returns the representative of an expression's class; if there is none, rewrites the extents
     * in the expression.
     */
    private IndexExpression spelled(IndexExpression expression) {
      Spelling spelling = spellings.get(extents.canonical(expression));
      return spelling != null ? spelling.expression() : leaves.index(expression);
    }

    /** Rewrites the extents inside indices. */
    private final Rewriter leaves =
        new Rewriter() {
          @Override
          public IndexExpression leaf(IndexExpression leaf) {
            return leaf instanceof AxisSize ? spelled(leaf) : leaf;
          }
        };

    private LoopBlock unified(LoopBlock block) {
      ImmutableList.Builder<Loop> loops = ImmutableList.builder();
      for (Loop loop : leaves.block(block).loops()) {
        loops.add(
            new Loop(
                loop.id(),
                spelled(loop.start()),
                spelled(loop.end()),
                loop.carried(),
                loop.statements()));
      }
      return new LoopBlock(loops.build());
    }

    /**
     * Returns the declarations, inputs first, because a rewritten shape may refer to an input that
     * was declared later.
     */
    private ImmutableList<TensorDeclaration> tensors() {
      ImmutableList.Builder<TensorDeclaration> inputs = ImmutableList.builder();
      ImmutableList.Builder<TensorDeclaration> others = ImmutableList.builder();
      for (TensorDeclaration tensor : program.tensors()) {
        boolean input = tensor.role() == Role.INPUT;
        List<IndexExpression> shape = new ArrayList<>(tensor.shape());
        shape.replaceAll(extent -> input ? extents.overInputs(extent) : spelled(extent));
        (input ? inputs : others)
            .add(
                new TensorDeclaration(
                    tensor.name(), tensor.role(), tensor.type(), ImmutableList.copyOf(shape)));
      }
      return inputs.addAll(others.build()).build();
    }

    /** Returns the requirements over extents of inputs, without trivial ones and duplicates. */
    private ImmutableList<Requirement> requirements() {
      Set<Requirement> requirements = new LinkedHashSet<>();
      for (Requirement requirement : program.requirements()) {
        IndexExpression left = extents.overInputs(requirement.left());
        IndexExpression right = extents.overInputs(requirement.right());
        if (!left.equals(right)) {
          requirements.add(new Requirement(left, right));
        }
      }
      return ImmutableList.copyOf(requirements);
    }
  }
}
