package dev.sublet.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sorts the loop-carried copies of a loop into phi classes: cycles, and trees whose root is a value
 * that the loop computes.
 *
 * <p>The chain of a tree is its longest path from the root; of equally long ones, the path of the
 * earlier copies. All other copies of the tree are followers. No copy may read a follower's target:
 * the value with which the follower starts is in none of the slots that later iterations read.
 *
 * <pre>{@code
 * a = assign(y), b = assign(a), g = assign(y)     chain y → a → b, follower g
 * h = assign(g)                                   refused
 * }</pre>
 *
 * <p>O(copies).
 */
final class PhiClasses {

  private final List<Candidate> open;

  /** The candidates that are part of a cycle. */
  private final Set<Candidate> inCycle = new HashSet<>();

  private final Map<Candidate, List<Candidate>> copies = new HashMap<>();
  private final Map<Candidate, Integer> heights = new HashMap<>();

  private PhiClasses(List<Candidate> open) {
    this.open = open;
  }

  /** Sorts copies, sets their shifts, and refuses copies that read a follower's target. */
  static List<PhiClass> of(List<Candidate> open) {
    PhiClasses phiClasses = new PhiClasses(open);
    List<PhiClass> cycles = phiClasses.cycles();
    phiClasses.measure();
    List<PhiClass> result = new ArrayList<>();
    for (PhiClass cycle : cycles) {
      for (Candidate member : cycle.members()) {
        phiClasses.addFollowers(phiClasses.copiesOf(member), cycle);
      }
      result.add(cycle);
    }
    result.addAll(phiClasses.chains());
    return result;
  }

  private List<PhiClass> cycles() {
    List<PhiClass> cycles = new ArrayList<>();
    Map<Candidate, Candidate> visitedFrom = new HashMap<>();
    for (Candidate start : open) {
      Candidate at = start;
      while (at != null && !visitedFrom.containsKey(at)) {
        visitedFrom.put(at, start);
        at = at.predecessor;
      }
      if (at != null && visitedFrom.get(at) == start) {
        List<Candidate> cycle = new ArrayList<>();
        for (Candidate member = at; member != null && inCycle.add(member); ) {
          cycle.add(0, member);
          member = member.predecessor;
        }
        for (int i = 0; i < cycle.size(); i++) {
          cycle.get(i).shift = -i;
        }
        cycles.add(new PhiClass(cycle, new ArrayList<>()));
      }
    }
    return cycles;
  }

  /**
   * Records, outside of cycles, the copies of each candidate's target and the length of the longest
   * path from each candidate to a leaf. Works from the leaves to the roots.
   */
  private void measure() {
    Map<Candidate, Integer> missing = new HashMap<>();
    for (Candidate candidate : open) {
      Candidate predecessor = candidate.predecessor;
      if (predecessor != null && !inCycle.contains(candidate)) {
        copies.computeIfAbsent(predecessor, key -> new ArrayList<>()).add(candidate);
        missing.merge(predecessor, 1, Integer::sum);
      }
    }
    ArrayDeque<Candidate> ready = new ArrayDeque<>();
    for (Candidate candidate : open) {
      heights.put(candidate, 1);
      if (!missing.containsKey(candidate)) {
        ready.add(candidate);
      }
    }
    while (!ready.isEmpty()) {
      Candidate candidate = ready.remove();
      Candidate predecessor = candidate.predecessor;
      if (predecessor != null && !inCycle.contains(candidate)) {
        heights.merge(predecessor, height(candidate) + 1, Math::max);
        if (missing.merge(predecessor, -1, Integer::sum) == 0) {
          ready.add(predecessor);
        }
      }
    }
  }

  private int height(Candidate candidate) {
    return heights.getOrDefault(candidate, 1);
  }

  private List<Candidate> copiesOf(Candidate candidate) {
    return copies.getOrDefault(candidate, List.of());
  }

  /** Returns the classes that are trees: one for each computed value. */
  private List<PhiClass> chains() {
    Map<Integer, List<Candidate>> byRoot = new LinkedHashMap<>();
    for (Candidate candidate : open) {
      if (candidate.predecessor == null) {
        byRoot.computeIfAbsent(candidate.root, key -> new ArrayList<>()).add(candidate);
      }
    }
    List<PhiClass> chains = new ArrayList<>();
    for (List<Candidate> first : byRoot.values()) {
      PhiClass chain = new PhiClass(new ArrayList<>(), new ArrayList<>());
      List<Candidate> next = first;
      while (!next.isEmpty()) {
        Candidate member = highest(next);
        member.shift = -1 - chain.members().size();
        chain.members().add(member);
        List<Candidate> others = new ArrayList<>(next);
        others.remove(member);
        addFollowers(others, chain);
        next = copiesOf(member);
      }
      chains.add(chain);
    }
    return chains;
  }

  private Candidate highest(List<Candidate> candidates) {
    Candidate highest = candidates.get(0);
    for (Candidate candidate : candidates) {
      highest = height(candidate) > height(highest) ? candidate : highest;
    }
    return highest;
  }

  /** Adds followers to a class, and refuses the copies that read a follower's target. */
  private void addFollowers(List<Candidate> followers, PhiClass phiClass) {
    for (Candidate follower : followers) {
      follower.shift = follower.predecessor == null ? -1 : follower.predecessor.shift - 1;
      phiClass.followers().add(follower);
      for (Candidate copy : copiesOf(follower)) {
        copy.refuse("the copied variable is in a location of its own at first");
      }
    }
  }
}
