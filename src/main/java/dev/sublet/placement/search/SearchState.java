package dev.sublet.placement.search;

import java.util.Arrays;

/**
 * A partial placement from the bottom up, with the bounds that follow from it. Placements can be
 * undone.
 *
 * <p>Each unplaced buffer has a lowest offset, which is above the placed buffers that it interferes
 * with. Each section has a floor, below which no unplaced buffer can occupy bytes, and a total of
 * units that are still to be placed above the floor. If a section has no room for its total, the
 * partial placement cannot be completed.
 *
 * <p>Source: Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine
 * Learning", ASPLOS 2023, section 5 (section inference, unallocated floor). Added here: a section
 * is examined again only if the buffer that determined its floor has been raised.
 */
final class SearchState {

  /** The approximate maximum length of the trail of changes: 16 MiB for each of 14 members. */
  private static final int MAX_TRAIL = 1 << 21;

  private final SearchModel model;
  private final int sections;
  private final int count;

  /** The highest offset that each buffer may get. */
  private final int[] limits;

  /** The offset above which no buffer may end, in units. */
  private final int capacity;

  private final boolean hasWindows;
  private final int[] offsets;
  private final int[] lowest;
  private final int[] floors;
  private final int[] totals;

  /** By section: a buffer that determined the floor when the section was last examined. */
  private final int[] witnesses;

  /**
   * By section: the number of unplaced buffers that are live on both sides of the section's end.
   */
  private final int[] crossings;

  /**
   * By section: the number of times that it showed that a partial placement cannot be completed.
   */
  private final int[] failures;

  private final int[] raised;
  private int raisedCount;

  /**
   * The trail of changes: an index that encodes the changed floor, witness, lowest offset or
   * placement, and the value before the change.
   */
  private int[] trailIndex = new int[1024];

  private int[] trailValue = new int[1024];
  private int trail;

  private long work;

  private final boolean isHopeless;

  /**
   * Creates the state in which no buffer is placed.
   *
   * @param arenaBytes the offset above which no buffer may end
   */
  SearchState(SearchModel model, long arenaBytes) {
    this.model = model;
    sections = model.sections;
    count = model.count;
    hasWindows = model.problem.hasWindows();
    limits = new int[count];
    offsets = new int[count];
    lowest = new int[count];
    floors = new int[sections];
    totals = model.loads.clone();
    witnesses = new int[sections];
    crossings = new int[sections];
    failures = new int[sections];
    raised = new int[count];
    Arrays.fill(offsets, -1);
    int highest = 0;
    boolean hopeless = false;
    for (int b = 0; b < count; b++) {
      int limit = (int) Math.floorDiv(arenaBytes - model.problem.size(b), model.unit);
      highest = Math.max(highest, limit + model.heights[b]);
      limits[b] = model.pins[b] < 0 ? limit : Math.min(limit, model.pins[b]);
      lowest[b] = Math.max(0, model.pins[b]);
      hopeless |= limits[b] < lowest[b];
      for (int s = model.first(b); s < model.last(b); s++) {
        crossings[s]++;
      }
    }
    capacity = highest;
    for (int s = 0; s < sections; s++) {
      witnesses[s] = model.members[model.memberRows[s]];
      hopeless |= totals[s] > capacity;
    }
    isHopeless = hopeless;
  }

  /** Whether it is already clear that there is no placement within the given bytes. */
  boolean isHopeless() {
    return isHopeless;
  }

  int capacity() {
    return capacity;
  }

  boolean isPlaced(int buffer) {
    return offsets[buffer] >= 0;
  }

  /** The offset of a placed buffer, in units. */
  int offset(int buffer) {
    return offsets[buffer];
  }

  /** The lowest possible offset of an unplaced buffer, in units. */
  int lowest(int buffer) {
    return lowest[buffer];
  }

  /** The number of units of a section that are still to be placed. */
  int total(int section) {
    return totals[section];
  }

  /** Whether an unplaced buffer is live both at or before a section and after it. */
  boolean isCrossed(int section) {
    return crossings[section] != 0;
  }

  /** Whether the latest placement raised the lowest offset of any other buffer. */
  boolean raisedAny() {
    return raisedCount > 0;
  }

  /** The number of times that a section had no room for its total. */
  int failures(int section) {
    return failures[section];
  }

  /** The number of array entries that all placements have read. */
  long work() {
    return work;
  }

  /** A mark of the current state, for {@link #undo}. */
  int mark() {
    return trail;
  }

