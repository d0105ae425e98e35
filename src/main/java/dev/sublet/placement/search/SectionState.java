package dev.sublet.placement.search;

import java.util.Arrays;

/**
 * A partial placement in which any buffer may be placed next, with the bounds that follow from it.
 * Placements can be undone.
 *
 * <p>A placed buffer lies below all unplaced buffers that it interferes with. Each unplaced buffer
 * has a lowest offset. A buffer is postponed if it is known not to lie at its lowest offset; then
 * it lies on top of another unplaced buffer, and its lowest offset rises. Two rules find more:
 *
 * <ul>
 *   <li>A section has no room if the lowest of its unplaced buffers leaves less than their total
 *       size above it.
 *   <li>A buffer is not the first of a section if the section's total does not fit above its lowest
 *       offset. Then it lies on top of another buffer of the section.
 * </ul>
 *
 * <p>Example: the sizes 4, 3 and 3 are to be placed within 10 units above offset 0, and the buffer
 * of size 4 cannot lie below offset 1. It is not the first, because 1 + 10 > 10, so it lies at
 * offset 3 or above.
 *
 * <p>Not for problems with windows.
 *
 * <p>Source: the rule "not first" of disjunctive scheduling (Carlier and Pinson 1989): a buffer is
 * an operation that needs all its sections at once.
 */
final class SectionState {

  /** The approximate maximum length of the trail of changes: 16 MiB. */
  private static final int MAX_TRAIL = 1 << 21;

  private final SearchModel model;
  private final int count;
  private final int sections;

  /** The offset above which no buffer may end, in units. */
  private final int capacity;

  /** The highest offset that each buffer may get. */
  private final int[] limits;

  private final int[] offsets;
  private final int[] lowest;
  private final int[] totals;
  private final int[] floors;

  /**
   * By buffer: a neighbor that kept it from being free, asked first the next time. A hint, which
   * may be out of date and is not undone.
   */
  private final int[] blockers;

  /** By section: a buffer that ended low, asked first the next time. A hint, too. */
  private final int[] lowEnders;

  /** By section: the buffer that determined its floor. */
  private final int[] witnesses;

  /** By buffer: the twin that lies above it, or -1. */
  private final int[] followers;

  /** By section: the number of buffers that may be the first, unless the section has changed. */
  private final int[] firsts;

  /** By section: the lowest end of its unplaced buffers, unless the section has changed. */
  private final int[] lowestEnds;

  /** The raised buffers whose consequences are not yet known. */
  private final IndexSet raised;

  /** The sections in which a buffer was raised or placed. */
  private final IndexSet changed;

  /** The buffers that may have become free. */
  private final IndexSet suspects;

  private int[] trailIndex = new int[1024];
  private int[] trailValue = new int[1024];
  private int trail;
  private int failedSection = -1;
  private long work;

  /**
   * Creates the state in which no buffer is placed.
   *
   * @param arenaBytes the offset above which no buffer may end
   */
  SectionState(SearchModel model, long arenaBytes) {
    this.model = model;
    count = model.count;
    sections = model.sections;
    limits = new int[count];
    offsets = new int[count];
    blockers = new int[count];
    Arrays.setAll(blockers, b -> b); // itself: no hint yet
    lowEnders = new int[sections];
    Arrays.setAll(lowEnders, s -> model.members[model.memberRows[s]]);
    lowest = new int[count];
    followers = new int[count];
    totals = model.loads.clone();
    floors = new int[sections];
    witnesses = new int[sections];
    firsts = new int[sections];
    lowestEnds = new int[sections];
    raised = new IndexSet(count);
    changed = new IndexSet(sections);
    suspects = new IndexSet(count);
    Arrays.fill(offsets, -1);
    Arrays.fill(followers, -1);
    int highest = 0;
    for (int b = 0; b < count; b++) {
      int limit = (int) Math.floorDiv(arenaBytes - model.problem.size(b), model.unit);
      highest = Math.max(highest, limit + model.heights[b]);
      limits[b] = model.pins[b] < 0 ? limit : Math.min(limit, model.pins[b]);
      lowest[b] = Math.max(0, model.pins[b]);
      if (model.twins[b] >= 0) {
        followers[model.twins[b]] = b;
      }
    }
    capacity = highest;
  }

  /** Applies the rules to the empty placement. Returns whether it may be completed. */
  boolean begin() {
    for (int b = 0; b < count; b++) {
      raised.add(b);
      suspects.add(b);
      boolean hasRoom = lowest[b] <= limits[b];
      if (!hasRoom || (followers[b] >= 0 && !raise(followers[b], lowestEnd(b)))) {
        return false;
      }
    }
    for (int s = 0; s < sections; s++) {
      changed.add(s);
      witnesses[s] = model.members[model.memberRows[s]];
      if (!raiseFloor(s)) {
        return false;
      }
    }
    return propagate();
  }

  boolean isPlaced(int buffer) {
    return offsets[buffer] >= 0;
  }

  /** Whether the twin that lies below a buffer is not placed yet. */
  boolean waitsForTwin(int buffer) {
    return model.twins[buffer] >= 0 && offsets[model.twins[buffer]] < 0;
  }

