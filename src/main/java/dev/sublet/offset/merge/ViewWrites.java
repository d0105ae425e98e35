package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.operator.spec.View;
import dev.sublet.program.Operation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The writes that change the bytes of a web. An operator that copies bytes to the offset at which
 * they are already does not change them.
 */
final class ViewWrites {

  /** The number in place of a node for a value that is there at the start. */
  static final int START = -1;

  private final PlannedWebs webs;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Map<Integer, int[]> nodes = new HashMap<>();

  ViewWrites(PlannedWebs webs) {
    this.webs = webs;
    this.graph = webs.graph();
    this.ranges = webs.ranges();
  }

  /**
   * The nodes that may write a planned web; {@link #START} comes first if the web has a value then.
   */
  int[] nodes(int web) {
    return nodes.computeIfAbsent(web, this::findNodes);
  }

  private int[] findNodes(int web) {
    int variable = webs.variable(web);
    AccessTable accesses = graph.accesses();
    int[] found = new int[4];
    int count = 0;
    if (webs.liveness().observation().isFeed(variable) && ranges.contains(web, 0)) {
      found[count++] = START;
    }
    int access = accesses.firstFrom(variable, ranges.firstPoint(web) / 2);
    for (; access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (2 * node + 1 >= ranges.lastPoint(web)) {
        break;
      }
      if (accesses.writes(access) && ranges.contains(web, 2 * node + 1)) {
        found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
        found[count++] = node;
      }
    }
    return Arrays.copyOf(found, count);
  }

  /** The point at which a node's write happens. */
  static int point(int node) {
    return node == START ? 0 : 2 * node + 1;
  }

  /**
   * Whether a node's write may happen while a web is live. The write of a control operator, as
   * opposed to a kernel, may happen at any of the points around it.
   */
  boolean mayHit(Occupancy occupancy, int node, int victim) {
    boolean byControl = node != START && !graph.isKernel(node);
    int point = point(node);
    return occupancy.isLive(victim, point)
        || (byControl
            && (occupancy.isLive(victim, point - 1) || occupancy.isLive(victim, point + 1)));
  }

  /**
   * Whether the value that a node writes to a web is a view of an input, or an input is a view of
   * it.
   */
  boolean hasViews(int web, int node) {
    if (node == START) {
      return false;
    }
    Operation operation = graph.operation(node);
    for (View view : webs.views(node)) {
      if (operation.output(view.output()) == webs.variable(web)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the write of a web by a node changes any byte in a byte range of the web's group.
   * O(views of the operator × log).
   */
  boolean changes(OffsetUnionFind groups, int web, int node, long begin, long end) {
    if (node == START) {
      return begin < end;
    }
    Operation operation = graph.operation(node);
    ImmutableList<View> views = webs.views(node);
    long[][] kept = new long[views.size()][];
    int count = 0;
    for (View view : views) {
      int source = webs.at(operation.input(view.input()), 2 * node);
      if (operation.output(view.output()) == webs.variable(web)
          && source >= 0
          && groups.group(source) == groups.group(web)
          && groups.offset(web) - groups.offset(source) == view.offset()) {
        long first = groups.offset(source) + view.startInInput();
        kept[count++] = new long[] {first, first + view.bytes()};
      }
    }
    Arrays.sort(kept, 0, count, (a, b) -> Long.compare(a[0], b[0]));
    long position = begin;
    for (int i = 0; i < count && kept[i][0] <= position; i++) {
      position = Math.max(position, kept[i][1]);
    }
    return position < end;
  }
}