  /**
   * Places a buffer at its lowest offset. Returns whether the other buffers may still find room; if
   * not, the placement must be undone. O(sections of the buffer and of the buffers that it raises ×
   * buffers that are live there).
   */
  boolean place(int buffer) {
    int offset = lowest[buffer];
    offsets[buffer] = offset;
    push(2 * sections + count + buffer, 0);
    for (int span = model.spanRows[buffer]; span < model.spanRows[buffer + 1]; span++) {
      int top = offset + model.spanHigh[span];
      for (int s = model.spanFirst[span]; s <= model.spanLast[span]; s++) {
        totals[s] -= model.spanUnits[span];
        if (floors[s] < top) {
          push(s, floors[s]);
          floors[s] = top;
        }
      }
    }
    for (int s = model.first(buffer), last = model.last(buffer); s < last; s++) {
      crossings[s]--;
    }
    return raiseNeighbors(buffer, offset) && raiseFloors();
  }

  private boolean raiseNeighbors(int buffer, int offset) {
    raisedCount = 0;
    work += model.neighborRows[buffer + 1] - model.neighborRows[buffer];
    for (int i = model.neighborRows[buffer]; i < model.neighborRows[buffer + 1]; i++) {
      int other = model.neighbors[i];
      int low = offset + model.clearances[i];
      if (offsets[other] >= 0 || low <= lowest[other]) {
        continue;
      }
      int alignment = model.alignments[other];
      if (alignment != 1) {
        low = (low + alignment - 1) / alignment * alignment;
      }
      push(2 * sections + other, lowest[other]);
      lowest[other] = low;
      raised[raisedCount++] = other;
      if (low > limits[other]) {
        return false;
      }
    }
    return true;
  }

  private boolean raiseFloors() {
    // Local variables, because the JIT compiler that first compiles a search does not keep fields
    // in registers.
    int[] sectionWitnesses = witnesses;
    int[] placed = offsets;
    for (int r = 0; r < raisedCount; r++) {
      int b = raised[r];
      for (int span = model.spanRows[b]; span < model.spanRows[b + 1]; span++) {
        int last = model.spanLast[span];
        work += last - model.spanFirst[span];
        for (int s = model.spanFirst[span]; s <= last; s++) {
          int witness = sectionWitnesses[s];
          if ((witness == b || placed[witness] >= 0) && !raiseFloor(s)) {
            failures[s]++;
            return false;
          }
        }
      }
    }
    return true;
  }

  /**
   * Raises a floor to the lowest offset of the section's unplaced buffers. Returns whether there is
   * room above it for the section's total.
   */
  private boolean raiseFloor(int s) {
    int[] members = model.members;
    int[] lows = model.memberLows;
    int[] placed = offsets;
    int[] lowestOffsets = lowest;
    int end = model.memberRows[s + 1];
    int begin = model.memberRows[s];
    int best = Integer.MAX_VALUE;
    int witness = witnesses[s];
    // Without windows no buffer can be below the floor, so stop at a buffer that lies on it.
    int least = hasWindows ? Integer.MIN_VALUE : floors[s];
    work += end - begin;
    for (int i = begin; i < end && best > least; i++) {
      int b = members[i];
      if (placed[b] < 0) {
        int low = lowestOffsets[b] + lows[i];
        if (low < best) {
          best = low;
          witness = b;
        }
      }
    }
    if (witness != witnesses[s]) {
      push(sections + s, witnesses[s]);
      witnesses[s] = witness;
    }
    if (best > floors[s] && best != Integer.MAX_VALUE) {
      push(s, floors[s]);
      floors[s] = best;
    }
    return floors[s] + totals[s] <= capacity;
  }

  /** Whether the trail of changes is so long that the search must end for lack of memory. */
  boolean isTooLong() {
    return trail > MAX_TRAIL;
  }

  /** Undoes all placements after a mark. */
  void undo(int mark) {
    while (trail > mark) {
      trail--;
      int index = trailIndex[trail];
      if (index < sections) {
        floors[index] = trailValue[trail];
      } else if (index < 2 * sections) {
        witnesses[index - sections] = trailValue[trail];
      } else if (index < 2 * sections + count) {
        lowest[index - 2 * sections] = trailValue[trail];
      } else {
        takeAway(index - 2 * sections - count);
      }
    }
  }

  private void takeAway(int buffer) {
    offsets[buffer] = -1;
    for (int span = model.spanRows[buffer]; span < model.spanRows[buffer + 1]; span++) {
      for (int s = model.spanFirst[span]; s <= model.spanLast[span]; s++) {
        totals[s] += model.spanUnits[span];
      }
    }
    for (int s = model.first(buffer), last = model.last(buffer); s < last; s++) {
      crossings[s]++;
    }
  }

  private void push(int index, int value) {
    if (trail == trailIndex.length) {
      trailIndex = Arrays.copyOf(trailIndex, 2 * trail);
      trailValue = Arrays.copyOf(trailValue, 2 * trail);
    }
    trailIndex[trail] = index;
    trailValue[trail++] = value;
  }
}
