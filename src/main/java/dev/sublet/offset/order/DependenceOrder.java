package dev.sublet.offset.order;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.program.Variable;
import java.util.Arrays;

/**
 * The order of nodes if an executor keeps only the data dependences: read after write, write after
 * read and write after write of a variable, between the operators of one block.
 *
 * <pre>{@code
 * a = f(x); b = g(x); c = h(a, b)     f before h, g before h; f and g in any order
 * }</pre>
 *
 * <p>A control operator has the accesses of its body. Nodes of different blocks compare as the
 * operators that contain them in the innermost block around both. A head comes before its body, and
 * the exit after it.
 *
 * <p>Accesses that only the runtime derives are no dependences here: an executor need not be aware
 * of them.
 *
 * <p>The order is stored as bits of reachability for each block: with n operators n²/16 bytes and
 * O(dependences × n/128) words of work. A block of more than {@link #MAX_OPERATORS} operators gets
 * no order at all, with a warning. Comparing two nodes is O(nesting depth).
 */
final class DependenceOrder {

  /** The greatest number of operators of a block whose order is found; their bits take 225 MB. */
  static final int MAX_OPERATORS = 60_000;

  private final ControlFlowGraph graph;

  /** By node: the number of its operator among those of its region. */
  private final int[] positions;

  /** By region and operator: which later operators of the region run after it, as bits. */
  private final long[][][] after;

  private DependenceOrder(ControlFlowGraph graph) {
    this.graph = graph;
    this.positions = new int[graph.nodeCount()];
    this.after = new long[graph.regions().size()][][];
  }

  static DependenceOrder of(ControlFlowGraph graph, DiagnosticLog log) {
    DependenceOrder order = new DependenceOrder(graph);
    int[] counts = order.numberOperators();
    EdgeCollector edges = new EdgeCollector(graph, order.positions);
    edges.collect();
    for (int region = 0; region < counts.length; region++) {
      if (counts[region] > MAX_OPERATORS) {
        log.warn(
            Location.nowhere(),
            "block "
                + graph.region(region).block()
                + " has "
                + counts[region]
                + " operators, too many to find their data dependences: for the parallel order"
                + " any two of them are taken to run at the same time");
      } else {
        order.after[region] = closure(counts[region], edges.sorted(region));
      }
    }
    return order;
  }

  private int[] numberOperators() {
    int[] counts = new int[graph.regions().size()];
    for (int node = 0; node < positions.length; node++) {
      int exited = graph.regionAtExit(node);
      positions[node] =
          exited >= 0 ? positions[graph.region(exited).head()] : counts[graph.regionOfNode(node)]++;
    }
    return counts;
  }

  /**
   * Computes the transitive closure, from the last operator to the first: an operator's successors
   * are its direct successors and theirs.
   */
  private static long[][] closure(int count, long[] edges) {
    long[][] rows = new long[count][];
    int edge = edges.length - 1;
    for (int from = count - 1; from >= 0; from--) {
      int firstWord = from >>> 6;
      long[] row = new long[((count + 63) >>> 6) - firstWord];
      for (; edge >= 0 && (int) (edges[edge] >>> 32) == from; edge--) {
        int to = (int) edges[edge];
        row[(to >>> 6) - firstWord] |= 1L << to;
        int shift = (to >>> 6) - firstWord;
        for (int word = 0; word < rows[to].length; word++) {
          row[word + shift] |= rows[to][word];
        }
      }
      rows[from] = row;
    }
    return rows;
  }

