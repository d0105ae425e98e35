package dev.sublet.verify.plan;

import com.google.common.base.Joiner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A random loop with carried variables, and a plan that moves them around instead of copying them,
 * found by following which region each value is in until that repeats. Other such loops may be
 * inside, whose variables begin as those of the one around them.
 *
 * <p>The texts are those of {@code ProgramText} and {@link MultiViewPlans}; every tensor has 64
 * bytes, so that region r is at 64 r.
 */
final class RandomRotation {

  private static final int BYTES = 64;
  private static final int MAXIMUM_PERIOD = 8;

  /** The regions of an inner loop's variables come behind those of the outer one. */
  private static final int REGIONS_OF_LOOP = 10;

  /** Regions that nothing moves into: of results, of the input, of conditions. */
  private static final int RESULTS = 80;

  private static final int INPUT = 90;
  private static final int CONDITIONS = 100;

  /** A loop's variables, where they are, and what a copy at the end of an iteration does. */
  private static final class Loop {
    int carried;
    int computed;

    /** The order of the copies: which variables get a value, and from which ones. */
    int[] targets = {};

    int[] sources = {};

    /** By iteration and variable: the region at the head, and that of each computed one. */
    List<int[]> heads = new ArrayList<>();

    List<int[]> results = new ArrayList<>();
    int prefix;
  }

  private final SplittableRandom random;

  // By block.
  private final StringBuilder[] declarations;
  private final StringBuilder[] operators;
  private final int[] operatorCounts;

  private final StringBuilder plan = new StringBuilder();
  private int node;
  private int period;

  private RandomRotation(SplittableRandom random, int depth) {
    this.random = random;
    this.declarations = new StringBuilder[depth + 1];
    this.operators = new StringBuilder[depth + 1];
    this.operatorCounts = new int[depth + 1];
    for (int block = 0; block <= depth; block++) {
      declarations[block] = new StringBuilder();
      operators[block] = new StringBuilder();
    }
  }

  /** A program and a plan, and the longest period of the plan's views. */
  record Sample(String program, String plan, int period) {}

  /** So many loops inside each other. */
  static Sample generate(SplittableRandom random, int depth) {
    RandomRotation rotation = new RandomRotation(random, depth);
    rotation.generate(depth);
    StringBuilder program = new StringBuilder();
    for (int block = 0; block <= depth; block++) {
      program.append("block ").append(block);
      program.append(block == 0 ? "\n" : " parent " + (block - 1) + "\n");
      program.append(rotation.declarations[block]).append(rotation.operators[block]);
    }
    return new Sample(program.toString(), rotation.plan.toString(), rotation.period);
  }

  /** Appends an operator; returns the point at which it writes. */
  private int add(int block, String text) {
    operators[block].append("  ").append(text).append('\n');
    operatorCounts[block]++;
    return 2 * node++ + 1;
  }

  private void declare(int block, String name, String type) {
    declarations[block].append("  var " + name + ": " + type + "\n");
  }

  private void generate(int depth) {
    plan.append("bytes 16384\n");
    Loop outer = loop(3, /* firstRegion= */ 0);
    add(0, "feed x0: fp32[16]");
    add(0, "feed g: bool[1]");
    List<String> inputs = new ArrayList<>(Collections.nCopies(outer.carried, "x0"));
    int exit = addLoop(outer, 1, inputs, depth);
    for (int i = 0; i < outer.carried; i++) {
      declare(0, "o" + i, "fp32[16]");
      int written = add(0, "o" + i + " = tanh(" + name(1, i) + ")");
      fixed("0:o" + i, RESULTS + i, written, exit + 2 + 4 * outer.carried);
    }
    for (int i = 0; i < outer.carried; i++) {
      add(0, "fetch(o" + i + ")");
    }
    fixed("0:x0", INPUT, 0, 2 * node);
    plan.append("0:g " + CONDITIONS * BYTES + "+1 0-" + 2 * node + "\n");
  }

  private void fixed(String variable, int region, int begin, int end) {
    plan.append(variable + " " + region * BYTES + "+64 " + begin + "-" + end);
    plan.append('\n');
  }

  /** Carried variables and copies such that the regions come round soon enough. */
  private Loop loop(int maximum, int firstRegion) {
    while (true) {
      Loop loop = new Loop();
      loop.carried = 1 + random.nextInt(maximum);
      loop.computed = 1 + random.nextInt(2);
      int[] order = permutation(loop.carried);
      loop.targets = Arrays.copyOf(order, 1 + random.nextInt(loop.carried));
      loop.sources = new int[loop.targets.length];
      for (int i = 0; i < loop.sources.length; i++) {
        loop.sources[i] = random.nextInt(loop.carried + loop.computed);
      }
      if (follow(loop, firstRegion)) {
        period = Math.max(period, loop.heads.size());
        return loop;
      }
    }
  }

  private int[] permutation(int size) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  /** Where everything is in each iteration; false if that takes too long to repeat. */
  private static boolean follow(Loop loop, int firstRegion) {
    Map<List<Integer>, Integer> seen = new HashMap<>();
    int[] head = new int[loop.carried];
    for (int i = 0; i < head.length; i++) {
      head[i] = firstRegion + i;
    }
    while (loop.heads.size() <= MAXIMUM_PERIOD) {
      List<Integer> key = Arrays.stream(head).boxed().toList();
      Integer before = seen.putIfAbsent(key, loop.heads.size());
      if (before != null) {
        loop.prefix = before;
        return before <= 1;
      }
      loop.heads.add(head);
      int[] all = Arrays.copyOf(head, loop.carried + loop.computed);
      for (int j = 0; j < loop.computed; j++) {
        all[loop.carried + j] = free(all, loop.carried + j, firstRegion);
      }
      loop.results.add(Arrays.copyOfRange(all, loop.carried, all.length));
      for (int i = 0; i < loop.targets.length; i++) {
        all[loop.targets[i]] = all[loop.sources[i]];
      }
      head = Arrays.copyOf(all, loop.carried);
    }
    return false;
  }