  /** The offset of a placed buffer, in units. */
  int offset(int buffer) {
    return offsets[buffer];
  }

  /** The lowest possible offset of an unplaced buffer, in units. */
  int lowest(int buffer) {
    return lowest[buffer];
  }

  /** The end of an unplaced buffer at its lowest offset. */
  int lowestEnd(int buffer) {
    return lowest[buffer] + model.heights[buffer];
  }

  /** The highest offset at which the lowest unplaced buffer of a section leaves room for all. */
  int highestFirst(int section) {
    return capacity - totals[section];
  }

  /**
   * The number of unplaced buffers of a section that may be the lowest of them, when they were
   * {@linkplain #examine examined} last; MAX_VALUE if all are placed.
   */
  int firsts(int section) {
    return firsts[section];
  }

  /**
   * The lowest end of the unplaced buffers of a section, when they were {@linkplain #examine
   * examined} last; MAX_VALUE if all are placed.
   */
  int lowestEndIn(int section) {
    return lowestEnds[section];
  }

  /** The section in which the latest failure was found, or -1 if it was found elsewhere. */
  int failedSection() {
    return failedSection;
  }

  /** The number of array entries that have been read. */
  long work() {
    return work;
  }

  /** Whether the trail of changes is so long that the search must end for lack of memory. */
  boolean isTooLong() {
    return trail > MAX_TRAIL;
  }

  /** A mark of the current state, for {@link #undo}. */
  int mark() {
    return trail;
  }

  /**
   * Places a buffer at its lowest offset, below all unplaced neighbors. Returns whether the others
   * may still find room; if not, the placement must be undone. O(neighbors and their sections) for
   * each buffer that it raises.
   */
  boolean place(int buffer) {
    offsets[buffer] = lowest[buffer];
    push(count + buffer, 0);
    changeTotals(buffer, -model.heights[buffer]);
    int top = lowestEnd(buffer);
    work += model.neighborRows[buffer + 1] - model.neighborRows[buffer];
    for (int i = model.neighborRows[buffer]; i < model.neighborRows[buffer + 1]; i++) {
      int other = model.neighbors[i];
      if (offsets[other] >= 0) {
        continue;
      }
      suspects.add(other);
      if (top > lowest[other] && !raise(other, top)) {
        return false;
      }
    }
    return raiseFloorsOf(buffer) && propagate();
  }

  /**
   * Returns the lowest offset of a buffer on top of an unplaced neighbor, or MAX_VALUE if it has no
   * such neighbor.
   */
  int lowestOnTop(int buffer) {
    int best = Integer.MAX_VALUE;
    work += model.neighborRows[buffer + 1] - model.neighborRows[buffer];
    for (int i = model.neighborRows[buffer]; i < model.neighborRows[buffer + 1]; i++) {
      int other = model.neighbors[i];
      if (offsets[other] < 0) {
        best = Math.min(best, lowestEnd(other));
      }
    }
    return best;
  }

  /** Raises the lowest offset of a buffer. Returns whether all buffers may still find room. */
  boolean postpone(int buffer, int low) {
    return low != Integer.MAX_VALUE && raise(buffer, low) && propagate();
  }

  /**
   * Places all buffers that are free: their neighbors cannot lie below the ends that they have at
   * their lowest offsets, so they are in nobody's way. Returns whether the others may find room.
   */
  boolean placeFree() {
    while (!suspects.isEmpty()) {
      int b = suspects.removeLast();
      if (offsets[b] < 0 && isFree(b) && !place(b)) {
        return false;
      }
    }
    return true;
  }

  /** Examines the sections that have changed, for {@link #firsts} and {@link #lowestEndIn}. */
  void examine() {
    while (!changed.isEmpty()) {
      int s = changed.removeLast();
      int highest = highestFirst(s);
      int found = 0;
      int end = Integer.MAX_VALUE;
      work += model.memberRows[s + 1] - model.memberRows[s];
      for (int i = model.memberRows[s]; i < model.memberRows[s + 1]; i++) {
        int b = model.members[i];
        if (offsets[b] < 0) {
          found += lowest[b] <= highest ? 1 : 0;
          end = Math.min(end, lowestEnd(b));
        }
      }
      firsts[s] = totals[s] == 0 ? Integer.MAX_VALUE : found;
      lowestEnds[s] = end;
    }
  }

  /** Undoes all placements and postponements after a mark. */
  void undo(int mark) {
    raised.clear();
    while (trail > mark) {
      trail--;
      int index = trailIndex[trail];
      if (index < count) {
        lowest[index] = trailValue[trail];
        markSections(index);
      } else if (index < 2 * count) {
        offsets[index - count] = -1;
        changeTotals(index - count, model.heights[index - count]);
      } else if (index < 2 * count + sections) {
        floors[index - 2 * count] = trailValue[trail];
      } else {
        witnesses[index - 2 * count - sections] = trailValue[trail];
      }
    }
  }

