package dev.sublet.compile.trace;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.micro.run.bind.RunExtents;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Replaces the extents in a micro program by numbers.
 *
 * <pre>for i0 in 0..d(x, 0)    →    for i0 in 0..64</pre>
 */
public final class BoundProgram {

  private BoundProgram() {}

  /**
   * Returns the shape of every tensor of a program whose inputs have known extents.
   *
   * @throws IllegalArgumentException if a requirement of the program does not hold
   */
  public static ImmutableMap<String, ImmutableLongArray> shapes(MicroProgram program) {
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.INPUT) {
        ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
        for (IndexExpression extent : tensor.shape()) {
          shape.add(((Constant) extent).value());
        }
        inputs.put(tensor.name(), Tensor.withoutElements(tensor.type(), shape.build()));
      }
    }
    RunExtents extents =
        RunExtents.of(program, inputs.buildOrThrow(), /* parameters= */ ImmutableMap.of());
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      shapes.put(tensor.name(), extents.shape(tensor.name()));
    }
    return shapes.buildOrThrow();
  }

  /** Returns a program with numbers for extents. O(size). */
  public static MicroProgram of(MicroProgram program) {
    ImmutableMap<String, ImmutableLongArray> shapes = shapes(program);
    Rewriter rewriter =
        new Rewriter() {
          @Override
          public IndexExpression leaf(IndexExpression leaf) {
            return leaf instanceof AxisSize size
                ? new Constant(requireNonNull(shapes.get(size.tensor())).get(size.axis()))
                : leaf;
          }
        };
    ImmutableList.Builder<TensorDeclaration> declarations = ImmutableList.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
      requireNonNull(shapes.get(tensor.name())).forEach(extent -> shape.add(new Constant(extent)));
      declarations.add(
          new TensorDeclaration(tensor.name(), tensor.role(), tensor.type(), shape.build()));
    }
    ImmutableList.Builder<MicroFunction> functions = ImmutableList.builder();
    for (MicroFunction function : program.functions()) {
      ImmutableList.Builder<LoopBlock> blocks = ImmutableList.builder();
      function.blocks().forEach(block -> blocks.add(rewriter.block(block)));
      functions.add(new MicroFunction(function.name(), blocks.build()));
    }
    return new MicroProgram(
        program.name(),
        program.parameters(),
        declarations.build(),
        /* requirements= */ ImmutableList.of(),
        functions.build());
  }
}
