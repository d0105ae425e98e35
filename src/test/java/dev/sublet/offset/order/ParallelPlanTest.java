package dev.sublet.offset.order;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Plans for executors that run operators in any order that keeps the data dependences: straight
 * programs are run in such orders, in the plan's arena, with a token for each byte of each value.
 */
final class ParallelPlanTest {

  private static final int NO_VALUE = -1;

  /** Those that take no time; what is checked does not depend on how offsets are found. */
  private static final ImmutableList<String> PLANNERS =
      ImmutableList.of("greedy-size", "greedy-breadth", "best-fit", "stack", "path-cover");

  private static final ImmutableList<Views> VIEWS =
      ImmutableList.of(Views.NONE, Views.RESHAPE, Views.ALL);

  private static TranspileOptions options(String planner, ExecutionOrder order, Views views) {
    return TranspileOptions.defaults()
        .withOffsets(new OffsetOptions(planner, 16, /* inPlace= */ true, views).withOrder(order));
  }

  private static TranspileOptions parallel() {
    return options("greedy-size", ExecutionOrder.PARALLEL, Views.ALL);
  }

  /** Few names, written again and again by operators that work in place, copy or do neither. */
  private static Program randomStraightLine(Random random) {
    StringBuilder text = new StringBuilder("version 2004001\ndefault fp32[16]\nblock 0\n");
    text.append("feed x: fp32[16]\n");
    List<String> written = new ArrayList<>(List.of("x"));
    int operators = 3 + random.nextInt(18);
    for (int i = 0; i < operators; i++) {
      String a = written.get(random.nextInt(written.size()));
      String b = written.get(random.nextInt(written.size()));
      String output = "t" + random.nextInt(8);
      String call =
          switch (random.nextInt(5)) {
            case 0 -> "elementwise_add(" + a + ", " + b + ")";
            case 1 -> "assign(" + a + ")";
            case 2 -> "relu(" + a + ")";
            case 3 -> "concat_of_two(" + a + ", " + b + ")"; // unknown: may write its output
            default -> "tanh(" + a + ")";
          };
      text.append(output).append(" = ").append(call).append('\n');
      written.add(output);
    }
    text.append("fetch(").append(written.get(written.size() - 1)).append(")\n");
    return ProgramText.parse(text.toString());
  }

