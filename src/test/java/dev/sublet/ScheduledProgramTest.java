package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Ordering;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.RunComparison.RunInputs;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.schedule.OperatorGraph;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.sharing.SharingOptions.Goal;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.Trial;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.simulate.Simulator;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Programs whose operators run in another order compute the same, in no more bytes. */
final class ScheduledProgramTest {

  private static TranspileOptions options(Goal goal) {
    TranspileOptions options = TranspileOptions.defaults();
    return options
        .withOffsets(options.offsets().drafting())
        .withSharing(options.sharing().withFusion(FusionMode.OFF).withGoal(goal));
  }

  private static RunInputs inputs(Program program) {
    return new RunInputs(
        ImmutableMap.of(
            "x", feed("x", ImmutableLongArray.of(4, 4)), "y", feed("y", ImmutableLongArray.of(16))),
        RandomTensors.parameters(program));
  }

  private static LodTensor feed(String name, ImmutableLongArray shape) {
    return LodTensor.of(RandomTensors.feed(name, 0, DataType.FP32, shape));
  }

  private static ImmutableList<Tensor> run(Program program) {
    RunInputs inputs = inputs(program);
    return Executor.run(program, inputs.feeds(), inputs.parameters(), ExecutionOptions.defaults())
        .outputs()
        .stream()
        .map(output -> output.tensor().tensor())
        .collect(ImmutableList.toImmutableList());
  }

  /** Each result has been proved: {@code transpile} throws if a validator rejects it. */
  @Test
  void scheduledPrograms_computeTheSame_inNoMoreBytes() {
    int moved = 0;
    int rounds = LongForm.tries(/* usual= */ 20, /* all= */ 60);
    for (int round = 0; round < rounds; round++) {
      Program program = ExecutablePrograms.generate(round, 5 + round % 40);
      TranspileOptions options = options(round % 2 == 0 ? Goal.PLAN : Goal.NAMES);
      TranspileResult inOrder = Transpiler.transpile(program, options);
      TranspileResult scheduled = ScheduledProgram.transpile(program, options, stage -> {});
      String text = "round " + round + "\n" + ProgramText.print(program);
      Fallbacks.assertNone(scheduled.diagnostics(), text);
      if (round % 2 == 0) {
        assertWithMessage(text)
            .that(scheduled.plan().arenaBytes())
            .isAtMost(inOrder.plan().arenaBytes());
      } else {
        assertWithMessage(text)
            .that(scheduled.sharing().bytesAfter())
            .isAtMost(inOrder.sharing().bytesAfter());
      }
      if (scheduled.diagnostics().toString().contains("are in another order")) {
        moved++;
        RunComparison comparison =
            RunComparison.run(scheduled, inputs(program), ExecutionOptions.defaults(), step -> {});
        for (RunComparison.Form form : comparison.forms()) {
          assertWithMessage("%s: %s\n%s", form.name(), form.error(), text)
              .that(comparison.isEqual(form))
              .isTrue();
        }
      }
    }
    assertThat(moved).isAtLeast(rounds / 10);
  }

  /** The same for any seed, in an arena that is filled with poison first. */
  @Property(tries = 20)
  void anyScheduledProgram_hasTheSameBits_inItsArena(
      @ForAll long seed, @ForAll @IntRange(min = 5, max = 40) int size) {
    Program program = ExecutablePrograms.generate(seed, size);
    TranspileResult scheduled =
        ScheduledProgram.transpile(program, options(Goal.PLAN), stage -> {});
    RunComparison comparison =
        RunComparison.run(scheduled, inputs(program), ExecutionOptions.defaults(), step -> {});
    for (RunComparison.Form form : comparison.forms()) {
      assertWithMessage("%s: %s\n%s", form.name(), form.error(), ProgramText.print(program))
          .that(comparison.isEqual(form))
          .isTrue();
    }
  }

  private static final String LOOP =
      """
      version 2003002
      default fp32[4]
      block 0
        feed x: fp32[4]
        var c: bool[1]
        var n: int64[1]
        var i: int64[1]
        var s: fp32[1]
        n = fill_constant() {shape: [1], dtype: 3, value: 3.0}
        i = fill_constant() {shape: [1], dtype: 3, value: 0.0}
        s = fill_constant() {shape: [1], dtype: 5, value: 0.0}
        c = less_than(i, n)
        while(Condition: c, X: s x i n) -> (Out: s c i, StepScopes: z) {sub_block: 1, is_test: true}
        fetch(s)
      block 1 parent 0
        var a: fp32[256]
        var b: fp32[256]
        var d: fp32[256]
        var p: fp32[1]
        var q: fp32[1]
        var r: fp32[1]
        var t: fp32[1]
        a = expand_v2(x) {shape: [256]}
        b = fill_constant() {shape: [256], dtype: 5, value: 0.5}
        d = fill_constant() {shape: [256], dtype: 5, value: 0.25}
        p = reduce_sum(a) {reduce_all: true}
        q = reduce_sum(b) {reduce_all: true}
        r = reduce_sum(d) {reduce_all: true}
        t = elementwise_add(p, q)
        t = elementwise_add(t, r)
        s = elementwise_add(s, t)
        i = increment(i)
        c = less_than(i, n)
      """;

