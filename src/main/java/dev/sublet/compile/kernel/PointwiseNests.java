package dev.sublet.compile.kernel;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.List;

/**
 * Whether loop nests compute each element of a tensor from the same element of another one, and
 * from nothing else. They are then right for tensors of fewer elements, too, which lie before the
 * others in memory.
 *
 * <pre>
 * y[i0, i1] = x[i0, i1] * 2      is
 * y[i0, i1] = x[i0, i1] + i0     is not: depends on the place
 * y[i0, i1] = x[i0, i1] + b[i1]  is not: reads another tensor
 * </pre>
 */
public final class PointwiseNests {

  private PointwiseNests() {}

  /** Returns whether a simplified program with known extents is pointwise. O(size). */
  public static boolean is(MicroProgram program) {
    ImmutableList<TensorDeclaration> tensors = program.tensors();
    List<NamedBlock> blocks = NamedBlock.of(program);
    if (tensors.size() != 2
        || tensors.stream().filter(tensor -> tensor.role() == Role.INPUT).count() != 1
        || tensors.stream().filter(tensor -> tensor.role() == Role.OUTPUT).count() != 1
        || !tensors.get(0).shape().equals(tensors.get(1).shape())
        || blocks.size() != 1) {
      return false;
    }
    int statements = 0;
    for (Loop loop : blocks.get(0).block().loops()) {
      statements += loop.statements().size();
      if (!loop.carried().isEmpty()
          || !Reads.ofBounds(loop).isEmpty()
          || !loop.statements().stream().allMatch(PointwiseNests::is)) {
        return false;
      }
    }
    return statements == 1;
  }

  private static boolean is(Statement statement) {
    return statement instanceof Statement.Assignment assignment
        && !dependsOnPlace(assignment.value())
        && Reads.of(statement).stream()
            .allMatch(read -> !read.isIndex() && read.at().equals(assignment.target().at()));
  }

  private static boolean dependsOnPlace(Expression expression) {
    if (expression instanceof Expression.Unary unary) {
      return dependsOnPlace(unary.operand());
    }
    if (expression instanceof Expression.Binary binary) {
      return dependsOnPlace(binary.left()) || dependsOnPlace(binary.right());
    }
    if (expression instanceof Expression.Conditional choice) {
      return dependsOnPlace(choice.condition())
          || dependsOnPlace(choice.ifTrue())
          || dependsOnPlace(choice.ifFalse());
    }
    if (expression instanceof Expression.Cast cast) {
      return dependsOnPlace(cast.operand());
    }
    return expression instanceof Expression.IndexValue
        || expression instanceof Expression.CarriedValue;
  }
}
