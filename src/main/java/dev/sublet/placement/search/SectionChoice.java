package dev.sublet.placement.search;

import java.util.Arrays;

/**
 * Chooses where a {@link SectionSearch} branches: at the section with the fewest buffers that may
 * be placed next, weighted by the failures found there.
 *
 * <p>The lowest unplaced buffer of a section lies at or below an offset {@code h}, because the
 * section's total must fit above it. So one of these buffers lies at its lowest offset, below all
 * of its unplaced neighbors:
 *
 * <ul>
 *   <li>an unplaced buffer of the section with a lowest offset of at most {@code h}, or
 *   <li>an unplaced neighbor of such a buffer that can end at or below {@code h}, because then the
 *       former may lie on top of it; and a neighbor of such a neighbor; and so on.
 * </ul>
 *
 * <p>Example: a section has 6 of 10 units left, and buffers of sizes 1, 2 and 3 that can lie at
 * offsets 4, 4 and 7. {@code h} is 4, so the first or the second is next; the third is not.
 *
 * <p>The same holds for the buffer that ends first of all: either it lies at its lowest offset, or
 * a neighbor does that begins below its end.
 *
 * <p>Takes O(sections of the piece) and a few times O(buffers of a section and their neighbors).
 */
final class SectionChoice {

  /** The number of sections whose candidates are listed. */
  private static final int LISTED = 6;

  /** Sections that look at least so much worse than the best choice are not listed. */
  private static final double HOPE = 2;

  /** A walk is given up if it finds more than this many times the candidates of the best choice. */
  private static final int WIDEST = 2;

  /** The score of a choice without an alternative, which is none. */
  private static final double FORCED = 1e-6;

  private final SearchModel model;
  private final SectionState state;
  private final int[] ranks;
  private final double[] weights;

  /** By buffer: the number of the walk that has found it. */
  private final int[] stamps;

  private int stamp;
  private final int[] listed = new int[LISTED];

  /** By buffer: the number of the choice for which the next two arrays are valid. */
  private final int[] examined;

  /** By buffer: whether it may be placed next. */
  private final boolean[] isCandidate;

  /** By buffer: the lowest end of the unplaced buffers of its sections. */
  private final int[] lowestEnds;

  private int choices;

  /** The unplaced buffers of the piece. */
  private int[] piece = new int[0];

  /** The buffers of the piece that end low and are not yet found. */
  private final int[] low;

  /** The number of these buffers, or -1 if they are not yet listed. */
  private int lowCount;

  /** The buffers found by a walk. */
  private final int[] found;

  private int[] candidates = new int[16];
  private int candidateCount;
  private int[] best = new int[16];
  private int bestCount;
  private double bestScore;
  private int failedSection;
  private long work;

  /**
   * Creates a choice for a state.
   *
   * @param ranks by buffer: its position in the order of preference
   * @param weights by section: how often it has failed; read only
   */
  SectionChoice(SearchModel model, SectionState state, int[] ranks, double[] weights) {
    this.model = model;
    this.state = state;
    this.ranks = ranks;
    this.weights = weights;
    stamps = new int[model.count];
    examined = new int[model.count];
    isCandidate = new boolean[model.count];
    lowestEnds = new int[model.count];
    low = new int[model.count];
    found = new int[model.count];
  }

  /** The number of array entries that have been read. */
  long work() {
    return work;
  }

  /** The section that left no candidate, or -1. */
  int failedSection() {
    return failedSection;
  }

  /**
   * Returns the buffers of which one is placed next, the preferred ones first; empty if there is
   * none, so that the placement cannot be completed.
   *
   * @param buffers the unplaced buffers of a piece
   * @param first the first section of the piece
   * @param last the last section of the piece
   */
  int[] choose(int[] buffers, int first, int last) {
    failedSection = -1;
    int earliest = earliest(buffers);
    double heaviest = 0;
    for (int s = model.first(earliest); s <= model.last(earliest); s++) {
      heaviest = Math.max(heaviest, weights[s]);
    }
    piece = buffers;
    state.examine();
    choices++;
    bestScore = Double.MAX_VALUE;
    listAround(earliest, heaviest);
    take(heaviest);
    for (int i = 0; i < LISTED && bestCount > 1; i++) {
      int section = mostPromising(first, last, i);
      if (section < 0) {
        break;
      }
      listed[i] = section;
      listSection(section, weights[section]);
      take(weights[section]);
      if (candidateCount == 0) {
        failedSection = section;
        return new int[0];
      }
    }
    return sorted();
  }

  private int earliest(int[] buffers) {
    int earliest = buffers[0];
    for (int b : buffers) {
      int difference = state.lowestEnd(b) - state.lowestEnd(earliest);
      if (difference < 0 || (difference == 0 && ranks[b] < ranks[earliest])) {
        earliest = b;
      }
    }
    work += buffers.length;
    return earliest;
  }

  /** Returns the section with the best score by its number of firsts, or -1 if none has hope. */
  private int mostPromising(int first, int last, int listedCount) {
    int section = -1;
    double least = HOPE * bestScore;
    work += last - first;
    for (int s = first; s <= last; s++) {
      double score = score(state.firsts(s), weights[s]);
      if (score < least && !isListed(s, listedCount)) {
        least = score;
        section = s;
      }
    }
    return section;
  }

