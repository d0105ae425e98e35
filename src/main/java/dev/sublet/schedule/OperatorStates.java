package dev.sublet.schedule;

import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;

/**
 * The states of a search after some number of steps: sets of operators of a segment that have run,
 * each with its live bytes and the smallest peak with which it is reached.
 *
 * <p>A set is in the table once. Its live bytes depend on the set only, its peak on the order.
 */
final class OperatorStates {

  private static final int FREE = -1;

  private final OperatorGraph graph;
  private final int begin;
  private final int end;
  private final int words;
  private int count;
  private long[] run;
  private long[] ready;
  private long[] hashes;
  private long[] live;
  private long[] peaks;
  private int[] parents;
  private int[] operators;
  private int[] table;

  private OperatorStates(OperatorGraph graph, int begin, int end, int capacity) {
    this.graph = graph;
    this.begin = begin;
    this.end = end;
    this.words = (end - begin + 63) / 64;
    this.run = new long[capacity * words];
    this.ready = new long[capacity * words];
    this.hashes = new long[capacity];
    this.live = new long[capacity];
    this.peaks = new long[capacity];
    this.parents = new int[capacity];
    this.operators = new int[capacity];
    this.table = new int[Integer.highestOneBit(capacity) * 4];
    Arrays.fill(table, FREE);
  }

  /** The state before any operator of a segment has run. */
  static OperatorStates start(OperatorGraph graph, int begin, int end, long liveBytes) {
    OperatorStates states = new OperatorStates(graph, begin, end, 1);
    states.live[0] = liveBytes;
    states.peaks[0] = liveBytes;
    states.count = 1;
    for (int i = begin; i < end; i++) {
      if (states.mayRun(0, i)) {
        states.ready[(i - begin) >> 6] |= 1L << (i - begin);
      }
    }
    return states;
  }

  /** No states, for the next step of the same search. */
  OperatorStates next() {
    return new OperatorStates(graph, begin, end, Math.max(16, 2 * count));
  }

  int size() {
    return count;
  }

  long live(int state) {
    return live[state];
  }

  long peak(int state) {
    return peaks[state];
  }

  /** By state: the state of the step before from which it is reached. O(states). */
  ImmutableIntArray parents() {
    return ImmutableIntArray.copyOf(Arrays.copyOf(parents, count));
  }

  /** By state: the operator that ran last. O(states). */
  ImmutableIntArray operators() {
    return ImmutableIntArray.copyOf(Arrays.copyOf(operators, count));
  }

  /** Whether an operator of any segment has run. */
  boolean hasRun(int state, int operator) {
    int i = operator - begin;
    return i < 0 || (operator < end && (run[state * words + (i >> 6)] & (1L << i)) != 0);
  }

  /** The first ready operator whose number is not below a number; -1 if there is none. */
  int nextReady(int state, int from) {
    int i = from - begin;
    int word = i >> 6;
    if (word >= words) {
      return -1;
    }
    long bits = ready[state * words + word] & (-1L << i);
    while (bits == 0) {
      if (++word == words) {
        return -1;
      }
      bits = ready[state * words + word];
    }
    return begin + 64 * word + Long.numberOfTrailingZeros(bits);
  }

