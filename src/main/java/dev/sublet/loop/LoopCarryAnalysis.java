package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the loop-carried copies of one loop after the other, inner loops first, and decides about
 * them.
 */
final class LoopCarryAnalysis {

  private final Liveness liveness;
  private final ControlFlowGraph graph;
  private final VariableFacts facts;
  private final PlainCopies copies;
  private final RepeatBudget budget;
  private final SlotAssignment slots;
  private final SuccessiveLoops successive;
  private final InitialLocations firsts;
  private final boolean withFirst;
  private final boolean mayShare;
  private final int[] repeats;

  /**
   * By region: whether a variable has an initial location, so that the first iteration has a copy
   * of the body of its own.
   */
  private final boolean[] hasInitialLocation;

  LoopCarryAnalysis(
      ProgramFacts known,
      int maxRepeat,
      boolean withFirst,
      boolean mayShare,
      ImmutableSet<Integer> staying) {
    this.withFirst = withFirst;
    this.mayShare = mayShare;
    this.liveness = known.liveness();
    this.graph = liveness.graph();
    this.facts = new VariableFacts(known);
    this.copies = new PlainCopies(graph, known.catalog(), facts, /* withReshapes= */ mayShare);
    this.budget = new RepeatBudget(graph, maxRepeat, mayShare, withFirst, staying);
    this.slots = new SlotAssignment(facts);
    this.successive = new SuccessiveLoops(facts, budget, slots);
    this.firsts = new InitialLocations(facts, copies, budget, slots);
    this.repeats = new int[graph.regions().size()];
    Arrays.fill(repeats, 1);
    this.hasInitialLocation = new boolean[graph.regions().size()];
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
        slots.webs(),
        slots.removed(),
        new BodyCopies(repeats, hasInitialLocation, slots.earlierLoops()),
        slots.allBuffers());
  }

  private LoopCarriedCopies find(Region loop) {
    List<Candidate> candidates = candidates(loop);
    if (candidates.isEmpty()) {
      return new LoopCarriedCopies(loop.index(), copies.ontoThemselves(loop), 1);
    }
    LoopCarrySources sources = new LoopCarrySources(facts, copies, loop, candidates);
    List<RotatingCopies> rotations =
        ArrangeRotations.find(facts, budget, slots, successive, firsts, sources);
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
    repeats[loop.index()] = repeat;
    int copiesOfBody = repeat + (hasInitialLocation[loop.index()] ? 1 : 0);
    Set<Integer> later = new TreeSet<>();
    for (RotatingCopies rotation : rotations) {
      ImmutableSet<Integer> after = successive.after(loop, rotation);
      slots.assign(loop, rotation, hasInitialLocation[loop.index()], after, mayShare);
      later.addAll(after);
    }
    budget.spend(loop, copiesOfBody);
    later.forEach(region -> budget.spend(graph.region(region), copiesOfBody));
    ImmutableList.Builder<LoopCarriedCopy> carries = ImmutableList.builder();
    for (Candidate candidate : candidates) {
      carries.add(candidate.toCarry());
    }
    carries.addAll(copies.ontoThemselves(loop));
    return new LoopCarriedCopies(loop.index(), carries.build(), repeat);
  }

  /** The copies in a loop's body that look like loop-carried copies. */
  private List<Candidate> candidates(Region loop) {
    LoopCarryRules rules = new LoopCarryRules(facts, budget, loop);
    List<Candidate> candidates = new ArrayList<>();
    for (int node = loop.head() + 1; node < loop.exit(); node++) {
      if (graph.regionOfNode(node) != loop.index()) {
        continue;
      }
      Operation operation = graph.operation(node);
      if (copies.isOne(operation) && copies.isOutside(loop, operation.output(0))) {
        Candidate candidate = new Candidate(operation, node);
        candidate.web = facts.ranges().webAt(candidate.target, 2 * node + 1);
        rules.objection(candidate).ifPresent(candidate::refuse);
        candidates.add(candidate);
      }
    }
    return candidates;
  }
}
