package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.memory.ArenaMemory;
import dev.sublet.runtime.memory.Memory;
import dev.sublet.runtime.memory.NamedMemory;
import dev.sublet.runtime.memory.Numbering;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Optional;

/**
 * Runs programs on real tensors: the front door of the package.
 *
 * <p>Scopes follow Paddle's executors. Each run of a block creates a scope with new instances of
 * the block's variables. One exception: the iterations of a loop share one scope if no gradient
 * operator visits them. Persistable variables are in the outermost scope. The class is stateless,
 * thread-safe and deterministic.
 */
public final class Executor {

  private Executor() {}

  /**
   * Runs a program once.
   *
   * @param feeds the tensors to feed, by the names of variables of block 0
   * @param parameters the initial tensors of persistable variables, by name; a persistable variable
   *     that is not listed has no value until an operator writes it
   * @throws ProgramException if operators have no implementation (one error for all of them, before
   *     anything runs), a feed is missing or does not fit, the plan is not for this program, an
   *     operator does not accept its inputs, or more operators run than the options allow
   */
  public static ExecutionResult run(
      Program program,
      ImmutableMap<String, LodTensor> feeds,
      ImmutableMap<String, Tensor> parameters,
      ExecutionOptions options) {
    return run(program, feeds, parameters, options, Kernels.all());
  }

  /** Runs a program once with the given kernels instead of all kernels. */
  static ExecutionResult run(
      Program program,
      ImmutableMap<String, LodTensor> feeds,
      ImmutableMap<String, Tensor> parameters,
      ExecutionOptions options,
      KernelRegistry kernels) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    Numbering numbering = Numbering.of(program, catalog);
    MissingOperators.check(program, numbering, kernels);
    feeds.forEach((name, feed) -> checkFeed(program, name, feed));
    Memory memory = memory(program, catalog, options, numbering);
    return new Machine(program, feeds, options, numbering, memory, kernels).run(parameters);
  }

  /**
   * Checks that every operator of a program can run. O(operators).
   *
   * @throws ProgramException if an operator cannot run: one error that lists all of them
   */
  public static void check(Program program) {
    Numbering numbering = Numbering.of(program, OperatorCatalog.standard());
    MissingOperators.check(program, numbering, Kernels.all());
  }

  private static void checkFeed(Program program, String name, LodTensor feed) {
    int index = program.declared(0, name);
    if (index == Program.NO_VARIABLE || program.variable(index).kind() != Variable.Kind.TENSOR) {
      throw ProgramException.usage(
          "'" + Names.display(name) + "' is fed, which is not a tensor of the program's block 0");
    }
    if (!feed.hasSequences()) {
      throw ProgramException.usage(
          "'"
              + Names.display(name)
              + "' is fed with sequences at "
              + feed.lod()
              + ", which are none of "
              + feed.tensor().type()
              + feed.tensor().shape());
    }
    Optional<TensorType> declared = program.variable(index).tensorType();
    if (declared.isPresent()
        && ElementTypes.find(declared.get().dataType()).orElse(null) != feed.tensor().type()) {
      throw ProgramException.usage(
          "'"
              + Names.display(name)
              + "' is fed with "
              + feed.tensor().type()
              + feed.tensor().shape()
              + " but is declared as "
              + declared.get());
    }
  }

  private static Memory memory(
      Program program, OperatorCatalog catalog, ExecutionOptions options, Numbering numbering) {
    if (options.plan().isEmpty()) {
      return new NamedMemory();
    }
    try {
      return new ArenaMemory(program, options.plan().get(), catalog, numbering);
    } catch (OperatorException e) {
      throw e.in(Location.nowhere());
    }
  }
}
