package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.memory.Cell;
import dev.sublet.runtime.memory.Memory;
import dev.sublet.runtime.memory.Numbering;
import dev.sublet.runtime.memory.Scope;
import dev.sublet.runtime.memory.SkippedCopies;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program: creates scopes, runs blocks, counts operators and copied bytes, and
 * collects results.
 */
final class Machine {

  private final Program program;
  private final ImmutableMap<String, LodTensor> feeds;
  private final ExecutionOptions options;
  private final Numbering numbering;
  private final Memory memory;
  private final KernelRunner kernels;
  private final ForwardControl forward;
  private final GradientControl gradient;

  /** The scope of the persistable variables of all blocks. */
  private final Scope global = new Scope(null);

  /** The names of the feeds that were written before the program started. */
  private final Set<String> fed = new HashSet<>();

  private final TreeMap<Long, ExecutionResult.Output> fetched = new TreeMap<>();
  private long steps;
  private long bytesCopied;
  private long bytesCopiedInLoops;

  /** The number of nested loop bodies around the running operator. */
  private int loops;

  private long draws;

  Machine(
      Program program,
      ImmutableMap<String, LodTensor> feeds,
      ExecutionOptions options,
      Numbering numbering,
      Memory memory,
      KernelRegistry kernels) {
    this.program = program;
    this.feeds = feeds;
    this.options = options;
    this.numbering = numbering;
    this.memory = memory;
    this.kernels = new KernelRunner(kernels);
    this.forward = new ForwardControl(this, numbering, memory);
    this.gradient = new GradientControl(this, numbering, memory);
  }

  ExecutionResult run(ImmutableMap<String, Tensor> parameters) {
    Scope scope = new Scope(global);
    createPersistables(parameters);
    createVariables(0, scope);
    for (var feed : feeds.entrySet()) {
      Cell cell = scope.find(feed.getKey());
      if (cell != null && memory.covers(cell, 0)) {
        write(cell, feed.getKey(), feed.getValue());
        fed.add(feed.getKey());
      }
    }
    runBlock(0, scope);
    return result(scope);
  }

  private void createPersistables(ImmutableMap<String, Tensor> parameters) {
    for (Variable variable : program.variables()) {
      if (variable.isPersistable()) {
        Cell cell = global.bindIfAbsent(variable.name(), Cell.of(variable, global));
        Tensor parameter = parameters.get(variable.name());
        if (parameter != null && variable.kind() == Variable.Kind.TENSOR) {
          write(cell, variable.name(), LodTensor.of(parameter));
        }
      }
    }
  }

  private void write(Cell cell, String name, LodTensor tensor) {
    try {
      memory.write(cell, 0, tensor);
    } catch (OperatorException e) {
      throw e.at(name).in(Location.block(0));
    }
  }

  private ExecutionResult result(Scope scope) {
    int end = 2 * numbering.count() - 1;
    ImmutableList.Builder<ExecutionResult.Output> outputs = ImmutableList.builder();
    outputs.addAll(fetched.values());
    ImmutableList.Builder<String> unset = ImmutableList.builder();
    for (String name : options.wanted()) {
      LodTensor value = valueAtEnd(name, scope, end);
      if (value == null) {
        unset.add(name);
      } else {
        outputs.add(new ExecutionResult.Output(name, value));
      }
    }
    ImmutableMap.Builder<String, LodTensor> persistables = ImmutableMap.builder();
    for (String name : persistableNames()) {
      Cell cell = global.local(name);
      LodTensor tensor = cell == null ? null : memory.read(cell, end);
      if (tensor != null) {
        persistables.put(name, tensor);
      }
    }
    return new ExecutionResult(
        outputs.build(),
        unset.build(),
        persistables.buildOrThrow(),
        steps,
        bytesCopied,
        bytesCopiedInLoops);
  }

  private ImmutableSet<String> persistableNames() {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (Variable variable : program.variables()) {
      if (variable.isPersistable()) {
        names.add(variable.name());
      }
    }
    return names.build();
  }

