package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.ExclusiveBranches;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.FeedAlias;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.plan.Alias;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Unites webs that get one offset: the two sides of a legal in-place pair, and the results of
 * exclusive branches that a later selection chooses between.
 *
 * <pre>{@code
 * operator n: b = relu(a)     a is live up to point 2n + 1, b from point 2n + 1 on
 * with the in-place pair      a occupies its bytes up to point 2n only, b takes them over
 * }</pre>
 *
 * <p>An in-place pair is taken if the input ends at the operator, the output begins there, and no
 * other webs of the two buffers are live together. So united webs never overlap in time. It makes
 * no difference whether a side is observed: the web that is observed at the end is live until then.
 * Exclusive results do overlap in live ranges, but in each run only one of them gets a value.
 * O(arguments + choices × intervals).
 *
 * <p>Before all others, it unites the feed and the result of each {@link FeedAlias}: because they
 * are not live together, as an in-place pair, or by views.
 */
final class InPlaceCoalescer {

  /**
   * The greatest number of members of a buffer that are compared one by one. A larger buffer is
   * only united with another one at an operator at which it ends for good.
   */
  private static final int MAX_MEMBERS = 16;

  private final PlannedWebs webs;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final AccessOrder order;
  private final Occupancy occupancy;
  private final OffsetUnionFind groups;

  /** By group: the first point after all its webs. */
  private final int[] lastPoints;

  /** By web: whether the web already takes the bytes of an input. */
  private final boolean[] isTarget;

  private final ImmutableList.Builder<Alias> aliases = ImmutableList.builder();
  private final List<WebView> requestedViews = new ArrayList<>();

  private InPlaceCoalescer(PlannedWebs webs, AccessOrder order) {
    this.webs = webs;
    this.graph = webs.graph();
    this.ranges = webs.ranges();
    this.order = order;
    this.occupancy = new Occupancy(ranges);
    this.groups = new OffsetUnionFind(webs.count());
    this.lastPoints = new int[webs.count()];
    this.isTarget = new boolean[webs.count()];
    for (int web = 0; web < lastPoints.length; web++) {
      lastPoints[web] = ranges.lastPoint(web);
    }
  }

  /**
   * Unites webs.
   *
   * @param order in which the accesses of webs happen
   * @param catalog the catalog with the in-place pairs; null to take none
   * @param onlyRequested whether to take no in-place pairs but those of a feed and its alias
   * @throws ProgramException if an alias is not possible
   */
  static InPlaceCoalescer merge(
      PlannedWebs webs,
      AccessOrder order,
      @Nullable OperatorCatalog catalog,
      boolean onlyRequested) {
    ImmutableList<FeedAlias> requested = webs.liveness().observation().aliases();
    InPlaceCoalescer merger = new InPlaceCoalescer(webs, order);
    @Nullable OperatorCatalog unrequested = onlyRequested ? null : catalog;
    if (unrequested != null) {
      // A chain of pairs may lead from a feed to its alias, so the pairs come first if they can.
      merger.mergeInPlace(unrequested);
    }
    if (!merger.mergeRequested(requested, catalog)) {
      merger = new InPlaceCoalescer(webs, order);
      merger.demandRequested(requested, catalog);
      if (unrequested != null) {
        merger.mergeInPlace(unrequested);
      }
    }
    merger.mergeExclusive();
    return merger;
  }

  /** The buffers: groups of webs at one offset. */
  OffsetUnionFind groups() {
    return groups;
  }

  /** The intervals in which the webs occupy their bytes, after the unions. */
  Occupancy occupancy() {
    return occupancy;
  }

  /** The pairs that were united. */
  ImmutableList<Alias> aliases() {
    return aliases.build();
  }

  /** The views by which feeds and their aliases share bytes while both are live. */
  List<WebView> requestedViews() {
    return requestedViews;
  }

  /** Unites feeds and their aliases. Returns whether that was possible for all. */
  private boolean mergeRequested(
      ImmutableList<FeedAlias> requested, @Nullable OperatorCatalog catalog) {
    for (FeedAlias alias : requested) {
      int from = webs.at(alias.feed(), 0);
      int to = webs.at(alias.result(), ranges.endPoint() - 1);
      boolean haveBytes = from >= 0 && to >= 0;
      if (haveBytes && !mergeRequested(from, to, catalog)) {
        return false;
      }
      if (haveBytes) {
        addAlias(alias.result(), alias.feed(), Alias.REQUESTED);
      }
    }
    return true;
  }

