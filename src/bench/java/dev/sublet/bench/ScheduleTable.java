package dev.sublet.bench;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.schedule.LeastPeak;
import dev.sublet.schedule.OperatorGraph;
import dev.sublet.schedule.ScheduledOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;

/**
 * Prints a Markdown table: the peak of live bytes of networks in the order in which an exporter
 * would write them, and in the order that {@link LeastPeak} finds.
 */
public final class ScheduleTable {

  private static final long BUDGET = 4_000_000;

  private final OperatorGraph.Builder graph = OperatorGraph.builder();
  private final List<Long> sizes = new ArrayList<>();
  private final Random random;

  private ScheduleTable(long seed) {
    random = new Random(seed);
  }

  /** Prints the table. */
  public static void main(String[] arguments) {
    System.out.println(
        "| network | operators | live bytes, as written | in the order found | ÷ |"
            + " no order has fewer | ms |");
    System.out.println("|---|--:|--:|--:|--:|---|--:|");
    new ScheduleTable(0).chain(100_000).print("chain");
    new ScheduleTable(0).encoderAndDecoder(6).print("U-Net, 6 levels");
    new ScheduleTable(0).inception(9).print("Inception, 9 modules");
    for (int cells : new int[] {6, 18, 60}) {
      new ScheduleTable(1).searchedCells(cells).print("NASNet-like, " + cells + " cells");
    }
    for (int nodes : new int[] {16, 32, 64}) {
      String name = "RandWire-like, 3 stages of " + nodes + " nodes";
      new ScheduleTable(2).randomlyWired(nodes, 3).print(name);
    }
    for (int operators : new int[] {200, 1_000, 4_000}) {
      new ScheduleTable(3).anyGraph(operators).print("random graph");
    }
  }

  private void print(String name) {
    OperatorGraph built = graph.build();
    ScheduledOrder before = LeastPeak.given(built);
    long start = System.nanoTime();
    ScheduledOrder after = LeastPeak.find(built, BUDGET);
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %,d | %,d | %.3f | %s | %,d |%n",
        name,
        built.size(),
        before.peak(),
        after.peak(),
        (double) after.peak() / before.peak(),
        after.isLeast() ? "yes" : "not known",
        millis);
  }

  private int tensor(long size) {
    sizes.add(size);
    return graph.tensor(size);
  }

  /** Adds an operator that works in place if an input has the size of the output. */
  private int operator(long size, int... inputs) {
    int output = tensor(size);
    int operator =
        graph.operator(
            ImmutableIntArray.copyOf(new TreeSet<>(ImmutableIntArray.copyOf(inputs).asList())),
            ImmutableIntArray.of(output));
    for (int input : inputs) {
      if (inputs.length > 1 && sizes.get(input) == size) {
        graph.inPlace(operator, input, output);
      }
    }
    return output;
  }

  private ScheduleTable chain(int length) {
    int last = tensor(64);
    for (int i = 0; i < length; i++) {
      last = operator(32 + random.nextInt(64), last);
    }
    return this;
  }

  private ScheduleTable encoderAndDecoder(int levels) {
    List<Integer> skipped = new ArrayList<>();
    int last = tensor(1 << 20);
    for (int i = 0; i < levels; i++) {
      last = operator(1 << 20 >> i, last);
      skipped.add(last);
      last = operator(1 << 18 >> i, last);
    }
    for (int i = levels - 1; i >= 0; i--) {
      int up = operator(1 << 20 >> i, last);
      last = operator(1 << 20 >> i, up, skipped.get(i));
    }
    return this;
  }

  /** Four branches per module, each of two operators, as an exporter lists them: by depth. */
  private ScheduleTable inception(int modules) {
    int last = tensor(1_000);
    for (int i = 0; i < modules; i++) {
      int a = operator(700, last);
      int b = operator(600, last);
      int c = operator(900, last);
      int d = operator(1_000, last);
      int e = operator(300, a);
      int f = operator(200, b);
      int g = operator(250, d);
      last = operator(1_000, c, e, f, g);
    }
    return this;
  }

  /** Cells of five sums of two transformed earlier values each. */
  private ScheduleTable searchedCells(int cells) {
    int older = tensor(1_000);
    int old = operator(1_000, older);
    for (int i = 0; i < cells; i++) {
      List<Integer> values = new ArrayList<>(List.of(older, old));
      List<Integer> unused = new ArrayList<>();
      for (int j = 0; j < 5; j++) {
        int left = values.get(random.nextInt(values.size()));
        int right = values.get(random.nextInt(values.size()));
        unused.removeAll(List.of(left, right));
        int sum = operator(200, operator(200, left), operator(200, right));
        values.add(sum);
        unused.add(sum);
      }
      older = old;
      old = operator(1_000, unused.stream().mapToInt(each -> each).toArray());
    }
    return this;
  }

  /** Watts-Strogatz stages: each node sums its inputs and applies an operator. */
  private ScheduleTable randomlyWired(int nodes, int stages) {
    int last = tensor(1_000);
    for (int stage = 0; stage < stages; stage++) {
      List<TreeSet<Integer>> inputs = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        inputs.add(new TreeSet<>());
      }
      for (int i = 0; i < nodes; i++) {
        for (int j = 1; j <= 2; j++) {
          int other = random.nextInt(4) == 0 ? (i + j) % nodes : random.nextInt(nodes);
          if (other != i) {
            inputs.get(Math.max(i, other)).add(Math.min(i, other));
          }
        }
      }
      List<Integer> outputs = new ArrayList<>();
      TreeSet<Integer> ends = new TreeSet<>();
      for (int i = 0; i < nodes; i++) {
        int[] read = inputs.get(i).stream().mapToInt(outputs::get).toArray();
        int sum = read.length == 0 ? last : read.length == 1 ? read[0] : operator(1_000, read);
        outputs.add(operator(1_000, sum));
        ends.add(outputs.get(i));
        for (int each : read) {
          ends.remove(each);
        }
      }
      last = operator(1_000, ends.stream().mapToInt(each -> each).toArray());
    }
    return this;
  }

  private ScheduleTable anyGraph(int operators) {
    tensor(100);
    for (int i = 0; i < operators; i++) {
      int count = sizes.size();
      int[] inputs = new int[1 + random.nextInt(3)];
      for (int j = 0; j < inputs.length; j++) {
        inputs[j] = count - 1 - random.nextInt(Math.min(count, 12));
      }
      operator(1 + random.nextInt(100), inputs);
    }
    return this;
  }
}
