package dev.sublet.offset;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.offset.merge.Views;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Plans of exclusive branches for executors that run operators in any order that keeps the data
 * dependences: programs are run in such orders, for random conditions, in the plan's arena. The
 * operators of a branch that runs mix with all operators that need not wait for its control
 * operator.
 */
final class ParallelBranchesTest {

  private static final int BYTES = 64;

  private static TranspileOptions options(ExecutionOrder order) {
    return TranspileOptions.defaults()
        .withOffsets(
            new OffsetOptions("greedy-size", 16, /* inPlace= */ true, Views.NONE).withOrder(order));
  }

  /** Writes a random program whose values are chosen by pairs of branches, two deep. */
  private static final class Generator {
    private final Random random;
    private final List<List<String>> blocks = new ArrayList<>();
    private final List<Integer> parents = new ArrayList<>();
    private int names;

    Generator(Random random) {
      this.random = random;
    }

    Program generate() {
      List<String> lines = new ArrayList<>();
      lines.add("version 2004000");
      lines.add("default fp32[16]");
      parents.add(-1);
      List<String> values = new ArrayList<>(List.of("x"));
      blocks.add(new ArrayList<>(List.of("feed x")));
      fill(0, values, 2 + random.nextInt(3), 0);
      blocks.get(0).add("fetch(" + values.get(values.size() - 1) + ")");
      for (int block = 0; block < blocks.size(); block++) {
        lines.add("block " + block + (block == 0 ? "" : " parent " + parents.get(block)));
        lines.addAll(blocks.get(block));
      }
      return ProgramText.parse(lines.toArray(String[]::new));
    }

    private void fill(int block, List<String> values, int steps, int depth) {
      for (int i = 0; i < steps; i++) {
        if (depth < 2 && random.nextInt(3) > 0) {
          addChoice(block, values, depth);
        } else {
          values.add(add(block, values, "v" + names++));
        }
      }
    }

    private String add(int block, List<String> values, String name) {
      String a = values.get(random.nextInt(values.size()));
      String b = values.get(random.nextInt(values.size()));
      String call =
          random.nextBoolean() ? "elementwise_add(" + a + ", " + b + ")" : "tanh(" + a + ")";
      blocks.get(block).add(name + " = " + call);
      return name;
    }

    private void addChoice(int block, List<String> values, int depth) {
      int n = names++;
      List<String> lines = blocks.get(block);
      lines.add("var c" + n + ": bool[1] persistable");
      lines.add("var k" + n + ": bool[1] persistable");
      lines.add("var m" + n + ": int32[1] persistable");
      lines.add("c" + n + " = is_empty(x)");
      addBranch(block, "c" + n, "t" + n, values, depth);
      for (int i = random.nextInt(3); i > 0; i--) {
        values.add(add(block, values, "v" + names++));
      }
      lines.add("k" + n + " = logical_not(c" + n + ")");
      addBranch(block, "k" + n, "f" + n, values, depth);
      lines.add("m" + n + " = cast(c" + n + ") {in_dtype: 0, out_dtype: 2}");
      lines.add("y" + n + " = select_input(X: f" + n + " t" + n + ", Mask: m" + n + ")");
      values.add("y" + n);
    }

    private void addBranch(
        int block, String condition, String result, List<String> outer, int depth) {
      int body = blocks.size();
      blocks.add(new ArrayList<>());
      parents.add(block);
      blocks.get(block).add("var " + result + ": fp32[16]");
      blocks
          .get(block)
          .add(
              String.format(
                  "conditional_block(Cond: %s, Input: x) -> (Out: %s, Scope: s%s) {sub_block: %d,"
                      + " is_scalar_condition: true}",
                  condition, result, result, body));
      List<String> values = new ArrayList<>(outer);
      fill(body, values, 1 + random.nextInt(3), depth + 1);
      add(body, values, result);
    }
  }

  /** A node that runs: an operator, or the head or exit of a control operator. */
  private record Step(int node, Operation operation, boolean isControl) {}

  /** Runs a program in a plan's arena, in random orders. */
  private static final class Execution {
    private final Program program;
    private final MemoryPlan plan;
    private final Random random;

    /** By variable. */
    private final ImmutableListMultimap<Integer, Allocation> allocations;

    /** The names of the conditions that hold in this run. */
    private final Set<String> holding = new HashSet<>();

    /** The steps that run, and for each the steps that must be done before it. */
    private final List<Step> steps = new ArrayList<>();

    private final List<BitSet> waits = new ArrayList<>();
    private final Map<Operation, BitSet> read = new HashMap<>();
    private final Map<Operation, BitSet> written = new HashMap<>();
    private int nodes;

