package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.ExclusiveBranches;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.operator.InPlacePair;
import dev.sublet.operator.OperatorCatalog;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Unites webs that are to have one offset: the two sides of a legal in-place pair, and the results
 * that a selection behind exclusive branches chooses between.
 *
 * <p>An in-place pair is taken where the input ends at the operator, the output begins there, and
 * nothing else of the two buffers is live together, so that united webs never overlap in time.
 * Exclusive results do overlap, but only one of them ever holds a value. O(arguments + choices ×
 * intervals).
 */
public final class WebMerger {

  /** A buffer of more members than this is only united with another where it ends for good. */
  private static final int MAX_MEMBERS = 16;

  private final Program program;
  private final Liveness liveness;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Sizes sizes;
  private final LodCarriers lod;
  private final Places places;
  private final int[] variableOfWeb;
  private final long[] bytesOfWeb;
  private final AccessOrder order;
  private final int[] parents;
  private final int[] lastPoints;
  private final boolean[] isSource;
  private final boolean[] isTarget;

  /** Intervals that end one point earlier because a pair was taken. */
  private final BitSet handedOver = new BitSet();

  /** Intervals whose last point a legal pair would free, though the pair was not taken. */
  private final BitSet couldHandOver = new BitSet();

  /** For the smaller result of a choice between exclusive branches: the larger one's web. */
  private final Map<Integer, Integer> counterparts = new HashMap<>();

  /** The members of each buffer as a ring: the web behind each web. */
  private final int[] nextMember;

  private final ImmutableList.Builder<Alias> aliases = ImmutableList.builder();

  private WebMerger(
      Liveness liveness,
      Sizes sizes,
      LodCarriers lod,
      Places places,
      int[] variableOfWeb,
      long[] bytesOfWeb,
      AccessOrder order) {
    this.liveness = liveness;
    this.graph = liveness.graph();
    this.program = graph.program();
    this.ranges = liveness.ranges();
    this.sizes = sizes;
    this.lod = lod;
    this.places = places;
    this.variableOfWeb = variableOfWeb;
    this.bytesOfWeb = bytesOfWeb;
    this.order = order;
    int webs = ranges.webCount();
    this.parents = new int[webs];
    this.lastPoints = new int[webs];
    this.isSource = new boolean[webs];
    this.isTarget = new boolean[webs];
    this.nextMember = new int[webs];
    for (int web = 0; web < webs; web++) {
      parents[web] = web;
      nextMember[web] = web;
      lastPoints[web] = ranges.lastPoint(web);
    }
  }

  /**
   * Unites webs.
   *
   * @param variableOfWeb the variable of each web that is to be planned; -1 for the others
   * @param bytesOfWeb the bytes of each web that is to be planned
   * @param order in which the accesses of webs happen
   * @param catalog where to look in-place pairs up; null to take none
   */
  public static WebMerger merge(
      Liveness liveness,
      Sizes sizes,
      LodCarriers lod,
      Places places,
      int[] variableOfWeb,
      long[] bytesOfWeb,
      AccessOrder order,
      @Nullable OperatorCatalog catalog) {
    WebMerger merger =
        new WebMerger(liveness, sizes, lod, places, variableOfWeb, bytesOfWeb, order);
    if (catalog != null) {
      merger.mergeInPlace(catalog);
    }
    merger.mergeExclusive();
    return merger;
  }

  /** The web that stands for the buffer that a web is part of. */
  int representative(int web) {
    int root = web;
    while (parents[root] != root) {
      parents[root] = parents[parents[root]];
      root = parents[root];
    }
    return root;
  }

