package dev.sublet.offset;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.Trial;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.simulate.Observations;
import dev.sublet.testing.simulate.Schedule;
import dev.sublet.testing.simulate.Simulator;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the iterations of a loop keep for their gradient is planned, once for all of them. */
final class StepArenaPlansTest {

  /** The gradient reads a and b; Where b is going to be lies u, where it was lies q. */
  private static final String LOOP =
      """
      version 2003002
      default fp64[]
      block 0
        feed x: fp64[2,4]
        var i: int64[1]
        var n: int64[1]
        var c: bool[1]
        var h: fp64[2,4]
        var s: step_scopes
        i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
        n = fill_constant() {shape: [1], value: TRIPS, dtype: 3}
        h = scale(x) {scale: 1.0}
        c = less_than(i, n)
        while(Condition: c, X: i n h x) -> (Out: i c h, StepScopes: s) {sub_block: 1}
        y = square(h)
        cost = mean(y)
        var h@GRAD: fp64[2,4]
        var x@GRAD: fp64[2,4]
        cost@GRAD = fill_constant() {shape: [1], value: 1.0, dtype: 6}
        (X@GRAD: y@GRAD) = mean_grad(y, Out@GRAD: cost@GRAD)
        (X@GRAD: h@GRAD) = square_grad(h, Out@GRAD: y@GRAD)
        while_grad(X: i n h x, Out: i c h, Out@GRAD: h@GRAD, StepScopes: s) \
      -> (X@GRAD: @EMPTY@ @EMPTY@ h@GRAD x@GRAD) \
      {sub_block: 2, original_output_grad: ["h@GRAD"]}
        fetch(cost)
        fetch(x@GRAD)
      block 1 parent 0
        var t: fp64[2,4]
        var u: fp64[2,4]
        var a: fp64[2,4]
        var b: fp64[2,4]
        t = square(x)
        u = elementwise_add(h, t)
        a = tanh(u)
        b = sigmoid(a)
        h = elementwise_mul(b, x)
        i = increment(i)
        c = less_than(i, n)
      block 2 parent 0 forward 1
        var h@GRAD: fp64[2,4]
        var x@GRAD: fp64[2,4]
        var m: fp64[2,4]
        var p: fp64[2,4]
        var q: fp64[2,4]
        var r: fp64[2,4]
        m = elementwise_mul(h@GRAD, x)
        (X@GRAD: p) = sigmoid_grad(Out: b, Out@GRAD: m)
        (X@GRAD: q) = tanh_grad(Out: a, Out@GRAD: p)
        r = square(q)
        x@GRAD = elementwise_add(r, q)
        h@GRAD = scale(q) {scale: 0.5}
      """;

  private static Program loop(int trips) {
    return ProgramText.parse(LOOP.replace("TRIPS", trips + ".0"));
  }

  private static final PlannerOptions FEW_NODES =
      new PlannerOptions(/* nodes= */ 500, /* timeoutMillis= */ 0, BufferOrder.SIZE);

  private static final TranspileOptions OPTIONS = TranspileOptions.defaults();

  private static MemoryPlan plan(Program program, OffsetOptions offsets) {
    return Transpiler.plan(program, OPTIONS.withOffsets(offsets)).plan();
  }

  private static List<String> in(MemoryPlan plan, int arena) {
    List<String> names = new ArrayList<>();
    for (Allocation allocation : plan.allocations()) {
      if (allocation.arena() == arena) {
        names.add(allocation.variable() + " @" + allocation.offset());
      }
    }
    return names;
  }

  @Test
  void whatTheGradientReads_isInAStepArena_andWhatFitsBesideIt() {
    MemoryPlan plan = plan(loop(3), OffsetOptions.defaults());

    assertThat(plan.stepArenas()).containsExactly(new Arena("cpu", 128, 128, 64).forStepsOf(1));
    assertThat(in(plan, 1))
        .containsExactly("1:t @0", "1:u @64", "1:a @0", "1:b @64", "2:q @64", "2:r @0");
    assertThat(plan.arenaBytes()).isEqualTo(plan.arenas().get(0).bytes());
    assertThat(plan.lowerBound()).isEqualTo(plan.arenas().get(0).lowerBound());
  }

  @Test
  void inStepArenas_theBitsAreThoseOfOneBufferAVariable() {
    ImmutableMap<String, LodTensor> feeds =
        ImmutableMap.of(
            "x",
            LodTensor.of(
                Tensor.of(ImmutableLongArray.of(2, 4), 0.1, -0.2, 0.3, 0.9, -1.5, 2.0, 0.7, -0.4)));
    for (int trips = 1; trips <= 6; trips++) {
      Program program = loop(trips);
      ExecutionOptions plain = ExecutionOptions.defaults();
      ExecutionResult expected = Executor.run(program, feeds, ImmutableMap.of(), plain);
      for (int alignment : new int[] {1, 64}) {
        MemoryPlan plan = plan(program, OffsetOptions.defaults().withAlignment(alignment));
        ExecutionResult actual = Executor.run(program, feeds, ImmutableMap.of(), plain.in(plan));
        assertThat(plan.stepArenas()).hasSize(1);
        assertThat(actual.outputs()).isEqualTo(expected.outputs());
      }
    }
  }

  @Test
  void whereNothingCanBePlannedOnceAnIteration_itIsSaid() {
    for (OffsetOptions options :
        new OffsetOptions[] {
          OffsetOptions.defaults().withOrder(ExecutionOrder.PARALLEL),
          OffsetOptions.defaults().withPools(ImmutableList.of(new Pool("dram", Pool.UNLIMITED)))
        }) {
      MemoryPlan plan = plan(loop(3), options);
      List<String> kept = new ArrayList<>();
      for (Unplanned unplanned : plan.unplanned()) {
        if (unplanned.reason().equals("kept once per iteration for the gradient of its loop")) {
          kept.add(unplanned.variable().toString());
        }
      }
      assertThat(plan.stepArenas()).isEmpty();
      assertThat(kept).containsExactly("1:a", "1:b");
    }
  }

  @Test
  void blockByBlock_thereAreStepArenasToo() {
    MemoryPlan plan = plan(loop(3), OffsetOptions.defaults().withHierarchical(true));
    assertThat(plan.stepArenas()).containsExactly(new Arena("cpu", 128, 128, 64).forStepsOf(1));
  }

  /** Those with step arenas among random programs, run on hash values. */
  @Test
  void randomPrograms_showTheSameValuesInStepArenas() {
    int found = 0;
    int programs = LongForm.tries(/* usual= */ 130, /* all= */ 400);
    for (int seed = 0; seed < programs; seed++) {
      Program program = RandomPrograms.generate(seed, 30);
      MemoryPlan plan = plan(program, OffsetOptions.defaults().withSearch(FEW_NODES));
      if (plan.stepArenas().isEmpty()) {
        continue;
      }
      found++;
      for (int trips = 0; trips <= 4; trips++) {
        Simulator simulator =
            Simulator.of(Schedule.of(seed).withTrips(trips))
                .allowing(Trial.inPlaceRules(program))
                .withStaticShapes()
                .withViews(InferredSizes.of(program));
        Observations expected = simulator.run(program);
        assertWithMessage("seed %s, %s trips", seed, trips)
            .that(simulator.run(program, plan).differencesFrom(expected))
            .isEmpty();
      }
    }
    assertThat(found).isAtLeast(programs / 20);
  }
}
