package dev.sublet.runtime.micro.fuse;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.fuse.fact.BlockUse;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.RenameTensors;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
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
    ImmutableList.Builder<LoopBlock> blocks = ImmutableList.builder();
    List<LoopBlock> after = new ArrayList<>();
    Set<String> late = new HashSet<>(Set.of(output));
    Rewriter rewriter = new RenameTensors(names);
    for (NamedBlock each : NamedBlock.of(second)) {
      LoopBlock block = rewriter.block(each.block());
      BlockUse use = BlockUse.of(block);
      boolean isLate =
          !Collections.disjoint(use.reads(), late) || !Collections.disjoint(use.writes(), late);
      if (isLate) {
        late.addAll(use.reads());
        late.addAll(use.writes());
        after.add(block);
      } else {
        blocks.add(block);
      }
    }
    NamedBlock.of(first).forEach(each -> blocks.add(each.block()));
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
}
