package dev.sublet.runtime.micro.run;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.CoalesceLoops;
import dev.sublet.runtime.micro.run.bind.ProductForm;
import dev.sublet.runtime.micro.run.bind.RunExtents;
import dev.sublet.runtime.micro.run.bind.Tuning;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import dev.sublet.runtime.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program that is checked once and runs many times.
 *
 * <p>Phases:
 *
 * <ol>
 *   <li>{@link #compile} checks the program;
 *   <li>a run with new shapes binds the program: extents and integer parameters become numbers
 *       ({@link RunExtents}), indices become affine forms ({@link BoundNest}), adjacent loops
 *       become one loop ({@link CoalesceLoops}), one loop of each nest becomes the lane loop
 *       ({@link VectorizationPlan}), and expressions become trees of loops over lanes ({@link
 *       Nodes});
 *   <li>the nests run ({@link Nest}); threads share large nests.
 * </ol>
 *
 * <p>Nests that are sums of products ({@link ProductForm}) run as a {@link ProductNest}. The last
 * binding is kept. Every value is computed by the same operations, with the same roundings and in
 * the same order of folds, as the plain loops would compute it. Only one thread at a time may use
 * an instance.
 */
public final class CompiledMicro {

  private final MicroProgram program;
  private final Tuning tuning;
  private @Nullable Binding binding;

  private CompiledMicro(MicroProgram program, Tuning tuning) {
    this.program = program;
    this.tuning = tuning;
  }

  /**
   * Returns a program that is ready to run. O(size of the program).
   *
   * @throws dev.sublet.runtime.micro.check.InvalidMicroProgramException if the program breaks a
   *     rule of {@link MicroProgramCheck}
   */
  public static CompiledMicro compile(MicroProgram program) {
    return compile(program, Tuning.standard());
  }

  /** Returns a program that is ready to run with another tuning. No tuning may change results. */
  public static CompiledMicro compile(MicroProgram program, Tuning tuning) {
    MicroProgramCheck.check(program);
    return new CompiledMicro(program, tuning);
  }

  /**
   * Runs the program and returns the outputs by name. Elements that the program does not write are
   * 0.
   *
   * @param inputs the tensors of all inputs by name
   * @param parameters the values of all parameters by name
   * @throws IllegalArgumentException if an input or a parameter is missing, an input has another
   *     type or shape than declared, a requirement does not hold, a tensor is too large, or an
   *     index divides by zero
   */
  public ImmutableMap<String, Tensor> run(
      ImmutableMap<String, Tensor> inputs, ImmutableMap<String, Number> parameters) {
    Binding bound = bind(inputs, RunExtents.integers(program, parameters));
    Map<String, Tensor> tensors = new HashMap<>();
    ImmutableMap.Builder<String, Tensor> outputs = ImmutableMap.builder();
    for (TensorDeclaration declaration : program.tensors()) {
      String name = declaration.name();
      if (declaration.role() == TensorDeclaration.Role.INPUT) {
        tensors.put(name, requireNonNull(inputs.get(name)));
        continue;
      }
      Tensor tensor = Tensor.zeros(declaration.type(), bound.extents.shape(name));
      tensors.put(name, tensor);
      if (declaration.role() == TensorDeclaration.Role.OUTPUT) {
        outputs.put(name, tensor);
      }
    }
    bound.memory.set(tensors, parameters);
    try {
      bound.nests.forEach(Nest::run);
    } finally {
      bound.memory.clear();
    }
    return outputs.buildOrThrow();
  }

  private Binding bind(ImmutableMap<String, Tensor> inputs, ImmutableMap<String, Long> integers) {
    ImmutableList.Builder<ImmutableLongArray> shapes = ImmutableList.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == TensorDeclaration.Role.INPUT) {
        shapes.add(shape(tensor, inputs.get(tensor.name())));
      }
    }
    ImmutableList<ImmutableLongArray> given = shapes.build();
    Binding bound = binding;
    if (bound == null || !bound.shapes.equals(given) || !bound.integers.equals(integers)) {
      RunExtents extents = RunExtents.of(program, inputs, integers);
      extents.checkFitsArrays();
      bound = new Binding(program, given, integers, extents, tuning);
      binding = bound;
    }
    return bound;
  }

  private static ImmutableLongArray shape(TensorDeclaration declaration, @Nullable Tensor given) {
    checkArgument(given != null, "input %s has no tensor", declaration.name());
    Tensor input = requireNonNull(given);
    checkArgument(
        input.type() == declaration.type() && input.rank() == declaration.rank(),
        "input %s is %s of rank %s, not %s of rank %s",
        declaration.name(),
        declaration.type(),
        declaration.rank(),
        input.type(),
        input.rank());
    return input.shape();
  }

  /** The program, bound to shapes of its inputs and to integer parameters. */
  private static final class Binding {

    private final ImmutableList<ImmutableLongArray> shapes;
    private final ImmutableMap<String, Long> integers;
    private final RunExtents extents;
    private final ProgramMemory memory;
    private final ImmutableList<Nest> nests;

    Binding(
        MicroProgram program,
        ImmutableList<ImmutableLongArray> shapes,
        ImmutableMap<String, Long> integers,
        RunExtents extents,
        Tuning tuning) {
      this.shapes = shapes;
      this.integers = integers;
      this.extents = extents;
      this.memory = new ProgramMemory(program);
      ImmutableList.Builder<Nest> built = ImmutableList.builder();
      for (MicroFunction function : program.functions()) {
        for (LoopBlock block : function.blocks()) {
          built.add(NestCompiler.compile(program, block, extents, memory, tuning));
        }
      }
      this.nests = built.build();
    }
  }
}
