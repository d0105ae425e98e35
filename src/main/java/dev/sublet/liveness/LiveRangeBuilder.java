package dev.sublet.liveness;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.ExclusiveBranches;
import dev.sublet.cfg.Region;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Computes the live ranges of one variable after the other, as webs of intervals.
 *
 * <p>For each variable:
 *
 * <ol>
 *   <li>Solves two problems on the {@link VariableFlow} of the variable: may the value be read
 *       later, and may the variable have been written before? The variable occupies its bytes where
 *       both hold, because bytes that were never written need not be preserved.
 *   <li>Unites the values that meet along the edges of the flow into webs (union-find).
 *   <li>Cuts the time of each web into pieces, one per node of the flow and one between each node
 *       and the next, and joins pieces that touch into intervals.
 * </ol>
 *
 * <p>O(accesses × nesting depth) for all variables together.
 */
final class LiveRangeBuilder {

  private final ControlFlowGraph graph;
  private final Program program;
  private final Observation observation;
  private final ExitNeeds needs;
  private final IntPredicate elementsOnly;
  private final SuccessiveBranches branches;
  private final VariableFlow flow;
  private final DataflowResult live = new DataflowResult();
  private final DataflowResult written = new DataflowResult();

  /** The union-find forest over the values before (2i) and after (2i + 1) each position i. */
  private int[] parents = new int[32];

  /** The pieces of the current variable: value, first point and end of each. */
  private int[] pieceValues = new int[32];

  private int[] pieceBegins = new int[32];
  private int[] pieceEnds = new int[32];
  private int pieceCount;

  private int[] webOfValue = new int[0];
  private int[] countOfWeb = new int[0];
  private int[] sortedPieces = new int[0];

  private final int[] websOfVariable;
  private int[] intervalsOfWeb = new int[1024];
  private int[] begins = new int[1024];
  private int[] ends = new int[1024];
  private int webCount;
  private int intervalCount;

  private LiveRangeBuilder(
      ControlFlowGraph graph,
      Observation observation,
      ExitNeeds needs,
      IntPredicate elementsOnly,
      SuccessiveBranches branches) {
    this.graph = graph;
    this.program = graph.program();
    this.observation = observation;
    this.needs = needs;
    this.elementsOnly = elementsOnly;
    this.branches = branches;
    this.flow = new VariableFlow(graph, needs);
    this.websOfVariable = new int[program.variableCount() + 1];
  }

  /**
   * Builds the ranges of all variables.
   *
   * @param elementsOnly the variables that a read of their shape alone does not keep alive
   * @param branches the exclusive branches of which only one keeps its values at a time
   */
  static LiveRanges build(
      ControlFlowGraph graph,
      Observation observation,
      ExitNeeds needs,
      IntPredicate elementsOnly,
      SuccessiveBranches branches) {
    LiveRangeBuilder builder =
        new LiveRangeBuilder(graph, observation, needs, elementsOnly, branches);
    for (Variable variable : graph.program().variables()) {
      builder.add(variable);
    }
    return new LiveRanges(
        builder.websOfVariable,
        Arrays.copyOf(builder.intervalsOfWeb, builder.webCount + 1),
        Arrays.copyOf(builder.begins, builder.intervalCount),
        Arrays.copyOf(builder.ends, builder.intervalCount),
        2 * graph.nodeCount());
  }

  private void add(Variable variable) {
    int index = variable.index();
    pieceCount = 0;
    if ((variable.kind() == Variable.Kind.TENSOR || variable.kind() == Variable.Kind.TENSOR_ARRAY)
        && !variable.isPersistable()
        && graph.regionOfBlock(variable.block()) >= 0) {
      ExclusiveBranches.@Nullable Result exclusive =
          observation.isObserved(index) ? null : graph.exclusive().results().get(index);
      flow.load(index, exclusive, elementsOnly.test(index));
      if (flow.nodeCount() > 0) {
        solve(index);
        uniteValues();
        cutIntoPieces(index);
        if (exclusive != null) {
          removeBody(graph.region(exclusive.other()));
        } else if (!branches.isEmpty() && !graph.pinned().isPinned(index)) {
          removeFirstBranches(index);
        }
      } else if (observation.isFeed(index)) {
        parents[0] = 0;
        addPiece(
            0,
            0,
            observation.isObserved(index) ? 2 * graph.nodeCount() : Math.min(1, graph.nodeCount()));
      }
    }
    emitWebs(index);
  }

  private void solve(int variable) {
    boolean outermost = flow.scope() == 0;
    boolean neededAtEnd = observation.isObserved(variable) && needs.isNeeded(0, variable);
    DataflowSolver.solve(flow.live(neededAtEnd), live);
    DataflowSolver.solve(flow.written(outermost && observation.isFeed(variable)), written);
  }

