package dev.sublet.loop;

import static java.util.Collections.disjoint;

import com.google.common.math.IntMath;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Arranges the loop-carried copies of one loop in rotations, and refuses the copies that do not
 * fit.
 */
final class ArrangeRotations {

  private final VariableFacts facts;
  private final RepeatBudget budget;
  private final SlotAssignment slots;
  private final SuccessiveLoops successive;
  private final InitialLocations firsts;
  private final LoopCarrySources sources;
  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Region loop;
  private final List<Candidate> candidates;

  private ArrangeRotations(
      VariableFacts facts,
      RepeatBudget budget,
      SlotAssignment slots,
      SuccessiveLoops successive,
      InitialLocations firsts,
      LoopCarrySources sources) {
    this.facts = facts;
    this.budget = budget;
    this.slots = slots;
    this.successive = successive;
    this.firsts = firsts;
    this.sources = sources;
    this.graph = facts.graph();
    this.ranges = facts.ranges();
    this.loop = sources.loop();
    this.candidates = sources.candidates();
  }

  /**
   * Finds the rotations of a loop. Refuses every copy that is in none of them.
   *
   * @param slots the slots of the rotations of the loops inside the loop
   * @param successive the later loops that may go on with rotations of the loop
   * @param firsts the initial locations in the loops inside the loop
   * @param sources the loop's copies
   */
  static List<RotatingCopies> find(
      VariableFacts facts,
      RepeatBudget budget,
      SlotAssignment slots,
      SuccessiveLoops successive,
      InitialLocations firsts,
      LoopCarrySources sources) {
    ArrangeRotations arrangement =
        new ArrangeRotations(facts, budget, slots, successive, firsts, sources);
    while (true) {
      int refused = arrangement.countRefused();
      List<RotatingCopies> found = arrangement.arrange();
      // A refused copy reads its source as any operator does: that can make other rotations longer.
      if (arrangement.countRefused() == refused) {
        return found;
      }
    }
  }

  private int countRefused() {
    int count = 0;
    for (Candidate candidate : candidates) {
      count += candidate.isRefused() ? 1 : 0;
    }
    return count;
  }

  /** Arranges all copies that are not refused yet, once. May refuse some of them. */
  private List<RotatingCopies> arrange() {
    List<Candidate> open = new ArrayList<>();
    for (Candidate candidate : candidates) {
      if (!candidate.isRefused()) {
        sources.resolve(candidate);
      }
      if (!candidate.isRefused()) {
        checkSource(candidate);
      }
      if (!candidate.isRefused()) {
        open.add(candidate);
      }
    }
    List<PhiClass> phiClasses = PhiClasses.of(open);
    List<RotatingCopies> rotations = new ArrayList<>();
    for (PhiClass phiClass : phiClasses) {
      checkFollowers(phiClass);
      if (phiClass.isCycle()) {
        addCycle(phiClass, rotations);
      } else {
        addChain(phiClass, rotations);
      }
    }
    return fit(rotations);
  }

  /** Refuses a candidate whose source cannot share its slot. */
  private void checkSource(Candidate candidate) {
    Candidate predecessor = candidate.predecessor;
    int root = candidate.root;
    if (predecessor != null && predecessor.isRefused()) {
      candidate.refuse("the copied variable stays where it is");
    } else if (root >= 0 && slots.isInRotation(root)) {
      candidate.refuse("the copied value moves in a loop inside this one");
    } else if (root >= 0 && isChangedAfter(candidate.node, variableOf(candidate), root)) {
      candidate.refuse("the copied value is changed after the copy");
    } else if (root >= 0 && mustStay(variableOf(candidate))) {
      candidate.refuse("the copied variable must keep its name");
    } else if (root >= 0 && !facts.isFilled(variableOf(candidate), root)) {
      candidate.refuse("the copied value is smaller than its variable is elsewhere");
    } else if (!facts.areAlike(
        root >= 0 ? variableOf(candidate) : predecessor == null ? -1 : predecessor.target,
        candidate.target)) {
      candidate.refuse("it differs from the copied value in shape, size, type or memory space");
    }
  }

