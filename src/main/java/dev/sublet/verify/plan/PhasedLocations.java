package dev.sublet.verify.plan;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MultiView;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The locations of variables while some loops are in known phases and others in unknown ones.
 * Locations have numbers; the object records which locations have a value now, and finds those that
 * overlap a given one.
 *
 * <p>The location of an allocation that does not move has the allocation's number. If some
 * allocation of a variable moves, all equal locations of this variable have one number.
 *
 * <p>O(n log n) to build for n allocations and regions of views. Finding a location is O(log live
 * ranges + phases of the unknown loops, the first time); finding the overlapping ones is O((1 +
 * hits) log n), times the number of regions of the location.
 */
final class PhasedLocations {

  /** No location. */
  static final int NONE = -1;

  /** The phase of a loop that may be in any phase. */
  static final int ANY_PHASE = -1;

  private final PlacedAllocations allocations;
  private final LoopPhases loops;
  private final List<PhasedLocation> locations = new ArrayList<>();

  /** By allocation: its location if all loops are in unknown phases. */
  private final int[] whole;

  /**
   * By location: its regions in {@link #regions}; a fixed allocation is its own region and is not
   * listed.
   */
  private final Map<Integer, int[]> regionsOfSite = new HashMap<>();

  private final Map<PhasedLocation, Integer> numbers = new HashMap<>();
  private final Map<Integer, Map<Integer, Integer>> found = new HashMap<>();
  private final LocationRegions regions;
  private final IntList moving = new IntList();
  private final int[] held;
  private final int[] phases;

  /** Creates the locations for a state in which no loop has run yet. */
  PhasedLocations(
      Program program, PlacedAllocations allocations, LoopPhases loops, int arenaCount) {
    this.allocations = allocations;
    this.loops = loops;
    this.phases = new int[loops.size()];
    this.held = new int[program.variableCount()];
    Arrays.fill(held, NONE);
    this.whole = new int[allocations.size()];
    boolean[] moves = new boolean[program.variableCount()];
    for (int a = 0; a < whole.length; a++) {
      whole[a] = a;
      moves[allocations.variable(a)] |= allocations.get(a).views().isPresent();
    }
    for (int v = 0; v < moves.length; v++) {
      if (moves[v]) {
        moving.add(v);
      }
    }
    this.regions = new LocationRegions(allocations, arenaCount);
    for (int a = 0; a < whole.length; a++) {
      Allocation allocation = allocations.get(a);
      int variable = allocations.variable(a);
      locations.add(
          PhasedLocation.fixed(
              variable, allocation.arena(), allocation.bytes(), allocation.offset()));
      if (allocation.views().isEmpty() && moves[variable]) {
        Integer same = numbers.putIfAbsent(locations.get(a), a);
        whole[a] = same == null ? a : same;
      }
    }
    for (int a = 0; loops.size() > 0 && a < whole.length; a++) {
      Allocation allocation = allocations.get(a);
      if (allocation.views().isPresent()) {
        whole[a] = number(location(allocation, allocations.variable(a), allocation.views().get()));
      }
    }
  }

  private PhasedLocation location(Allocation allocation, int variable, MultiView view) {
    ImmutableIntArray named = loops.loopsOf(view);
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
    int[] iterations = new int[loops.size()];
    do {
      offsets.add(view.offset(block -> iterations[loops.ofBlock(block)]));
    } while (loops.advance(named, iterations));
    return new PhasedLocation(
            variable, allocation.arena(), allocation.bytes(), named, offsets.build())
        .minimal(loops);
  }

  private int number(PhasedLocation location) {
    Integer known = numbers.get(location);
    if (known != null) {
      return known;
    }
    int number = locations.size();
    locations.add(location);
    numbers.put(location, number);
    regionsOfSite.put(number, regions.of(location));
    return number;
  }

  /** Returns a location by its number. */
  PhasedLocation get(int location) {
    return locations.get(location);
  }

  /** Returns the location of an allocation if all loops are in unknown phases. */
  int whole(int allocation) {
    return whole[allocation];
  }

  /**
   * Returns the location of a variable at a point, for the known phases of the loops, or {@link
   * #NONE}.
   */
  int at(int variable, int point) {
    int allocation = allocations.at(variable, point);
    if (allocation == PlacedAllocations.NONE) {
      return NONE;
    }
    return phases.length == 0 ? allocation : known(whole[allocation], phases);
  }

  /** Returns a location reduced by known phases. */
  int known(int number, int[] knownPhases) {
    PhasedLocation location = locations.get(number);
    if (location.isFixed()) {
      return number;
    }
    int key = 0;
    for (int i = 0; i < location.loops().length(); i++) {
      int loop = location.loops().get(i);
      key = key * (loops.count(loop) + 1) + knownPhases[loop] + 1;
    }
    Map<Integer, Integer> byKey = found.computeIfAbsent(number, n -> new HashMap<>());
    Integer result = byKey.get(key);
    if (result == null) {
      result = number(reduce(location, knownPhases));
      byKey.put(key, result);
    }
    return result;
  }

  private PhasedLocation reduce(PhasedLocation location, int[] knownPhases) {
    PhasedLocation reduced = location;
    for (int i = 0; i < location.loops().length(); i++) {
      int loop = location.loops().get(i);
      if (knownPhases[loop] != ANY_PHASE) {
        reduced = reduced.inPhase(loops, loop, knownPhases[loop]);
      }
    }
    return reduced.minimal(loops);
  }

