package dev.sublet.fusion;

import com.google.common.collect.ImmutableSet;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The front door of the package: the freedom that graph passes take with a program.
 *
 * <p>Operators are nodes of the control-flow graph. Points are as in live ranges: node n reads at
 * point 2n and writes at point 2n + 1. Only operators of the first block move. Every query is O(1).
 */
public final class GraphPasses {

  /** The names by which attention_lstm_fuse recognizes the one model that it was written for. */
  private static final ImmutableSet<String> ATTENTION_LSTM =
      ImmutableSet.of("data_lod_attention", "cell_init", "hidden_init", "data", "week", "minute");

  private final BitSet replaceable = new BitSet();
  private final BitSet innerReads = new BitSet();
  private final BitSet lateWrites = new BitSet();

  /**
   * Whether a pass may do anything, because the program looks like the one model that it is for.
   */
  private final boolean isUnknown;

  private final int[] firstInput;
  private final int[] firstOutput;
  private final int[] readUntil;
  private final int[] earliest;
  private final @Nullable ShapeDemand[] demands;

  private GraphPasses(ControlFlowGraph graph, boolean isUnknown) {
    this.isUnknown = isUnknown;
    this.firstInput = new int[graph.nodeCount() + 1];
    this.firstOutput = new int[graph.nodeCount() + 1];
    this.readUntil = new int[graph.nodeCount()];
    this.earliest = new int[graph.nodeCount()];
    this.demands = new ShapeDemand[graph.program().variableCount()];
    for (int node = 0; node < graph.nodeCount(); node++) {
      firstInput[node + 1] = firstInput[node] + graph.operation(node).inputCount();
      firstOutput[node + 1] = firstOutput[node] + graph.operation(node).outputCount();
      readUntil[node] = 2 * node + 2;
      earliest[node] = node;
    }
  }

  /** The freedom of a runtime without graph passes: none. O(nodes). */
  public static GraphPasses none(ControlFlowGraph graph) {
    return new GraphPasses(graph, /* isUnknown= */ false);
  }

  /** Finds the operators that the default passes may replace. O(arguments). */
  public static GraphPasses find(ControlFlowGraph graph) {
    EntryBlock block = EntryBlock.of(graph.program());
    GraphPasses passes = new GraphPasses(graph, ATTENTION_LSTM.stream().allMatch(block::declares));
    int[] nodes = nodesOf(graph, block);
    if (passes.isUnknown) {
      passes.addEverything(graph, nodes);
      return passes;
    }
    Replacements replacements = Replacements.find(graph.program(), block);
    passes.addReplacements(block, replacements, nodes);
    passes.addReadEnds(graph, block, latest(block, replacements), nodes);
    replacements.demands().forEach(passes::addDemands);
    return passes;
  }

  /** The node of each operator of the first block; of a control operator, its head. */
  private static int[] nodesOf(ControlFlowGraph graph, EntryBlock block) {
    int[] nodes = new int[block.size()];
    for (int node = graph.nodeCount() - 1; node >= 0; node--) {
      if (graph.operation(node).block() == 0) {
        nodes[graph.operation(node).index()] = node;
      }
    }
    return nodes;
  }

  private void addEverything(ControlFlowGraph graph, int[] nodes) {
    for (int node : nodes) {
      replaceable.set(node);
      lateWrites.set(firstOutput[node], firstOutput[node + 1]);
      readUntil[node] = 2 * graph.nodeCount();
    }
  }

  private void addReplacements(EntryBlock block, Replacements replacements, int[] nodes) {
    for (int op = 0; op < nodes.length; op++) {
      int node = nodes[op];
      earliest[node] = nodes[replacements.earliest(op)];
      replaceable.set(node, replacements.isReplaceable(op));
      for (int i = 0; i < block.operation(op).inputCount(); i++) {
        int producer = block.producer(op, i);
        if (producer != EntryBlock.NONE && replacements.isInner(producer)) {
          innerReads.set(firstInput[node] + i);
        }
      }
      for (int i = 0; i < block.operation(op).outputCount(); i++) {
        boolean isLate = !block.isRead(op, i) && !replacements.losesOutput(op, i);
        lateWrites.set(firstOutput[node] + i, replacements.isReplaceable(op) && isLate);
      }
    }
  }

