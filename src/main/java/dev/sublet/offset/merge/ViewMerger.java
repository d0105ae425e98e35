package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.operator.View;
import dev.sublet.operator.ViewRule;
import dev.sublet.placement.problem.LoadProfile;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Interval;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Places;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts webs at fixed distances from each other because one is a view of the other: buffers that
 * {@link WebMerger} has united first, in program order, whole views before stretches.
 *
 * <p>What is legal: a write of one web may change no byte of another one of its group that is live
 * at the write. Bytes that the operator copies from an input that lies in the same bytes do not
 * change. Under the parallel order the other one's accesses must also come all before the write, or
 * all behind it. Two webs of a group are compared when their groups are united, and never again: a
 * group is rigid, and later members only make fewer bytes change.
 *
 * <p>A whole view never makes more bytes live at a point. A stretch can, because the group's bytes
 * are taken from its first member's first point to its last one's last; the stretches of an
 * operator are taken together, and only if the most that is live while any of them is does not
 * grow.
 *
 * <p>Results of exclusive branches are left alone. O(views × {@link #MAX_PAIRS} × log).
 */
public final class ViewMerger {

  /** Two groups with more pairs of members than this are not united. */
  private static final int MAX_PAIRS = 256;

  private final Program program;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Sizes sizes;
  private final LodCarriers lod;
  private final Places places;
  private final int[] variableOfWeb;
  private final long[] bytesOfWeb;
  private final WebMerger merger;
  private final AccessOrder order;
  private final ViewWrites writes;
  private final long alignment;
  private final RigidGroups groups;
  private final ImmutableList.Builder<Alias> aliases = ImmutableList.builder();
  private boolean hasViews;

  private ViewMerger(
      Liveness liveness,
      Sizes sizes,
      LodCarriers lod,
      Places places,
      int[] variableOfWeb,
      long[] bytesOfWeb,
      WebMerger merger,
      AccessOrder order,
      long alignment) {
    this.order = order;
    this.graph = liveness.graph();
    this.program = graph.program();
    this.ranges = liveness.ranges();
    this.sizes = sizes;
    this.lod = lod;
    this.places = places;
    this.variableOfWeb = variableOfWeb;
    this.bytesOfWeb = bytesOfWeb;
    this.merger = merger;
    this.writes = new ViewWrites(liveness, sizes, variableOfWeb);
    this.alignment = alignment;
    this.groups = new RigidGroups(ranges.webCount());
    for (int web = 0; web < ranges.webCount(); web++) {
      int root = merger.representative(web);
      if (root != web) {
        groups.unite(root, web, 0);
      }
    }
  }

  /**
   * Unites buffers.
   *
   * @param merger the buffers
   * @param order in which the accesses of webs happen
   * @param kind which views may be taken
   * @param alignment what the distances must be multiples of
   */
  public static ViewMerger merge(
      Liveness liveness,
      Sizes sizes,
      LodCarriers lod,
      Places places,
      int[] variableOfWeb,
      long[] bytesOfWeb,
      WebMerger merger,
      AccessOrder order,
      Views kind,
      long alignment) {
    ViewMerger views =
        new ViewMerger(
            liveness, sizes, lod, places, variableOfWeb, bytesOfWeb, merger, order, alignment);
    if (kind != Views.NONE && sizes.hasViews()) {
      views.mergeWhole();
      if (kind == Views.ALL) {
        views.mergeStretches();
      }
    }
    return views;
  }

  /** Whether any view was taken. */
  public boolean hasViews() {
    return hasViews;
  }

  /** The group of a web; a web by itself is one. */
  public int group(int web) {
    return groups.group(web);
  }

  /** Where a web begins, counted from a point that its group has in common. */
  public long offset(int web) {
    return groups.offset(web);
  }

  /** The views that were taken. */
  public ImmutableList<Alias> aliases() {
    return aliases.build();
  }

  private void mergeWhole() {
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (isKernel(node)) {
        Operation operation = graph.operation(node);
        for (View view : sizes.views(operation)) {
          if (view.isWhole() && tryUnite(operation, node, view)) {
            addAlias(operation, node, view);
          }
        }
      }
    }
  }

  private boolean isKernel(int node) {
    return graph.regionAtHead(node) < 0 && graph.regionAtExit(node) < 0;
  }

  private void mergeStretches() {
    @Nullable LoadProfile load = null;
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (isKernel(node)) {
        Operation operation = graph.operation(node);
        List<View> stretches = new ArrayList<>();
        for (View view : sizes.views(operation)) {
          if (!view.isWhole()) {
            stretches.add(view);
          }
        }
        if (!stretches.isEmpty()) {
          load = load == null ? presentLoad() : load;
          mergeStretches(operation, node, stretches, load);
        }
      }
    }
  }

  private LoadProfile presentLoad() {
    LoadProfile load = new LoadProfile(ranges.endPoint());
    BitSet seen = new BitSet();
    for (int web = 0; web < ranges.webCount(); web++) {
      if (variableOfWeb[web] >= 0 && !seen.get(groups.group(web))) {
        seen.set(groups.group(web));
        add(load, Footprint.of(this, web), 1);
      }
    }
    return load;
  }

  private void mergeStretches(
      Operation operation, int node, List<View> stretches, LoadProfile load) {
    Set<Integer> webs = new LinkedHashSet<>();
    for (View view : stretches) {
      int from = writes.source(operation, node, view);
      int to = writes.target(operation, node, view);
      if (from >= 0 && to >= 0) {
        webs.add(from);
        webs.add(to);
      }
    }
    List<Footprint> before = footprints(webs);
    int mark = groups.mark();
    List<View> taken = new ArrayList<>();
    for (View view : stretches) {
      if (tryUnite(operation, node, view)) {
        taken.add(view);
      }
    }
    if (groups.mark() > mark && !isSmaller(before, footprints(webs), load)) {
      groups.undo(mark);
      return;
    }
    for (View view : taken) {
      addAlias(operation, node, view);
    }
  }

  /** The footprints of the groups that these webs are in, each once. */
  private List<Footprint> footprints(Set<Integer> webs) {
    Set<Integer> seen = new LinkedHashSet<>();
    List<Footprint> footprints = new ArrayList<>();
    for (int web : webs) {
      if (seen.add(groups.group(web))) {
        footprints.add(Footprint.of(this, web));
      }
    }
    return footprints;
  }

  /** Whether the greatest load does not grow; if it does, the profile stays as it was. */
  private static boolean isSmaller(
      List<Footprint> before, List<Footprint> after, LoadProfile load) {
    int begin = Integer.MAX_VALUE;
    int end = 0;
    for (Footprint footprint : after) {
      begin = Math.min(begin, footprint.live().get(0).begin());
      end = Math.max(end, footprint.live().get(footprint.live().size() - 1).end());
    }
    long apart = load.greatest(begin, end);
    before.forEach(footprint -> add(load, footprint, -1));
    after.forEach(footprint -> add(load, footprint, 1));
    if (load.greatest(begin, end) <= apart) {
      return true;
    }
    after.forEach(footprint -> add(load, footprint, -1));
    before.forEach(footprint -> add(load, footprint, 1));
    return false;
  }

  private static void add(LoadProfile load, Footprint footprint, int sign) {
    for (Interval interval : footprint.live()) {
      load.add(interval.begin(), interval.end(), sign * footprint.bytes());
    }
  }

  /** What a group takes: its bytes from end to end, whenever one of its webs is live. */
  private record Footprint(long bytes, ImmutableList<Interval> live) {

    static Footprint of(ViewMerger views, int web) {
      long first = Long.MAX_VALUE;
      long end = Long.MIN_VALUE;
      List<Interval> intervals = new ArrayList<>();
      for (int member : views.groups.members(web)) {
        first = Math.min(first, views.groups.offset(member));
        end = Math.max(end, views.groups.offset(member) + views.bytesOfWeb[member]);
        for (int i = views.ranges.firstInterval(member);
            i < views.ranges.endInterval(member);
            i++) {
          intervals.add(new Interval(views.ranges.begin(i), views.merger.end(i)));
        }
      }
      return new Footprint(end - first, Intervals.union(intervals));
    }
  }

  /** Unites the two sides of a view if that is legal; returns whether they are in place then. */
  private boolean tryUnite(Operation operation, int node, View view) {
    int from = writes.source(operation, node, view);
    int to = writes.target(operation, node, view);
    if (from < 0
        || to < 0
        || view.offset() % alignment != 0
        || !areAlike(variableOfWeb[from], variableOfWeb[to])) {
      return false;
    }
    if (groups.group(from) == groups.group(to)) {
      return groups.offset(to) - groups.offset(from) == view.offset()
          && merger.representative(from) != merger.representative(to);
    }
    if ((long) groups.size(from) * groups.size(to) > MAX_PAIRS) {
      return false;
    }
    List<Integer> left = groups.members(from);
    List<Integer> right = groups.members(to);
    int mark = groups.mark();
    groups.unite(from, to, view.offset());
    if (areFit(left) && areFit(right) && !damage(left, right) && !damage(right, left)) {
      return true;
    }
    groups.undo(mark);
    return false;
  }

  private boolean areAlike(int a, int b) {
    return places.areSame(a, b) && lod.carries(a) == lod.carries(b) && lodLevel(a) == lodLevel(b);
  }

  private int lodLevel(int variable) {
    return program.variable(variable).tensorType().map(TensorType::lodLevel).orElse(0);
  }

  private boolean areFit(List<Integer> webs) {
    for (int web : webs) {
      if (graph.exclusive().results().containsKey(variableOfWeb[web])) {
        return false;
      }
    }
    return true;
  }

  /** Whether a write of one of the first webs changes bytes of a live one of the second. */
  private boolean damage(List<Integer> writers, List<Integer> victims) {
    for (int writer : writers) {
      for (int victim : victims) {
        long begin = Math.max(groups.offset(writer), groups.offset(victim));
        long end =
            Math.min(
                groups.offset(writer) + bytesOfWeb[writer],
                groups.offset(victim) + bytesOfWeb[victim]);
        if (begin < end && damages(writer, victim, begin, end)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean damages(int writer, int victim, long begin, long end) {
    for (int node : writes.nodes(writer)) {
      boolean mayHit =
          writes.mayHit(merger, node, victim)
              || (node != ViewWrites.START && !order.isApart(node, victim));
      if (mayHit && writes.changes(groups, writer, node, begin, end)) {
        return true;
      }
    }
    return false;
  }

  private void addAlias(Operation operation, int node, View view) {
    hasViews = true;
    int from = variableOfWeb[writes.source(operation, node, view)];
    int to = variableOfWeb[writes.target(operation, node, view)];
    boolean inputIsPart = view.relation() == ViewRule.Relation.INPUT_IN_OUTPUT;
    aliases.add(
        new Alias(
            program.variable(inputIsPart ? from : to).id(),
            program.variable(inputIsPart ? to : from).id(),
            Alias.VIEW,
            Math.abs(view.offset())));
  }
}