    Execution(Program program, MemoryPlan plan, Random random) {
      this.program = program;
      this.plan = plan;
      this.random = random;
      this.allocations =
          Multimaps.index(
              plan.allocations(),
              each -> program.declared(each.variable().block(), each.variable().name()));
      for (int v = 0; v < program.variableCount(); v++) {
        String name = program.variable(v).name();
        if (name.startsWith("c")) {
          holding.add(random.nextBoolean() ? name : "k" + name.substring(1));
        }
      }
      addBlock(0, /* runs= */ true, new int[0]);
    }

    /** Adds the steps of a block; each waits for those given, and for what it depends on. */
    private void addBlock(int block, boolean runs, int[] first) {
      List<Operation> operations = program.block(block).operations();
      List<Integer> lastSteps = new ArrayList<>();
      for (int i = 0; i < operations.size(); i++) {
        Operation operation = operations.get(i);
        BitSet before = new BitSet();
        for (int step : first) {
          before.set(step);
        }
        for (int j = 0; j < i && runs; j++) {
          if (depends(operations.get(j), operation)) {
            before.set(lastSteps.get(j));
          }
        }
        boolean isControl = !operation.blocks().isEmpty();
        int begin = addStep(operation, isControl, runs, before);
        if (isControl) {
          String condition = program.variable(operation.input(operation.firstInput("Cond"))).name();
          int size = steps.size();
          addBlock(
              operation.blocks().get(0), runs && holding.contains(condition), new int[] {begin});
          BitSet body = new BitSet();
          body.set(begin);
          body.set(size, steps.size());
          begin = addStep(operation, /* isControl= */ true, runs, body);
        }
        lastSteps.add(begin);
      }
    }

    private int addStep(Operation operation, boolean isControl, boolean runs, BitSet before) {
      Step step = new Step(nodes++, operation, isControl);
      if (runs) {
        steps.add(step);
        waits.add(before);
      }
      return steps.size() - 1;
    }

    /** A control operator has the accesses of its body. */
    private boolean depends(Operation a, Operation b) {
      return written(a).intersects(written(b))
          || written(a).intersects(read(b))
          || read(a).intersects(written(b));
    }

    private BitSet read(Operation operation) {
      BitSet known = read.get(operation);
      if (known == null) {
        known = new BitSet();
        for (int i = 0; i < operation.inputCount(); i++) {
          known.set(operation.input(i));
        }
        for (int block : operation.blocks()) {
          program.block(block).operations().stream().map(this::read).forEach(known::or);
        }
        read.put(operation, known);
      }
      return known;
    }

    private BitSet written(Operation operation) {
      BitSet known = written.get(operation);
      if (known == null) {
        known = new BitSet();
        for (int i = 0; i < operation.outputCount(); i++) {
          known.set(operation.output(i));
        }
        for (int block : operation.blocks()) {
          program.block(block).operations().stream().map(this::written).forEach(known::or);
        }
        written.put(operation, known);
      }
      return known;
    }

    private List<Integer> randomOrder() {
      List<Integer> left = new ArrayList<>();
      for (int i = 0; i < steps.size(); i++) {
        left.add(i);
      }
      List<Integer> order = new ArrayList<>();
      BitSet done = new BitSet();
      while (!left.isEmpty()) {
        int candidate = left.get(random.nextInt(left.size()));
        BitSet missing = (BitSet) waits.get(candidate).clone();
        missing.andNot(done);
        if (missing.isEmpty()) {
          order.add(candidate);
          done.set(candidate);
          left.remove((Integer) candidate);
        }
      }
      return order;
    }

    private int[] region(int variable, int point) {
      for (Allocation allocation : allocations.get(variable)) {
        for (Interval interval : allocation.live()) {
          if (interval.begin() <= point && point < interval.end()) {
            return new int[] {(int) allocation.offset(), (int) allocation.bytes()};
          }
        }
      }
      return new int[0];
    }

    /** The first value that an operator does not find as it should; empty if there is none. */
    String run() {
      int[] arena = new int[(int) plan.arenaBytes()];
      Arrays.fill(arena, -1);
      int[][] values = new int[program.variableCount()][];
      for (int s : randomOrder()) {
        Step step = steps.get(s);
        if (!step.isControl) {
          String wrong = run(step, arena, values);
          if (!wrong.isEmpty()) {
            return wrong;
          }
        }
      }
      return "";
    }

