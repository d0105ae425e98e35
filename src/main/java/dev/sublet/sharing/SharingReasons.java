package dev.sublet.sharing;

import com.google.common.collect.ImmutableList;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.plan.Interval;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import dev.sublet.sharing.SharingReason.Closest;
import dev.sublet.sharing.SharingReason.Member;
import dev.sublet.sharing.SharingReason.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A result of sharing with the facts behind it: candidates and their classes, the ranges of names,
 * in-place pairs and groups. Explains one variable at a time.
 */
public final class SharingReasons {

  private final Sharing sharing;
  private final Candidates candidates;
  private final IntervalTable ranges;
  private final InPlaceTable inPlace;
  private final Grouping grouping;
  private final BitSet unnameable;
  private final int[] groupOf;

  SharingReasons(
      Sharing sharing,
      Candidates candidates,
      IntervalTable ranges,
      InPlaceTable inPlace,
      Grouping grouping,
      BitSet unnameable) {
    this.sharing = sharing;
    this.candidates = candidates;
    this.ranges = ranges;
    this.inPlace = inPlace;
    this.grouping = grouping;
    this.unnameable = unnameable;
    this.groupOf = new int[candidates.variableCount()];
    for (int group = 0; group < grouping.groups().size(); group++) {
      for (int variable : grouping.groups().get(group)) {
        groupOf[variable] = group;
      }
    }
  }

  /** The result. */
  public Sharing sharing() {
    return sharing;
  }

  /** The bytes that the groups save in a run, as far as the sizes of that run are known. */
  long bytesSaved(Sizes run) {
    long saved = 0;
    for (List<Integer> group : grouping.groups()) {
      long largest = 0;
      for (int variable : group) {
        long bytes = Math.max(0, run.bytes(variable));
        saved += bytes;
        largest = Math.max(largest, bytes);
      }
      saved -= largest;
    }
    return saved;
  }

  /**
   * Returns the reason why a variable shares its name or does not. O(intervals of its class).
   *
   * @param variable a dense index of the program before sharing
   */
  public SharingReason of(int variable) {
    if (!candidates.isCandidate(variable)) {
      return alone(Outcome.LEFT_ALONE, candidates.reason(variable), Optional.empty());
    }
    List<Integer> group = grouping.groups().get(groupOf[variable]);
    if (group.size() > 1) {
      return new SharingReason(Outcome.SHARES, "", members(group), Optional.empty());
    }
    Closest best = null;
    Closest bestSuitable = null;
    for (List<Integer> other : othersOfClass(variable)) {
      Closest closest = meet(variable, other);
      if (best == null || closest.points() < best.points()) {
        best = closest;
      }
      if (objection(variable, other).isEmpty()
          && (bestSuitable == null || closest.points() < bestSuitable.points())) {
        bestSuitable = closest;
      }
    }
    if (best == null) {
      return alone(Outcome.NO_OTHER, candidates.whyAlone(variable), Optional.empty());
    }
    if (bestSuitable == null) {
      return alone(Outcome.UNSUITABLE, objection(variable, best.group()), Optional.of(best));
    }
    if (bestSuitable.points() > 0) {
      return alone(Outcome.INTERFERES, "", Optional.of(bestSuitable));
    }
    return unnameable.get(variable)
        ? alone(
            Outcome.NO_NAME,
            "each name that its group could have is declared by several blocks, or must stay with"
                + " another variable",
            Optional.of(bestSuitable))
        : alone(
            Outcome.NOT_FOUND,
            "nothing forbids it, but the policy '" + sharing.policy() + "' did not find it",
            Optional.of(bestSuitable));
  }

  private static SharingReason alone(Outcome outcome, String words, Optional<Closest> closest) {
    return new SharingReason(outcome, words, ImmutableList.of(), closest);
  }

  private ImmutableList<Member> members(List<Integer> group) {
    List<Integer> sorted = new ArrayList<>(group);
    sorted.sort(
        Comparator.<Integer>comparingInt(ranges::firstPoint)
            .thenComparing(Comparator.naturalOrder()));
    ImmutableList.Builder<Member> members = ImmutableList.builder();
    for (int variable : sorted) {
      int source = inPlace.sourceOf(variable);
      boolean takesOver = source != Program.NO_VARIABLE && groupOf[source] == groupOf[variable];
      members.add(new Member(variable, takesOver ? source : Program.NO_VARIABLE));
    }
    return members.build();
  }

  /** The other groups of a candidate's class, by their first declared member. */
  private List<List<Integer>> othersOfClass(int variable) {
    List<List<Integer>> others = new ArrayList<>();
    BitSet seen = new BitSet();
    seen.set(groupOf[variable]);
    for (int other : candidates.byClass().get(candidates.classOf(variable))) {
      if (!seen.get(groupOf[other])) {
        seen.set(groupOf[other]);
        others.add(grouping.groups().get(groupOf[other]));
      }
    }
    return others;
  }

  /** The reason other than time why a variable cannot join a group; empty if there is none. */
  private String objection(int variable, List<Integer> group) {
    long capacity = Grouping.capacity(group, candidates);
    boolean groupKeepsName = false;
    boolean groupCarries = false;
    boolean groupBears = true;
    @Nullable Declaration declaration = candidates.declaration(variable);
    for (int member : group) {
      declaration = declaration == null ? null : declaration.with(candidates.declaration(member));
      groupKeepsName |= candidates.keepsName(member);
      groupCarries |= candidates.carriesLod(member);
      groupBears &= candidates.bearsLod(member);
    }
    if (candidates.keepsName(variable)) {
      if (groupKeepsName) {
        return "it must keep its name, and so must the other";
      }
      if (candidates.bytes(variable) < capacity) {
        return "it must keep its name and declaration, and the other is larger";
      }
    } else if (groupKeepsName && candidates.bytes(variable) > capacity) {
      return "the other must keep its name and declaration, and is smaller";
    }
    if (declaration == null && (candidates.keepsName(variable) || groupKeepsName)) {
      return "one of them must keep its name and declaration, which do not suit the other";
    }
    if (declaration == null) {
      return "graph passes read declared shapes, and no declaration serves both (--fusion safe)";
    }
    boolean hides =
        (groupCarries && !candidates.bearsLod(variable))
            || (candidates.carriesLod(variable) && !groupBears);
    return hides
        ? "one of them may carry sequence information (LoD) that the other does not replace"
        : "";
  }

  /** Finds the points at which a variable and a group meet, except handovers of in-place pairs. */
  private Closest meet(int variable, List<Integer> group) {
    List<Interval> common = new ArrayList<>();
    int met = group.get(0);
    int begin = -1;
    int end = -1;
    for (int member : group) {
      int i = ranges.firstInterval(variable);
      int j = ranges.firstInterval(member);
      while (i < ranges.endInterval(variable) && j < ranges.endInterval(member)) {
        int from = Math.max(ranges.begin(i), ranges.begin(j));
        int to = Math.min(ranges.end(i), ranges.end(j));
        if (from < to && !isHandover(variable, member)) {
          common.add(new Interval(from, to));
          if (begin < 0 || from < begin) {
            met = member;
            begin = from;
            end = to;
          }
        }
        if (ranges.end(i) <= ranges.end(j)) {
          i++;
        } else {
          j++;
        }
      }
    }
    long points = 0;
    for (Interval interval : Interval.union(common)) {
      points += interval.end() - interval.begin();
    }
    return new Closest(met, begin, end, points, ImmutableList.copyOf(group));
  }

  private boolean isHandover(int a, int b) {
    return inPlace.sourceOf(a) == b || inPlace.sourceOf(b) == a;
  }
}