  @Test
  void operatorsOfALoopsBody_moveWithinIt() {
    Program program = ProgramText.parse(LOOP.replace("feed x: fp32[4]", "feed x: fp32[1]"));
    TranspileOptions options = options(Goal.PLAN);
    TranspileResult inOrder = Transpiler.transpile(program, options);
    TranspileResult scheduled = ScheduledProgram.transpile(program, options, stage -> {});
    // One value of 256 floats is live at a time instead of three.
    assertThat(inOrder.plan().arenaBytes()).isAtLeast(3 * 1024);
    assertThat(scheduled.plan().arenaBytes()).isLessThan(2 * 1024);
    assertThat(scheduled.diagnostics().toString()).contains("the operators are in another order");
    assertThat(Verifier.verify(program, scheduled.program(), options).toString())
        .isEqualTo("valid");
    RunInputs inputs =
        new RunInputs(ImmutableMap.of("x", feed("x", ImmutableLongArray.of(1))), ImmutableMap.of());
    RunComparison comparison =
        RunComparison.run(scheduled, inputs, ExecutionOptions.defaults(), step -> {});
    for (RunComparison.Form form : comparison.forms()) {
      assertWithMessage("%s: %s", form.name(), form.error())
          .that(comparison.isEqual(form))
          .isTrue();
    }
  }

  /** Orders that the search may choose, and the proof: both accept what computes the same. */
  @Test
  void everyOrderOfTheGraph_computesTheSame_andIsProved() {
    SplittableRandom random = new SplittableRandom(1);
    int inner = 0;
    for (int round = 0; round < 60; round++) {
      Program program = ExecutablePrograms.generate(5000 + round, 4 + round % 24);
      TranspileOptions options = options(Goal.PLAN);
      ProgramFacts facts = ProgramFacts.of(program, options.analysis(), new DiagnosticLog());
      ImmutableList<Tensor> expected = run(program);
      for (int i = 0; i < 3; i++) {
        ImmutableMap<Integer, ImmutableIntArray> order = randomOrders(facts, options, random);
        inner += order.keySet().stream().anyMatch(block -> block > 0) ? 1 : 0;
        Program moved = ProgramEditor.of(program).reorder(order).build();
        String text = "round " + round + ", order " + order + "\n" + ProgramText.print(program);
        assertWithMessage(text).that(run(moved)).isEqualTo(expected);
        Program rewritten = Transpiler.transpile(moved, options).program();
        assertWithMessage(text)
            .that(Verifier.verify(program, rewritten, options).toString())
            .isEqualTo("valid");
      }
    }
    assertWithMessage("with another order in a block inside").that(inner).isAtLeast(30);
  }

  /** Random orders of the blocks in which operators may move, of those whose order changes. */
  private static ImmutableMap<Integer, ImmutableIntArray> randomOrders(
      ProgramFacts facts, TranspileOptions options, SplittableRandom random) {
    MoveLimits limits = MoveLimits.of(facts);
    ScheduleBytes bytes = new ScheduleBytes(facts, options.offsets());
    ImmutableMap.Builder<Integer, ImmutableIntArray> orders = ImmutableMap.builder();
    for (int block : limits.operators().movableBlocks()) {
      ImmutableIntArray order =
          randomOrder(
              OperationGraph.of(limits, bytes, block, ImmutableMap.of()).operators(), random);
      if (!isSorted(order)) {
        orders.put(block, order);
      }
    }
    return orders.buildOrThrow();
  }

  private static ImmutableIntArray randomOrder(OperatorGraph graph, SplittableRandom random) {
    BitSet run = new BitSet();
    ImmutableIntArray.Builder order = ImmutableIntArray.builder();
    for (int i = 0; i < graph.size(); i++) {
      List<Integer> ready = new ArrayList<>();
      for (int each = run.nextClearBit(0); each < graph.size(); each = run.nextClearBit(each + 1)) {
        if (graph.predecessors(each).stream().allMatch(run::get)) {
          ready.add(each);
        }
      }
      int chosen = ready.get(random.nextInt(ready.size()));
      run.set(chosen);
      order.add(chosen);
    }
    return order.build();
  }