  /**
   * By operator: the operator before which it runs, whatever becomes of it; the number of operators
   * if nobody reads its results. An operator that no pass replaces runs at its own place.
   *
   * <p>Source: Paddle's {@code TopologySortGraphByDescOrder}: a new operator runs immediately
   * before the first old operator that needs its result.
   */
  private static int[] latest(EntryBlock block, Replacements replacements) {
    int[] latest = new int[block.size()];
    for (int op = block.size() - 1; op >= 0; op--) {
      latest[op] = op;
      if (replacements.isReplaceable(op)) {
        latest[op] = block.size();
        for (int reader : block.readers(op)) {
          boolean isDropped =
              replacements.isOnlyAfterX(reader) && block.producer(reader, "X") != op;
          if (!isDropped) {
            latest[op] = Math.min(latest[op], latest[reader]);
          }
        }
      }
    }
    return latest;
  }

  private void addReadEnds(ControlFlowGraph graph, EntryBlock block, int[] latest, int[] nodes) {
    int end = 2 * graph.nodeCount();
    for (int op = block.size() - 1; op >= 0; op--) {
      int node = nodes[op];
      if (replaceable.get(node)) {
        readUntil[node] = latest[op] == block.size() ? end : 2 * nodes[latest[op]] + 1;
      } else if (graph.regionAtHead(node) >= 0) {
        readUntil[node] = 2 * graph.region(graph.regionAtHead(node)).exit() + 2;
      }
      if (block.type(op).equals("dropout")) {
        // simplify_with_basic_ops removes it: the readers of its result read its input.
        for (int reader : block.readers(op)) {
          readUntil[node] = Math.max(readUntil[node], readUntil[nodes[reader]]);
        }
      }
    }
  }

  /** Several passes may read one declaration: all extents include the rank. */
  private void addDemands(int variable, List<ShapeDemand> all) {
    ShapeDemand demand = ShapeDemand.NONE;
    for (ShapeDemand each : all) {
      ShapeDemand both = demand.and(each);
      if (both == null) {
        throw new IllegalStateException("one declaration has two shapes: " + all);
      }
      demand = both;
    }
    demands[variable] = demand;
  }

  /** Whether a pass may remove the operator, or put another one in its place. */
  public boolean isReplaceable(int node) {
    return replaceable.get(node);
  }

  /** Whether passes may replace any operator. */
  public boolean isAny() {
    return !replaceable.isEmpty();
  }

  /** The first point at which the operator has certainly read its inputs. */
  public int readUntil(int node) {
    return readUntil[node];
  }

  /** The node at whose place the operator's results may be written: an earlier one, or itself. */
  public int earliestWrite(int node) {
    return earliest[node];
  }

  /**
   * Whether an input argument comes from an operator whose results only operators of one pattern
   * read. If the pattern is replaced, the value disappears; if not, the operator stays in its
   * place.
   */
  public boolean isInnerRead(int node, int argument) {
    return innerReads.get(firstInput[node] + argument);
  }

  /**
   * Whether a pass may move the write of an output. Not of an output that the first block reads:
   * its readers occupy the name for as long.
   */
  public boolean isLateWrite(int node, int output) {
    return lateWrites.get(firstOutput[node] + output);
  }

  /**
   * Whether the operator, and the one that may take its place, can write its first result over an
   * input argument.
   */
  public boolean canWriteInPlace(Operation operation, int node, int argument) {
    if (!isReplaceable(node) || isInnerRead(node, argument)) {
      return true;
    }
    boolean isInPlace = operation.type().equals("batch_norm") && earliest[node] == node;
    return !isUnknown && (isInPlace || operation.type().equals("dropout"));
  }

  /** The shape that the name of a variable must declare. */
  public ShapeDemand demand(int variable) {
    ShapeDemand demand = variable == Program.NO_VARIABLE ? null : demands[variable];
    return demand == null ? ShapeDemand.NONE : demand;
  }

  @Override
  public String toString() {
    return "replaceable nodes " + replaceable + ", read until " + Arrays.toString(readUntil);
  }
}