  private boolean isListed(int section, int listedCount) {
    for (int i = 0; i < listedCount; i++) {
      if (listed[i] == section) {
        return true;
      }
    }
    return false;
  }

  private static double score(int candidates, double weight) {
    return candidates <= 1 ? FORCED * candidates : candidates / (1 + weight);
  }

  private void take(double weight) {
    double score = score(candidateCount, weight);
    if (score < bestScore) {
      int[] other = best;
      best = candidates;
      candidates = other;
      bestCount = candidateCount;
      bestScore = score;
    }
  }

  private void listSection(int section, double weight) {
    int highest = state.highestFirst(section);
    int hits = 0;
    stamp++;
    for (int i = model.memberRows[section]; i < model.memberRows[section + 1]; i++) {
      hits = find(model.members[i], state.lowest(model.members[i]), highest, hits);
    }
    work += model.memberRows[section + 1] - model.memberRows[section];
    list(hits, highest, weight);
  }

  private void listAround(int buffer, double weight) {
    int highest = state.lowestEnd(buffer) - 1;
    stamp++;
    int hits = find(buffer, state.lowest(buffer), highest, 0);
    for (int i = model.neighborRows[buffer]; i < model.neighborRows[buffer + 1]; i++) {
      hits = find(model.neighbors[i], state.lowest(model.neighbors[i]), highest, hits);
    }
    work += model.neighborRows[buffer + 1] - model.neighborRows[buffer];
    list(hits, highest, weight);
  }

  private int find(int buffer, int value, int highest, int hits) {
    if (state.isPlaced(buffer) || value > highest || stamps[buffer] == stamp) {
      return hits;
    }
    stamps[buffer] = stamp;
    found[hits] = buffer;
    return hits + 1;
  }

  /**
   * Lists the candidates: the buffers found, and the neighbors on which they may lie. Stops when
   * there are too many for the best choice.
   */
  private void list(int hits, int highest, double weight) {
    candidateCount = 0;
    lowCount = -1;
    int widest = bestScore == Double.MAX_VALUE ? Integer.MAX_VALUE : WIDEST * bestCount;
    int end = hits;
    for (int k = 0; k < end && score(candidateCount, weight) < bestScore; k++) {
      if (end > widest) {
        candidateCount = Integer.MAX_VALUE;
        return;
      }
      int b = found[k];
      examine(b);
      if (isCandidate[b]) {
        if (candidateCount == candidates.length) {
          candidates = Arrays.copyOf(candidates, 2 * candidateCount);
        }
        candidates[candidateCount++] = b;
      }
      if (lowestEnds[b] <= highest) {
        end = findOverlapping(b, highest, end);
      }
    }
  }

  /** Finds the low buffers that a buffer may lie on top of; they are listed for the first one. */
  private int findOverlapping(int buffer, int highest, int hits) {
    lowCount = lowCount < 0 ? listLow(highest) : lowCount;
    work += lowCount;
    int end = hits;
    int rest = 0;
    for (int i = 0; i < lowCount; i++) {
      int other = low[i];
      if (overlap(buffer, other)) {
        end = find(other, state.lowestEnd(other), highest, end);
      } else {
        low[rest++] = other;
      }
    }
    lowCount = rest;
    return end;
  }

  /** Examines a buffer once for each choice. O(its sections). */
  private void examine(int buffer) {
    if (examined[buffer] == choices) {
      return;
    }
    examined[buffer] = choices;
    int end = Integer.MAX_VALUE;
    int highest = Integer.MAX_VALUE;
    for (int span = model.spanRows[buffer]; span < model.spanRows[buffer + 1]; span++) {
      work += model.spanLast[span] - model.spanFirst[span];
      for (int s = model.spanFirst[span]; s <= model.spanLast[span]; s++) {
        end = Math.min(end, state.lowestEndIn(s));
        highest = Math.min(highest, state.highestFirst(s));
      }
    }
    lowestEnds[buffer] = end;
    isCandidate[buffer] = state.lowest(buffer) <= highest && !state.waitsForTwin(buffer);
  }

  /** Lists the buffers of the piece that can end at or below an offset and are not yet found. */
  private int listLow(int highest) {
    int count = 0;
    for (int b : piece) {
      if (stamps[b] != stamp && state.lowestEnd(b) <= highest) {
        low[count++] = b;
      }
    }
    work += piece.length;
    return count;
  }

  /** Whether the live ranges of two buffers, with their holes, have a section in common. */
  private boolean overlap(int a, int b) {
    return model.first(a) <= model.last(b) && model.first(b) <= model.last(a);
  }

  /** The best candidates by their lowest offsets, then by rank. */
  private int[] sorted() {
    int[] result = Arrays.copyOf(best, bestCount);
    for (int i = 1; i < result.length; i++) {
      int b = result[i];
      int at = i;
      while (at > 0 && isBefore(b, result[at - 1])) {
        result[at] = result[at - 1];
        at--;
      }
      result[at] = b;
    }
    return result;
  }

  private boolean isBefore(int a, int b) {
    int difference = state.lowest(a) - state.lowest(b);
    return difference < 0 || (difference == 0 && ranks[a] < ranks[b]);
  }
}
