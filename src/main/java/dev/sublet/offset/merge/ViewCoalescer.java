package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.plan.Alias;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts webs at fixed distances from each other if one is a view of the other. It starts from the
 * buffers that {@link InPlaceCoalescer} has united, and takes the views in program order, first
 * whole views, then views of parts.
 *
 * <p>A view is legal if a write of one web of the group changes no byte of another one that is live
 * at the write. Bytes do not change that the operator copies from an input in the same bytes. Under
 * the parallel order, the accesses of the other web must also all come before the write, or all
 * after it. Two webs of a group are compared when their groups are united, and never again: the
 * distances in a group are fixed, and later members only make fewer bytes change.
 *
 * <p>A whole view never raises the number of bytes that are live at a point. A view of a part can,
 * because a group occupies all its bytes from the first point of its first member to the last point
 * of its last member. The partial views of an operator are therefore taken together, and only if
 * the peak of the load while any of them is live does not grow.
 *
 * <p>Results of exclusive branches are left alone. O(views × {@link #MAX_PAIRS} × log).
 */
final class ViewCoalescer {

  /** The greatest number of pairs of members of two groups that are united. */
  private static final int MAX_PAIRS = 256;

  private final PlannedWebs webs;
  private final InPlaceCoalescer merger;
  private final AccessOrder order;
  private final ViewWrites writes;
  private final long alignment;
  private final OffsetUnionFind groups;
  private final ImmutableList.Builder<Alias> aliases = ImmutableList.builder();
  private boolean hasViews;

  private ViewCoalescer(
      PlannedWebs webs,
      InPlaceCoalescer merger,
      AccessOrder order,
      OffsetUnionFind groups,
      long alignment) {
    this.webs = webs;
    this.merger = merger;
    this.order = order;
    this.writes = new ViewWrites(webs);
    this.alignment = alignment;
    this.groups = groups;
  }

  /**
   * Unites buffers.
   *
   * @param merger the buffers, which stay as they are
   * @param order in which the accesses of webs happen
   * @param kind which views may be taken
   * @param alignment the distances must be multiples of this
   */
  static ViewCoalescer merge(
      PlannedWebs webs, InPlaceCoalescer merger, AccessOrder order, Views kind, long alignment) {
    ViewCoalescer views = new ViewCoalescer(webs, merger, order, merger.groups().copy(), alignment);
    if (kind != Views.NONE && webs.sizes().hasViews()) {
      views.mergeWhole();
      if (kind == Views.ALL) {
        views.mergePartial();
      }
    }
    return views;
  }

  /**
   * Takes views in the buffers of a merger itself, all or none. Returns whether that is legal.
   * O(views × {@link #MAX_PAIRS} × log).
   */
  static boolean take(
      List<WebView> chain, PlannedWebs webs, InPlaceCoalescer merger, AccessOrder order) {
    ViewCoalescer views =
        new ViewCoalescer(webs, merger, order, merger.groups(), /* alignment= */ 1);
    int mark = views.groups.mark();
    for (WebView view : chain) {
      if (!views.tryUnite(view)) {
        views.groups.undo(mark);
        return false;
      }
    }
    return true;
  }

  /**
   * Returns views without a distance by which a web has the bytes of an earlier one at its begin,
   * perhaps through other webs; the last view first. None if there is no such chain.
   */
  static List<WebView> chain(PlannedWebs webs, int from, int to) {
    List<WebView> chain = new ArrayList<>();
    int web = to;
    while (web != from) {
      @Nullable WebView next = null;
      int point = webs.ranges().firstPoint(web);
      for (WebView view : WebView.of(webs, point / 2)) {
        boolean isEarlier = webs.ranges().firstPoint(view.from()) < point;
        if (view.to() == web && view.distance() == 0 && isEarlier) {
          next = view;
        }
      }
      if (next == null) {
        return List.of();
      }
      chain.add(next);
      web = next.from();
    }
    return chain;
  }

  /** Whether any view was taken. */
  boolean hasViews() {
    return hasViews;
  }

  /** The groups: buffers at fixed distances from each other. */
  OffsetUnionFind groups() {
    return groups;
  }

  /** The views that were taken. */
  ImmutableList<Alias> aliases() {
    return aliases.build();
  }

  private void mergeWhole() {
    for (int node = 0; node < webs.graph().nodeCount(); node++) {
      for (WebView view : WebView.of(webs, node)) {
        if (view.view().isWhole() && tryUnite(view)) {
          addAlias(view);
        }
      }
    }
  }

  private void mergePartial() {
    @Nullable GroupLoad load = null;
    for (int node = 0; node < webs.graph().nodeCount(); node++) {
      List<WebView> partial = new ArrayList<>();
      for (WebView view : WebView.of(webs, node)) {
        if (!view.view().isWhole()) {
          partial.add(view);
        }
      }
      if (!partial.isEmpty()) {
        load = load == null ? new GroupLoad(webs, groups, merger.occupancy()) : load;
        mergePartial(partial, load);
      }
    }
  }

  /** Takes the partial views of one operator, unless they raise the peak of the load. */
  private void mergePartial(List<WebView> partial, GroupLoad load) {
    Set<Integer> sides = new LinkedHashSet<>();
    for (WebView view : partial) {
      sides.add(view.from());
      sides.add(view.to());
    }
    List<GroupLoad.Footprint> before = load.footprints(sides);
    int mark = groups.mark();
    List<WebView> taken = new ArrayList<>();
    for (WebView view : partial) {
      if (tryUnite(view)) {
        taken.add(view);
      }
    }
    if (groups.mark() > mark && !load.replaceIfNotHigher(before, load.footprints(sides))) {
      groups.undo(mark);
      return;
    }
    taken.forEach(this::addAlias);
  }

  /**
   * Unites the two sides of a view if that is legal. Returns whether they are at the view's
   * distance then.
   */
  private boolean tryUnite(WebView view) {
    int from = view.from();
    int to = view.to();
    if (view.distance() % alignment != 0
        || !webs.areAlike(webs.variable(from), webs.variable(to))) {
      return false;
    }
    if (groups.group(from) == groups.group(to)) {
      return groups.offset(to) - groups.offset(from) == view.distance()
          && merger.groups().group(from) != merger.groups().group(to);
    }
    if ((long) groups.size(from) * groups.size(to) > MAX_PAIRS) {
      return false;
    }
    List<Integer> left = groups.members(from);
    List<Integer> right = groups.members(to);
    int mark = groups.mark();
    groups.unite(from, to, view.distance());
    if (areFit(left) && areFit(right) && !damage(left, right) && !damage(right, left)) {
      return true;
    }
    groups.undo(mark);
    return false;
  }

  private boolean areFit(List<Integer> members) {
    for (int web : members) {
      if (webs.graph().exclusive().results().containsKey(webs.variable(web))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a write of a web in the first list changes bytes of a live web in the second list. */
  private boolean damage(List<Integer> writers, List<Integer> victims) {
    for (int writer : writers) {
      for (int victim : victims) {
        long begin = Math.max(groups.offset(writer), groups.offset(victim));
        long end =
            Math.min(
                groups.offset(writer) + webs.bytes(writer),
                groups.offset(victim) + webs.bytes(victim));
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
          writes.mayHit(merger.occupancy(), node, victim)
              || (node != ViewWrites.START && !order.isApart(node, victim));
      if (mayHit && writes.changes(groups, writer, node, begin, end)) {
        return true;
      }
    }
    return false;
  }

  private void addAlias(WebView view) {
    hasViews = true;
    aliases.add(view.alias(webs));
  }
}
