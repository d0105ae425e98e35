package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.mutate.PlanMutations;
import dev.sublet.testing.random.TrainingLoops;
import dev.sublet.testing.text.ProgramText;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The slots of the arrays of loops that are trained, and of the gradients of these arrays. */
final class GradientArraysTest {

  private static final TrainingLoops LOOP =
      new TrainingLoops(
          /* iterations= */ 4,
          /* rows= */ 2,
          /* readsArray= */ true,
          /* writesArray= */ true,
          /* readsLast= */ true,
          /* isAliased= */ true,
          /* before= */ 0,
          /* after= */ 0);

  private static final String BACKWARD = "i = increment(i) {step: -1.0}";

  /** A wrong plan may leave a counter that lets a loop run on. */
  private static final long MOST_STEPS = 2_000;

  /** Returns the results; null if an operator rejects its inputs, or lacks one. */
  private static @Nullable ImmutableList<ExecutionResult.Output> run(
      Program program, int rows, ExecutionOptions options) {
    float[] x = new float[3 * rows];
    for (int k = 0; k < x.length; k++) {
      x[k] = 0.1f * k - 0.3f;
    }
    try {
      return Executor.run(
              program,
              ImmutableMap.of("x", LodTensor.of(Tensor.of(ImmutableLongArray.of(rows, 3), x))),
              RandomTensors.parameters(program),
              options.withMaxSteps(MOST_STEPS))
          .outputs();
    } catch (ProgramException e) {
      return null;
    }
  }

  private static MemoryPlan plan(Program program) {
    PlanResult result = Transpiler.plan(program, TranspileOptions.defaults());
    assertThat(result.diagnostics()).isEmpty();
    return result.plan();
  }

  private static boolean isValid(Program program, MemoryPlan plan) {
    return Verifier.verifyPlan(program, plan, TranspileOptions.defaults()).isValid();
  }

  /** The slots of an array, as {@code 4}, or why it has none. */
  private static String slots(Program program, int block, String array) {
    MemoryPlan plan = plan(program);
    for (Allocation allocation : plan.allocations()) {
      if (allocation.variable().block() == block && allocation.variable().name().equals(array)) {
        return Long.toString(allocation.slots());
      }
    }
    for (Unplanned unplanned : plan.unplanned()) {
      if (unplanned.variable().block() == block && unplanned.variable().name().equals(array)) {
        return unplanned.reason();
      }
    }
    throw new AssertionError("no array " + array);
  }

  @ParameterizedTest
  @CsvSource({
    "0, states, 5",
    "0, ins, 4",
    "0, outs, 4",
    "0, states@GRAD, 5",
    "0, ins@GRAD, 4",
    "0, outs@GRAD, 4",
    // Each iteration has its own, with one element.
    "2, ins@GRAD, 1",
    "2, states@GRAD, linked by name by 'while_grad'"
  })
  void anArrayHasASlotForEachElement(int block, String array, String slots) {
    assertThat(slots(LOOP.program(), block, array)).isEqualTo(slots);
  }

  @Test
  void anArrayOfWhichTheGradientLoopReadsNoElement_hasSlotsInTurn() {
    TrainingLoops loop = new TrainingLoops(4, 2, true, true, /* readsLast= */ false, false, 0, 0);
    assertThat(slots(loop.program(), 0, "states")).isEqualTo("1");
    assertThat(slots(loop.program(), 0, "states@GRAD")).isEqualTo("4");
    String text = ProgramText.print(loop.program());
    assertThat(text).contains(BACKWARD);
    String more = "old = read_from_array(states, I: i)";
    Program program = ProgramText.parse(text.replace(BACKWARD, BACKWARD + "\n" + more));
    assertThat(slots(program, 0, "states")).isEqualTo("5");
  }

  private static Program changed(String line, String changed) {
    String text = ProgramText.print(LOOP.program());
    assertThat(text).contains(line);
    return ProgramText.parse(text.replace(line, changed.replace(';', '\n')));
  }

