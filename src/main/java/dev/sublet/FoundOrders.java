package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import com.google.common.collect.Ordering;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.onnx.ModelGraph;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.schedule.LeastPeak;
import dev.sublet.schedule.OperatorGraph;
import dev.sublet.schedule.ScheduledOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Orders of the operators in the blocks of a program, or of the nodes in the graphs of a model, in
 * which fewer bytes are live.
 *
 * <p>The innermost blocks come first: each gets an order with a small peak of its own. The bytes
 * that a block then needs for itself count where its operator runs in the block around it.
 *
 * @param <K> what names a block
 * @param orders the orders of the blocks whose order changes; empty if no order with fewer live
 *     bytes was found
 * @param isLeast whether no order that can be proved has fewer live bytes
 */
record FoundOrders<K>(ImmutableMap<K, ImmutableIntArray> orders, boolean isLeast) {

  /** The number of operators that the searches may try after sets of others. */
  private static final long BUDGET = 4_000_000;

  FoundOrders {
    requireNonNull(orders, "orders");
  }

  /** Whether an order with fewer live bytes was found. */
  boolean isBetter() {
    return !orders.isEmpty();
  }

  /**
   * Looks for orders of the operators of a Paddle program. O(accesses × nesting depth) plus the
   * searches.
   */
  static FoundOrders<Integer> ofOperators(
      ProgramFacts facts, MoveLimits limits, OffsetOptions options) {
    ScheduleBytes bytes = new ScheduleBytes(facts, options);
    ImmutableList<Integer> blocks = limits.operators().movableBlocks();
    Search<Integer> search = new Search<>(blocks.size());
    for (int block : Lists.reverse(blocks)) {
      search.add(block, extra -> OperationGraph.of(limits, bytes, block, extra).counted());
    }
    return search.result(facts);
  }

  /**
   * Looks for orders of the nodes of an ONNX model, by the path of their graph: positions in the
   * file. O(nodes × nesting depth) plus the searches.
   *
   * @param facts the facts about the model's program
   */
  static FoundOrders<String> ofNodes(OnnxModel model, ProgramFacts facts, OffsetOptions options) {
    NodeGraphs graphs = NodeGraphs.of(model, facts, options);
    ImmutableList<ModelGraph> all = graphs.all();
    Search<String> search = new Search<>(all.size());
    Map<String, NodeGraph> nodes = new HashMap<>();
    for (ModelGraph each : Lists.reverse(all)) {
      search.add(
          each.path(),
          extra -> {
            NodeGraph graph = graphs.graph(each, extra);
            nodes.put(each.path(), graph);
            return graph.counted();
          });
    }
    FoundOrders<String> found = search.result(facts);
    ImmutableMap.Builder<String, ImmutableIntArray> positions = ImmutableMap.builder();
    found
        .orders()
        .forEach(
            (path, order) -> positions.put(path, requireNonNull(nodes.get(path)).nodes(order)));
    return new FoundOrders<>(positions.buildOrThrow(), found.isLeast());
  }

  /**
   * The operators of a block with the bytes of their tensors.
   *
   * @param operators the operators; operators of inner blocks count as the one that runs them
   * @param outerBytes the bytes of the tensors that the block around it counts, too
   * @param isComplete whether the bytes of all tensors are known
   */
  record CountedBlock(OperatorGraph operators, long outerBytes, boolean isComplete) {

    /** The bytes that the block needs for itself, for a peak of its bytes. */
    private long own(ScheduledOrder order) {
      return Math.max(0, order.peak() - outerBytes);
    }
  }

  /** Builds the operators of a block. */
  private interface BlockBuilder<K> {

    /**
     * Builds them.
     *
     * @param extra by inner block: the bytes that it needs for itself
     */
    CountedBlock build(Map<K, Long> extra);
  }

  /** The search through the blocks, of which the outermost one comes last. */
  private static final class Search<K> {

    private final long innerBudget;
    private final Map<K, ImmutableIntArray> orders = new LinkedHashMap<>();
    private final Map<K, Long> extraBefore = new HashMap<>();
    private final Map<K, Long> extraAfter = new HashMap<>();
    private int blocksLeft;

    /** Whether the order of the outermost block, with those of the inner ones, is better. */
    private boolean isBetter;

    private boolean isLeast;

    Search(int blocks) {
      this.blocksLeft = blocks;
      this.innerBudget = Math.max(1, BUDGET / blocks);
    }

    void add(K block, BlockBuilder<K> builder) {
      blocksLeft--;
      CountedBlock given = builder.build(extraBefore);
      if (given.operators().size() == 0) {
        return;
      }
      CountedBlock counted = extraBefore.equals(extraAfter) ? given : builder.build(extraAfter);
      ScheduledOrder before = LeastPeak.given(given.operators());
      ScheduledOrder after =
          LeastPeak.find(counted.operators(), blocksLeft == 0 ? BUDGET : innerBudget);
      if (!Ordering.natural().isOrdered(after.operators().asList())) {
        orders.put(block, after.operators());
      }
      extraBefore.put(block, given.own(before));
      extraAfter.put(block, counted.own(after));
      isBetter = after.peak() < before.peak();
      isLeast = after.isLeast() && counted.isComplete();
    }

    /** The result; that no order has fewer bytes is known of programs with one block only. */
    FoundOrders<K> result(ProgramFacts facts) {
      return new FoundOrders<>(
          isBetter ? ImmutableMap.copyOf(orders) : ImmutableMap.of(),
          isLeast && facts.program().blocks().size() == 1);
    }
  }
}
