package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * A translation whose arguments have other element types than its micro program computes with.
 *
 * <pre>
 * y = x + x, int32      x: uint8   →   x = int32(x stored);  y = x + x;  y stored = uint8(y)
 * </pre>
 *
 * <p>Each converted tensor is one more nest, which simplifying removes. O(size of the program).
 */
public final class ConvertedTranslation {

  private static final String STORED = " stored";

  private final ImmutableMap<String, ElementType> types;
  private final ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
  private final List<MicroFunction> before = new ArrayList<>();
  private final List<MicroFunction> after = new ArrayList<>();
  private final ImmutableMap.Builder<String, String> names = ImmutableMap.builder();

  private ConvertedTranslation(ImmutableMap<String, ElementType> types) {
    this.types = types;
  }

  /**
   * Returns a translation for arguments of other types.
   *
   * @param types the types of the arguments, by their names in the program; an argument without an
   *     entry keeps its type
   */
  public static Translation of(Translation translation, ImmutableMap<String, ElementType> types) {
    return new ConvertedTranslation(types).convert(translation);
  }

  private Translation convert(Translation translation) {
    MicroProgram program = translation.program();
    program.tensors().forEach(this::declare);
    ImmutableMap<String, String> stored = names.buildOrThrow();
    ImmutableMap.Builder<String, String> inputs = ImmutableMap.builder();
    translation
        .inputs()
        .forEach((tensor, argument) -> inputs.put(stored.getOrDefault(tensor, tensor), argument));
    ImmutableMap.Builder<String, String> outputs = ImmutableMap.builder();
    translation
        .outputs()
        .forEach((argument, tensor) -> outputs.put(argument, stored.getOrDefault(tensor, tensor)));
    return new Translation(
        new MicroProgram(
            program.name(),
            program.parameters(),
            tensors.build(),
            program.requirements(),
            ImmutableList.<MicroFunction>builder()
                .addAll(before)
                .addAll(program.functions())
                .addAll(after)
                .build()),
        inputs.buildOrThrow(),
        translation.values(),
        outputs.buildOrThrow(),
        translation.zeros());
  }

  private void declare(TensorDeclaration tensor) {
    ElementType type = types.getOrDefault(tensor.name(), tensor.type());
    if (type == tensor.type() || tensor.role() == Role.TEMPORARY) {
      tensors.add(tensor);
      return;
    }
    String other = tensor.name() + STORED;
    names.put(tensor.name(), other);
    tensors.add(new TensorDeclaration(other, tensor.role(), type, tensor.shape()));
    tensors.add(
        new TensorDeclaration(tensor.name(), Role.TEMPORARY, tensor.type(), tensor.shape()));
    if (tensor.role() == Role.INPUT) {
      before.add(cast(tensor, other, tensor.name(), tensor.type()));
    } else {
      after.add(cast(tensor, tensor.name(), other, type));
    }
  }

  /** Returns the nest that converts all elements of a tensor. */
  private static MicroFunction cast(
      TensorDeclaration tensor, String from, String to, ElementType type) {
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int axis = 0; axis < tensor.rank(); axis++) {
      at.add(new IndexExpression.LoopIndex(axis));
    }
    Statement statement =
        new Statement.Assignment(
            Access.of(to, at.build()),
            new Expression.Cast(
                type, new Expression.Load(Access.of(from, at.build()), /* outside= */ 0)));
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    int count = Math.max(tensor.rank(), 1);
    for (int axis = 0; axis < count; axis++) {
      IndexExpression end =
          tensor.rank() == 0 ? new IndexExpression.Constant(1) : tensor.shape().get(axis);
      loops.add(
          new Loop(
              axis,
              new IndexExpression.Constant(0),
              end,
              ImmutableList.of(),
              axis == count - 1 ? ImmutableList.of(statement) : ImmutableList.of()));
    }
    return new MicroFunction(to, ImmutableList.of(new LoopBlock(loops.build())));
  }
}
