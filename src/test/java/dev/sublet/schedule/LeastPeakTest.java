package dev.sublet.schedule;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.primitives.ImmutableIntArray;
import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class LeastPeakTest {

  private static final long BUDGET = 1_000_000;

  @Test
  void graphWithoutOperators_hasAnEmptyOrder() {
    ScheduledOrder order = LeastPeak.find(OperatorGraph.builder().build(), BUDGET);

    assertThat(order).isEqualTo(new ScheduledOrder(ImmutableIntArray.of(), 0, true));
  }

  @Test
  void chain_staysAsItIs() {
    OperatorGraph.Builder graph = OperatorGraph.builder();
    int before = graph.tensor(8);
    for (int i = 0; i < 1000; i++) {
      int after = graph.tensor(8 + i % 3);
      graph.operator(ImmutableIntArray.of(before), ImmutableIntArray.of(after));
      before = after;
    }
    ScheduledOrder order = LeastPeak.find(graph.build(), BUDGET);

    assertThat(order.operators()).isEqualTo(LeastPeak.given(graph.build()).operators());
    assertThat(order.peak()).isEqualTo(19);
    assertThat(order.isLeast()).isTrue();
  }

  /** Both branches make a large tensor and reduce it; the given order makes both at once. */
  @Test
  void branches_runOneAfterTheOther() {
    OperatorGraph.Builder graph = OperatorGraph.builder();
    int x = graph.tensor(1);
    int left = graph.tensor(100);
    int right = graph.tensor(100);
    int a = graph.tensor(1);
    int b = graph.tensor(1);
    int y = graph.tensor(1);
    graph.keep(y);
    graph.operator(ImmutableIntArray.of(x), ImmutableIntArray.of(left));
    graph.operator(ImmutableIntArray.of(x), ImmutableIntArray.of(right));
    graph.operator(ImmutableIntArray.of(left), ImmutableIntArray.of(a));
    graph.operator(ImmutableIntArray.of(right), ImmutableIntArray.of(b));
    graph.operator(ImmutableIntArray.of(a, b), ImmutableIntArray.of(y));

    assertThat(LeastPeak.given(graph.build()).peak()).isEqualTo(201);
    ScheduledOrder order = LeastPeak.find(graph.build(), BUDGET);
    assertThat(order.operators().asList()).containsExactly(0, 2, 1, 3, 4).inOrder();
    assertThat(order.peak()).isEqualTo(102);
    assertThat(order.isLeast()).isTrue();
  }

  @Test
  void outputInPlaceOfItsInput_addsNothing() {
    OperatorGraph.Builder graph = OperatorGraph.builder();
    int x = graph.tensor(10);
    int y = graph.tensor(10);
    graph.inPlace(graph.operator(ImmutableIntArray.of(x), ImmutableIntArray.of(y)), x, y);

    assertThat(LeastPeak.given(graph.build()).peak()).isEqualTo(10);
  }

  @Test
  void partsOfAnOutput_addNothing() {
    OperatorGraph.Builder graph = OperatorGraph.builder();
    int a = graph.tensor(10);
    int b = graph.tensor(20);
    int kept = graph.tensor(5);
    graph.keep(kept);
    int all = graph.tensor(35);
    int concat = graph.operator(ImmutableIntArray.of(a, b, kept), ImmutableIntArray.of(all));
    graph.part(concat, a, all);
    graph.part(concat, b, all);
    graph.part(concat, kept, all);

    assertThat(LeastPeak.given(graph.build()).peak()).isEqualTo(40);
  }

  /** All orders of small graphs. */
  @Property(tries = 2000)
  void orderOfASmallGraph_isTheBestOne(@ForAll long seed, @ForAll @IntRange(max = 8) int size) {
    OperatorGraph graph = random(seed, size);
    ScheduledOrder order = LeastPeak.find(graph, BUDGET);

    assertWithMessage("is topological")
        .that(peak(graph, order.operators()))
        .isEqualTo(order.peak());
    assertThat(order.peak()).isEqualTo(leastOfAll(graph, new BitSet(), graph.bytesAtStart()));
    assertThat(order.isLeast()).isTrue();
    ScheduledOrder given = LeastPeak.given(graph);
    if (order.peak() == given.peak()) {
      assertThat(order.operators()).isEqualTo(given.operators());
    }
  }

  /** A search that may look at almost nothing still gives an order, and none that is worse. */
  @Property(tries = 200)
  void shortSearch_isNeverWorse(
      @ForAll long seed, @ForAll @IntRange(min = 20, max = 150) int size) {
    OperatorGraph graph = random(seed, size);
    ScheduledOrder order = LeastPeak.find(graph, /* budget= */ 100);
    ScheduledOrder longer = LeastPeak.find(graph, /* budget= */ 10_000);

    assertThat(order.peak()).isAtMost(LeastPeak.given(graph).peak());
    assertThat(peak(graph, order.operators())).isEqualTo(order.peak());
    assertThat(peak(graph, longer.operators())).isEqualTo(longer.peak());
    if (order.isLeast()) {
      assertThat(longer.peak()).isEqualTo(order.peak());
    }
  }

  private static OperatorGraph random(long seed, int size) {
    Random random = new Random(seed);
    OperatorGraph.Builder graph = OperatorGraph.builder();
    int tensors = 1 + random.nextInt(2);
    for (int i = 0; i < tensors; i++) {
      graph.tensor(random.nextInt(20));
    }
    for (int i = 0; i < size; i++) {
      BitSet read = new BitSet();
      for (int j = 0; j < random.nextInt(4); j++) {
        int recent = Math.min(tensors, 6);
        read.set(
            random.nextBoolean() ? tensors - 1 - random.nextInt(recent) : random.nextInt(tensors));
      }
      int count = random.nextInt(8) == 0 ? 2 : 1;
      ImmutableIntArray.Builder written = ImmutableIntArray.builder();
      for (int j = 0; j < count; j++) {
        written.add(graph.tensor(random.nextInt(20)));
      }
      if (random.nextInt(6) == 0) {
        graph.keep(tensors);
      }
      ImmutableIntArray inputs = ImmutableIntArray.copyOf(read.stream());
      int operator = graph.operator(inputs, written.build());
      for (int j = 0; j < inputs.length(); j++) {
        switch (random.nextInt(4)) {
          case 0 -> graph.inPlace(operator, inputs.get(j), tensors);
          case 1 -> graph.part(operator, inputs.get(j), tensors);
          default -> {}
        }
      }
      tensors += count;
    }
    return graph.build();
  }

  /** The peak of an order, computed anew; fails if the order is not topological. */
  private static long peak(OperatorGraph graph, ImmutableIntArray order) {
    BytesInUse bytes = new BytesInUse(graph);
    BitSet run = new BitSet();
    long live = graph.bytesAtStart();
    long peak = live;
    for (int operator : order.asList()) {
      graph.predecessors(operator).forEach(each -> assertThat(run.get(each)).isTrue());
      peak = Math.max(peak, live + bytes.addedWhileRunning(operator, run::get));
      live += bytes.change(operator, run::get);
      run.set(operator);
    }
    assertThat(run.cardinality()).isEqualTo(graph.size());
    return peak;
  }

  private static long leastOfAll(OperatorGraph graph, BitSet run, long live) {
    BytesInUse bytes = new BytesInUse(graph);
    long least = run.cardinality() == graph.size() ? live : Long.MAX_VALUE;
    for (int i = 0; i < graph.size(); i++) {
      boolean isReady = !run.get(i) && graph.predecessors(i).stream().allMatch(run::get);
      if (isReady) {
        long now = live + bytes.addedWhileRunning(i, run::get);
        long after = live + bytes.change(i, run::get);
        run.set(i);
        least = Math.min(least, Math.max(Math.max(live, now), leastOfAll(graph, run, after)));
        run.clear(i);
      }
    }
    return least;
  }
}
