package dev.sublet.liveness;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.ExclusiveBranches;
import dev.sublet.cfg.Region;
import dev.sublet.program.Variable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The control-flow graph reduced to one variable: the nodes that access the variable, and the heads
 * and exits of the regions around these nodes.
 *
 * <p>All other nodes leave the variable alone. So the reduced graph has the same solution as the
 * whole graph, but is solved in O(accesses × nesting depth). A <i>position</i> is the index of a
 * node in the reduced graph.
 *
 * <p>One object serves all variables in turn, so that a million variables need no allocation.
 */
final class VariableFlow implements DataflowProblem {

  /** The only fact of both problems: the variable is live, or it may have been written. */
  private static final long FACT = 1;

  private final ControlFlowGraph graph;
  private final ExitNeeds needs;
  private final AccessTable accesses;
  private int[] nodes = new int[16];
  private int[] accessAt = new int[16];
  private int[] second = new int[16];
  private int[] first = new int[16];
  private int size;

  private int[] openRegions = new int[16];
  private int[] openHeads = new int[16];
  private int openCount;

  /** The positions of heads with an edge to the exit of a loop that is not closed yet. */
  private int[] leaving = new int[4];

  private int leavingCount;
  private int scope;
  private int variable;
  private int mustRun;
  private boolean elementsOnly;
  private DataflowProblem.Direction direction = DataflowProblem.Direction.BACKWARD;
  private long boundary;
  private boolean neededAtEnd;

  VariableFlow(ControlFlowGraph graph, ExitNeeds needs) {
    this.needs = needs;
    this.graph = graph;
    this.accesses = graph.accesses();
  }