  private boolean heldBefore(int position) {
    return live.before(position) != 0 && written.before(position) != 0;
  }

  private boolean heldAfter(int position) {
    return live.after(position) != 0 && written.after(position) != 0;
  }

  /** Whether the variable occupies its bytes on the edge between two positions. */
  private boolean heldBetween(int position, int successor) {
    boolean needed =
        successor == flow.nodeCount() ? flow.boundaryHolds() : live.before(successor) != 0;
    return needed && written.after(position) != 0;
  }

  private void uniteValues() {
    int count = flow.nodeCount();
    if (parents.length < 2 * count) {
      parents = new int[4 * count];
    }
    for (int i = 0; i < 2 * count; i++) {
      parents[i] = i;
    }
    for (int i = 0; i < count; i++) {
      boolean occupiedBefore = heldBefore(i) || flow.reads(i);
      if (!flow.kills(i) && occupiedBefore && (heldAfter(i) || flow.writes(i))) {
        unite(2 * i, 2 * i + 1);
      }
      uniteAlong(i, flow.successor(i));
      uniteAlong(i, flow.secondSuccessor(i));
    }
  }

  private void uniteAlong(int position, int successor) {
    if (successor >= 0 && successor < flow.nodeCount() && heldBetween(position, successor)) {
      unite(2 * position + 1, 2 * successor);
    }
  }

  private int find(int value) {
    int root = value;
    while (parents[root] != root) {
      parents[root] = parents[parents[root]];
      root = parents[root];
    }
    return root;
  }