  @Test
  void theGradientLoop_boundsItsCounterByWhatOthersWrite() {
    assertThat(slots(changed(BACKWARD, "i = increment(i) {step: -2.0}"), 0, "ins@GRAD"))
        .isEqualTo("3");
    String constant = "i = elementwise_sub(n, k1) {axis: -1};i = elementwise_add(i, n) {axis: -1}";
    assertThat(slots(changed(BACKWARD, constant), 0, "ins@GRAD")).isEqualTo("8");
    String larger = "sum0 = read_from_array(states, I: n)";
    assertThat(
            slots(
                changed(
                    larger, larger + ";i = fill_constant() {shape: [1L], dtype: 3, value: 7.0}"),
                0,
                "ins@GRAD"))
        .isEqualTo("7");
    String write = "ins@GRAD = write_to_array(in@GRAD, I: i)";
    assertThat(slots(changed(write, "ins@GRAD = write_to_array(in@GRAD, I: k3)"), 0, "ins@GRAD"))
        .isEqualTo("4");
    assertThat(slots(changed(write, write + ";" + write), 2, "ins@GRAD")).isEqualTo("4");
  }

  @Test
  void aCounterThatMayRise_boundsNothing() {
    String[] rising = {
      "i = increment(i) {step: 1.0}",
      "i = increment(i) {step: -1.0};n = increment(n) {step: 1.0};i = assign(n)",
    };
    for (String each : rising) {
      assertWithMessage(each)
          .that(slots(changed(BACKWARD, each), 0, "ins@GRAD"))
          .startsWith("an array");
    }
  }

  @Test
  void aLengthThatIsRead_leavesTheArraysUnplanned() {
    String read = "b@GRAD = read_from_array(states@GRAD, I: k0)";
    Program program = changed(read, read + ";length = lod_array_length(states@GRAD)");
    assertThat(slots(program, 0, "states@GRAD")).startsWith("an array");
    Program other = changed(read, read + ";length = lod_array_length(states)");
    assertThat(slots(other, 0, "ins@GRAD")).isEqualTo("4");
  }

  @Test
  void whatTheBodyWritesToAnArrayThatItDoesNotDeclare_isItsOwn() {
    String read = "o@GRAD = read_from_array(outs@GRAD, I: i, X_W: o)";
    Program program = changed(read, read + ";outs@GRAD = write_to_array(o@GRAD, I: i)");
    assertThat(slots(program, 0, "outs@GRAD")).startsWith("an array");
    String branch =
        "conditional_block(Cond: c, Input: o@GRAD) -> (Out: outs@GRAD, Scope: branches) ";
    String text = ProgramText.print(LOOP.program());
    Program inBranch =
        ProgramText.parse(
            text.replace(read, read + "\n" + branch + "{sub_block: 3, is_scalar_condition: true}")
                + "\nblock 3 parent 2\nouts@GRAD = write_to_array(o@GRAD, I: k0)\n");
    assertThat(slots(inBranch, 0, "outs@GRAD")).startsWith("an array");
  }

  @Test
  void anArrayThatEachIterationKeeps_isInItsStepArena() {
    String text = ProgramText.print(LOOP.program());
    String written = "t = tanh(p)";
    String read = "(X@GRAD: p@GRAD) = tanh_grad(Out: t,";
    assertThat(text).contains(written);
    assertThat(text).contains(read);
    Program program =
        ProgramText.parse(
            text.replace("block 1 parent 0", "block 1 parent 0\n  var own: array fp32[2,3]")
                .replace(
                    written,
                    written
                        + "\nown = write_to_array(t, I: k0)\nown = write_to_array(a, I: k1)"
                        + "\nlate = relu(p)")
                .replace(
                    read,
                    "t3 = read_from_array(own, I: k0)\n" + read.replace("Out: t,", "Out: t3,")));
    MemoryPlan plan = plan(program);
    Allocation own =
        plan.allocations().stream()
            .filter(allocation -> allocation.variable().name().equals("own"))
            .findFirst()
            .orElseThrow();
    assertThat(own.slots()).isEqualTo(2);
    assertThat(plan.arenas().get(own.arena()).stepOfBlock()).isEqualTo(1);
    assertThat(run(program, LOOP.rows(), ExecutionOptions.defaults().in(plan)))
        .isEqualTo(run(program, LOOP.rows(), ExecutionOptions.defaults()));
    assertThat(run(program, LOOP.rows(), ExecutionOptions.defaults())).isNotNull();
  }

