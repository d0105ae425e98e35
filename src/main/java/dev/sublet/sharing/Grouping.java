package dev.sublet.sharing;

import java.util.ArrayList;
import java.util.List;

/**
 * A partition of the candidates into groups. Each group gets one name.
 *
 * @param groups the groups, each with at least one member; every candidate is in exactly one
 * @param bytes the cost: the sum, over all groups, of the largest member's bytes, or of its weight
 *     if the bytes are unknown
 * @param knownBytes the part of {@code bytes} from groups of known size
 */
record Grouping(List<List<Integer>> groups, long bytes, long knownBytes) {

  /** Returns the grouping of these groups, with its cost. */
  static Grouping of(List<List<Integer>> groups, Candidates candidates) {
    long bytes = 0;
    long knownBytes = 0;
    for (List<Integer> group : groups) {
      long capacity = capacity(group, candidates);
      bytes += capacity;
      knownBytes += candidates.isSizeKnown(group.get(0)) ? capacity : 0;
    }
    return new Grouping(groups, bytes, knownBytes);
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