  /** The proof accepts no order that computes something else, and notices most of them. */
  @Test
  void exchangedOperators_thatTheProofAccepts_computeTheSame() {
    SplittableRandom random = new SplittableRandom(2);
    int accepted = 0;
    int rejected = 0;
    int noticed = 0;
    for (int round = 0; round < 200; round++) {
      Program program = ExecutablePrograms.generate(9000 + round, 4 + round % 30);
      int count = program.block(0).operations().size();
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        order.add(i);
      }
      int at = 2 + random.nextInt(count - 7);
      order.add(at + 1 + random.nextInt(Math.min(4, count - 5 - at)), order.remove(at));
      Program moved =
          ProgramEditor.of(program)
              .reorder(ImmutableMap.of(0, ImmutableIntArray.copyOf(order)))
              .build();
      boolean isEqual;
      try {
        isEqual = run(moved).equals(run(program));
      } catch (RuntimeException unset) {
        isEqual = false;
      }
      boolean isValid = Verifier.verify(program, moved, options(Goal.PLAN)).isValid();
      assertWithMessage("round %s, %s\n%s", round, order, ProgramText.print(program))
          .that(isValid && !isEqual)
          .isFalse();
      accepted += isValid ? 1 : 0;
      rejected += isValid ? 0 : 1;
      noticed += isEqual ? 0 : 1;
    }
    assertWithMessage("accepted").that(accepted).isAtLeast(30);
    assertWithMessage("rejected").that(rejected).isAtLeast(30);
    assertWithMessage("noticed, of %s", rejected).that(noticed).isAtLeast(rejected / 4);
  }

  /**
   * Programs with loops, recurrent networks, their gradients, arrays and unknown operators, on
   * hashes instead of tensors.
   */
  @Test
  void movedOperatorsOfAnyProgram_showTheSameValues() {
    SplittableRandom random = new SplittableRandom(3);
    int moved = 0;
    int inner = 0;
    int accepted = 0;
    for (int round = 0; round < 100; round++) {
      Program program = RandomPrograms.generate(round, 3 + round % 40);
      TranspileOptions options = options(Goal.PLAN);
      ProgramFacts facts = ProgramFacts.of(program, options.analysis(), new DiagnosticLog());
      ImmutableMap<Integer, ImmutableIntArray> order = randomOrders(facts, options, random);
      moved += order.isEmpty() ? 0 : 1;
      inner += order.keySet().stream().anyMatch(block -> block > 0) ? 1 : 0;
      Program ordered = ProgramEditor.of(program).reorder(order).build();
      assertWithMessage("round %s, order %s\n%s", round, order, ProgramText.print(program))
          .that(Verifier.verify(program, ordered, options).toString())
          .isEqualTo("valid");
      assertShowsTheSame(program, order, round);
      int block = random.nextInt(program.blocks().size());
      int count = program.block(block).operations().size();
      if (count == 0) {
        continue;
      }
      ImmutableMap<Integer, ImmutableIntArray> other =
          ImmutableMap.of(block, oneMoved(count, random));
      Program changed = ProgramEditor.of(program).reorder(other).build();
      if (Verifier.verify(program, changed, options).isValid()) {
        accepted++;
        assertShowsTheSame(program, other, round);
      }
    }
    assertWithMessage("in another order").that(moved).isAtLeast(50);
    assertWithMessage("with another order in a block inside").that(inner).isAtLeast(20);
    assertWithMessage("accepted").that(accepted).isAtLeast(15);
  }

  private static void assertShowsTheSame(
      Program program, ImmutableMap<Integer, ImmutableIntArray> order, long seed) {
    for (Simulator simulator : Trial.simulators(program, seed)) {
      assertWithMessage("%s, order %s\n%s", seed, order, ProgramText.print(program))
          .that(simulator.run(program, order).differencesFrom(simulator.run(program)))
          .isEmpty();
    }
  }

  private static boolean isSorted(ImmutableIntArray order) {
    return Ordering.natural().isOrdered(order.asList());
  }

  private static ImmutableIntArray oneMoved(int count, SplittableRandom random) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    int at = random.nextInt(count);
    int operator = order.remove(at);
    order.add(Math.min(count - 1, at + random.nextInt(4)), operator);
    return ImmutableIntArray.copyOf(order);
  }
}
