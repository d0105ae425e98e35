package dev.sublet.loop;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Multiset;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the loop-carried copies of one loop after the other, inner loops first, and decides about
 * them.
 */
final class LoopCarryAnalysis {

  /**
   * The greatest number of operators that unrolling adds, or four times the program's own if that
   * is more.
   */
  private static final int MAX_NODES = 50_000;

  private final Liveness liveness;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final VariableFacts facts;
  private final PlainCopies copies;
  private final @Nullable RotationPosition[] positions;
  private final int[] mergedInto;
  private final BitSet removed = new BitSet();
  private final int[] repeats;

  /** The number of nodes of each region's body, once the loops inside it are unrolled. */
  private final long[] unrolledNodes;

  private long addedNodes;
  private final ImmutableList.Builder<RotatingBuffers> allBuffers = ImmutableList.builder();
  private final ImmutableListMultimap.Builder<Integer, Integer> rootsTaking =
      ImmutableListMultimap.builder();

  /** The models of the rotations so far, each as often as there are rotations with this model. */
  private final Multiset<Integer> models = HashMultiset.create();

  private final int maxRepeat;
  private final boolean withFirst;
  private final boolean mayShare;

  /** The loops in which nothing moves. */
  private final ImmutableSet<Integer> staying;

  /**
   * By region: whether a variable has an initial location, so that the first iteration has a copy
   * of the body of its own.
   */
  private final boolean[] hasInitialLocation;

  private final BitSet mergeTargets = new BitSet();

  private final InitialLocations firsts;

  LoopCarryAnalysis(
      ProgramFacts known,
      int maxRepeat,
      boolean withFirst,
      boolean mayShare,
      ImmutableSet<Integer> staying) {
    this.staying = staying;
    this.maxRepeat = maxRepeat;
    this.withFirst = withFirst;
    this.mayShare = mayShare;
    this.liveness = known.liveness();
    this.hasInitialLocation = new boolean[liveness.graph().regions().size()];
    this.graph = liveness.graph();
    this.ranges = liveness.ranges();
    this.facts = new VariableFacts(known);
    this.copies = new PlainCopies(graph, known.catalog(), facts, /* withReshapes= */ mayShare);
    this.positions = new @Nullable RotationPosition[ranges.webCount()];
    this.mergedInto = new int[ranges.webCount()];
    Arrays.fill(mergedInto, -1);
    this.repeats = new int[graph.regions().size()];
    Arrays.fill(repeats, 1);
    this.firsts = new InitialLocations(this);
    this.unrolledNodes = new long[graph.regions().size()];
    for (Region region : graph.regions()) {
      unrolledNodes[region.index()] = region.exit() - region.head() - 1L;
    }
  }

  LoopCarriedValues find() {
    List<LoopCarriedCopies> found = new ArrayList<>();
    for (int region = graph.regions().size() - 1; region > 0; region--) {
      Region loop = graph.region(region);
      if (loop.kind() == ControlKind.WHILE && !loop.kept()) {
        LoopCarriedCopies carries = find(loop);
        if (!carries.carries().isEmpty()) {
          found.add(0, carries);
        }
      }
    }
    return new LoopCarriedValues(
        liveness,
        ImmutableList.copyOf(found),
        new WebDecisions(positions, mergedInto, rootsTaking.build()),
        removed,
        new BodyCopies(repeats, hasInitialLocation),
        allBuffers.build());
  }

