package dev.sublet.runtime.micro.fuse;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.fuse.fact.BlockUse;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes one program of two, of which the second one reads what the first one computes.
 *
 * <pre>
 * t[i0] = a[i0] * 2   and   y[i0] = x[i0] + b[i0], x = t    →    y[i0] = a[i0] * 2 + b[i0]
 * </pre>
 *
 * <p>The nests of the second program that do not depend on the first one come first, so that those
 * that do are beside each other, where {@link SimplifyProgram} can fuse them. The results are equal
 * bit for bit. O(size), besides simplifying.
 */
public final class JoinPrograms {

  private int loops;
  private int carried;

  private JoinPrograms() {}

  /**
   * Joins and simplifies two programs without parameters and requirements.
   *
   * @param output the output of the first program that the second one reads; it becomes a temporary
   * @param names the name in the result of each tensor of the second program: that of the output
   *     for the input that reads it, and an unused one for the others
   */
  public static MicroProgram join(
      MicroProgram first, String output, MicroProgram second, ImmutableMap<String, String> names) {
    checkArgument(first.parameters().isEmpty() && second.parameters().isEmpty(), "parameters");
    JoinPrograms numbers = new JoinPrograms();
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    for (TensorDeclaration tensor : first.tensors()) {
      boolean isJoint = tensor.name().equals(output);
      Role role = isJoint ? Role.TEMPORARY : tensor.role();
      tensors.add(new TensorDeclaration(tensor.name(), role, tensor.type(), tensor.shape()));
    }
    for (TensorDeclaration tensor : second.tensors()) {
      String name = requireNonNull(names.get(tensor.name()));
      if (!name.equals(output)) {
        tensors.add(new TensorDeclaration(name, tensor.role(), tensor.type(), tensor.shape()));
      }
    }
    List<LoopBlock> before = new ArrayList<>();
    List<LoopBlock> after = new ArrayList<>();
    Set<String> late = new HashSet<>(Set.of(output));
    for (NamedBlock each : NamedBlock.of(second)) {
      LoopBlock block = numbers.renamed(each.block(), names);
      BlockUse use = BlockUse.of(block);
      boolean isLate =
          !Collections.disjoint(use.reads(), late) || !Collections.disjoint(use.writes(), late);
      if (isLate) {
        late.addAll(use.reads());
        late.addAll(use.writes());
      }
      (isLate ? after : before).add(block);
    }
    ImmutableList.Builder<LoopBlock> blocks = ImmutableList.builder();
    blocks.addAll(before);
    for (NamedBlock each : NamedBlock.of(first)) {
      blocks.add(numbers.renamed(each.block(), ImmutableMap.of()));
    }
    blocks.addAll(after);
    return SimplifyProgram.simplify(
            new MicroProgram(
                first.name(),
                first.parameters(),
                tensors.build(),
                /* requirements= */ ImmutableList.of(),
                ImmutableList.of(
                    new MicroFunction(first.functions().get(0).name(), blocks.build()))),
            /* dropUnusedInputs= */ true)
        .program();
  }

  /** Renames the tensors of a nest, and gives its loops and carried variables unused numbers. */
  private LoopBlock renamed(LoopBlock block, ImmutableMap<String, String> names) {
    Map<Integer, Integer> ids = new HashMap<>();
    Map<Integer, Integer> carriedIds = new HashMap<>();
    for (Loop loop : block.loops()) {
      ids.put(loop.id(), loops++);
      for (CarriedVariable variable : loop.carried()) {
        carriedIds.put(variable.id(), carried++);
      }
    }
    Rewriter rewriter =
        new Rewriter() {
          @Override
          public IndexExpression leaf(IndexExpression leaf) {
            if (leaf instanceof LoopIndex loop) {
              return new LoopIndex(ids.getOrDefault(loop.id(), loop.id()));
            }
            return leaf instanceof AxisSize size
                ? new AxisSize(name(size.tensor()), size.axis())
                : leaf;
          }

          @Override
          public IndexExpression element(Element element) {
            return new Element(name(element.tensor()), element.at());
          }

          @Override
          public Expression load(Expression.Load load) {
            return new Expression.Load(target(load.access()), load.outside());
          }

          @Override
          public Access target(Access target) {
            return new Access(name(target.tensor()), target.at(), target.checked());
          }

          @Override
          public int carried(int id) {
            return carriedIds.getOrDefault(id, id);
          }

          private String name(String tensor) {
            return names.getOrDefault(tensor, tensor);
          }
        };
    ImmutableList.Builder<Loop> renamed = ImmutableList.builder();
    for (Loop loop : block.loops()) {
      Loop inside = rewriter.loop(loop);
      renamed.add(
          new Loop(
              requireNonNull(ids.get(loop.id())),
              inside.start(),
              inside.end(),
              inside.carried(),
              inside.statements()));
    }
    return new LoopBlock(renamed.build());
  }
}
