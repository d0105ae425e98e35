package dev.sublet.sharing;

import java.util.ArrayList;
import java.util.List;

/**
 * A partition of the candidates into groups. Each group gets one name.
 *
 * @param groups the groups, each with at least one member; every candidate is in exactly one
 * @param bytes the cost: the sum, over all groups, of the largest member's bytes, or of its weight
 *     if the bytes are unknown
 */
record Grouping(List<List<Integer>> groups, long bytes) {

  /** Returns the grouping of these groups, with its cost. */
  static Grouping of(List<List<Integer>> groups, Candidates candidates) {
    long bytes = 0;
    for (List<Integer> group : groups) {
      bytes += capacity(group, candidates);
    }
    return new Grouping(groups, bytes);
  }

  /** Returns the grouping in which every candidate is alone. */
  static Grouping apart(Candidates candidates) {
    List<List<Integer>> groups = new ArrayList<>();
    for (List<Integer> members : candidates.byClass()) {
      for (int variable : members) {
        groups.add(List.of(variable));
      }
    }
    return of(groups, candidates);
  }

  /** The bytes of a group's largest member. */
  static long capacity(List<Integer> group, Candidates candidates) {
    long capacity = 0;
    for (int variable : group) {
      capacity = Math.max(capacity, candidates.bytes(variable));
    }
    return capacity;
  }
}