  /** Whether one node surely runs before another one. False for a node and itself. */
  boolean before(int first, int second) {
    if (first >= second) {
      return false;
    }
    int a = first;
    int b = second;
    while (graph.regionOfNode(a) != graph.regionOfNode(b)) {
      // A region's index is greater than that of the one around it.
      if (graph.regionOfNode(a) > graph.regionOfNode(b)) {
        a = graph.region(graph.regionOfNode(a)).head();
      } else {
        b = graph.region(graph.regionOfNode(b)).head();
      }
    }
    if (positions[a] == positions[b]) {
      return true; // the head or exit of a control operator, and a node inside or its other end
    }
    long[][] rows = after[graph.regionOfNode(a)];
    int word = (positions[b] >>> 6) - (positions[a] >>> 6);
    return rows != null && (rows[positions[a]][word] & 1L << positions[b]) != 0;
  }

  /** Finds the dependences of one variable after the other, in each region around its accesses. */
  private static final class EdgeCollector {

    private static final int NONE = -1;

    private final ControlFlowGraph graph;
    private final int[] positions;
    private final long[][] edges;
    private final int[] counts;

    // By region, for the current variable: the latest operator that writes it, and the operators
    // that have read it since.
    private final int[] seenVariable;
    private final int[] writers;
    private final int[][] readers;
    private final int[] readerCounts;

    EdgeCollector(ControlFlowGraph graph, int[] positions) {
      int regions = graph.regions().size();
      this.graph = graph;
      this.positions = positions;
      this.edges = new long[regions][16];
      this.counts = new int[regions];
      this.seenVariable = new int[regions];
      this.writers = new int[regions];
      this.readers = new int[regions][4];
      this.readerCounts = new int[regions];
      Arrays.fill(seenVariable, NONE);
    }

    void collect() {
      AccessTable accesses = graph.accesses();
      for (Variable variable : graph.program().variables()) {
        int v = variable.index();
        if (graph.regionOfBlock(variable.block()) < 0) {
          continue; // not followed: the operator that runs the block orders its variables
        }
        for (int access = accesses.begin(v); access < accesses.end(v); access++) {
          if (!accesses.isImplicit(access)) {
            int node = accesses.node(access);
            // A control operator reads its inputs at its head and writes its outputs at its exit.
            boolean reads = accesses.reads(access) && graph.regionAtExit(node) < 0;
            boolean writes = accesses.writes(access) && graph.regionAtHead(node) < 0;
            addAccess(v, node, reads, writes);
          }
        }
      }
    }

    private void addAccess(int variable, int node, boolean reads, boolean writes) {
      int at = node;
      while (at >= 0) {
        Region region = graph.region(graph.regionOfNode(at));
        addAccessOf(variable, region.index(), positions[at], reads, writes);
        at = region.head();
      }
    }

    private void addAccessOf(
        int variable, int region, int position, boolean reads, boolean writes) {
      if (seenVariable[region] != variable) {
        seenVariable[region] = variable;
        writers[region] = NONE;
        readerCounts[region] = 0;
      }
      if (reads) {
        addEdge(region, writers[region], position);
        addReader(region, position);
      }
      if (writes) {
        addEdge(region, writers[region], position);
        for (int i = 0; i < readerCounts[region]; i++) {
          addEdge(region, readers[region][i], position);
        }
        writers[region] = position;
        readerCounts[region] = 0;
      }
    }

    private void addReader(int region, int position) {
      int count = readerCounts[region];
      if (count > 0 && readers[region][count - 1] == position) {
        return;
      }
      if (count == readers[region].length) {
        readers[region] = Arrays.copyOf(readers[region], 2 * count);
      }
      readers[region][count] = position;
      readerCounts[region]++;
    }

    private void addEdge(int region, int from, int to) {
      if (from == NONE || from == to) {
        return;
      }
      if (counts[region] == edges[region].length) {
        edges[region] = Arrays.copyOf(edges[region], 2 * counts[region]);
      }
      edges[region][counts[region]++] = (long) from << 32 | to;
    }

    /** Returns the edges of a region, sorted by their beginnings. */
    long[] sorted(int region) {
      long[] result = Arrays.copyOf(edges[region], counts[region]);
      Arrays.sort(result);
      return result;
    }
  }
}