  @Test
  void whileGradient_addsToTheElementsThatAnArrayHasBefore() {
    String head = "while_grad(";
    String write = "ins@GRAD = write_to_array(first, I: k1)\n";
    String text = ProgramText.print(LOOP.program());
    String read = "in1@GRAD = read_from_array(ins@GRAD, I: k1)";
    assertThat(text).contains(read);
    Program before = ProgramText.parse(text.replace(head, write + head));
    Program after =
        ProgramText.parse(
            text.replace(read, read + "\nin1@GRAD = elementwise_add(first, in1@GRAD) {axis: -1}"));
    ImmutableList<ExecutionResult.Output> expected =
        run(after, LOOP.rows(), ExecutionOptions.defaults());
    assertThat(expected).isNotNull();
    assertThat(run(before, LOOP.rows(), ExecutionOptions.defaults())).isEqualTo(expected);
    assertThat(run(before, LOOP.rows(), ExecutionOptions.defaults().in(plan(before))))
        .isEqualTo(expected);
  }

  private static MemoryPlan withFewerSlots(MemoryPlan plan, Allocation array) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    for (Allocation each : plan.allocations()) {
      long fewer = each.slots() - 1;
      allocations.add(
          each.equals(array)
              ? new Allocation(
                      each.variable(),
                      each.arena(),
                      each.offset(),
                      fewer * each.slotBytes(),
                      each.live())
                  .withSlots(fewer)
              : each);
    }
    return plan.withAllocations(allocations.build());
  }

  @Test
  void randomLoops_computeTheSameInTheirSlots() {
    Random random = new Random(24);
    int planned = 0;
    int smaller = 0;
    int different = 0;
    for (int n = 0; n < 150; n++) {
      TrainingLoops loop = TrainingLoops.of(random);
      Program program = loop.program();
      MemoryPlan plan = plan(program);
      ImmutableList<ExecutionResult.Output> expected =
          run(program, loop.rows(), ExecutionOptions.defaults());
      assertThat(expected).isNotNull();
      assertWithMessage("%s", loop)
          .that(run(program, loop.rows(), ExecutionOptions.defaults().in(plan)))
          .isEqualTo(expected);
      for (Allocation allocation : plan.allocations()) {
        String name = allocation.variable().name();
        boolean isArray = name.matches("(states|ins|outs)(@GRAD)?");
        planned += isArray ? 1 : 0;
        if (isArray && allocation.slots() > 1) {
          MemoryPlan fewer = withFewerSlots(plan, allocation);
          assertWithMessage("%s %s", loop, name).that(isValid(program, fewer)).isFalse();
          ImmutableList<ExecutionResult.Output> wrong =
              run(program, loop.rows(), ExecutionOptions.defaults().in(fewer));
          smaller++;
          different += Objects.equals(wrong, expected) ? 0 : 1;
        }
      }
    }
    assertThat(planned).isAtLeast(500);
    assertThat(different).isAtLeast(smaller / 2);
  }

  @Test
  void aChangedPlanThatIsValid_computesTheSame() {
    Random random = new Random(42);
    PlanMutations mutations = new PlanMutations(24);
    int accepted = 0;
    int rejected = 0;
    int different = 0;
    for (int n = 0; n < 60; n++) {
      TrainingLoops loop = TrainingLoops.of(random);
      Program program = loop.program();
      MemoryPlan plan = plan(program);
      ImmutableList<ExecutionResult.Output> expected =
          run(program, loop.rows(), ExecutionOptions.defaults());
      for (PlanMutations.Kind kind : PlanMutations.Kind.values()) {
        MemoryPlan mutant = mutations.apply(kind, plan);
        boolean isValid = isValid(program, mutant);
        ImmutableList<ExecutionResult.Output> computed =
            run(program, loop.rows(), ExecutionOptions.defaults().in(mutant));
        if (isValid) {
          assertWithMessage("%s %s %s", loop, kind, mutant.allocations())
              .that(computed)
              .isEqualTo(expected);
          accepted++;
        } else {
          rejected++;
          different += Objects.equals(computed, expected) ? 0 : 1;
        }
      }
    }
    assertThat(accepted).isAtLeast(200);
    assertThat(different).isAtLeast(rejected / 2);
  }
}