  private boolean mergeRequested(int from, int to, @Nullable OperatorCatalog catalog) {
    if (groups.group(from) == groups.group(to)) {
      return true;
    }
    if (!webs.areAlike(webs.variable(from), webs.variable(to))) {
      return false;
    }
    if (onlyExclusiveOverlap(from, to)) {
      unite(from, to);
      return true;
    }
    return mergeWhereWritten(from, to, catalog) || mergeByViews(from, to);
  }

  /** Unites feeds and their aliases, which are alone in their buffers. */
  private void demandRequested(
      ImmutableList<FeedAlias> requested, @Nullable OperatorCatalog catalog) {
    for (FeedAlias alias : requested) {
      if (!mergeRequested(ImmutableList.of(alias), catalog)) {
        int from = webs.at(alias.feed(), 0);
        int to = webs.at(alias.result(), ranges.endPoint() - 1);
        throw AliasRefusal.of(webs, alias, to, staysInPlace(from, to, catalog));
      }
    }
  }

  /** Whether views or the operator that first writes a web could leave another's elements. */
  private boolean staysInPlace(int from, int to, @Nullable OperatorCatalog catalog) {
    int node = ranges.firstPoint(to) / 2;
    boolean stays = !ViewCoalescer.chain(webs, from, to).isEmpty();
    Operation operation = graph.operation(node);
    if (catalog != null && graph.isKernel(node)) {
      for (InPlacePair pair : pairs(catalog, operation)) {
        stays |=
            pair.source(operation) == webs.variable(from)
                && pair.target(operation) == webs.variable(to);
      }
    }
    return stays;
  }

  /** Unites two webs if the operator that first writes the second one has them as a pair. */
  private boolean mergeWhereWritten(int from, int to, @Nullable OperatorCatalog catalog) {
    int node = ranges.firstPoint(to) / 2;
    if (catalog != null && graph.isKernel(node)) {
      Operation operation = graph.operation(node);
      for (InPlacePair pair : pairs(catalog, operation)) {
        if (pair.source(operation) == webs.variable(from)
            && pair.target(operation) == webs.variable(to)) {
          mergeIfLegal(operation, node, pair);
        }
      }
    }
    return groups.group(from) == groups.group(to);
  }

  private boolean mergeByViews(int from, int to) {
    List<WebView> chain = ViewCoalescer.chain(webs, from, to);
    if (chain.isEmpty() || !ViewCoalescer.take(chain, webs, this, order)) {
      return false;
    }
    int last = 0;
    for (int web : groups.members(to)) {
      last = Math.max(last, ranges.lastPoint(web));
    }
    lastPoints[groups.group(to)] = last;
    requestedViews.addAll(chain);
    chain.forEach(view -> aliases.add(view.alias(webs)));
    return true;
  }