  /**
   * When a web surely has bytes of its own, whichever pairs a plan takes: its intervals without the
   * points at which a legal pair could free it, and without those at which it could lie on a larger
   * result of the opposite branch. O(intervals).
   */
  ImmutableList<Interval> intervalsForBound(int web) {
    ImmutableList.Builder<Interval> own = ImmutableList.builder();
    int counterpart = counterparts.getOrDefault(web, -1);
    int next = counterpart < 0 ? 0 : ranges.firstInterval(counterpart);
    int stop = counterpart < 0 ? 0 : ranges.endInterval(counterpart);
    for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
      boolean freed = couldHandOver.get(i) || handedOver.get(i);
      int begin = ranges.begin(i);
      int end = ranges.end(i) - (freed ? 1 : 0);
      for (; next < stop && ranges.begin(next) < end; next++) {
        if (begin < ranges.begin(next)) {
          own.add(new Interval(begin, ranges.begin(next)));
        }
        begin = Math.max(begin, ranges.end(next));
        if (begin >= end) {
          break;
        }
      }
      if (begin < end) {
        own.add(new Interval(begin, end));
      }
    }
    return own.build();
  }

  /** When a web occupies its bytes: a source hands them over at the write point. O(intervals). */
  public ImmutableList<Interval> intervals(int web) {
    ImmutableList.Builder<Interval> intervals = ImmutableList.builder();
    for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
      intervals.add(new Interval(ranges.begin(i), end(i)));
    }
    return intervals.build();
  }

  /** Whether a web occupies its bytes at a point. O(log intervals). */
  boolean isLive(int web, int point) {
    int interval = ranges.intervalAt(web, point);
    return interval >= 0 && point < end(interval);
  }

  /** Whether a web occupies bytes at a point whichever in-place pairs are taken. */
  boolean isSurelyLive(int web, int point) {
    int interval = ranges.intervalAt(web, point);
    return interval >= 0 && point < end(interval) - (couldHandOver.get(interval) ? 1 : 0);
  }

  /** The first point at which what lives in an interval no longer needs its bytes. */
  int end(int interval) {
    return ranges.end(interval) - (handedOver.get(interval) ? 1 : 0);
  }

  /** The pairs that were united. */
  public ImmutableList<Alias> aliases() {
    return aliases.build();
  }

  private void mergeInPlace(OperatorCatalog catalog) {
    for (int node = 0; node < graph.nodeCount(); node++) {
      if (graph.regionAtHead(node) < 0 && graph.regionAtExit(node) < 0) {
        Operation operation = graph.operation(node);
        for (InPlacePair pair :
            catalog.inPlacePairs(catalog.lookup(operation.type()), program.version())) {
          mergeIfLegal(operation, node, pair);
        }
      }
    }
  }

  private void mergeIfLegal(Operation operation, int node, InPlacePair pair) {
    int source = pair.source(operation);
    int target = pair.target(operation);
    if (source == Program.NO_VARIABLE
        || target == Program.NO_VARIABLE
        || !sizes.areSame(operation, pair)
        || !areAlike(source, target)
        || liveness.observation().isObserved(source)
        || liveness.observation().isObserved(target)) {
      return;
    }
    int from = ranges.webAt(source, 2 * node);
    int to = ranges.webAt(target, 2 * node + 1);
    if (from < 0
        || to < 0
        || variableOfWeb[from] < 0
        || variableOfWeb[to] < 0
        || bytesOfWeb[from] != bytesOfWeb[to]) {
      return;
    }
    int dying = ranges.intervalAt(from, 2 * node);
    int born = ranges.intervalAt(to, 2 * node + 1);
    if (ranges.end(dying) != 2 * node + 2 || ranges.begin(born) != 2 * node + 1) {
      return;
    }
    boolean forGood =
        lastPoints[representative(from)] == 2 * node + 2 && ranges.firstPoint(to) == 2 * node + 1;
    if (isSource[from]
        || isTarget[to]
        || !(forGood || meetOnlyHere(from, to, node))
        || !isHandedOverInOrder(from, to, node, forGood)) {
      couldHandOver.set(dying);
      return;
    }
    isSource[from] = true;
    isTarget[to] = true;
    handedOver.set(dying);
    unite(from, to);
    addAlias(target, source, "in_place");
  }

  /**
   * Whether all other accesses of the input come before the operator and those of the output behind
   * it. Of the rest of the input's buffer that follows if it ends for good, as each of its webs was
   * handed on so; other buffers are not united under the parallel order.
   */
  private boolean isHandedOverInOrder(int from, int to, int node, boolean forGood) {
    return !order.isParallel()
        || (forGood && nextMember[to] == to && order.mayHandOver(from, to, node));
  }

  /** Whether nothing of the two buffers is live together but the pair itself, at its operator. */
  private boolean meetOnlyHere(int from, int to, int node) {
    List<Integer> left = membersOf(from, MAX_MEMBERS);
    List<Integer> right = membersOf(to, MAX_MEMBERS);
    if (left.size() > MAX_MEMBERS || right.size() > MAX_MEMBERS || left.contains(to)) {
      return false;
    }
    for (int a : left) {
      for (int b : right) {
        int allowed = a == from && b == to ? 2 * node + 1 : -1;
        if (overlap(a, b, allowed)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean areAlike(int a, int b) {
    return a != b
        && places.areSame(a, b)
        && lod.carries(a) == lod.carries(b)
        && lodLevel(a) == lodLevel(b);
  }

  private int lodLevel(int variable) {
    return program.variable(variable).tensorType().map(TensorType::lodLevel).orElse(0);
  }

  private void unite(int a, int b) {
    int rootA = representative(a);
    int rootB = representative(b);
    int root = Math.min(rootA, rootB);
    int other = Math.max(rootA, rootB);
    parents[other] = root;
    int behind = nextMember[a];
    nextMember[a] = nextMember[b];
    nextMember[b] = behind;
    lastPoints[root] = Math.max(lastPoints[root], lastPoints[other]);
  }

  private void addAlias(int variable, int of, String kind) {
    aliases.add(new Alias(program.variable(variable).id(), program.variable(of).id(), kind));
  }

  private void mergeExclusive() {
    ExclusiveBranches exclusive = graph.exclusive();
    if (exclusive.choices().isEmpty()) {
      return;
    }
    for (ExclusiveBranches.Choice choice : exclusive.choices()) {
      int first = ranges.webAt(choice.first(), 2 * choice.node());
      int second = ranges.webAt(choice.second(), 2 * choice.node());
      if (first >= 0
          && second >= 0
          && variableOfWeb[first] >= 0
          && variableOfWeb[second] >= 0
          && places.areSame(choice.first(), choice.second())
          && !liveness.observation().isObserved(choice.first())
          && !liveness.observation().isObserved(choice.second())
          && first != second) {
        boolean firstIsSmaller = bytesOfWeb[first] < bytesOfWeb[second];
        counterparts.putIfAbsent(firstIsSmaller ? first : second, firstIsSmaller ? second : first);
        if (representative(first) != representative(second)
            && onlyExclusiveOverlap(
                membersOf(first, MAX_MEMBERS), membersOf(second, MAX_MEMBERS))) {
          unite(first, second);
          addAlias(choice.second(), choice.first(), "exclusive");
        }
      }
    }
  }

  /** The webs on a web's buffer; one more than the limit if there are more. */
  private List<Integer> membersOf(int web, int limit) {
    List<Integer> members = new ArrayList<>();
    int member = web;
    do {
      members.add(member);
      member = nextMember[member];
    } while (member != web && members.size() <= limit);
    return members;
  }

  private boolean onlyExclusiveOverlap(List<Integer> left, List<Integer> right) {
    if (left.size() > MAX_MEMBERS || right.size() > MAX_MEMBERS) {
      return false;
    }
    for (int a : left) {
      for (int b : right) {
        boolean isApart = !overlap(a, b, /* allowed= */ -1) && order.areApart(a, b);
        if (!isApart && !areExclusive(variableOfWeb[a], variableOfWeb[b])) {
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
