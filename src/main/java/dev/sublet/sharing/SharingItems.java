package dev.sublet.sharing;

import dev.sublet.liveness.IntervalTable;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;

/**
 * What the global policy moves about: single candidates, or chains of in-place pairs that are to
 * share one name in any case. Items have dense indices, by first declared member.
 */
final class SharingItems {

  private final List<List<Integer>> members;
  private final List<List<Integer>> byClass;
  private final IntervalTable ranges;
  private final Candidates candidates;
  private final int[] sourceOf;
  private final int[] targetOf;

  private SharingItems(
      List<List<Integer>> members, Candidates candidates, IntervalTable variableRanges) {
    this.members = members;
    this.candidates = candidates;
    this.byClass = new ArrayList<>();
    for (int i = 0; i < candidates.classCount(); i++) {
      byClass.add(new ArrayList<>());
    }
    IntervalTable.Builder builder = IntervalTable.builder();
    for (int item = 0; item < members.size(); item++) {
      byClass.get(candidates.classOf(members.get(item).get(0))).add(item);
      for (int variable : members.get(item)) {
        for (int i = variableRanges.firstInterval(variable);
            i < variableRanges.endInterval(variable);
            i++) {
          builder.add(item, variableRanges.begin(i), variableRanges.end(i));
        }
      }
    }
    this.ranges = builder.build(members.size());
    this.sourceOf = new int[members.size()];
    this.targetOf = new int[members.size()];
    for (int item = 0; item < members.size(); item++) {
      sourceOf[item] = -1;
      targetOf[item] = -1;
    }
  }

  /** Every candidate by itself; pairs are joined where source and target meet in a group. */
  static SharingItems single(Candidates candidates, IntervalTable ranges, InPlaceTable inPlace) {
    List<List<Integer>> members = new ArrayList<>();
    int[] itemOf = new int[candidates.variableCount()];
    for (int variable = 0; variable < candidates.variableCount(); variable++) {
      if (candidates.isCandidate(variable)) {
        itemOf[variable] = members.size();
        members.add(List.of(variable));
      }
    }
    SharingItems items = new SharingItems(members, candidates, ranges);
    for (int item = 0; item < members.size(); item++) {
      int source = inPlace.sourceOf(members.get(item).get(0));
      if (source != Program.NO_VARIABLE) {
        items.sourceOf[item] = itemOf[source];
        items.targetOf[itemOf[source]] = item;
      }
    }
    return items;
  }

  /**
   * Every chain of pairs as one item, from its first source to its last target. A chain of several
   * variables that keep their names is cut before each but the first of these.
   */
  static SharingItems chains(Candidates candidates, IntervalTable ranges, InPlaceTable inPlace) {
    List<List<Integer>> members = new ArrayList<>();
    for (int variable = 0; variable < candidates.variableCount(); variable++) {
      if (candidates.isCandidate(variable) && inPlace.sourceOf(variable) == Program.NO_VARIABLE) {
        addChain(variable, candidates, inPlace, members);
      }
    }
    return new SharingItems(members, candidates, ranges);
  }

  private static void addChain(
      int first, Candidates candidates, InPlaceTable inPlace, List<List<Integer>> members) {
    List<Integer> chain = new ArrayList<>();
    boolean keepsName = false;
    for (int next = first; next != Program.NO_VARIABLE; next = inPlace.targetOf(next)) {
      if (keepsName && candidates.keepsName(next)) {
        members.add(chain);
        chain = new ArrayList<>();
      }
      keepsName |= candidates.keepsName(next);
      chain.add(next);
    }
    members.add(chain);
  }

  /** The items of each class. */
  List<List<Integer>> byClass() {
    return byClass;
  }

  /** The ranges of every item, a row each. */
  IntervalTable ranges() {
    return ranges;
  }

  /** The bytes of an item: of any member, for those of a chain are equal. */
  long bytes(int item) {
    return candidates.bytes(members.get(item).get(0));
  }

  /** Whether a member keeps its name; no more than one does. */
  boolean keepsName(int item) {
    return members.get(item).stream().anyMatch(candidates::keepsName);
  }

  /** Whether the item carries LoD. All members of a chain do or none, and then all bear it. */
  boolean carriesLod(int item) {
    return candidates.carriesLod(members.get(item).get(0));
  }

  /** Whether the item can share a name with one that carries LoD. */
  boolean bearsLod(int item) {
    return members.get(item).stream().allMatch(candidates::bearsLod);
  }

  /** The item whose last point may be the first of this one, or -1. */
  int sourceOf(int item) {
    return sourceOf[item];
  }

  /** The item whose first point may be the last of this one, or -1. */
  int targetOf(int item) {
    return targetOf[item];
  }

  /** The variables of several items. */
  List<Integer> variables(List<Integer> itemList) {
    List<Integer> variables = new ArrayList<>();
    for (int item : itemList) {
      variables.addAll(members.get(item));
    }
    return variables;
  }
}