  private void mergeInPlace(OperatorCatalog catalog) {
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (graph.isKernel(node)) {
        Operation operation = graph.operation(node);
        for (InPlacePair pair : pairs(catalog, operation)) {
          mergeIfLegal(operation, node, pair);
        }
      }
    }
  }

  private ImmutableList<InPlacePair> pairs(OperatorCatalog catalog, Operation operation) {
    return catalog.inPlacePairs(operation, webs.program().version());
  }

  private void mergeIfLegal(Operation operation, int node, InPlacePair pair) {
    int source = pair.source(operation);
    int target = pair.target(operation);
    if (source == Program.NO_VARIABLE
        || target == Program.NO_VARIABLE
        || source == target
        || !webs.sizes().areSame(operation, pair)
        || !webs.areAlike(source, target)) {
      return;
    }
    int from = webs.at(source, 2 * node);
    int to = webs.at(target, 2 * node + 1);
    if (from < 0 || to < 0 || webs.bytes(from) != webs.bytes(to)) {
      return;
    }
    int dying = ranges.intervalAt(from, 2 * node);
    int born = ranges.intervalAt(to, 2 * node + 1);
    if (ranges.end(dying) != 2 * node + 2
        || ranges.begin(born) != 2 * node + 1
        || isForNextIteration(from, node)
        || isSeenAfter(source, node)) {
      return;
    }
    // Only an alias gives the output a buffer that is in use before it.
    boolean forGood =
        lastPoints[groups.group(from)] == 2 * node + 2
            && ranges.firstPoint(to) == 2 * node + 1
            && groups.size(to) == 1;
    if (occupancy.isHandedOver(dying)
        || isTarget[to]
        || !(forGood || meetOnlyHere(from, to, node))
        || !isHandedOverInOrder(from, to, node, forGood)) {
      occupancy.couldHandOver(dying);
      return;
    }
    isTarget[to] = true;
    occupancy.handOver(dying);
    unite(from, to);
    addAlias(target, source, "in_place");
  }

  /**
   * Whether a node is the last one of a loop's body, and a web that ends there in the order of the
   * points begins again at the loop's head. Then the value is needed in the next iteration.
   */
  private boolean isForNextIteration(int web, int node) {
    int loop = graph.loopEndedBy(node);
    return loop >= 0 && ranges.contains(web, 2 * graph.region(loop).head());
  }

  /**
   * Whether a node is the last one of the block that declares a variable, and the variable is
   * observed where the block ends. An observed variable is not dead there.
   */
  private boolean isSeenAfter(int variable, int node) {
    int block = webs.program().variable(variable).block();
    int end = block == 0 ? graph.nodeCount() : graph.region(graph.regionOfBlock(block)).exit();
    return webs.isObserved(variable) && node + 1 == end;
  }

  /**
   * Whether all other accesses of the input run before the operator, and all other accesses of the
   * output after it.
   *
   * <p>If the input's buffer ends for good at the operator, this holds for the rest of its webs
   * too, because each was handed on in the same way. Other buffers are not united under the
   * parallel order.
   */
  private boolean isHandedOverInOrder(int from, int to, int node, boolean forGood) {
    return !order.isParallel() || (forGood && order.mayHandOver(from, to, node));
  }

  /**
   * Whether no webs of the two buffers are live together but the pair itself, at its operator, and
   * results of opposite branches.
   */
  private boolean meetOnlyHere(int from, int to, int node) {
    if (areMany(from, to) || groups.group(from) == groups.group(to)) {
      return false;
    }
    for (int a : groups.members(from)) {
      for (int b : groups.members(to)) {
        int allowed = a == from && b == to ? 2 * node + 1 : -1;
        if (overlap(a, b, allowed) && !areExclusive(webs.variable(a), webs.variable(b))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean areMany(int a, int b) {
    return groups.size(a) > MAX_MEMBERS || groups.size(b) > MAX_MEMBERS;
  }

  private void unite(int a, int b) {
    int last = Math.max(lastPoints[groups.group(a)], lastPoints[groups.group(b)]);
    groups.unite(a, b, 0);
    lastPoints[groups.group(a)] = last;
  }

  private void addAlias(int variable, int of, String kind) {
    Program program = webs.program();
    aliases.add(new Alias(program.variable(variable).id(), program.variable(of).id(), kind));
  }

  private void mergeExclusive() {
    for (ExclusiveBranches.BranchChoice choice : graph.exclusive().choices()) {
      int first = webs.at(choice.first(), 2 * choice.node());
      int second = webs.at(choice.second(), 2 * choice.node());
      if (first >= 0
          && second >= 0
          && webs.areAtOnePlace(choice.first(), choice.second())
          && !webs.isObserved(choice.first())
          && !webs.isObserved(choice.second())
          && first != second) {
        boolean firstIsSmaller = webs.bytes(first) < webs.bytes(second);
        occupancy.couldLieOn(firstIsSmaller ? first : second, firstIsSmaller ? second : first);
        boolean areOne = groups.group(first) == groups.group(second);
        if (!areOne && onlyExclusiveOverlap(first, second)) {
          unite(first, second);
          areOne = true;
        }
        if (areOne) {
          addAlias(choice.second(), choice.first(), "exclusive");
        }
      }
    }
  }

  /** Whether no webs of two buffers are live together but results of opposite branches. */
  private boolean onlyExclusiveOverlap(int first, int second) {
    if (areMany(first, second)) {
      return false;
    }
    for (int a : groups.members(first)) {
      for (int b : groups.members(second)) {
        boolean isApart = !overlap(a, b, /* allowed= */ -1) && order.areApart(a, b);
        if (!isApart && !areExclusive(webs.variable(a), webs.variable(b))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean areExclusive(int a, int b) {
    ExclusiveBranches.Result left = graph.exclusive().results().get(a);
    ExclusiveBranches.Result right = graph.exclusive().results().get(b);
    return left != null
        && right != null
        && left.branch() == right.other()
        && left.other() == right.branch();
  }

  /** Whether two webs are live together at any point but an allowed one. O(intervals). */
  private boolean overlap(int a, int b, int allowed) {
    int i = ranges.firstInterval(a);
    int j = ranges.firstInterval(b);
    while (i < ranges.endInterval(a) && j < ranges.endInterval(b)) {
      int begin = Math.max(ranges.begin(i), ranges.begin(j));
      int end = Math.min(ranges.end(i), ranges.end(j));
      if (begin < end && !(begin == allowed && end == allowed + 1)) {
        return true;
      }
      if (ranges.end(i) <= ranges.end(j)) {
        i++;
      } else {
        j++;
      }
    }
    return false;
  }
}