  private boolean isFree(int buffer) {
    int top = lowestEnd(buffer);
    int hint = blockers[buffer];
    if (hint != buffer && offsets[hint] < 0 && lowest[hint] < top) {
      work++;
      return false;
    }
    for (int i = model.neighborRows[buffer]; i < model.neighborRows[buffer + 1]; i++) {
      int other = model.neighbors[i];
      if (offsets[other] < 0 && lowest[other] < top) {
        blockers[buffer] = other;
        work += i - model.neighborRows[buffer];
        return false;
      }
    }
    work += model.neighborRows[buffer + 1] - model.neighborRows[buffer];
    return true;
  }

  /** Raises a buffer, and with it its twins: they can be exchanged, so each lies above the last. */
  private boolean raise(int buffer, int low) {
    int b = buffer;
    int wanted = low;
    while (b >= 0) {
      int alignment = model.alignments[b];
      wanted = alignment == 1 ? wanted : (wanted + alignment - 1) / alignment * alignment;
      if (wanted <= lowest[b]) {
        return true;
      }
      push(b, lowest[b]);
      lowest[b] = wanted;
      noteRaised(b);
      if (wanted > limits[b]) {
        failedSection = -1;
        return false;
      }
      wanted = lowestEnd(b);
      b = followers[b];
    }
    return true;
  }

  private void noteRaised(int buffer) {
    markSections(buffer);
    raised.add(buffer);
    suspects.add(buffer);
    for (int i = model.neighborRows[buffer]; i < model.neighborRows[buffer + 1]; i++) {
      suspects.add(model.neighbors[i]);
    }
  }

  /** Applies the two rules to the raised buffers until nothing changes. */
  private boolean propagate() {
    while (!raised.isEmpty()) {
      int b = raised.removeLast();
      if (offsets[b] < 0 && !(raiseFloorsOf(b) && raiseUnlessFirst(b))) {
        return false;
      }
    }
    return true;
  }

  private boolean raiseFloorsOf(int buffer) {
    for (int span = model.spanRows[buffer]; span < model.spanRows[buffer + 1]; span++) {
      int last = model.spanLast[span];
      work += last - model.spanFirst[span];
      for (int s = model.spanFirst[span]; s <= last; s++) {
        int witness = witnesses[s];
        if ((witness == buffer || offsets[witness] >= 0) && !raiseFloor(s)) {
          failedSection = s;
          return false;
        }
      }
    }
    return true;
  }

  /** Raises the floor of a section to its lowest unplaced buffer. Returns whether there is room. */
  private boolean raiseFloor(int s) {
    int best = Integer.MAX_VALUE;
    int witness = witnesses[s];
    work += model.memberRows[s + 1] - model.memberRows[s];
    for (int i = model.memberRows[s]; i < model.memberRows[s + 1]; i++) {
      int b = model.members[i];
      if (offsets[b] < 0 && lowest[b] < best) {
        best = lowest[b];
        witness = b;
      }
    }
    if (witness != witnesses[s]) {
      push(2 * count + sections + s, witnesses[s]);
      witnesses[s] = witness;
    }
    if (best > floors[s] && best != Integer.MAX_VALUE) {
      push(2 * count + s, floors[s]);
      floors[s] = best;
    }
    return floors[s] + totals[s] <= capacity;
  }

  /** Raises a buffer that is not the first of a section above the lowest end of another buffer. */
  private boolean raiseUnlessFirst(int buffer) {
    int room = capacity - lowest[buffer];
    int low = lowest[buffer];
    for (int span = model.spanRows[buffer]; span < model.spanRows[buffer + 1]; span++) {
      for (int s = model.spanFirst[span]; s <= model.spanLast[span]; s++) {
        if (totals[s] > room) {
          low = Math.max(low, lowestEndBeside(buffer, s, low));
          if (low == Integer.MAX_VALUE) {
            failedSection = s;
            return false;
          }
        }
      }
    }
    return raise(buffer, low);
  }

  /**
   * Returns the lowest end of the other buffers of a section, or any number up to {@code least}.
   */
  private int lowestEndBeside(int buffer, int section, int least) {
    int hint = lowEnders[section];
    if (hint != buffer && offsets[hint] < 0 && lowestEnd(hint) <= least) {
      work++;
      return least;
    }
    int best = Integer.MAX_VALUE;
    int start = model.memberRows[section];
    int end = model.memberRows[section + 1];
    int i = start;
    for (; i < end && best > least; i++) {
      int b = model.members[i];
      if (b != buffer && offsets[b] < 0 && lowestEnd(b) < best) {
        best = lowestEnd(b);
        hint = b;
      }
    }
    lowEnders[section] = hint;
    work += i - start;
    return best;
  }

  private void changeTotals(int buffer, int units) {
    for (int span = model.spanRows[buffer]; span < model.spanRows[buffer + 1]; span++) {
      for (int s = model.spanFirst[span]; s <= model.spanLast[span]; s++) {
        totals[s] += units;
        changed.add(s);
      }
    }
  }

  private void markSections(int buffer) {
    for (int span = model.spanRows[buffer]; span < model.spanRows[buffer + 1]; span++) {
      for (int s = model.spanFirst[span]; s <= model.spanLast[span]; s++) {
        changed.add(s);
      }
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