  /**
   * Whether a later operator writes over the copied value. In one location, that would change both
   * variables.
   */
  private boolean isChangedAfter(int copy, int variable, int web) {
    AccessTable accesses = graph.accesses();
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      int node = accesses.node(access);
      if (accesses.writes(access) && node > copy && ranges.contains(web, 2 * node + 1)) {
        return true;
      }
    }
    return false;
  }

  private boolean mustStay(int variable) {
    return facts.keepsName(variable)
        || facts.isObserved(variable)
        || graph.program().variable(variable).isPersistable()
        || graph.pinned().isUnplanned(variable);
  }

  /** The variable of the web in which a candidate's value is computed. */
  private int variableOf(Candidate candidate) {
    int variable = candidate.source;
    while (!isWebOf(variable, candidate.root)) {
      Candidate before = null;
      for (Candidate other : candidates) {
        before = other.target == variable ? other : before;
      }
      if (before == null) {
        throw new IllegalStateException("no way from " + candidate.copy + " to its source");
      }
      variable = before.source;
    }
    return variable;
  }

  private boolean isWebOf(int variable, int web) {
    return ranges.firstWeb(variable) <= web && web < ranges.endWeb(variable);
  }

  /** The copies that are removed if no further candidate is refused. */
  private BitSet removed() {
    BitSet removed = new BitSet();
    for (Candidate candidate : candidates) {
      if (!candidate.isRefused()) {
        removed.set(candidate.node);
        for (LoopCarrySources.Temporary temporary : candidate.temporaries) {
          removed.set(temporary.node());
        }
      }
    }
    return removed;
  }

  /**
   * Refuses the followers that cannot share a member's slot; all of them if a member cannot move.
   */
  private void checkFollowers(PhiClass phiClass) {
    if (phiClass.followers().isEmpty()) {
      return;
    }
    LoopCarryRules rules = new LoopCarryRules(facts, budget, loop);
    Optional<String> objection =
        budget.mayShare(loop)
            ? rules.objectionToRepeating()
            : Optional.of("what it copies is carried to another variable already");
    objection = objection.or(rules::objectionToInitialLocation);
    for (Candidate member : phiClass.members()) {
      objection = objection.or(() -> objectionToMoving(rules, member));
    }
    for (Candidate follower : phiClass.followers()) {
      objection
          .or(() -> rules.objectionToMoving(follower))
          .or(() -> successive.objectionToFollower(loop, phiClass.members(), follower))
          .ifPresent(follower::refuse);
    }
  }

  private void addCycle(PhiClass cycle, List<RotatingCopies> rotations) {
    List<Candidate> members = cycle.members();
    if (mayMove(members)) {
      String reason = members.size() + " variables swap their values";
      rotations.add(new RotatingCopies(-1, members, cycle.admitted(), members.size(), reason));
    }
  }

  private void addChain(PhiClass phiClass, List<RotatingCopies> rotations) {
    List<Candidate> chain = phiClass.members();
    List<Candidate> followers = phiClass.admitted();
    Candidate first = chain.get(0);
    CarriedLifetime need =
        CarriedLifetime.of(facts, firsts, loop, phiClass, variableOf(first), removed());
    int length = Math.max(need.slots(), chain.size());
    RotatingCopies rotation =
        new RotatingCopies(first.root, chain, followers, length, reason(length, chain.size()));
    if (rotation.mayCoalesce() || mayMove(chain)) {
      rotations.add(rotation);
    }
  }

  /** Returns the reason, for people, why a value needs the given number of slots. */
  private static String reason(int slots, int variables) {
    if (slots == 1) {
      return "it is not needed any more when its next value is computed";
    }
    if (variables == 1) {
      return "it is still needed when its next value is computed";
    }
    String turns = "the value is seen by " + variables + " variables in turn";
    return slots == variables ? turns : turns + ", and still needed when a new one is computed";
  }

  /** Whether all members can move; if not, refuses all of them. */
  private boolean mayMove(List<Candidate> members) {
    LoopCarryRules rules = new LoopCarryRules(facts, budget, loop);
    Optional<String> objection = rules.objectionToRepeating();
    for (Candidate member : members) {
      objection = objection.or(() -> objectionToMoving(rules, member));
    }
    for (Candidate member : members) {
      objection.ifPresent(member::refuse);
    }
    return objection.isEmpty();
  }

  private Optional<String> objectionToMoving(LoopCarryRules rules, Candidate member) {
    return rules.objectionToMoving(member).or(() -> successive.objection(loop, member));
  }

  /**
   * Keeps the rotations, in order, whose common repeat stays within the limits, and of two that
   * would give one web two slots the first; refuses the others.
   *
   * <pre>{@code
   * a = assign(k); a = assign(y); b = assign(a)    y → a moves, so a is not computed in b's slot
   * }</pre>
   */
  private List<RotatingCopies> fit(List<RotatingCopies> rotations) {
    List<RotatingCopies> fitting = new ArrayList<>();
    Set<Integer> after = new TreeSet<>();
    Set<Integer> roots = new HashSet<>();
    Set<Integer> moved = new HashSet<>();
    int repeat = 1;
    for (RotatingCopies rotation : rotations) {
      Set<Integer> moves = rotation.movedWebs();
      boolean isTaken = moved.contains(rotation.root()) || !disjoint(moves, roots);
      int together = leastCommonMultiple(repeat, rotation.length());
      int copies = together + (rotation.followers().isEmpty() ? 0 : 1);
      Set<Integer> afterAll = new TreeSet<>(after);
      afterAll.addAll(successive.after(loop, rotation));
      Optional<String> objection = Optional.empty();
      if (isTaken) {
        objection = Optional.of("another copy moves the copied value already");
      } else if (copies > 1 || !afterAll.isEmpty()) {
        objection = budget.objection(loop, copies, afterAll);
      }
      if (objection.isEmpty()) {
        roots.add(rotation.root());
        moved.addAll(moves);
        repeat = together;
        after = afterAll;
        fitting.add(rotation);
      } else {
        for (Candidate each : rotation.all()) {
          each.refuse(objection.get());
        }
      }
    }
    return fitting;
  }

  static int leastCommonMultiple(int a, int b) {
    return a / IntMath.gcd(a, b) * b;
  }
}
