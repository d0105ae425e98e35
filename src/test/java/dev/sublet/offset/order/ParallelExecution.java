package dev.sublet.offset.order;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * One run of a program of {@link BranchPrograms} in a plan's arena, with random conditions and in a
 * random order that keeps the data dependences. Each byte of each value is a number of its own.
 */
final class ParallelExecution {

  /** A node that runs: an operator, or the head or exit of a control operator. */
  private record Step(int node, Operation operation, boolean isControl) {}

  /** The variables that an operator reads and writes. */
  private record Accesses(BitSet read, BitSet written) {}

  private static final int BYTES = 64;

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
  private final Map<Operation, Accesses> accesses = new HashMap<>();
  private int nodes;

  ParallelExecution(Program program, MemoryPlan plan, Random random) {
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
    addBlock(0, /* runs= */ true, /* head= */ -1);
  }

  /**
   * Adds the steps of a block. Each step waits for the step {@code head} and for the steps on which
   * it depends.
   *
   * @param runs whether the block runs; if not, only its nodes are counted
   * @param head the head of the block's control operator; -1 for the first block
   */
  private void addBlock(int block, boolean runs, int head) {
    List<Operation> operations = program.block(block).operations();
    List<Integer> lastSteps = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      BitSet before = new BitSet();
      if (head >= 0) {
        before.set(head);
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
        addBlock(operation.blocks().get(0), runs && holding.contains(condition), begin);
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

  private boolean depends(Operation a, Operation b) {
    Accesses first = accesses(a);
    Accesses second = accesses(b);
    return first.written.intersects(second.written)
        || first.written.intersects(second.read)
        || first.read.intersects(second.written);
  }

  /** The accesses of an operator. A control operator has those of its body, too. */
  private Accesses accesses(Operation operation) {
    Accesses known = accesses.get(operation);
    if (known == null) {
      known = new Accesses(new BitSet(), new BitSet());
      for (int i = 0; i < operation.inputCount(); i++) {
        known.read.set(operation.input(i));
      }
      for (int i = 0; i < operation.outputCount(); i++) {
        known.written.set(operation.output(i));
      }
      for (int block : operation.blocks()) {
        for (Operation inner : program.block(block).operations()) {
          known.read.or(accesses(inner).read);
          known.written.or(accesses(inner).written);
        }
      }
      accesses.put(operation, known);
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

  /** Returns the first read of a wrong value, as text; empty if every read is right. */
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
