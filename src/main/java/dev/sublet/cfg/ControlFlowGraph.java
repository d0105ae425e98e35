package dev.sublet.cfg;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.function.Predicate;

/**
 * The nodes of a program in nesting order, with their regions and accesses.
 *
 * <p>An operator is one node. A control operator whose block is followed is two nodes, head and
 * exit, around the nodes of the block:
 *
 * <pre>
 *   x = f()                        node 0
 *   while(c) {                     node 1: head
 *     …                            node 2: body
 *   }                              node 3: exit
 * </pre>
 *
 * <p>A block is followed if the catalog knows how its operator runs it and no other operator refers
 * to it. Edges follow from the regions and are not stored:
 *
 * <ul>
 *   <li>A node has an edge to the next node, but the last node of a loop's body has one to the head
 *       of the loop instead.
 *   <li>A head also has an edge to its exit. The head of an exit conditional has one to the exit of
 *       its loop instead.
 * </ul>
 */
public final class ControlFlowGraph {

  private final Program program;
  private final RegionTable regions;
  private final Operation[] operations;
  private final AccessTable accesses;
  private final PinnedVariables pinned;
  private final ExclusiveBranches exclusive;

  ControlFlowGraph(
      Program program,
      RegionTable regions,
      Operation[] operations,
      AccessTable accesses,
      PinnedVariables pinned,
      ExclusiveBranches exclusive) {
    this.program = program;
    this.regions = regions;
    this.operations = operations;
    this.accesses = accesses;
    this.pinned = pinned;
    this.exclusive = exclusive;
  }

  /**
   * Builds the graph. O(arguments × nesting depth).
   *
   * @throws ProgramException if a gradient operator comes before its forward operator, or a loop
   *     does not have exactly one condition
   */
  public static ControlFlowGraph build(Program program, OperatorCatalog catalog) {
    return build(program, catalog, operation -> false);
  }

  /**
   * Builds the graph. Some operators leave an output unwritten if an input has no elements. If
   * {@code mayBeEmpty} holds for such an operator, its write is not a whole write.
   *
   * @param mayBeEmpty whether an operator may get tensors without elements
   * @throws ProgramException if a gradient operator comes before its forward operator, or a loop
   *     does not have exactly one condition
   */
  public static ControlFlowGraph build(
      Program program, OperatorCatalog catalog, Predicate<Operation> mayBeEmpty) {
    return GraphBuilder.build(program, catalog, mayBeEmpty);
  }

  /**
   * Returns the same graph with fewer results of exclusive branches: only the results that fit.
   * O(results + choices).
   */
  public ControlFlowGraph withExclusive(Predicate<ExclusiveBranches.Result> fits) {
    return new ControlFlowGraph(
        program, regions, operations, accesses, pinned, exclusive.filter(fits));
  }

  /** The program. */
  public Program program() {
    return program;
  }

  /** The number of nodes; the program ends at point {@code 2 * nodeCount()}. */
  public int nodeCount() {
    return operations.length;
  }

  /** The operator at a node. */
  public Operation operation(int node) {
    return operations[node];
  }

  /** The regions; the whole program is region 0, and a region comes before those inside it. */
  public ImmutableList<Region> regions() {
    return regions.regions();
  }

  /** One region. */
  public Region region(int index) {
    return regions.regions().get(index);
  }

  /** The innermost region whose body contains the node; a head or exit is outside its own body. */
  public int regionOfNode(int node) {
    return regions.ofNode().get(node);
  }

  /** The region of the block, or -1 if the block is not followed. */
  public int regionOfBlock(int block) {
    return regions.ofBlock().get(block);
  }

  /** The region whose head the node is, or -1. */
  public int regionAtHead(int node) {
    int region = regions.atHead().get(node);
    return region >= 0 && region(region).head() == node ? region : -1;
  }

  /** The region whose exit the node is, or -1. */
  public int regionAtExit(int node) {
    int region = regions.atHead().get(node);
    return region >= 0 && region(region).exit() == node ? region : -1;
  }

  /** Whether a node is an operator without blocks, and not the head or exit of a region. */
  public boolean isKernel(int node) {
    return regionAtHead(node) < 0 && regionAtExit(node) < 0;
  }

  /** The loop whose body ends with the node, so that the next iteration follows; or -1. */
  public int loopEndedBy(int node) {
    int region = regionAtHead(node) >= 0 ? -1 : regions.ofNode().get(node);
    return region > 0 && region(region).exit() == node + 1 && region(region).kind().isLoop()
        ? region
        : -1;
  }

  /** The successors of a node, ascending except for back edges; {@link #nodeCount} is the end. */
  public ImmutableList<Integer> successors(int node) {
    int next = next(node);
    int region = regionAtHead(node);
    if (region < 0) {
      return ImmutableList.of(next);
    }
    int leaves = region(region).leaves();
    int skip = region(leaves >= 0 ? leaves : region).exit();
    return skip == next ? ImmutableList.of(next) : ImmutableList.of(next, skip);
  }

  /** The first successor of a node: the next node, or the loop's head at the end of its body. */
  private int next(int node) {
    int loop = loopEndedBy(node);
    return loop >= 0 ? region(loop).head() : node + 1;
  }

  /** The reads and writes of every variable. */
  public AccessTable accesses() {
    return accesses;
  }

  /** The variables that must keep their names or get no offset. */
  public PinnedVariables pinned() {
    return pinned;
  }

  /** The pairs of branches of which only one runs, and their results. */
  public ExclusiveBranches exclusive() {
    return exclusive;
  }
}
