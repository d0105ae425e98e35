package dev.sublet.runtime.micro.fuse;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.runtime.micro.fuse.fact.Extents;
import dev.sublet.runtime.micro.fuse.fact.LoopOrder;
import dev.sublet.runtime.micro.fuse.fact.Reads;
import dev.sublet.runtime.micro.fuse.fact.Rewriter;
import dev.sublet.runtime.micro.fuse.fact.SameElement;
import dev.sublet.runtime.micro.fuse.fact.Site;
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
 * Fuses two loop nests that run one after the other into one nest.
 *
 * <p>The loops of the shorter nest are matched with as many outer loops of the longer nest that
 * have the same bounds. Preferred are first loops that index the same axis of a shared tensor in
 * the same way, then loops at the same depth, then the first that fits. One nest keeps its loop
 * order: first the left nest is tried as the fixed one, and the right nest is reordered if {@link
 * LoopOrder} allows it; then vice versa. If only one nest begins with a loop of one iteration, such
 * a loop is put around the other nest. At each depth, the statements of the left nest come first.
 *
 * <p>Whenever two iterations touch the same element, the left nest's iteration ran first, and the
 * fused nest must preserve that order. It does if the iterations agree in all loops around both
 * statements ({@link SameElement}) and the left statement is not in a more outer loop than the
 * right one, because a loop's statements run after its inner loop. This condition is required for
 * every pair of conflicting sites: a write and a later read (flow), a read and a later write
 * (anti), and two writes (output). O(sites² × loops).
 */
final class FuseNests {

  /**
   * The outcome of a fusion.
   *
   * @param nest the fused nest; empty if the fusion was refused
   * @param refusal the reason for the refusal; an empty string if there is a nest
   */
  record Fusion(Optional<LoopBlock> nest, String refusal) {

    static Fusion refused(String why) {
      return new Fusion(Optional.empty(), why);
    }
  }

  private final Extents extents;
  private final boolean anyOrder;

  /** The sites of statements, cached because most statements occur in many attempted fusions. */
  private final IdentityHashMap<Statement, ImmutableList<Site>> known = new IdentityHashMap<>();

  /**
   * Creates a fuser of nests.
   *
   * @param anyOrder whether loops may be reordered even if fewer accesses of the nest are then
   *     contiguous
   */
  FuseNests(Extents extents, boolean anyOrder) {
    this.extents = extents;
    this.anyOrder = anyOrder;
  }

  /** Returns one nest for both, or the reason why there is none. */
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

  /**
   * Returns the second fusion if it succeeded, else the first, whose reason is easier to
   * understand.
   */
  private static Fusion better(Fusion first, Fusion second) {
    return second.nest().isPresent() ? second : first;
  }

  private static boolean boundsRead(LoopBlock block) {
    return block.loops().stream().anyMatch(loop -> !Reads.ofBounds(loop).isEmpty());
  }

  /** Returns a nest inside a new loop with the bounds of another loop and no statements. */
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
    if (!anyOrder && neighbors(reordered.get()) < neighbors(moved)) {
      return Fusion.refused("the loops would run across the rows");
    }
    LoopBlock renamed = renamed(fixed, reordered.get());
    return rightKeepsOrder ? stacked(renamed, fixed) : stacked(fixed, renamed);
  }

  /** Returns {@link Site#of(LoopBlock)}. */
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

  /**
   * Returns the number of sites whose innermost loop moves only along the last axis, or not at all.
   */
  private int neighbors(LoopBlock block) {
    int neighbors = 0;
    for (Site site : sites(block)) {
      int inner = block.loops().get(site.depth() - 1).id();
      boolean near = true;
      for (int axis = 0; axis < site.at().size() - 1; axis++) {
        near &= !extents.canonical(site.at().get(axis)).loops().contains(inner);
      }
      neighbors += near ? 1 : 0;
    }
    return neighbors;
  }

  /** Returns, for each depth, the place of the loop of {@code moved} that goes there. */
  private Optional<ImmutableIntArray> match(LoopBlock fixed, LoopBlock moved) {
    int common = Math.min(fixed.loops().size(), moved.loops().size());
    for (Loop wanted : fixed.loops().subList(0, common)) {
      if (!mayHaveSameBounds(wanted, moved)) {
        return Optional.empty(); // before the statements, of which there may be many
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

  /**
   * Whether a nest may have a loop with the wanted bounds. True if these bounds depend on other
   * loops, because then the numbering decides.
   */
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

  /**
   * Returns preferred matches: loops of {@code moved} with the loops of {@code fixed} that index a
   * shared element in the same way.
   */
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

  /**
   * Returns {@code moved} with the numbers of {@code fixed}'s loops at the depths that both have,
   * and fresh numbers for deeper loops.
   */
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
      public IndexExpression leaf(IndexExpression leaf) {
        return leaf instanceof LoopIndex loop && loops.containsKey(loop.id())
            ? new LoopIndex(loops.get(loop.id()))
            : leaf;
      }

      @Override
      public int carried(int id) {
        return firstCarried + id;
      }
    };
  }

  /** Returns both nests in one. Their common loops already have the same numbers. */
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