  /**
   * Builds the reduced graph of another variable.
   *
   * @param exclusive the role of the variable in a pair of exclusive branches, to treat its branch
   *     as one that always runs; null for none
   * @param newElementsOnly whether reads of the shape alone are ignored
   */
  void load(
      int newVariable, ExclusiveBranches.@Nullable Result exclusive, boolean newElementsOnly) {
    variable = newVariable;
    elementsOnly = newElementsOnly;
    mustRun = exclusive == null ? -1 : exclusive.branch();
    size = 0;
    openCount = 0;
    leavingCount = 0;
    scope = scopeRegion();
    if (scope > 0) {
      open(scope);
    }
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      closeRegionsBefore(node);
      if (openCount > 0 && graph.region(openRegions[openCount - 1]).exit() == node) {
        closeRegion(access);
        continue;
      }
      openRegionsAround(node);
      append(node, access);
      int loop = graph.regionAtHead(node);
      if (loop > scope && graph.region(loop).kind().isLoop()) {
        // The head of a loop reads its inputs again after each iteration.
        open(loop);
      }
    }
    while (openCount > 0) {
      closeRegion(-1);
    }
    while (leavingCount > 0) {
      second[leaving[--leavingCount]] = size; // the loop is outside the variable's scope
    }
  }

  /** The region of the block that declares the variable, widened until it contains every access. */
  private int scopeRegion() {
    int region = graph.regionOfBlock(graph.program().variable(variable).block());
    int begin = accesses.begin(variable);
    int end = accesses.end(variable);
    while (region > 0
        && begin < end
        && (!holds(graph.region(region), accesses.node(begin))
            || !holds(graph.region(region), accesses.node(end - 1)))) {
      region = graph.region(region).parent();
    }
    return region;
  }

  private static boolean holds(Region region, int node) {
    return region.head() <= node && node <= region.exit();
  }

  private void append(int node, int access) {
    if (size > 0 && nodes[size - 1] == node) {
      if (access >= 0) {
        accessAt[size - 1] = access;
      }
      return;
    }
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * size);
      accessAt = Arrays.copyOf(accessAt, 2 * size);
      first = Arrays.copyOf(first, 2 * size);
      second = Arrays.copyOf(second, 2 * size);
    }
    nodes[size] = node;
    accessAt[size] = access;
    first[size] = size + 1;
    second[size] = -1;
    size++;
  }

  private void closeRegionsBefore(int node) {
    while (openCount > 0 && graph.region(openRegions[openCount - 1]).exit() < node) {
      closeRegion(-1);
    }
  }

  private void openRegionsAround(int node) {
    openFrom(graph.regionOfNode(node), openCount > 0 ? openRegions[openCount - 1] : scope);
  }

  /** Opens a region and its ancestors inside {@code innermost}, the outermost of them first. */
  private void openFrom(int region, int innermost) {
    if (region > innermost) {
      openFrom(graph.region(region).parent(), innermost);
      open(region);
    }
  }

  private void open(int region) {
    append(graph.region(region).head(), -1);
    if (openCount == openRegions.length) {
      openRegions = Arrays.copyOf(openRegions, 2 * openCount);
      openHeads = Arrays.copyOf(openHeads, 2 * openCount);
    }
    openRegions[openCount] = region;
    openHeads[openCount] = size - 1;
    openCount++;
  }

  private void closeRegion(int access) {
    openCount--;
    Region region = graph.region(openRegions[openCount]);
    int head = openHeads[openCount];
    if (size - 1 == head && region.kind().isLoop() && region.exit() - 1 > region.head()) {
      append(region.exit() - 1, -1); // stands for a body without accesses
    }
    int last = size - 1;
    append(region.exit(), access);
    boolean mayEnd = region.index() != mustRun && needs.isNeeded(region.index(), variable);
    if (region.leaves() >= 0 && mayEnd) {
      leave(head);
    } else if (region.leaves() < 0 && mayEnd) {
      second[head] = size - 1;
    }
    arriveFrom(region.index());
    if (last != head && region.kind().isLoop() && !startsFresh(region)) {
      first[last] = head;
    }
  }

  private void leave(int head) {
    if (leavingCount == leaving.length) {
      leaving = Arrays.copyOf(leaving, 2 * leavingCount);
    }
    leaving[leavingCount++] = head;
  }

  /** Adds the edges from the heads that leave a loop to its exit, which is the latest position. */
  private void arriveFrom(int loop) {
    while (leavingCount > 0) {
      int head = leaving[leavingCount - 1];
      if (graph.region(graph.regionAtHead(nodes[head])).leaves() != loop) {
        return;
      }
      second[head] = size - 1;
      leavingCount--;
    }
  }

  /**
   * Whether each run of the region's body has its own instance of the variable, or an array of the
   * body is emptied before.
   */
  private boolean startsFresh(Region region) {
    Variable declared = graph.program().variable(variable);
    int home = graph.regionOfBlock(declared.block());
    boolean isArray = declared.kind() == Variable.Kind.TENSOR_ARRAY;
    return home > 0
        && ((region.index() == home && (region.hasFreshScopes() || isArray))
            || (region.kind().isGradient() && region.forward() == home));
  }

  /** The program node at a position. */
  int node(int position) {
    return nodes[position];
  }

  /** Whether the node at a position is the head of a region, so that the next node is in a body. */
  boolean opensBody(int position) {
    return second[position] >= 0 || isMustRunHead(position);
  }

  private boolean isMustRunHead(int position) {
    return mustRun >= 0 && nodes[position] == graph.region(mustRun).head();
  }

  boolean reads(int position) {
    int access = accessAt[position];
    return access >= 0 && (elementsOnly ? accesses.readsElements(access) : accesses.reads(access));
  }

  boolean writes(int position) {
    return accessAt[position] >= 0 && accesses.writes(accessAt[position]);
  }

  boolean kills(int position) {
    return accessAt[position] >= 0 && accesses.kills(accessAt[position]);
  }

  /** The region that contains all accesses of the variable; 0 for the whole program. */
  int scope() {
    return scope;
  }

  /** Whether the variable is live at the end, for the problem of {@link #live}. */
  boolean boundaryHolds() {
    return neededAtEnd;
  }

  /** Selects the backward problem "may the value be read later?". */
  VariableFlow live(boolean atEnd) {
    direction = DataflowProblem.Direction.BACKWARD;
    neededAtEnd = atEnd;
    boundary = atEnd ? FACT : 0;
    return this;
  }

  /** Selects the forward problem "may the variable have been written?". */
  VariableFlow written(boolean atStart) {
    direction = DataflowProblem.Direction.FORWARD;
    boundary = atStart ? FACT : 0;
    return this;
  }

  @Override
  public DataflowProblem.Direction direction() {
    return direction;
  }

  @Override
  public int nodeCount() {
    return size;
  }

  @Override
  public int successor(int position) {
    return first[position];
  }

  @Override
  public int secondSuccessor(int position) {
    return second[position];
  }

  @Override
  public long gen(int position) {
    boolean backward = direction == DataflowProblem.Direction.BACKWARD;
    return (backward ? reads(position) : writes(position)) ? FACT : 0;
  }

  @Override
  public long kill(int position) {
    boolean backward = direction == DataflowProblem.Direction.BACKWARD;
    return backward && kills(position) ? FACT : 0;
  }

  @Override
  public long boundary() {
    return boundary;
  }
}
