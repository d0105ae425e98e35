package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import dev.sublet.liveness.IntervalTable;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;

/**
 * The units that the global policy puts into groups: single candidates, or chains of in-place pairs
 * that always share one name. Items have dense indices, ordered by first declared member.
 */
final class SharingItems {

  private final List<List<Integer>> members;
  private final List<List<Integer>> byClass;
  private final IntervalTable ranges;
  private final Candidates candidates;
  private final List<Declaration> declarations = new ArrayList<>();
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
      Declaration declaration = candidates.declaration(members.get(item).get(0));
      for (int variable : members.get(item)) {
        declaration = requireNonNull(declaration.with(candidates.declaration(variable)));
        for (int i = variableRanges.firstInterval(variable);
            i < variableRanges.endInterval(variable);
            i++) {
          builder.add(item, variableRanges.begin(i), variableRanges.end(i));
        }
      }
      declarations.add(declaration);
    }
    this.ranges = builder.build(members.size());
    this.sourceOf = new int[members.size()];
    this.targetOf = new int[members.size()];
    for (int item = 0; item < members.size(); item++) {
      sourceOf[item] = -1;
      targetOf[item] = -1;
    }
  }

  /**
   * Makes one item per candidate, except that a forced pair is one item. Any other pair shares a
   * name if both items get into one group.
   */
  static SharingItems single(Candidates candidates, IntervalTable ranges, InPlaceTable inPlace) {
    List<List<Integer>> members = new ArrayList<>();
    int[] itemOf = new int[candidates.variableCount()];
    for (int variable = 0; variable < candidates.variableCount(); variable++) {
      if (candidates.isCandidate(variable) && !inPlace.isForced(variable)) {
        List<Integer> item = new ArrayList<>();
        for (int next = variable; item.isEmpty() || inPlace.isForced(next); ) {
          item.add(next);
          itemOf[next] = members.size();
          next = inPlace.targetOf(next);
        }
        members.add(item);
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
   * Makes one item per chain of pairs, from its first source to its last target. If several
   * variables of a chain keep their names, the chain is cut before each of them except the first;
   * it is also cut before a variable that needs another declaration than those before it.
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
    Declaration declaration = candidates.declaration(first);
    for (int next = first; next != Program.NO_VARIABLE; next = inPlace.targetOf(next)) {
      Declaration both = declaration.with(candidates.declaration(next));
      if ((keepsName && candidates.keepsName(next)) || both == null) {
        members.add(chain);
        chain = new ArrayList<>();
        both = candidates.declaration(next);
        keepsName = false;
      }
      keepsName |= candidates.keepsName(next);
      declaration = both;
      chain.add(next);
    }
    members.add(chain);
  }

  /** The items of each class. */
  List<List<Integer>> byClass() {
    return byClass;
  }

  /** The ranges of all items, one row per item. */
  IntervalTable ranges() {
    return ranges;
  }

  /** The bytes of an item. All members of a chain have equally many. */
  long bytes(int item) {
    return candidates.bytes(members.get(item).get(0));
  }

  /** Whether a member keeps its name; at most one member does. */
  boolean keepsName(int item) {
    return members.get(item).stream().anyMatch(candidates::keepsName);
  }

  /** Whether the item carries LoD: either all members of a chain do, and all bear it, or none. */
  boolean carriesLod(int item) {
    return candidates.carriesLod(members.get(item).get(0));
  }

  /** The declaration for all members of an item. */
  Declaration declaration(int item) {
    return declarations.get(item);
  }

  /** Whether the item can share a name with an item that carries LoD. */
  boolean bearsLod(int item) {
    return members.get(item).stream().allMatch(candidates::bearsLod);
  }

  /** The item whose last point may be the first point of this item, or -1. */
  int sourceOf(int item) {
    return sourceOf[item];
  }

  /** The item whose first point may be the last point of this item, or -1. */
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