  private static int free(int[] taken, int count, int firstRegion) {
    for (int region = firstRegion; ; region++) {
      boolean isFree = true;
      for (int i = 0; i < count; i++) {
        isFree &= taken[i] != region;
      }
      if (isFree) {
        return region;
      }
    }
  }

  /** The name of a loop's carried variable. */
  private static String name(int block, int i) {
    return "x" + block + "_" + i;
  }

  private static String result(int block, int j) {
    return "y" + block + "_" + j;
  }

  /** A loop in the block before its own, and the plan for it; returns the exit's first point. */
  private int addLoop(Loop loop, int block, List<String> inputs, int depth) {
    int outside = block - 1;
    String condition = "c" + block;
    declare(outside, condition, "bool[1]");
    int[] defined = new int[loop.carried];
    List<String> names = new ArrayList<>();
    for (int i = 0; i < loop.carried; i++) {
      names.add(name(block, i));
      declare(outside, names.get(i), "fp32[16]");
      defined[i] = add(outside, names.get(i) + " = tanh(" + inputs.get(i) + ")");
    }
    int decided = add(outside, condition + " = assign(g)");
    String slot = Joiner.on(' ').join(names) + " " + condition;
    int head =
        add(
                outside,
                "while(Condition: "
                    + condition
                    + ", X: "
                    + slot
                    + ") -> (Out: "
                    + slot
                    + ", StepScopes: s"
                    + block
                    + ") {sub_block: "
                    + block
                    + ", is_test: true}")
            - 1;
    String other = "x0";
    if (block < depth) {
      Loop inner = loop(2, block * REGIONS_OF_LOOP);
      List<String> begins = new ArrayList<>();
      for (int i = 0; i < inner.carried; i++) {
        begins.add(names.get(i % names.size()));
      }
      addLoop(inner, block + 1, begins, depth);
      other = name(block + 1, 0);
    }
    int exit = addBody(loop, block, other, head, defined);
    fixedByte(outside + ":" + condition, 4 * block, decided, exit + 2);
    return exit;
  }

  private void fixedByte(String variable, int offset, int begin, int end) {
    plan.append(variable + " " + (CONDITIONS * BYTES + offset) + "+1 " + begin + "-" + end);
    plan.append('\n');
  }

  private int addBody(Loop loop, int block, String other, int head, int[] defined) {
    int[] written = new int[loop.computed];
    for (int j = 0; j < loop.computed; j++) {
      declare(block, result(block, j), "fp32[16]");
      String first = name(block, random.nextInt(loop.carried));
      String second = random.nextBoolean() ? other : name(block, random.nextInt(loop.carried));
      written[j] =
          add(block, result(block, j) + " = elementwise_sub(" + first + ", " + second + ")");
    }
    int[] copied = new int[loop.carried];
    int[] lastPoints = written.clone();
    for (int i = 0; i < loop.targets.length; i++) {
      int source = loop.sources[i];
      boolean isComputed = source >= loop.carried;
      String from = isComputed ? result(block, source - loop.carried) : name(block, source);
      plan.append("stay " + block + ":" + operatorCounts[block] + " 64\n");
      copied[loop.targets[i]] =
          add(block, name(block, loop.targets[i]) + " = assign(" + from + ")");
      if (isComputed) {
        lastPoints[source - loop.carried] = copied[loop.targets[i]];
      }
    }
    add(block, "c" + block + " = logical_not(c" + block + ")");
    int exit = 2 * node++;
    for (int i = 0; i < loop.carried; i++) {
      placeCarried(loop, block, i, new int[] {defined[i], head, copied[i], exit});
    }
    for (int j = 0; j < loop.computed; j++) {
      plan.append(block + ":" + result(block, j) + " " + views(loop, block, j, 2) + "+64 ");
      plan.append(written[j] + "-" + (lastPoints[j] + 1) + "\n");
    }
    return exit;
  }

  /** Where a carried variable is, by the points of its definition, head, copy and exit. */
  private void placeCarried(Loop loop, int block, int i, int[] points) {
    String line = (block - 1) + ":" + name(block, i) + " ";
    int begin = points[0];
    int exit = points[3];
    if (block > 1) {
      // Before an inner loop the count is still that of its last run.
      plan.append(line + loop.heads.get(0)[i] * BYTES + "+64 " + begin + "-" + points[1] + "\n");
      begin = points[1];
    }
    int moved = points[2] == 0 ? exit : points[2];
    int end = exit + (block == 1 ? 2 + 2 * loop.carried : 6);
    plan.append(line + views(loop, block, i, 0) + "+64 " + begin + "-" + moved);
    plan.append(" " + (exit + 1) + "-" + end + "\n");
    if (points[2] != 0) {
      plan.append(line + views(loop, block, i, 1) + "+64 " + moved + "-" + exit + "\n");
    }
  }

  /** The regions by iteration of a variable at the head (0), behind its copy (1) or a result's. */
  private static String views(Loop loop, int block, int i, int what) {
    StringBuilder text = new StringBuilder("@" + block + "[");
    for (int n = 0; n < loop.heads.size(); n++) {
      int next = n + 1 < loop.heads.size() ? n + 1 : loop.prefix;
      int region =
          what == 0
              ? loop.heads.get(n)[i]
              : what == 1 ? loop.heads.get(next)[i] : loop.results.get(n)[i];
      text.append(n == 0 ? "" : n == loop.prefix ? ";" : ",").append(region * BYTES);
    }
    return text.append("]").toString();
  }
}
