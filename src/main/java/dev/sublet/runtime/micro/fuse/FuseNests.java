package dev.sublet.runtime.micro.fuse;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes one nest of two that run one after the other.
 *
 * <p>The loops of the nest that has fewer are matched with as many outer loops of the other, by
 * start and end; first those whose indices the nests use alike in an axis of a shared tensor, then
 * those at the same depth, then the first that fits. One of the nests keeps its order, the right
 * one takes on that of the left if {@link LoopOrder} allows it, else the other way round. A loop
 * with one iteration is put around a nest if only the other begins with one. At each depth the
 * statements of the left nest come first.
 *
 * <p>Of two iterations that touch the same element the left one came first in everything, and must
 * still. In the fused nest it does if the iterations agree in all loops around both statements
 * ({@link SameElement}) and the left statement is not further outside: statements of a loop run
 * after the loop inside it. That is required for every two sites of a conflict: reading what was
 * written, writing what was read or written. O(sites² × loops).
 */
final class FuseNests {

  /**
   * What came of it.
   *
   * @param nest the fused nest, unless refused
   * @param refusal why there is none; empty otherwise
   */
  record Fusion(Optional<LoopBlock> nest, String refusal) {

    static Fusion refused(String why) {
      return new Fusion(Optional.empty(), why);
    }
  }

  private final Extents extents;
  private final boolean anyOrder;

  /** The sites of statements, most of which are asked for again with every nest that is tried. */
  private final IdentityHashMap<Statement, ImmutableList<Site>> known = new IdentityHashMap<>();

  /**
   * A fuser of nests.
   *
   * @param anyOrder whether loops may be reordered although less of what the nest touches then lies
   *     side by side
   */
  FuseNests(Extents extents, boolean anyOrder) {
    this.extents = extents;
    this.anyOrder = anyOrder;
  }

  /** One nest for both, or why not. */
  Fusion fuse(LoopBlock left, LoopBlock right) {
    if (boundsRead(left) || boundsRead(right)) {
      return Fusion.refused("the bounds of a loop are read from a tensor");
    }
    boolean leftSingle = extents.isSingle(left.loops().get(0));
    boolean rightSingle = extents.isSingle(right.loops().get(0));
    LoopBlock wideLeft = rightSingle && !leftSingle ? inside(right.loops().get(0), left) : left;
    LoopBlock wideRight = leftSingle && !rightSingle ? inside(left.loops().get(0), right) : right;
    if (leftSingle != rightSingle
        && Math.min(wideLeft.loops().size(), wideRight.loops().size()) < 2) {
      return Fusion.refused("the loops differ");
    }
    Fusion fusion = aligned(wideLeft, wideRight, /* rightKeepsOrder= */ false);
    return fusion.nest().isPresent()
        ? fusion
        : better(fusion, aligned(wideLeft, wideRight, /* rightKeepsOrder= */ true));
  }

  /** The second if it succeeded, else the first: its reason is the plainer one. */
  private static Fusion better(Fusion first, Fusion second) {
    return second.nest().isPresent() ? second : first;
  }

  private static boolean boundsRead(LoopBlock block) {
    return block.loops().stream().anyMatch(loop -> !Reads.ofBounds(loop).isEmpty());
  }

  /** A nest inside a loop with the bounds of another and no statements. */
  private static LoopBlock inside(Loop single, LoopBlock block) {
    Loop around =
        new Loop(
            freshLoop(block), single.start(), single.end(), ImmutableList.of(), ImmutableList.of());
    return new LoopBlock(ImmutableList.<Loop>builder().add(around).addAll(block.loops()).build());
  }

  private static int freshLoop(LoopBlock block) {
    int fresh = 0;
    for (Loop loop : block.loops()) {
      fresh = Math.max(fresh, loop.id() + 1);
    }
    return fresh;
  }

  private Fusion aligned(LoopBlock left, LoopBlock right, boolean rightKeepsOrder) {
    LoopBlock fixed = rightKeepsOrder ? right : left;
    LoopBlock moved = rightKeepsOrder ? left : right;
    Optional<ImmutableIntArray> order = match(fixed, moved);
    if (order.isEmpty()) {
      return Fusion.refused("the loops differ");
    }
    Optional<LoopBlock> reordered = LoopOrder.apply(extents, moved, order.get());
    if (reordered.isEmpty()) {
      return Fusion.refused("the loops cannot be reordered");
    }
    if (!anyOrder && neighbours(reordered.get()) < neighbours(moved)) {
      return Fusion.refused("the loops would run across the rows");
    }
    LoopBlock renamed = renamed(fixed, reordered.get());
    return rightKeepsOrder ? stacked(renamed, fixed) : stacked(fixed, renamed);
  }