  private LoopCarriedCopies find(Region loop) {
    List<Candidate> candidates = candidates(loop);
    if (candidates.isEmpty()) {
      return new LoopCarriedCopies(loop.index(), copies.ontoThemselves(loop), 1);
    }
    LoopCarrySources sources = new LoopCarrySources(this, loop, candidates);
    List<RotatingCopies> rotations = ArrangeRotations.find(this, loop, candidates, sources);
    int repeat = 1;
    for (RotatingCopies rotation : rotations) {
      repeat = ArrangeRotations.leastCommonMultiple(repeat, rotation.length());
    }
    for (RotatingCopies rotation : rotations) {
      // A target that another member copies must be in a slot of the rotation in the first
      // iteration too.
      Candidate last = rotation.members().get(rotation.members().size() - 1);
      for (Candidate member : rotation.members()) {
        boolean mayBeFirst = withFirst && rotation.root() >= 0 && member == last;
        member.first = mayBeFirst ? firsts.find(loop, member) : null;
      }
      for (Candidate follower : rotation.followers()) {
        follower.first = withFirst ? firsts.find(loop, follower) : null;
        follower.first = follower.first == null ? firsts.own(loop, follower) : follower.first;
      }
      for (Candidate each : rotation.all()) {
        hasInitialLocation[loop.index()] |= each.first != null;
      }
    }
    for (RotatingCopies rotation : rotations) {
      apply(loop, rotation);
    }
    repeats[loop.index()] = repeat;
    grow(loop, repeat + (hasInitialLocation[loop.index()] ? 1 : 0));
    ImmutableList.Builder<LoopCarriedCopy> carries = ImmutableList.builder();
    for (Candidate candidate : candidates) {
      carries.add(candidate.toCarry());
    }
    carries.addAll(copies.ontoThemselves(loop));
    return new LoopCarriedCopies(loop.index(), carries.build(), repeat);
  }

