package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import dev.sublet.liveness.IntervalTable;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The units that the global policy puts into groups: single candidates, or chains of in-place pairs
 * that always share one name. Items have dense indices, ordered by first declared member.
 */
final class SharingItems {

  private final List<int[]> byClass = new ArrayList<>();
  private final IntervalTable ranges;
  private final List<Declaration> declarations = new ArrayList<>();
  private final BitSet free = new BitSet();
  private final BitSet keepsName = new BitSet();
  private final BitSet carriesLod = new BitSet();
  private final BitSet bearsLod = new BitSet();

  /** The members of all items, one item after the other, and where each item begins. */
  private final int[] members;

  private final int[] starts;
  private final long[] bytes;
  private final int[] sourceOf;
  private final int[] targetOf;

  private SharingItems(Drafts drafts, Candidates candidates, IntervalTable variableRanges) {
    this.members = Arrays.copyOf(drafts.members, drafts.size);
    this.starts = Arrays.copyOf(drafts.starts, drafts.count + 1);
    starts[drafts.count] = drafts.size;
    this.bytes = new long[drafts.count];
    int[] sizes = new int[candidates.classCount()];
    IntervalTable.Builder builder = IntervalTable.builder();
    for (int item = 0; item < drafts.count; item++) {
      sizes[candidates.classOf(members[starts[item]])]++;
      add(item, candidates);
      for (int member = starts[item]; member < starts[item + 1]; member++) {
        int variable = members[member];
        for (int i = variableRanges.firstInterval(variable);
            i < variableRanges.endInterval(variable);
            i++) {
          builder.add(item, variableRanges.begin(i), variableRanges.end(i));
        }
      }
    }
    this.ranges = builder.build(drafts.count);
    for (int size : sizes) {
      byClass.add(new int[size]);
    }
    Arrays.fill(sizes, 0);
    for (int item = 0; item < drafts.count; item++) {
      int own = candidates.classOf(members[starts[item]]);
      byClass.get(own)[sizes[own]++] = item;
    }
    this.sourceOf = new int[drafts.count];
    this.targetOf = new int[drafts.count];
    Arrays.fill(sourceOf, -1);
    Arrays.fill(targetOf, -1);
  }

  /** Collects what the members of an item have in common. */
  private void add(int item, Candidates candidates) {
    int first = members[starts[item]];
    Declaration declaration = candidates.declaration(first);
    boolean allBearLod = true;
    for (int member = starts[item]; member < starts[item + 1]; member++) {
      declaration = requireNonNull(declaration.with(candidates.declaration(members[member])));
      allBearLod &= candidates.bearsLod(members[member]);
      if (candidates.keepsName(members[member])) {
        keepsName.set(item);
      }
    }
    declarations.add(declaration);
    free.set(item, declaration.isFree());
    bearsLod.set(item, allBearLod);
    carriesLod.set(item, candidates.carriesLod(first));
    bytes[item] = candidates.bytes(first);
  }

  /** The items before their facts are collected. */
  private static final class Drafts {
    final int[] members;
    final int[] starts;
    int size;
    int count;

    Drafts(Candidates candidates) {
      members = new int[candidates.variableCount()];
      starts = new int[candidates.variableCount() + 1];
    }

    /** Begins another item. */
    void begin() {
      starts[count++] = size;
    }

    /** Adds a variable to the item that began last. */
    void add(int variable) {
      members[size++] = variable;
    }

    int first(int item) {
      return members[starts[item]];
    }
  }

  /**
   * Makes one item per candidate, except that a forced pair is one item. Any other pair shares a
   * name if both items get into one group.
   */
  static SharingItems single(Candidates candidates, IntervalTable ranges, InPlaceTable inPlace) {
    Drafts drafts = new Drafts(candidates);
    int[] itemOf = new int[candidates.variableCount()];
    for (int variable = 0; variable < candidates.variableCount(); variable++) {
      if (candidates.isCandidate(variable) && !inPlace.isForced(variable)) {
        int item = drafts.count;
        drafts.begin();
        int next = variable;
        do {
          drafts.add(next);
          itemOf[next] = item;
          next = inPlace.targetOf(next);
        } while (inPlace.isForced(next));
      }
    }
    SharingItems items = new SharingItems(drafts, candidates, ranges);
    for (int item = 0; item < drafts.count; item++) {
      int source = inPlace.sourceOf(drafts.first(item));
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
    Drafts drafts = new Drafts(candidates);
    for (int variable = 0; variable < candidates.variableCount(); variable++) {
      if (candidates.isCandidate(variable) && inPlace.sourceOf(variable) == Program.NO_VARIABLE) {
        addChain(variable, candidates, inPlace, drafts);
      }
    }
    return new SharingItems(drafts, candidates, ranges);
  }

  private static void addChain(
      int first, Candidates candidates, InPlaceTable inPlace, Drafts drafts) {
    drafts.begin();
    boolean keepsName = false;
    Declaration declaration = candidates.declaration(first);
    for (int next = first; next != Program.NO_VARIABLE; next = inPlace.targetOf(next)) {
      Declaration both = declaration.with(candidates.declaration(next));
      if ((keepsName && candidates.keepsName(next)) || both == null) {
        drafts.begin();
        both = candidates.declaration(next);
        keepsName = false;
      }
      keepsName |= candidates.keepsName(next);
      declaration = both;
      drafts.add(next);
    }
  }

  /** The number of items. */
  int count() {
    return bytes.length;
  }

  /** The items of each class, in ascending order. */
  List<int[]> byClass() {
    return byClass;
  }

  /** The ranges of all items, one row per item. */
  IntervalTable ranges() {
    return ranges;
  }

  /** The bytes of an item. All members of a chain have equally many. */
  long bytes(int item) {
    return bytes[item];
  }

  /** Whether a member keeps its name; at most one member does. */
  boolean keepsName(int item) {
    return keepsName.get(item);
  }

  /** Whether the item carries LoD: either all members of a chain do, and all bear it, or none. */
  boolean carriesLod(int item) {
    return carriesLod.get(item);
  }

  /** The declaration for all members of an item. */
  Declaration declaration(int item) {
    return declarations.get(item);
  }

  /** Whether any declaration that is large enough serves all members. */
  boolean isFree(int item) {
    return free.get(item);
  }

  /** Whether the item can share a name with an item that carries LoD. */
  boolean bearsLod(int item) {
    return bearsLod.get(item);
  }

  /** The item whose last point may be the first point of this item, or -1. */
  int sourceOf(int item) {
    return sourceOf[item];
  }

  /** The item whose first point may be the last point of this item, or -1. */
  int targetOf(int item) {
    return targetOf[item];
  }

  /** The variables of the first {@code count} items of an array. */
  List<Integer> variables(int[] items, int count) {
    List<Integer> variables = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      for (int member = starts[items[i]]; member < starts[items[i] + 1]; member++) {
        variables.add(members[member]);
      }
    }
    return variables;
  }
}