  /** What {@link Site#of(LoopBlock)} gives. */
  private List<Site> sites(LoopBlock block) {
    List<Site> sites = new ArrayList<>();
    for (int depth = 1; depth <= block.loops().size(); depth++) {
      for (Statement statement : block.loops().get(depth - 1).statements()) {
        ImmutableList<Site> own = known.get(statement);
        if (own == null || (!own.isEmpty() && own.get(0).depth() != depth)) {
          own = Site.of(statement, depth);
          known.put(statement, own);
        }
        sites.addAll(own);
      }
    }
    return sites;
  }

  /** How many sites step to the next element, or stay, with the innermost loop around them. */
  private int neighbours(LoopBlock block) {
    int neighbours = 0;
    for (Site site : sites(block)) {
      int inner = block.loops().get(site.depth() - 1).id();
      boolean near = true;
      for (int axis = 0; axis < site.at().size() - 1; axis++) {
        near &= !extents.canonical(site.at().get(axis)).loops().contains(inner);
      }
      neighbours += near ? 1 : 0;
    }
    return neighbours;
  }

  /** For each depth the place of the loop of {@code moved} that comes there. */
  private Optional<ImmutableIntArray> match(LoopBlock fixed, LoopBlock moved) {
    int common = Math.min(fixed.loops().size(), moved.loops().size());
    for (Loop wanted : fixed.loops().subList(0, common)) {
      if (!mayHaveSameBounds(wanted, moved)) {
        return Optional.empty(); // without a look at the statements, of which there may be many
      }
    }
    Map<Integer, Integer> wishes = wishes(fixed, moved);
    List<Integer> order = new ArrayList<>();
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int depth = 0; depth < common; depth++) {
      Loop wanted = fixed.loops().get(depth);
      int best = -1;
      int bestRank = Integer.MAX_VALUE;
      for (int place = 0; place < moved.loops().size(); place++) {
        Loop loop = moved.loops().get(place);
        if (order.contains(place) || !haveSameBounds(wanted, loop, numbers)) {
          continue;
        }
        Integer wish = wishes.get(loop.id());
        int rank =
            wish != null && wish == wanted.id() ? 0 : wish != null ? 3 : place == depth ? 1 : 2;
        if (rank < bestRank) {
          best = place;
          bestRank = rank;
        }
      }
      if (best < 0) {
        return Optional.empty();
      }
      order.add(best);
      numbers.put(moved.loops().get(best).id(), wanted.id());
    }
    for (int place = 0; place < moved.loops().size(); place++) {
      if (!order.contains(place)) {
        order.add(place);
      }
    }
    return Optional.of(ImmutableIntArray.copyOf(order));
  }

  /** Whether a nest may have a loop with the same bounds, if these do not depend on other loops. */
  private boolean mayHaveSameBounds(Loop wanted, LoopBlock nest) {
    if (!extents.canonical(wanted.start()).loops().isEmpty()
        || !extents.canonical(wanted.end()).loops().isEmpty()) {
      return true;
    }
    for (Loop loop : nest.loops()) {
      if (extents.areEqual(wanted.start(), loop.start())
          && extents.areEqual(wanted.end(), loop.end())) {
        return true;
      }
    }
    return false;
  }

  private boolean haveSameBounds(Loop wanted, Loop loop, Map<Integer, Integer> numbers) {
    Rewriter renumbered = renumbered(numbers, 0);
    return extents.areEqual(wanted.start(), renumbered.index(loop.start()))
        && extents.areEqual(wanted.end(), renumbered.index(loop.end()));
  }

  /** For loops of {@code moved} those of {@code fixed} with which they meet in an element. */
  private Map<Integer, Integer> wishes(LoopBlock fixed, LoopBlock moved) {
    Map<Integer, Integer> wishes = new HashMap<>();
    ListMultimap<String, Site> movedSites = Multimaps.index(sites(moved), Site::tensor);
    for (Site there : sites(fixed)) {
      for (Site here : movedSites.get(there.tensor())) {
        if (there.conflictsWith(here)) {
          for (int axis = 0; axis < here.at().size(); axis++) {
            wish(there.at().get(axis), here.at().get(axis), wishes);
          }
        }
      }
    }
    return wishes;
  }

  private void wish(IndexExpression there, IndexExpression here, Map<Integer, Integer> wishes) {
    Set<Integer> loopsThere = extents.canonical(there).loops();
    Set<Integer> loopsHere = extents.canonical(here).loops();
    if (loopsThere.size() == 1 && loopsHere.size() == 1) {
      int loopThere = loopsThere.iterator().next();
      int loopHere = loopsHere.iterator().next();
      Rewriter renumbered = renumbered(Map.of(loopHere, loopThere), 0);
      if (!wishes.containsValue(loopThere) && extents.areEqual(there, renumbered.index(here))) {
        wishes.putIfAbsent(loopHere, loopThere);
      }
    }
  }

  /** A nest with the numbers of another's loops where it has as many, and others elsewhere. */
  private static LoopBlock renamed(LoopBlock fixed, LoopBlock moved) {
    Map<Integer, Integer> numbers = new HashMap<>();
    int fresh = freshLoop(fixed);
    for (int depth = 0; depth < moved.loops().size(); depth++) {
      numbers.put(
          moved.loops().get(depth).id(),
          depth < fixed.loops().size() ? fixed.loops().get(depth).id() : fresh++);
    }
    int firstCarried = 0;
    for (Loop loop : fixed.loops()) {
      for (CarriedVariable variable : loop.carried()) {
        firstCarried = Math.max(firstCarried, variable.id() + 1);
      }
    }
    Rewriter rewriter = renumbered(numbers, firstCarried);
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    for (Loop loop : moved.loops()) {
      Loop inside = rewriter.loop(loop);
      loops.add(
          new Loop(
              requireNonNull(numbers.get(loop.id())),
              inside.start(),
              inside.end(),
              inside.carried(),
              inside.statements()));
    }
    return new LoopBlock(loops.build());
  }

  private static Rewriter renumbered(Map<Integer, Integer> loops, int firstCarried) {
    return new Rewriter() {
      @Override
      IndexExpression leaf(IndexExpression leaf) {
        return leaf instanceof LoopIndex loop && loops.containsKey(loop.id())
            ? new LoopIndex(loops.get(loop.id()))
            : leaf;
      }

      @Override
      int carried(int id) {
        return firstCarried + id;
      }
    };
  }

  /** Both nests in one; their common loops have the same numbers already. */
  private Fusion stacked(LoopBlock left, LoopBlock right) {
    List<Loop> loops = new ArrayList<>();
    int common = Math.min(left.loops().size(), right.loops().size());
    for (int depth = 0; depth < common; depth++) {
      Loop a = left.loops().get(depth);
      Loop b = right.loops().get(depth);
      if (!extents.areEqual(a.start(), b.start()) || !extents.areEqual(a.end(), b.end())) {
        return Fusion.refused("the loops differ");
      }
      loops.add(
          new Loop(
              a.id(),
              a.start(),
              a.end(),
              ImmutableList.<CarriedVariable>builder()
                  .addAll(a.carried())
                  .addAll(b.carried())
                  .build(),
              ImmutableList.<Statement>builder()
                  .addAll(a.statements())
                  .addAll(b.statements())
                  .build()));
    }
    LoopBlock longer = left.loops().size() > right.loops().size() ? left : right;
    loops.addAll(longer.loops().subList(common, longer.loops().size()));
    ListMultimap<String, Site> rightSites = Multimaps.index(sites(right), Site::tensor);
    for (Site before : sites(left)) {
      for (Site after : rightSites.get(before.tensor())) {
        if (before.conflictsWith(after) && !staysBefore(before, after, loops)) {
          return Fusion.refused(before.tensor() + " would be touched in another order");
        }
      }
    }
    return new Fusion(Optional.of(new LoopBlock(ImmutableList.copyOf(loops))), "");
  }

  private boolean staysBefore(Site before, Site after, List<Loop> loops) {
    int depth = Math.min(before.depth(), after.depth());
    return before.depth() >= after.depth()
        && SameElement.agreed(extents, before, after, loops.subList(0, depth)).size() == depth;
  }
}