  /** Returns the reason why a loop cannot be repeated so often; empty if it can. */
  Optional<String> whyNotRepeat(Region loop, int repeat) {
    if (staying.contains(loop.index())) {
      return Optional.of("copies are smaller");
    }
    if (repeat > maxRepeat) {
      return Optional.of("the loop would have to be repeated " + repeat + " times");
    }
    long most = Math.max(MAX_NODES, 4L * graph.nodeCount());
    return addedNodes + growth(loop, repeat) <= most
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "repeating the loop %d times would add more than %,d operators",
                repeat,
                most));
  }

  private long growth(Region loop, int repeat) {
    return (repeat - 1L) * (unrolledNodes[loop.index()] + 2);
  }

  private void grow(Region loop, int repeat) {
    long added = growth(loop, repeat);
    addedNodes += added;
    for (int region = loop.index(); region > 0; region = graph.region(region).parent()) {
      unrolledNodes[region] += added;
    }
  }

  /** The copies in a loop's body that look like loop-carried copies. */
  private List<Candidate> candidates(Region loop) {
    List<Candidate> candidates = new ArrayList<>();
    for (int node = loop.head() + 1; node < loop.exit(); node++) {
      if (graph.regionOfNode(node) != loop.index()) {
        continue;
      }
      Operation operation = graph.operation(node);
      if (copies.isOne(operation) && copies.isOutside(loop, operation.output(0))) {
        Candidate candidate = new Candidate(operation, node);
        int target = candidate.target;
        candidate.web = ranges.webAt(target, 2 * node + 1);
        new LoopCarryRules(graph, ranges, loop)
            .objection(candidate, this)
            .ifPresent(candidate::refuse);
        candidates.add(candidate);
      }
    }
    return candidates;
  }

  /**
   * Whether, in a loop, a variable may start in a location of its own and then share another one's
   * slot.
   */
  boolean mayShare(Region loop) {
    return mayShare && !staying.contains(loop.index());
  }

  /** Whether no loop analyzed so far moves a web, or makes it one with another web. */
  boolean isUnmoved(int web) {
    return positions[web] == null && mergedInto[web] < 0 && !mergeTargets.get(web);
  }

  /** The locations of loop-carried variables in the first iteration. */
  InitialLocations firsts() {
    return firsts;
  }

  boolean isInRotation(int web) {
    return positions[web] != null;
  }

  VariableFacts facts() {
    return facts;
  }

  /** The test for operators that only copy. */
  PlainCopies copies() {
    return copies;
  }

  ControlFlowGraph graph() {
    return graph;
  }

  LiveRanges ranges() {
    return ranges;
  }

  /**
   * Records the decision about one rotation. If one slot suffices, and the target needs no location
   * or value besides, target and computed variable become one. Else the rotation gets its buffers,
   * and all its webs get their positions.
   */
  private void apply(Region loop, RotatingCopies rotation) {
    Candidate only = rotation.members().get(0);
    // If the target has other values too, it cannot become one variable with the computed one.
    if (rotation.length() == 1
        && rotation.followers().isEmpty()
        && only.first == null
        && !only.holdsOthers) {
      mergedInto[rotation.root()] = only.web;
      mergeTargets.set(only.web);
      removed.set(only.node);
      noteTaking(only, rotation.root());
      only.decide(LoopCarriedCopy.Decision.CO_ALLOCATED, 1, rotation.reason());
    } else {
      int[] bases = new int[rotation.length()];
      Arrays.fill(bases, -1);
      int model = outermost(rotation);
      RotatingBuffers buffers =
          new RotatingBuffers(loop.index(), bases, model, models.count(model));
      models.add(model);
      int start = hasInitialLocation[loop.index()] ? -1 : 0;
      allBuffers.add(buffers);
      for (Candidate member : rotation.members()) {
        // Two members may give a slot their names. The one that is there from the start takes
        // precedence.
        int named = buffers.slot(member.first == null ? start : 0, member.shift);
        boolean isTaken = bases[named] >= 0 && member.first != null;
        if (!isTaken && !(mayShare && isReused(member, loop))) {
          bases[named] = member.target;
        }
        move(member, buffers, rotation, rotation.reason());
      }
      for (Candidate follower : rotation.followers()) {
        move(
            follower,
            buffers,
            rotation,
            "another variable is carried the same value: they share it");
      }
      if (rotation.root() >= 0) {
        setPosition(rotation.root(), new RotationPosition(buffers, 0, Integer.MAX_VALUE, null));
      }
    }
  }

  /**
   * The variable of a rotation that is declared outermost; of several, the first one. Its block
   * contains every use, so a slot that is declared there can be used everywhere.
   */
  private int outermost(RotatingCopies rotation) {
    int outermost = rotation.members().get(0).target;
    for (Candidate each : rotation.all()) {
      if (depth(each.target) < depth(outermost)) {
        outermost = each.target;
      }
    }
    return outermost;
  }

  private int depth(int variable) {
    int depth = 0;
    int region = graph.regionOfBlock(graph.program().variable(variable).block());
    for (; region > 0; region = graph.region(region).parent()) {
      depth++;
    }
    return depth;
  }

  /**
   * Whether a variable has another definition before or after its loop, even if only another loop's
   * operator lists it as written. Then other values may share the variable's bytes there. In a
   * plan, the slot must therefore not get the variable's name; a program puts every value back
   * under its own name.
   */
  private boolean isReused(Candidate member, Region loop) {
    AccessTable accesses = graph.accesses();
    int target = member.target;
    for (int access = accesses.begin(target); access < accesses.end(target); access++) {
      int node = accesses.node(access);
      int web = accesses.writes(access) ? ranges.webAt(target, 2 * node + 1) : member.web;
      if (web != member.web && web != member.webAtStart && node != loop.exit()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives the webs of a copy's target and of its temporaries their positions, and removes the
   * copies.
   */
  private void move(
      Candidate member, RotatingBuffers buffers, RotatingCopies rotation, String reason) {
    RotationPosition position =
        new RotationPosition(buffers, member.shift, member.node, member.first);
    setPosition(member.web, position);
    if (member.webAtStart >= 0 && member.webAtStart != member.web) {
      setPosition(member.webAtStart, position);
    }
    removed.set(member.node);
    if (member.first != null && !member.first.isOwn()) {
      removed.set(member.first.copyNode());
    }
    for (LoopCarrySources.Temporary temporary : member.temporaries) {
      // The temporary has the value of the member's source.
      setPosition(
          temporary.web(),
          new RotationPosition(buffers, member.shift + 1, Integer.MAX_VALUE, null));
      removed.set(temporary.node());
    }
    if (rotation.root() >= 0 && member.shift % rotation.length() == 0) {
      noteTaking(member, rotation.root());
    }
    member.decide(
        rotation.length() == 1
            ? LoopCarriedCopy.Decision.CO_ALLOCATED
            : LoopCarriedCopy.Decision.ROTATED,
        rotation.length(),
        reason);
  }

  private void noteTaking(Candidate member, int root) {
    rootsTaking.put(member.web, root);
    if (member.webAtStart >= 0 && member.webAtStart != member.web) {
      rootsTaking.put(member.webAtStart, root);
    }
  }

  private void setPosition(int web, RotationPosition position) {
    positions[web] = position;
  }
}