  private static MemoryPlan with(
      MemoryPlan plan, ExecutionOrder order, ImmutableList<Allocation> allocations) {
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        order,
        plan.arenas(),
        allocations,
        plan.unplanned(),
        plan.aliases());
  }

  private static MemoryPlan moveOne(MemoryPlan plan, Random random) {
    List<Allocation> allocations = new ArrayList<>(plan.allocations());
    int index = random.nextInt(allocations.size());
    Allocation victim = allocations.get(index);
    long offset = allocations.get(random.nextInt(allocations.size())).offset();
    allocations.set(
        index,
        new Allocation(victim.variable(), victim.arena(), offset, victim.bytes(), victim.live()));
    return with(plan, plan.order(), ImmutableList.copyOf(allocations));
  }

  /** Runs a program without blocks in a plan's arena. */
  private static final class Execution {

    private final Program program;
    private final ImmutableList<Operation> operations;
    private final MemoryPlan plan;

    Execution(Program program, MemoryPlan plan) {
      this.program = program;
      this.operations = program.block(0).operations();
      this.plan = plan;
    }

    private static boolean accesses(Operation operation, int variable) {
      return operation.countInputs(variable) > 0 || operation.countOutputs(variable) > 0;
    }

    private boolean depends(int first, int second) {
      Operation a = operations.get(first);
      Operation b = operations.get(second);
      for (int v = 0; v < program.variableCount(); v++) {
        if (accesses(a, v) && accesses(b, v) && (a.countOutputs(v) > 0 || b.countOutputs(v) > 0)) {
          return true;
        }
      }
      return false;
    }

    List<Integer> randomOrder(Random random) {
      List<Integer> left = new ArrayList<>();
      for (int i = 0; i < operations.size(); i++) {
        left.add(i);
      }
      List<Integer> order = new ArrayList<>();
      while (!left.isEmpty()) {
        int candidate = left.get(random.nextInt(left.size()));
        if (left.stream().noneMatch(other -> other < candidate && depends(other, candidate))) {
          order.add(candidate);
          left.remove((Integer) candidate);
        }
      }
      return order;
    }

    private int[] allocation(int variable, int point) {
      for (Allocation allocation : plan.allocations()) {
        boolean isOf =
            program.declared(allocation.variable().block(), allocation.variable().name())
                == variable;
        for (Interval interval : allocation.live()) {
          if (isOf && interval.begin() <= point && point < interval.end()) {
            return new int[] {(int) allocation.offset(), (int) allocation.bytes()};
          }
        }
      }
      return new int[0];
    }

    /** The first value that an operator does not find as it should; empty if there is none. */
    String run(List<Integer> order) {
      int[][] expected = new int[program.variableCount()][64];
      int[] arena = new int[(int) plan.arenaBytes()];
      Arrays.fill(arena, NO_VALUE);
      for (int[] value : expected) {
        Arrays.fill(value, NO_VALUE);
      }
      int feed = program.declared(0, "x");
      for (int i = 0; i < 64; i++) {
        expected[feed][i] = 1_000_000 + i;
      }
      write(arena, allocation(feed, 0), expected[feed]);
      for (int k : order) {
        Operation operation = operations.get(k);
        if (operation.type().equals("feed")) {
          continue;
        }
        for (int i = 0; i < operation.inputCount(); i++) {
          int[] region = allocation(operation.input(i), 2 * k);
          if (!holds(arena, region, expected[operation.input(i)])) {
            return "op " + k + " reads " + program.variable(operation.input(i)) + " in " + order;
          }
        }
        if (operation.type().equals("fetch")) {
          continue;
        }
        int output = operation.output(0);
        int[] value = new int[64];
        for (int i = 0; i < 64; i++) {
          value[i] =
              operation.type().equals("assign") ? expected[operation.input(0)][i] : 64 * k + i;
        }
        write(arena, allocation(output, 2 * k + 1), value);
        expected[output] = value;
      }
      int fetched = operations.get(operations.size() - 1).input(0);
      return holds(arena, allocation(fetched, 2 * operations.size() - 1), expected[fetched])
          ? ""
          : "the fetched value is gone in " + order;
    }

    private static void write(int[] arena, int[] region, int[] value) {
      for (int i = 0; region.length > 0 && i < region[1]; i++) {
        arena[region[0] + i] = value[i];
      }
    }

    private static boolean holds(int[] arena, int[] region, int[] value) {
      for (int i = 0; region.length > 0 && i < region[1]; i++) {
        if (arena[region[0] + i] != value[i]) {
          return false;
        }
      }
      return true;
    }

    void assertRight(Random random) {
      for (int i = 0; i < 12; i++) {
        assertWithMessage(ProgramText.print(program) + plan)
            .that(run(randomOrder(random)))
            .isEmpty();
      }
    }
  }

  @Test
  void everyPlanner_givesEachOrderItsValues() {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      Program program = randomStraightLine(random);
      String planner = PLANNERS.get(seed % PLANNERS.size());
      Views views = VIEWS.get(random.nextInt(3));
      MemoryPlan plan =
          Transpiler.plan(program, options(planner, ExecutionOrder.PARALLEL, views)).plan();
      assertThat(plan.order()).isEqualTo(ExecutionOrder.PARALLEL);
      new Execution(program, plan).assertRight(random);
    }
  }

  /** Whatever the validator lets pass is right in any order, however it was made. */
  @Test
  void validator_acceptsNoWrongParallelPlan() {
    int accepted = 0;
    int rejected = 0;
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      Program program = randomStraightLine(random);
      ExecutionOrder order = seed % 2 == 0 ? ExecutionOrder.PARALLEL : ExecutionOrder.SEQUENTIAL;
      MemoryPlan plan = Transpiler.plan(program, options("greedy-size", order, Views.ALL)).plan();
      MemoryPlan claimed = with(plan, ExecutionOrder.PARALLEL, plan.allocations());
      MemoryPlan changed = seed % 2 == 0 ? moveOne(claimed, random) : claimed;
      if (Verifier.verifyPlan(program, changed, parallel()).isValid()) {
        new Execution(program, changed).assertRight(random);
        accepted++;
      } else {
        rejected++;
      }
    }
    assertThat(accepted).isAtLeast(50);
    assertThat(rejected).isAtLeast(50);
  }

  /** The simulation itself finds what is wrong with a sequential plan. */
  @Test
  void aSequentialPlan_failsInAnotherOrder_andIsRejected() {
    Program program =
        ProgramText.parse(
            "default fp32[16]\nblock 0\nfeed x: fp32[16]",
            "a = tanh(x)\nb = tanh(a)\nc = tanh(x)\nd = tanh(c)\ne = elementwise_add(b, d)",
            "fetch(e)");
    MemoryPlan plan =
        Transpiler.plan(
                program,
                TranspileOptions.defaults()
                    .withOffsets(
                        new OffsetOptions("greedy-size", 16, /* inPlace= */ false, Views.NONE)))
            .plan();
    MemoryPlan claimed = with(plan, ExecutionOrder.PARALLEL, plan.allocations());

    assertThat(new Execution(program, plan).run(List.of(0, 1, 2, 3, 4, 5, 6))).isEmpty();
    List<String> failures = new ArrayList<>();
    for (int seed = 0; seed < 30; seed++) {
      Execution execution = new Execution(program, plan);
      failures.add(execution.run(execution.randomOrder(new Random(seed))));
    }
    assertThat(failures.stream().filter(failure -> !failure.isEmpty()).count()).isAtLeast(1);
    assertThat(Verifier.verifyPlan(program, claimed, parallel()).toString())
        .contains("which operators could use at the same time in the parallel order");
  }

  /** y may not be computed in a's bytes while b is computed from a. */
  @Test
  void inPlace_waitsForAllOtherReaders() {
    String program = "version 2004001\ndefault fp32[16]\nblock 0\nfeed x: fp32[16]\na = tanh(x)\n";
    String concurrent = "b = tanh(a)\ny = relu(a)\nc = elementwise_add(b, y)\nfetch(c)";
    String ordered = "b = tanh(a)\ny = elementwise_add(a, b)\nfetch(y)";

    assertThat(inPlacePairs(program + concurrent, ExecutionOrder.SEQUENTIAL)).contains("y");
    assertThat(inPlacePairs(program + concurrent, ExecutionOrder.PARALLEL)).doesNotContain("y");
    assertThat(inPlacePairs(program + ordered, ExecutionOrder.PARALLEL))
        .isEqualTo(inPlacePairs(program + ordered, ExecutionOrder.SEQUENTIAL));
  }

  private static List<String> inPlacePairs(String program, ExecutionOrder order) {
    List<String> names = new ArrayList<>();
    Transpiler.plan(ProgramText.parse(program), options("greedy-size", order, Views.NONE))
        .plan()
        .aliases()
        .forEach(alias -> names.add(alias.variable().name()));
    return names;
  }

  /** Loops, branches and gradients: the validator, which shares no code, accepts every plan. */
  @Test
  void programsWithControlFlow_arePlanned_andNeverSmallerThanTheirBound() {
    for (int seed = 0; seed < 250; seed++) {
      Program program =
          seed % 2 == 0
              ? RandomPrograms.generate(seed, 3 + seed % 40)
              : RandomPrograms.generateWithViews(seed, 3 + seed % 40);
      String planner = PLANNERS.get(seed % PLANNERS.size());
      Views views = VIEWS.get(seed % 3);
      MemoryPlan plan =
          Transpiler.plan(program, options(planner, ExecutionOrder.PARALLEL, views)).plan();
      assertThat(plan.arenaBytes()).isAtLeast(plan.lowerBound());
      assertThat(Verifier.verifyPlan(program, plan, parallel()).toString()).isEqualTo("valid");
    }
  }
}