    private String run(Step step, int[] arena, int[][] values) {
      Operation operation = step.operation;
      boolean isFeed = operation.type().equals("feed");
      int[] value = new int[BYTES];
      for (int i = 0; i < BYTES; i++) {
        value[i] = BYTES * step.node + i;
      }
      for (int i = 0; i < operation.inputCount() && !isFeed; i++) {
        int input = operation.input(i);
        boolean isRead =
            values[input] != null
                && (!operation.type().equals("select_input") || i == chosen(operation));
        int[] region = region(input, 2 * step.node);
        for (int k = 0; isRead && region.length > 0 && k < region[1]; k++) {
          if (arena[region[0] + k] != values[input][k]) {
            return operation + " reads " + program.variable(input);
          }
        }
        value = operation.type().equals("select_input") && isRead ? values[input] : value;
      }
      if (operation.outputCount() > 0 && !operation.type().equals("fetch")) {
        int output = operation.output(0);
        int[] region = region(output, 2 * step.node + 1);
        for (int k = 0; region.length > 0 && k < region[1]; k++) {
          arena[region[0] + k] = value[k];
        }
        values[output] = region.length > 0 ? value : null;
      }
      return "";
    }

    private int chosen(Operation select) {
      String mask = program.variable(select.input(select.firstInput("Mask"))).name();
      return holding.contains("c" + mask.substring(1)) ? 1 : 0;
    }
  }

  private static String firstFailure(Program program, MemoryPlan plan, Random random, int runs) {
    for (int i = 0; i < runs; i++) {
      String failure = new Execution(program, plan, random).run();
      if (!failure.isEmpty()) {
        return failure;
      }
    }
    return "";
  }

  /** As many bytes as for one operator at a time. */
  @Test
  void caseOf_takesNoMoreBytesInParallel() throws IOException {
    Program program =
        ProgramText.parse(Files.readString(Path.of("testdata", "nested", "case_of.program")));
    assertThat(Transpiler.plan(program, options(ExecutionOrder.SEQUENTIAL)).plan().arenaBytes())
        .isEqualTo(192);
    assertThat(Transpiler.plan(program, options(ExecutionOrder.PARALLEL)).plan().arenaBytes())
        .isEqualTo(192);
  }

  @Test
  void plans_giveEachOrderItsValues_andBranchesShare() {
    int smaller = 0;
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      Program program = new Generator(random).generate();
      MemoryPlan plan = Transpiler.plan(program, options(ExecutionOrder.PARALLEL)).plan();
      assertWithMessage("seed %s\n%s%s", seed, ProgramText.print(program), plan)
          .that(firstFailure(program, plan, random, 12))
          .isEmpty();
      smaller += sharesBetweenBranches(program, plan) ? 1 : 0;
    }
    assertThat(smaller).isAtLeast(50);
  }

  /** Whether locals of two opposite branches have bytes in common. */
  private static boolean sharesBetweenBranches(Program program, MemoryPlan plan) {
    ImmutableList<Allocation> all = plan.allocations();
    for (Allocation a : all) {
      for (Allocation b : all) {
        int blockA = a.variable().block();
        int blockB = b.variable().block();
        if (blockA != blockB
            && blockA > 0
            && blockB > 0
            && program.block(blockA).parent() == program.block(blockB).parent()
            && a.offset() == b.offset()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whatever the validator lets pass is right in any order, however it was made. */
  @Test
  void validator_acceptsNoWrongPlan() {
    int accepted = 0;
    int wrong = 0;
    for (int seed = 0; seed < 600; seed++) {
      Random random = new Random(seed);
      Program program = new Generator(random).generate();
      boolean isSequential = seed % 2 == 0;
      ExecutionOrder order = isSequential ? ExecutionOrder.SEQUENTIAL : ExecutionOrder.PARALLEL;
      MemoryPlan plan = Transpiler.plan(program, options(order)).plan();
      MemoryPlan changed = asParallel(plan, isSequential ? -1 : random.nextInt(100), random);
      boolean isValid =
          Verifier.verifyPlan(program, changed, options(ExecutionOrder.PARALLEL)).isValid();
      String failure = firstFailure(program, changed, random, isValid ? 12 : 4);
      wrong += failure.isEmpty() ? 0 : 1;
      accepted += isValid ? 1 : 0;
      if (isValid) {
        assertWithMessage("seed %s\n%s%s", seed, ProgramText.print(program), changed)
            .that(failure)
            .isEmpty();
      }
    }
    assertThat(accepted).isAtLeast(60);
    assertThat(wrong).isAtLeast(60);
  }

  /** The plan as one for the parallel order; with one allocation moved if an index is given. */
  private static MemoryPlan asParallel(MemoryPlan plan, int index, Random random) {
    List<Allocation> allocations = new ArrayList<>(plan.allocations());
    if (index >= 0) {
      int moved = index % allocations.size();
      Allocation victim = allocations.get(moved);
      long offset = allocations.get(random.nextInt(allocations.size())).offset();
      allocations.set(
          moved,
          new Allocation(victim.variable(), victim.arena(), offset, victim.bytes(), victim.live()));
    }
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        ExecutionOrder.PARALLEL,
        plan.arenas(),
        ImmutableList.copyOf(allocations),
        plan.unplanned(),
        plan.aliases());
  }
}
