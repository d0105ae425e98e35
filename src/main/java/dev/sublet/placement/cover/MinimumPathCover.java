package dev.sublet.placement.cover;

import dev.sublet.placement.problem.BitMatrix;
import java.util.Arrays;

/**
 * Covers the elements of a partial order by the least number of chains. The chains are disjoint
 * paths in the graph of the order, found as a maximum matching between the elements as predecessors
 * and the same elements as successors. With n elements and m matched pairs there are n − m paths.
 *
 * <p>O(√n) phases in the worst case, few in practice; a phase reads the relation's rows word by
 * word, O(n²/64), and walks the shortest augmenting paths without recursion.
 *
 * <p>Not checked: that the relation is a partial order. If it is not acyclic, the result may
 * contain cycles; if it is not transitive, two elements of one path need not be comparable.
 *
 * <p>Source: Fulkerson, "Note on Dilworth's decomposition theorem for partially ordered sets",
 * 1956; Hopcroft and Karp, "An n^5/2 algorithm for maximum matchings in bipartite graphs", SIAM
 * Journal on Computing 2(4), 1973, doi:10.1137/0202019.
 */
final class MinimumPathCover {

  private static final int NONE = -1;

  private final BitMatrix before;
  private final int[] next;
  private final int[] previous;

  /** By element as a predecessor: its distance from an unmatched element in the current phase. */
  private final int[] level;

  private final int[] queue;

  /** The successors that the current search has not visited. */
  private final long[] unseen;

  private MinimumPathCover(BitMatrix before) {
    int size = before.size();
    this.before = before;
    this.next = new int[size];
    this.previous = new int[size];
    this.level = new int[size];
    this.queue = new int[size];
    this.unseen = new long[before.words()];
    Arrays.fill(next, NONE);
    Arrays.fill(previous, NONE);
  }

  /**
   * Returns, by element, the next element on its path, or -1 for the last element of a path.
   *
   * @param before the order: the bit (a, b) is set if a comes before b
   */
  static int[] successors(BitMatrix before) {
    MinimumPathCover cover = new MinimumPathCover(before);
    cover.matchGreedily();
    while (cover.findLevels()) {
      cover.augment();
    }
    return cover.next;
  }

  /** The number of paths. */
  static int count(int[] successors) {
    int paths = 0;
    for (int successor : successors) {
      paths += successor == NONE ? 1 : 0;
    }
    return paths;
  }

  private void resetUnseen() {
    Arrays.fill(unseen, -1);
    if ((before.size() & 63) != 0) {
      unseen[unseen.length - 1] = (1L << before.size()) - 1;
    }
  }

  private void matchGreedily() {
    resetUnseen();
    for (int element = 0; element < next.length; element++) {
      int successor = firstUnseen(element);
      if (successor != NONE) {
        see(successor);
        match(element, successor);
      }
    }
  }

  private int firstUnseen(int element) {
    for (int word = 0; word < unseen.length; word++) {
      long bits = before.word(element, word) & unseen[word];
      if (bits != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    return NONE;
  }

  private void see(int successor) {
    unseen[successor >>> 6] &= ~(1L << successor);
  }

  private void match(int element, int successor) {
    next[element] = successor;
    previous[successor] = element;
  }

  /**
   * Computes breadth-first levels along alternating paths. Returns false if no path ends at an
   * unmatched successor.
   */
  private boolean findLevels() {
    resetUnseen();
    Arrays.fill(level, NONE);
    int tail = 0;
    for (int element = 0; element < next.length; element++) {
      if (next[element] == NONE) {
        level[element] = 0;
        queue[tail++] = element;
      }
    }
    int limit = Integer.MAX_VALUE;
    for (int head = 0; head < tail && level[queue[head]] < limit; head++) {
      int element = queue[head];
      for (int successor; (successor = firstUnseen(element)) != NONE; ) {
        see(successor);
        int owner = previous[successor];
        if (owner == NONE) {
          limit = level[element] + 1;
        } else {
          level[owner] = level[element] + 1;
          queue[tail++] = owner;
        }
      }
    }
    return limit != Integer.MAX_VALUE;
  }

  /** Augments along disjoint shortest paths, depth first; the queue is the stack of elements. */
  private void augment() {
    resetUnseen();
    int[] chosen = new int[next.length];
    for (int root = 0; root < next.length; root++) {
      if (next[root] != NONE) {
        continue;
      }
      int depth = 0;
      queue[0] = root;
      while (depth >= 0) {
        int element = queue[depth];
        int successor = nextOnLevel(element);
        if (successor == NONE) {
          level[element] = NONE; // a dead end for the rest of the phase
          depth--;
          continue;
        }
        see(successor);
        chosen[depth] = successor;
        int owner = previous[successor];
        if (owner == NONE) {
          for (; depth >= 0; depth--) {
            match(queue[depth], chosen[depth]);
          }
        } else {
          queue[++depth] = owner;
        }
      }
    }
  }

  /**
   * Returns the first unseen successor that is unmatched or whose owner is one level further, or
   * -1.
   */
  private int nextOnLevel(int element) {
    for (int word = 0; word < unseen.length; word++) {
      long bits = before.word(element, word) & unseen[word];
      while (bits != 0) {
        int successor = (word << 6) + Long.numberOfTrailingZeros(bits);
        int owner = previous[successor];
        if (owner == NONE || level[owner] == level[element] + 1) {
          return successor;
        }
        bits &= bits - 1;
      }
    }
    return NONE;
  }
}
