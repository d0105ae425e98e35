package dev.sublet.bench;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopCarriedCopies;
import dev.sublet.loop.LoopCarriedCopy;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.LoopMode;
import dev.sublet.loop.unroll.UnrolledProgram;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints two Markdown tables: what the forms of each {@link LoopProgram} copy and take, counted
 * while they run in the arenas of their plans, with the same results bit by bit; and what becomes
 * of the carries of {@link LargeLoops}, with the reasons for copies that stay.
 */
public final class LoopTable {

  /** So that no form ends where it began: neither a multiple of two nor of four nor of five. */
  private static final int ITERATIONS = 49;

  private static final TranspileOptions OPTIONS =
      TranspileOptions.defaults()
          .withObservation(
              new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ true));

  private LoopTable() {}

  /** Prints the tables. */
  public static void main(String[] arguments) {
    System.out.println(
        "| loop | form | copied per iteration | copied after the loop | arena | repeat |");
    System.out.println("|---|---|--:|--:|--:|--:|");
    for (LoopProgram program : LoopProgram.values()) {
      printForms(program);
    }
    System.out.println();
    System.out.println("| loops | operators | unrolled | repeat | copies that go | that stay |");
    System.out.println("|---|--:|--:|---|--:|---|");
    printLarge(LargeLoops.BODY, 10_000);
    printLarge(LargeLoops.CYCLE, 10_000);
    printLarge(LargeLoops.NESTED, 240);
    printLarge(LargeLoops.NESTED, 10_000);
  }

  private static void printForms(LoopProgram named) {
    Program program = named.program();
    Program shared = Transpiler.transpile(program, OPTIONS).program();
    Program unrolled = transpileUnrolled(program);
    MemoryPlan copying = plan(program, LoopMode.COPY);
    ExecutionResult expected = run(program, copying);
    print(named, "copy", expected, copying, 1);
    MemoryPlan sharedPlan = plan(shared, LoopMode.COPY);
    print(named, "coalesced", same(expected, run(shared, sharedPlan)), sharedPlan, 1);
    MemoryPlan moving = plan(program, LoopMode.MULTIVIEW);
    print(named, "multi-view", same(expected, run(program, moving)), moving, repeat(program, true));
    MemoryPlan unrolledPlan = plan(unrolled, LoopMode.COPY);
    ExecutionResult ran = same(expected, run(unrolled, unrolledPlan));
    print(named, "unrolled", ran, unrolledPlan, repeat(program, false));
  }

  private static void print(
      LoopProgram named, String form, ExecutionResult result, MemoryPlan plan, int repeat) {
    long inLoop = result.bytesCopiedInLoops();
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %,d | %,d | %,d | %d |%n",
        named.title(),
        form,
        inLoop / ITERATIONS,
        result.bytesCopied() - inLoop,
        plan.arenaBytes(),
        repeat);
  }

  private static Program transpileUnrolled(Program program) {
    return Transpiler.transpile(program, OPTIONS.withLoops(LoopMode.UNROLL)).program();
  }

  private static MemoryPlan plan(Program program, LoopMode mode) {
    return Transpiler.plan(program, OPTIONS.withLoops(mode)).plan();
  }

  private static int repeat(Program program, boolean forPlan) {
    int repeat = 1;
    for (LoopCarriedCopies loop : carries(analyze(program), forPlan).loops()) {
      repeat = Math.max(repeat, loop.repeat());
    }
    return repeat;
  }

  private static ProgramFacts analyze(Program program) {
    return ProgramFacts.of(program, OPTIONS.analysis(), new DiagnosticLog());
  }

  private static LoopCarriedValues carries(ProgramFacts analysis, boolean forPlan) {
    return forPlan
        ? LoopCarriedValues.find(analysis, LoopCarriedValues.MAX_REPEAT)
        : LoopCarriedValues.findForProgram(analysis, LoopCarriedValues.MAX_REPEAT);
  }

  private static ExecutionResult same(ExecutionResult expected, ExecutionResult actual) {
    if (!actual.outputs().equals(expected.outputs())) {
      throw new AssertionError("a form of a loop gives other results than the loop");
    }
    return actual;
  }

  private static ExecutionResult run(Program program, MemoryPlan plan) {
    ImmutableMap.Builder<String, LodTensor> feeds = ImmutableMap.builder();
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("feed")) {
        Variable variable = program.variable(operation.output(0));
        TensorType type = variable.tensorType().orElseThrow();
        Tensor tensor = RandomTensors.feed(variable.name(), 0, type.dataType(), type.dims());
        feeds.put(variable.name(), LodTensor.of(tensor));
      }
    }
    ImmutableMap.Builder<String, Tensor> parameters = ImmutableMap.builder();
    parameters.putAll(RandomTensors.parameters(program));
    parameters.put("i", number(0)).put("n", number(ITERATIONS)).put("vocabulary", number(8000));
    parameters.put("c", Tensor.ofBooleans(ImmutableLongArray.of(1), (byte) 1));
    return Executor.run(
        program,
        feeds.buildOrThrow(),
        parameters.buildKeepingLast(),
        ExecutionOptions.defaults().in(plan));
  }

  private static Tensor number(long value) {
    return Tensor.of(ImmutableLongArray.of(1), value);
  }

  private static void printLarge(LargeLoops loops, int size) {
    Program program = loops.program(size);
    LoopCarriedValues carries = carries(analyze(program), /* forPlan= */ false);
    StringBuilder repeats = new StringBuilder();
    int going = 0;
    Map<String, Integer> staying = new TreeMap<>();
    for (LoopCarriedCopies loop : carries.loops()) {
      repeats.append(repeats.isEmpty() ? "" : ", ").append(loop.repeat());
      for (LoopCarriedCopy carry : loop.carries()) {
        if (carry.decision() == LoopCarriedCopy.Decision.COPIED) {
          staying.merge(carry.reason(), 1, Integer::sum);
        } else {
          going++;
        }
      }
    }
    StringBuilder reasons = new StringBuilder(staying.isEmpty() ? "0" : "");
    staying.forEach(
        (reason, count) ->
            reasons.append(reasons.isEmpty() ? "" : "; ").append(count + ": " + reason));
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %,d | %s | %d | %s |%n",
        loops.title(),
        operators(program),
        operators(UnrolledProgram.toRun(carries).program()),
        repeats,
        going,
        reasons);
  }

  private static int operators(Program program) {
    int operators = 0;
    for (Block block : program.blocks()) {
      operators += block.operations().size();
    }
    return operators;
  }
}