  private @Nullable LodTensor valueAtEnd(String name, Scope scope, int end) {
    Cell cell = scope.find(name);
    try {
      return cell == null ? null : memory.read(cell, end);
    } catch (OperatorException e) {
      throw ProgramException.unreadable(
          Location.variable(0, Names.display(name)), "at the end of the program: " + message(e));
    }
  }

  /** Creates the variables of a block that the scope does not have yet, except persistable ones. */
  void createVariables(int block, Scope scope) {
    for (Variable variable : program.block(block).variables()) {
      if (!variable.isPersistable()) {
        scope.bindIfAbsent(variable.name(), Cell.of(variable, scope));
      }
    }
  }

  /** Runs a block's operators, in order. */
  void runBlock(int block, Scope scope) {
    for (Operation operation : program.block(block).operations()) {
      countStep(operation);
      Step step =
          new Step(operation, numbering.spec(operation), numbering.head(operation), scope, memory);
      try {
        if (operation.blocks().isEmpty()) {
          runStep(step);
        } else {
          runControl(step);
        }
      } catch (OperatorException e) {
        throw e.in(operation.location());
      }
    }
  }

  /** Counts an operator that runs, or an iteration of a loop without operators. */
  void countStep(Operation operation) {
    if (++steps > options.maxSteps()) {
      throw ProgramException.of(
          Diagnostic.Kind.INFEASIBLE,
          operation.location(),
          "given up after "
              + options.maxSteps()
              + " operators; if no loop runs forever, allow more with --max-steps");
    }
  }

  private void runStep(Step step) {
    ScopeOperator special = ScopeOperators.find(step);
    if (step.operation().type().equals("feed")) {
      InputOutputOperators.feed(step, this);
      return;
    }
    if (memory.skip(step)) {
      return;
    }
    memory.prepare(step);
    if (special != null) {
      special.run(step, this);
    } else {
      kernels.run(step);
    }
    memory.finish(step);
  }

  private void runControl(Step step) {
    ControlKind kind = numbering.kind(step.operation());
    loops += kind.isLoop() ? 1 : 0;
    switch (kind) {
      case WHILE -> forward.runWhile(step);
      case CONDITIONAL -> forward.runConditional(step);
      case RECURRENT -> new Recurrence(this, numbering, memory, step).run();
      case WHILE_GRAD -> gradient.runWhileGradient(step);
      case CONDITIONAL_GRAD -> gradient.runConditionalGradient(step);
      case RECURRENT_GRAD, NONE ->
          throw new IllegalStateException(step + " has passed the check for implementations");
    }
    loops -= kind.isLoop() ? 1 : 0;
  }

  /**
   * Returns the tensor to feed into a variable; null if it was written before the program started.
   */
  @Nullable LodTensor feed(String name) {
    LodTensor feed = feeds.get(name);
    if (feed == null) {
      throw new OperatorException("nothing is fed into it; give --feed").at(name);
    }
    return fed.contains(name) ? null : feed;
  }

  /** Adds a fetched tensor to the results. */
  void fetch(long column, String name, LodTensor tensor) {
    fetched.put(column, new ExecutionResult.Output(name, tensor));
  }

  /** Adds the bytes of a tensor that an operator copied to the counts. */
  void countCopy(Step step, LodTensor tensor) {
    long bytes = TensorBytes.size(tensor.tensor().type(), tensor.tensor().shape());
    bytesCopied += bytes;
    if (loops > 0 && SkippedCopies.isCopy(step.operation().type())) {
      bytesCopiedInLoops += bytes;
    }
  }

  /** Returns the number of random operators that have run so far, and counts one more. */
  long nextDraw() {
    return draws++;
  }

  boolean isGlobal(String name) {
    return global.local(name) != null;
  }

  Program program() {
    return program;
  }

  private static String message(OperatorException e) {
    return String.valueOf(e.getMessage());
  }
}
