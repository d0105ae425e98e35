package dev.sublet.loop;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.UnknownFieldSet;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.unroll.UnrolledProgram;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.shape.MemorySpaces.Target;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Loops in {@code testdata/loops/*.program}: what they carry and what becomes of it, beside each in
 * a file {@code .loops}; and every form of them executed for 0 to 2 · repeat + 3 iterations. With
 * {@code -Dsublet.updateGoldens=true} the expected files are written.
 *
 * <p>Counters, limits and conditions are persistable, so that arenas hold tensors only, as in the
 * figures that NNC's tests are compared by.
 */
final class LoopsTest {

  private static final Path FOLDER = Path.of("testdata/loops");

  private static final TranspileOptions OPTIONS =
      TranspileOptions.defaults()
          .withLoops(LoopMode.MULTIVIEW)
          .withObservation(
              new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ true));

  @TestFactory
  Stream<DynamicTest> cases() {
    ImmutableList<GoldenCase> programs = GoldenPrograms.in(FOLDER).files(".program");
    assertThat(programs.size()).isAtLeast(20);
    return programs.stream()
        .map(golden -> dynamicTest(golden.input().getFileName().toString(), () -> check(golden)));
  }

  private static void check(GoldenCase golden) throws IOException {
    Program program = ProgramText.parse(Files.readString(golden.input()));
    LoopCarriedValues carries = carries(program);
    LoopCarriedValues inPrograms = carriesOfProgram(program);
    MemoryPlan copying = Transpiler.plan(program, OPTIONS.withLoops(LoopMode.COPY)).plan();
    PlanResult planned = Transpiler.plan(program, OPTIONS);
    Fallbacks.assertNone(planned.diagnostics(), golden.name());
    MemoryPlan moving = planned.plan();
    Program unrolled = UnrolledProgram.toRun(inPrograms).program();
    StringBuilder text = new StringBuilder();
    describe(program, carries, text);
    text.append("arena with copies: ").append(copying.arenaBytes()).append(" bytes\n");
    text.append("arena with views: ").append(moving.arenaBytes()).append(" bytes\n");
    boolean isLarger = moving.arenaBytes() > copying.arenaBytes();
    assertThat(planned.diagnostics().toString().contains("with copies (--loops copy)"))
        .isEqualTo(isLarger);
    MemoryPlan smallest = Transpiler.plan(program, OPTIONS.withLoops(LoopMode.SMALLEST)).plan();
    assertThat(smallest.arenaBytes()).isAtMost(copying.arenaBytes());
    checkWhole(program);
    if (isLarger) {
      text.append("arena if no larger than with copies: ").append(smallest.arenaBytes());
      text.append(" bytes, ").append(smallest.copies().size()).append(" copies not needed\n");
    }
    describe(moving, text);
    text.append("unrolled:\n").append(ProgramText.print(unrolled));
    golden.expect().text(golden.name() + ".loops", text.toString()).check();
    execute(program, carries, moving);
  }

  /** A circle of seven variables in a body of so many operators. */
  private static Program circleInBody(int operators) {
    StringBuilder text = new StringBuilder("version 2004000\ndefault fp32[8]\nblock 0\nfeed f\n");
    text.append("var i: int64[1] persistable\nvar n: int64[1] persistable\n");
    text.append("var c: bool[1] persistable\np0 = relu(f)\n");
    for (int k = 1; k < 7; k++) {
      text.append("p" + k + " = tanh(p" + (k - 1) + ")\n");
    }
    text.append("while(Condition: c, X: p0 p1 p2 p3 p4 p5 p6 i n) -> ");
    text.append("(Out: p0 p1 p2 p3 p4 p5 p6 i c, StepScopes: s) {sub_block: 1, is_test: true}\n");
    text.append("r = concat(p0 p1 p2 p3 p4 p5 p6) {axis: 0}\nfetch(r)\nblock 1 parent 0\n");
    text.append("v0 = relu(p0)\n");
    for (int k = 1; k < operators; k++) {
      text.append("v" + k + " = relu(v" + (k - 1) + ")\n");
    }
    text.append("t = assign(p0)\n");
    for (int k = 0; k < 6; k++) {
      text.append("p" + k + " = assign(p" + (k + 1) + ")\n");
    }
    text.append("p6 = assign(t)\ni = increment(i)\nc = less_than(i, n)\n");
    return ProgramText.parse(text.toString());
  }

  @Test
  void aBodyTooLargeToBeRepeated_isCopiedIn() {
    Program small = circleInBody(100);
    Program large = circleInBody(9_000); // six more copies are more than 50,000 operators

    for (LoopCarriedCopy carry : carries(small).loops().get(0).carries()) {
      assertThat(carry.decision()).isEqualTo(LoopCarriedCopy.Decision.ROTATED);
    }
    for (LoopCarriedCopy carry : carries(large).loops().get(0).carries()) {
      assertThat(carry.decision()).isEqualTo(LoopCarriedCopy.Decision.COPIED);
      assertThat(carry.reason())
          .isEqualTo("repeating the loop 7 times would add more than 50,000 operators");
    }
    assertThat(transpile(large, OPTIONS.withLoops(LoopMode.UNROLL)).blocks()).hasSize(2);
    assertThat(copiedInThreeIterations(small)).isEqualTo(0);
    assertThat(copiedInThreeIterations(large)).isEqualTo(3 * 8 * 8 * Float.BYTES);
  }

  /** The counts that an unrolled program keeps for itself are not observed at its end. */
  @Test
  void unrolled_thePlanIsThatOfTheWrittenProgram() {
    Program program = circleInBody(3);
    TranspileOptions options = TranspileOptions.defaults().withLoops(LoopMode.UNROLL);
    TranspileResult result = Transpiler.transpile(program, options);

    MemoryPlan again = Transpiler.plan(result.program(), options).plan();

    assertThat(result.program().blocks().size()).isGreaterThan(2);
    assertThat(result.plan()).isEqualTo(again);
  }

  @Test
  void unknownFieldsOfSlotsAndOperators_areInEachCopyOfABody() {
    UnknownFieldSet newer =
        UnknownFieldSet.newBuilder()
            .addField(1000, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    ProgramDesc.Builder message = circleInBody(3).toMessage().toBuilder();
    OpDesc.Builder first = message.getBlocksBuilder(1).getOpsBuilder(0).setUnknownFields(newer);
    first.getInputsBuilder(0).setUnknownFields(newer);
    first.getOutputsBuilder(0).setUnknownFields(newer);

    Program unrolled = transpile(Program.of(message.build()), OPTIONS.withLoops(LoopMode.UNROLL));

    List<OpDesc> copies =
        unrolled.toMessage().getBlocksList().stream()
            .flatMap(block -> block.getOpsList().stream())
            .filter(operator -> operator.getUnknownFields().equals(newer))
            .toList();
    assertThat(copies.size()).isGreaterThan(1);
    for (OpDesc copy : copies) {
      assertThat(copy.getInputs(0).getUnknownFields()).isEqualTo(newer);
      assertThat(copy.getOutputs(0).getUnknownFields()).isEqualTo(newer);
    }
  }

  /** Conditions are in host memory; the variable through which these two swap is not. */
  @Test
  void swapThroughAnotherMemorySpace_isCopied() {
    Program program =
        ProgramText.parse(
            """
            version 2004000
            block 0
              var i: int64[1]
              var n: int64[1]
              var go: bool[1]
              var a: bool[1]
              var b: bool[1]
              var y: fp32[8]
              feed x: fp32[8]
              i = fill_constant() {shape: [1L], dtype: 3, value: 0.0}
              n = fill_constant() {shape: [1L], dtype: 3, value: 4.0}
              a = less_than(X: i, Y: n)
              b = greater_than(X: i, Y: n)
              go = less_than(X: i, Y: n)
              y = assign(x)
              while(Condition: go, X: a b i n) -> (Out: a b i go, StepScopes: s) {sub_block: 1, is_test: true}
              conditional_block(Cond: a, Input: x) -> (Out: y, Scope: s1) {sub_block: 2, is_scalar_condition: true}
              conditional_block(Cond: b, Input: x) -> (Out: y, Scope: s2) {sub_block: 3, is_scalar_condition: true}
              fetch(y)
            block 1 parent 0
              var before: bool[1]
              before = assign(a)
              a = assign(b)
              b = assign(before)
              i = increment(i)
              go = less_than(X: i, Y: n)
            block 2 parent 0
              y = relu(x)
            block 3 parent 0
              y = tanh(x)
            """);
    assertThat(Transpiler.plan(program, OPTIONS).plan().copies()).isNotEmpty();
    assertThat(Transpiler.plan(program, OPTIONS.withTarget(Target.GPU)).plan().copies()).isEmpty();
  }

  private static long copiedInThreeIterations(Program program) {
    ImmutableMap<String, Tensor> parameters = parameters(program, 3);
    MemoryPlan plan = Transpiler.plan(program, OPTIONS).plan();
    ExecutionResult original = run(program, parameters, ExecutionOptions.defaults());
    ExecutionResult planned = run(program, parameters, ExecutionOptions.defaults().in(plan));
    assertSame(original, planned, "a circle of seven");
    return planned.bytesCopiedInLoops();
  }

  /**
   * What is written with {@code smallest} is never larger than with copies; else a note says so.
   */
  private static void checkWhole(Program program) {
    TranspileOptions options = TranspileOptions.defaults();
    long copying =
        Transpiler.transpile(program, options.withLoops(LoopMode.COPY)).plan().arenaBytes();
    TranspileResult smallest = Transpiler.transpile(program, options.withLoops(LoopMode.SMALLEST));
    Fallbacks.assertNone(smallest.diagnostics(), "");
    assertThat(smallest.plan().arenaBytes()).isAtMost(copying);
    TranspileResult moving = Transpiler.transpile(program, options.withLoops(LoopMode.MULTIVIEW));
    String notes = moving.diagnostics().toString();
    assertThat(notes.contains("the arena takes")).isEqualTo(moving.plan().arenaBytes() > copying);
    // Of a program with fewer copies it is said what that takes with the copies that are left.
    if (notes.contains("--loops copy")) {
      assertThat(notes)
          .contains("with copies (--loops copy) the arena takes " + ByteText.exact(copying));
    }
  }

  private static LoopCarriedValues carries(Program program) {
    ProgramFacts analysis = ProgramFacts.of(program, OPTIONS.analysis(), new DiagnosticLog());
    return LoopCarriedValues.find(analysis, LoopCarriedValues.MAX_REPEAT);
  }

  private static LoopCarriedValues carriesOfProgram(Program program) {
    ProgramFacts analysis = ProgramFacts.of(program, OPTIONS.analysis(), new DiagnosticLog());
    return LoopCarriedValues.findForProgram(analysis, LoopCarriedValues.MAX_REPEAT);
  }

  private static void describe(Program program, LoopCarriedValues carries, StringBuilder text) {
    for (LoopCarriedCopies loop : carries.loops()) {
      text.append("a loop, repeated after ").append(loop.repeat()).append(":\n");
      for (LoopCarriedCopy carry : loop.carries()) {
        text.append("  ")
            .append(program.variable(carry.target()).name())
            .append(" ≤ ")
            .append(program.variable(carry.source()).name())
            .append(": ")
            .append(carry.decision())
            .append(carry.repeat() > 1 ? " among " + carry.repeat() : "")
            .append(", ")
            .append(carry.reason())
            .append('\n');
      }
    }
  }

  private static void describe(MemoryPlan plan, StringBuilder text) {
    for (Allocation allocation : plan.allocations()) {
      text.append("  ")
          .append(allocation.variable())
          .append(" at ")
          .append(allocation.views().map(Object::toString).orElse("" + allocation.offset()))
          .append(" +")
          .append(allocation.bytes())
          .append(' ')
          .append(allocation.live())
          .append('\n');
    }
    for (UnneededCopy copy : plan.copies()) {
      text.append("  no need to copy ")
          .append(copy.from())
          .append(" to ")
          .append(copy.to())
          .append('\n');
    }
  }

  /** All forms of a program, for each number of iterations. */
  private static void execute(Program program, LoopCarriedValues carries, MemoryPlan moving) {
    int repeat = carries.loops().stream().mapToInt(LoopCarriedCopies::repeat).max().orElse(1);
    boolean isCopyFree = countCopiesInBlocks(program) == countCopiesInBlocks(moving);
    Program named = transpile(program, OPTIONS);
    Program unrolled = transpile(program, OPTIONS.withLoops(LoopMode.UNROLL));
    for (int iterations = 0; iterations <= 2 * repeat + 3; iterations++) {
      ImmutableMap<String, Tensor> parameters = parameters(program, iterations);
      ExecutionOptions plain = ExecutionOptions.defaults();
      ExecutionResult original = run(program, parameters, plain);
      String message = iterations + " iterations of\n" + ProgramText.print(program);
      assertSame(original, run(named, parameters, plain), "one name, " + message);
      assertSame(original, run(unrolled, parameters, plain), "unrolled, " + message);
      ExecutionResult moved = run(program, parameters, plain.in(moving));
      assertSame(original, moved, "views, " + message);
      if (isCopyFree) {
        assertWithMessage(message).that(moved.bytesCopiedInLoops()).isEqualTo(0);
      }
    }
  }

  /** What is written, which is not to be what is written when a proof fails. */
  private static Program transpile(Program program, TranspileOptions options) {
    TranspileResult result = Transpiler.transpile(program, options);
    Fallbacks.assertNone(result.diagnostics(), "");
    return result.program();
  }

  private static long countCopiesInBlocks(Program program) {
    return program.blocks().stream()
        .filter(block -> block.index() > 0)
        .flatMap(block -> block.operations().stream())
        .filter(operation -> operation.type().equals("assign"))
        .count();
  }

  private static long countCopiesInBlocks(MemoryPlan plan) {
    return plan.copies().stream().filter(copy -> copy.block() > 0).count();
  }

  private static ExecutionResult run(
      Program program, ImmutableMap<String, Tensor> parameters, ExecutionOptions options) {
    return Executor.run(program, feeds(program), parameters, options);
  }

  private static void assertSame(ExecutionResult expected, ExecutionResult actual, String message) {
    ImmutableList<ExecutionResult.Output> outputs = expected.outputs();
    assertWithMessage(message).that(actual.outputs().size()).isEqualTo(outputs.size());
    for (int i = 0; i < outputs.size(); i++) {
      assertWithMessage(message)
          .that(actual.outputs().get(i).tensor().tensor())
          .isEqualTo(outputs.get(i).tensor().tensor());
    }
  }

  private static ImmutableMap<String, LodTensor> feeds(Program program) {
    ImmutableMap.Builder<String, LodTensor> feeds = ImmutableMap.builder();
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("feed")) {
        Variable variable = program.variable(operation.output(0));
        TensorType type = variable.tensorType().orElseThrow();
        feeds.put(
            variable.name(),
            LodTensor.of(RandomTensors.feed(variable.name(), 0, type.dataType(), type.dims())));
      }
    }
    return feeds.buildOrThrow();
  }

  /** The outer loop runs so often; inner loops run three times, once more or less than twice. */
  private static ImmutableMap<String, Tensor> parameters(Program program, int iterations) {
    ImmutableMap.Builder<String, Tensor> parameters = ImmutableMap.builder();
    for (Variable variable : program.block(0).variables()) {
      if (variable.isPersistable()) {
        switch (variable.name()) {
          case "i", "zero" -> parameters.put(variable.name(), number(0));
          case "n" -> parameters.put("n", number(iterations));
          case "m" -> parameters.put("m", number(iterations % 4));
          case "one" -> parameters.put("one", number(1));
          case "c" -> parameters.put("c", flag(iterations > 0));
          case "e" -> parameters.put("e", flag(iterations % 2 > 0));
          default -> {}
        }
      }
    }
    return parameters.buildOrThrow();
  }

  private static Tensor number(long value) {
    return Tensor.of(ImmutableLongArray.of(1), value);
  }

  private static Tensor flag(boolean value) {
    return Tensor.ofBooleans(ImmutableLongArray.of(1), (byte) (value ? 1 : 0));
  }

  /** Paddle does not look at the declared kind of the condition {@code e}. */
  @Test
  void conditionThatIsDeclaredAsScopes_keepsItsName() {
    Program program =
        ProgramText.parse(
            """
            version 2004000
            default fp32[4,32]
            block 0
              feed x: fp32[4,32]
              var i: int64[1]
              var n: int64[1]
              var c: bool[1]
              var scopes: step_scopes
              h = assign(x)
              i = fill_constant() {shape: [1L], dtype: 3, value: 0.0}
              n = fill_constant() {shape: [1L], dtype: 3, value: 3.0}
              c = less_than(i, n)
              while(Condition: c, X: h i n) -> (Out: h i c, StepScopes: scopes) {is_test: true, \
            sub_block: 1}
              y = gelu(h)
              fetch(y)
            block 1 parent 0
              var d: bool[1]
              var scope: step_scopes
              t = gelu(h)
              d = less_than(i, n)
              conditional_block(Cond: d, Input: t n) -> (Out: t, Scope: scope) \
            {is_scalar_condition: true, sub_block: 2}
              h = assign(t)
              i = increment(i)
              c = less_than(i, n)
            block 2 parent 1
              var j: int64[1]
              var e: step_scopes
              var inner: step_scopes
              j = fill_constant() {shape: [1L], dtype: 3, value: 0.0}
              e = less_than(j, n)
              while(Condition: e, X: t j n) -> (Out: t j e, StepScopes: inner) {is_test: true, \
            sub_block: 3}
            block 3 parent 2
              u = gelu(t)
              t = assign(u)
              j = increment(j)
              e = less_than(j, n)
            """);
    TranspileResult result =
        Transpiler.transpile(program, TranspileOptions.defaults().withLoops(LoopMode.UNROLL));
    Fallbacks.assertNone(result.diagnostics(), "a condition declared as scopes");
    assertThat(result.program().blocks().size()).isGreaterThan(program.blocks().size());
  }
}