  private boolean mayRun(int state, int operator) {
    ImmutableIntArray before = graph.predecessors(operator);
    for (int i = 0; i < before.length(); i++) {
      if (!hasRun(state, before.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds the state after one more operator. If the same set is there, the smaller peak counts, of
   * equal ones the first.
   */
  void add(OperatorStates before, int state, int operator, long liveBytes, long peak) {
    long hash = before.hashes[state] ^ mix(operator);
    int slot = (int) hash & (table.length - 1);
    while (table[slot] != FREE && !isSame(table[slot], hash, before, state, operator)) {
      slot = (slot + 1) & (table.length - 1);
    }
    int known = table[slot];
    if (known == FREE) {
      append(before, state, operator, hash);
      live[count - 1] = liveBytes;
      peaks[count - 1] = peak;
      table[slot] = count - 1;
      if (2 * count > table.length) {
        rehash();
      }
    } else if (peak < peaks[known]) {
      peaks[known] = peak;
      parents[known] = state;
      operators[known] = operator;
    }
  }

  private boolean isSame(int known, long hash, OperatorStates before, int state, int operator) {
    if (hashes[known] != hash) {
      return false;
    }
    int added = operator - begin;
    for (int i = 0; i < words; i++) {
      long word = before.run[state * words + i] | (i == added >> 6 ? 1L << added : 0);
      if (run[known * words + i] != word) {
        return false;
      }
    }
    return true;
  }

  private void append(OperatorStates before, int state, int operator, long hash) {
    if (count == hashes.length) {
      grow(2 * count);
    }
    int added = operator - begin;
    System.arraycopy(before.run, state * words, run, count * words, words);
    System.arraycopy(before.ready, state * words, ready, count * words, words);
    run[count * words + (added >> 6)] |= 1L << added;
    ready[count * words + (added >> 6)] &= ~(1L << added);
    hashes[count] = hash;
    parents[count] = state;
    operators[count] = operator;
    ImmutableIntArray after = graph.successors(operator);
    for (int i = 0; i < after.length(); i++) {
      int next = after.get(i) - begin;
      if (after.get(i) < end && mayRun(count, after.get(i))) {
        ready[count * words + (next >> 6)] |= 1L << next;
      }
    }
    count++;
  }

  private void grow(int capacity) {
    run = Arrays.copyOf(run, capacity * words);
    ready = Arrays.copyOf(ready, capacity * words);
    hashes = Arrays.copyOf(hashes, capacity);
    live = Arrays.copyOf(live, capacity);
    peaks = Arrays.copyOf(peaks, capacity);
    parents = Arrays.copyOf(parents, capacity);
    operators = Arrays.copyOf(operators, capacity);
  }

  private void rehash() {
    table = new int[2 * table.length];
    Arrays.fill(table, FREE);
    for (int i = 0; i < count; i++) {
      int slot = (int) hashes[i] & (table.length - 1);
      while (table[slot] != FREE) {
        slot = (slot + 1) & (table.length - 1);
      }
      table[slot] = i;
    }
  }

  /** A hash of an operator's number, all bits of which look random (SplitMix64). */
  private static long mix(int operator) {
    long bits = (operator + 1) * 0x9E3779B97F4A7C15L;
    bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return bits ^ (bits >>> 31);
  }

  /**
   * Keeps some states: those with the smallest peaks, of these with the fewest live bytes, of these
   * the first. O(states log states).
   */
  OperatorStates best(int width) {
    long[] sorted = Arrays.copyOf(peaks, count);
    Arrays.sort(sorted);
    long peak = sorted[width - 1];
    int below = 0;
    int equal = 0;
    for (int i = 0; i < count; i++) {
      below += peaks[i] < peak ? 1 : 0;
      if (peaks[i] == peak) {
        sorted[equal++] = live[i];
      }
    }
    Arrays.sort(sorted, 0, equal);
    long bytes = sorted[width - below - 1];
    int wanted = width - below;
    for (int i = 0; i < equal; i++) {
      wanted -= sorted[i] < bytes ? 1 : 0;
    }
    OperatorStates kept = new OperatorStates(graph, begin, end, width);
    for (int i = 0; i < count; i++) {
      boolean isTie = peaks[i] == peak && live[i] == bytes;
      if (peaks[i] < peak || (peaks[i] == peak && live[i] < bytes) || (isTie && wanted-- > 0)) {
        kept.copy(this, i);
      }
    }
    return kept;
  }

  private void copy(OperatorStates from, int state) {
    System.arraycopy(from.run, state * words, run, count * words, words);
    System.arraycopy(from.ready, state * words, ready, count * words, words);
    hashes[count] = from.hashes[state];
    live[count] = from.live[state];
    peaks[count] = from.peaks[state];
    parents[count] = from.parents[state];
    operators[count] = from.operators[state];
    count++;
  }
}
