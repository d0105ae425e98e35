package dev.sublet.verify.plan;

import dev.sublet.operator.spec.View;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProgramGraph;
import java.util.HashMap;
import java.util.Map;

/**
 * The allocations that may overlap in time and bytes because operators copy their common bytes. The
 * variables must be connected by views, and no write of either may change a byte of the other while
 * the other is live.
 *
 * <pre>
 *   y = reshape(x), x and y both at [0, 64)     may overlap, unless x or y is written later
 * </pre>
 */
final class ViewFamilies {

  private final NodeOrder nodeOrder;
  private final DefUses accesses;
  private final PhasedLocations locations;
  private final KeptBytes kept;
  private final int[] parents;

  /** By location: the nodes that write it, perhaps more than once. */
  private final Map<Integer, IntList> writers = new HashMap<>();

  private ViewFamilies(
      NodeOrder nodeOrder, DefUses accesses, PhasedLocations locations, KeptBytes kept) {
    this.nodeOrder = nodeOrder;
    this.accesses = accesses;
    this.locations = locations;
    this.kept = kept;
    this.parents = new int[nodeOrder.program().variableCount()];
  }

  /**
   * Unites the variables that views and unneeded copies connect. O(accesses × log).
   *
   * @param placement with all loops in unknown phases
   */
  static ViewFamilies of(ProgramGraph graph, Sizes sizes, PlacementFacts placement) {
    ViewFamilies families =
        new ViewFamilies(graph.nodes(), graph.accesses(), placement.locations(), placement.kept());
    UnneededCopies copies = placement.copies();
    for (int v = 0; v < families.parents.length; v++) {
      families.parents[v] = v;
    }
    copies.nodes().stream().forEach(families::uniteCopy);
    if (sizes.hasViews() || !copies.nodes().isEmpty()) {
      families.unite(sizes);
      families.collectWriters();
    }
    return families;
  }

  private void unite(Sizes sizes) {
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      Operation operation = nodeOrder.operation(node);
      for (View view : sizes.views(operation)) {
        int input = operation.input(view.input());
        int output = operation.output(view.output());
        if (input != Program.NO_VARIABLE && output != Program.NO_VARIABLE) {
          parents[find(input)] = find(output);
        }
      }
    }
  }

  private void uniteCopy(int node) {
    Operation operation = nodeOrder.operation(node);
    parents[find(operation.input(0))] = find(operation.output(0));
  }

  private int find(int v) {
    int root = v;
    while (parents[root] != root) {
      parents[root] = parents[parents[root]]; // halves the path
      root = parents[root];
    }
    return root;
  }

  private void collectWriters() {
    DefUses.Visitor visitor =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {}

          @Override
          public void write(int node, int variable, boolean kills) {
            for (int point = 2 * node; point <= 2 * node + 2; point++) {
              int location = locations.at(variable, point);
              if (location != PhasedLocations.NONE) {
                writers.computeIfAbsent(location, a -> new IntList()).add(node);
              }
            }
          }
        };
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      accesses.visit(node, visitor);
    }
  }

  /** Whether operators copy bytes from one variable to the other, perhaps through others. */
  boolean areConnected(int v, int w) {
    return find(v) == find(w);
  }

  /** Whether two locations may overlap in time and bytes. O(writes of both × log). */
  boolean mayOverlap(int a, int b) {
    return find(locations.get(a).variable()) == find(locations.get(b).variable())
        && !damages(a, b)
        && !damages(b, a);
  }

  private boolean damages(int written, int other) {
    IntList nodes = writers.getOrDefault(written, new IntList());
    int victim = locations.get(other).variable();
    for (int i = 0; i < nodes.size(); i++) {
      int node = nodes.get(i);
      boolean straight = !nodeOrder.isHead(node) && !nodeOrder.isExit(node);
      boolean writes = locations.at(locations.get(written).variable(), 2 * node + 1) == written;
      boolean live = locations.at(victim, 2 * node + 1) == other;
      if (!straight) {
        // Control flow may write at either of the points around its node.
        live |= locations.at(victim, 2 * node) == other;
        live |= locations.at(victim, 2 * node + 2) == other;
      } else if (!writes) {
        continue;
      }
      if (live && kept.changes(node, locations.get(written).variable(), written, other)) {
        return true;
      }
    }
    return false;
  }
}