  private void unite(int a, int b) {
    int rootA = find(a);
    int rootB = find(b);
    parents[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }

  private void cutIntoPieces(int variable) {
    int count = flow.nodeCount();
    boolean outermost = flow.scope() == 0;
    if (outermost && observation.isFeed(variable)) {
      // The caller of the program writes a feed at the start, even if no operator reads the feed.
      addPiece(find(0), 0, live.before(0) != 0 ? 2 * flow.node(0) : 1);
    }
    for (int i = 0; i < count; i++) {
      int point = 2 * flow.node(i);
      if (flow.reads(i)) {
        addPiece(find(2 * i), point, point + 2);
      } else if (heldBefore(i)) {
        addPiece(find(2 * i), point, point + 1);
      }
      if (heldAfter(i) || flow.writes(i)) {
        addPiece(find(2 * i + 1), point + 1, point + 2);
      }
      if (i + 1 < count) {
        addPieceBetween(i, point + 2, 2 * flow.node(i + 1));
      } else if (outermost && heldAfter(i)) {
        addPiece(find(2 * i + 1), point + 2, 2 * graph.nodeCount());
      }
    }
  }

  /**
   * Adds the piece between a position and the next one. After a head, this is the edge into the
   * body; after any other node, the edge to the next node.
   */
  private void addPieceBetween(int position, int begin, int end) {
    if (flow.opensBody(position)) {
      if (heldBetween(position, position + 1)) {
        addPiece(find(2 * (position + 1)), begin, end);
      }
    } else if (heldAfter(position)) {
      addPiece(find(2 * position + 1), begin, end);
    }
  }

  private void addPiece(int value, int begin, int end) {
    if (begin >= end) {
      return;
    }
    if (pieceCount == pieceValues.length) {
      pieceValues = Arrays.copyOf(pieceValues, 2 * pieceCount);
      pieceBegins = Arrays.copyOf(pieceBegins, 2 * pieceCount);
      pieceEnds = Arrays.copyOf(pieceEnds, 2 * pieceCount);
    }
    pieceValues[pieceCount] = value;
    pieceBegins[pieceCount] = begin;
    pieceEnds[pieceCount] = end;
    pieceCount++;
  }

  /** Removes the body of a rival branch, because the variable has no needed value while it runs. */
  private void removeBody(Region rival) {
    int from = 2 * rival.head() + (branches.isSecond(rival.index()) ? 0 : 2);
    remove(from, 2 * rival.exit());
  }

  /**
   * Removes the rest of each first branch, after the last read there, if only the second branch
   * reads the value further.
   */
  private void removeFirstBranches(int variable) {
    for (int i = 0; i < flow.nodeCount(); i++) {
      int region = graph.regionAtHead(flow.node(i));
      if (region >= 0
          && branches.isSecond(region)
          && !branches.isCondition(region, variable)
          && !isLiveAfter(graph.region(region), i)) {
        Region first = branches.firstBefore(region);
        int last = lastReadIn(first, i);
        if (last >= 0) {
          remove(2 * last + 2, 2 * first.exit() + 2);
        }
      }
    }
  }

  /** Whether the variable is live after a region, of which the flow has the head at a position. */
  private boolean isLiveAfter(Region region, int head) {
    int last = head; // the flow has the exit only if the body accesses the variable
    while (last + 1 < flow.nodeCount() && flow.node(last + 1) <= region.exit()) {
      last++;
    }
    return live.after(last) != 0;
  }

  /**
   * The node of the region's last read, or the exit of the nested region around it, or the head if
   * the region does not read the variable; -1 if the region writes it.
   *
   * @param end the position of the next node after the region
   */
  private int lastReadIn(Region region, int end) {
    int last = region.head();
    for (int i = end - 1; i >= 0 && flow.node(i) >= region.head(); i--) {
      if (flow.writes(i)) {
        return -1;
      }
      last = Math.max(last, flow.node(i) < region.exit() ? flow.node(i) : region.head());
    }
    return last;
  }

  /** Removes the points from the first one until before the second one. */
  private void remove(int from, int to) {
    int count = pieceCount;
    for (int i = 0; i < count; i++) {
      int begin = pieceBegins[i];
      int end = pieceEnds[i];
      if (begin < to && from < end) {
        pieceEnds[i] = Math.max(begin, from);
        // The part after the body goes to the end of the array; sortPieces restores the order.
        int tail = Math.max(begin, to);
        addPiece(pieceValues[i], tail, end);
      }
    }
    sortPieces(count);
  }

  /** Sorts the pieces by first point: an insertion sort after the first {@code sorted} pieces. */
  private void sortPieces(int sorted) {
    for (int i = sorted; i < pieceCount; i++) {
      int value = pieceValues[i];
      int begin = pieceBegins[i];
      int end = pieceEnds[i];
      int j = i - 1;
      while (j >= 0 && pieceBegins[j] > begin) {
        pieceValues[j + 1] = pieceValues[j];
        pieceBegins[j + 1] = pieceBegins[j];
        pieceEnds[j + 1] = pieceEnds[j];
        j--;
      }
      pieceValues[j + 1] = value;
      pieceBegins[j + 1] = begin;
      pieceEnds[j + 1] = end;
    }
  }

  /** Groups the pieces into webs by value (a counting sort), and orders webs by first point. */
  private void emitWebs(int variable) {
    websOfVariable[variable] = webCount;
    int webs = 0;
    if (webOfValue.length < parents.length) {
      webOfValue = new int[parents.length];
      countOfWeb = new int[parents.length + 1];
    }
    for (int i = 0; i < pieceCount; i++) {
      webOfValue[pieceValues[i]] = -1;
    }
    for (int i = 0; i < pieceCount; i++) {
      if (pieceBegins[i] < pieceEnds[i]) {
        int value = pieceValues[i];
        if (webOfValue[value] < 0) {
          countOfWeb[webs] = 0;
          webOfValue[value] = webs++;
        }
        countOfWeb[webOfValue[value]]++;
      }
    }
    int[] sorted = sortByWeb(webs);
    int next = 0;
    for (int web = 0; web < webs; web++) {
      openWeb();
      for (; next < countOfWeb[web]; next++) {
        addInterval(pieceBegins[sorted[next]], pieceEnds[sorted[next]]);
      }
      closeWeb();
    }
    websOfVariable[variable + 1] = webCount;
  }

  /** Sorts the non-empty pieces by web, and turns {@code countOfWeb} into the end of each web. */
  private int[] sortByWeb(int webs) {
    if (sortedPieces.length < pieceCount) {
      sortedPieces = new int[pieceValues.length];
    }
    int sum = 0;
    for (int web = 0; web < webs; web++) {
      int count = countOfWeb[web];
      countOfWeb[web] = sum;
      sum += count;
    }
    for (int i = 0; i < pieceCount; i++) {
      if (pieceBegins[i] < pieceEnds[i]) {
        sortedPieces[countOfWeb[webOfValue[pieceValues[i]]]++] = i;
      }
    }
    return sortedPieces;
  }

  private void openWeb() {
    if (webCount + 2 > intervalsOfWeb.length) {
      intervalsOfWeb = Arrays.copyOf(intervalsOfWeb, 2 * intervalsOfWeb.length);
    }
    intervalsOfWeb[webCount] = intervalCount;
  }

  private void closeWeb() {
    webCount++;
    intervalsOfWeb[webCount] = intervalCount;
  }

  private void addInterval(int begin, int end) {
    boolean joins = intervalCount > intervalsOfWeb[webCount] && ends[intervalCount - 1] >= begin;
    if (joins) {
      ends[intervalCount - 1] = Math.max(ends[intervalCount - 1], end);
      return;
    }
    if (intervalCount == begins.length) {
      begins = Arrays.copyOf(begins, 2 * intervalCount);
      ends = Arrays.copyOf(ends, 2 * intervalCount);
    }
    begins[intervalCount] = begin;
    ends[intervalCount] = end;
    intervalCount++;
  }
}