  /** Returns a location while a loop is in a phase. */
  int inPhase(int number, int loop, int phase) {
    int[] known = new int[phases.length];
    Arrays.fill(known, ANY_PHASE);
    known[loop] = phase;
    return known(number, known);
  }

  /** Returns the variables that have a moving allocation, ascending. */
  IntList moving() {
    return moving;
  }

  /** Whether a location depends on a loop. */
  boolean dependsOn(int number, int loop) {
    return locations.get(number).loops().contains(loop);
  }

  /** Clears the occupied locations and makes all phases unknown. */
  void forget() {
    for (int location : held) {
      if (location != NONE) {
        release(location);
      }
    }
    Arrays.fill(phases, ANY_PHASE);
  }

  /** Sets the phase of a loop, or {@link #ANY_PHASE}. */
  void setPhase(int loop, int phase) {
    phases[loop] = phase;
  }

  /** Returns the known phases, by loop. */
  int[] phases() {
    return phases.clone();
  }

  LoopPhases loops() {
    return loops;
  }

  /** Marks a location as having a value. */
  void hold(int number) {
    PhasedLocation location = locations.get(number);
    held[location.variable()] = number;
    int[] several = regionsOfSite.get(number);
    if (several == null) {
      regions.hold(number);
      return;
    }
    for (int region : several) {
      regions.hold(region);
    }
  }

  /** Marks a location as having no value. */
  void release(int number) {
    held[locations.get(number).variable()] = NONE;
    int[] several = regionsOfSite.get(number);
    if (several == null) {
      regions.release(number);
      return;
    }
    for (int region : several) {
      regions.release(region);
    }
  }

  /**
   * Replaces the content of the list by the occupied locations that may overlap this one. Only
   * their regions are compared, not whether they are there at the same time.
   */
  void findOverlapping(int number, IntList hits) {
    hits.truncate(0);
    int[] several = regionsOfSite.get(number);
    if (several == null) {
      regions.overlapping(number, hits);
    } else {
      for (int region : several) {
        regions.overlapping(region, hits);
      }
    }
    int count = 0;
    for (int i = 0; i < hits.size(); i++) {
      int hit = held[regions.variable(hits.get(i))];
      boolean isNew = locations.get(hit).isFixed() && several == null;
      if (isNew || !contains(hits, count, hit)) {
        hits.set(count++, hit);
      }
    }
    hits.truncate(count);
  }

  private static boolean contains(IntList list, int size, int element) {
    for (int i = 0; i < size; i++) {
      if (list.get(i) == element) {
        return true;
      }
    }
    return false;
  }

  /** Whether two locations have a byte in common at some time before a point. */
  boolean meet(int a, int b, int end) {
    PhasedLocation first = locations.get(a);
    PhasedLocation second = locations.get(b);
    int[] never = new int[phases.length];
    for (int loop = 0; loop < never.length; loop++) {
      never[loop] = end <= loops.firstPoint(loop) ? 0 : ANY_PHASE;
    }
    first = reduce(first, never);
    second = reduce(second, never);
    ImmutableIntArray both = union(first.loops(), second.loops());
    int[] combination = new int[phases.length];
    boolean meet = loops.combinations(both) > LoopPhases.MAXIMUM_COMBINATIONS;
    do {
      meet |= overlap(first, second, combination);
    } while (!meet && loops.advance(both, combination));
    return meet;
  }

  /**
   * Whether two locations are the same bytes whenever they have a byte in common, for the known
   * phases of the loops. O(combinations of the unknown phases).
   */
  boolean areSameWhereTheyMeet(int a, int b) {
    PhasedLocation first = locations.get(a);
    PhasedLocation second = locations.get(b);
    ImmutableIntArray both = union(first.loops(), second.loops());
    boolean areSame = loops.combinations(both) <= LoopPhases.MAXIMUM_COMBINATIONS;
    int[] combination = new int[phases.length];
    do {
      areSame &=
          !overlap(first, second, combination)
              || (first.bytes() == second.bytes()
                  && first.offset(loops, combination) == second.offset(loops, combination));
    } while (areSame && loops.advance(both, combination));
    return areSame;
  }

  private boolean overlap(PhasedLocation a, PhasedLocation b, int[] combination) {
    long first = a.offset(loops, combination);
    long second = b.offset(loops, combination);
    return a.arena() == b.arena()
        && Math.max(first, second) < Math.min(first + a.bytes(), second + b.bytes());
  }

  /** Returns the union of two ascending lists of loops. */
  static ImmutableIntArray union(ImmutableIntArray a, ImmutableIntArray b) {
    return a.equals(b)
        ? a
        : ImmutableIntArray.copyOf(IntStream.concat(a.stream(), b.stream()).distinct().sorted());
  }

  /** Returns a description of a location, for messages. */
  String describe(int number) {
    PhasedLocation location = locations.get(number);
    StringBuilder text = new StringBuilder("at offset ");
    text.append(location.offsets().get(0));
    for (int i = 1; i < location.offsets().length(); i++) {
      text.append(i == location.offsets().length() - 1 ? " or " : ", ")
          .append(location.offsets().get(i));
    }
    text.append(" of arena ").append(location.arena());
    for (int i = 0; i < location.loops().length(); i++) {
      text.append(i == 0 ? " by the iterations of block " : " and ");
      text.append(loops.block(location.loops().get(i)));
    }
    return text.toString();
  }
}
