package dev.sublet.schedule;

import com.google.common.primitives.ImmutableIntArray;

/**
 * The segments of a graph: every order runs all operators of a segment before those of the next
 * one.
 *
 * <p>A segment ends with an operator that is comparable with all others: each other operator must
 * run before it, or after it. Example: in a chain, each operator is a segment; of the network
 * below, the segments are {@code a}, {@code b c d}, {@code e}.
 *
 * <pre>
 *   a → b → d → e
 *   a → c → d
 * </pre>
 */
final class Segments {

  private Segments() {}

  /** Returns the first operator of each segment, and the number of operators. O(dependencies). */
  static ImmutableIntArray find(OperatorGraph graph) {
    int count = graph.size();
    // An operator is after all earlier ones if each of these has a successor up to it, and before
    // all later ones if each of these has a predecessor from it on.
    int[] nearest = new int[count + 1];
    nearest[count] = count;
    for (int i = count - 1; i >= 0; i--) {
      ImmutableIntArray before = graph.predecessors(i);
      int last = before.isEmpty() ? -1 : before.get(before.length() - 1);
      nearest[i] = Math.min(nearest[i + 1], last);
    }
    ImmutableIntArray.Builder begins = ImmutableIntArray.builder().add(0);
    int farthest = -1;
    for (int i = 0; i + 1 < count; i++) {
      boolean isComparable = farthest <= i && nearest[i + 1] >= i;
      if (isComparable) {
        begins.add(i + 1);
      }
      ImmutableIntArray after = graph.successors(i);
      farthest = Math.max(farthest, after.isEmpty() ? count : after.get(0));
    }
    return begins.add(count).build();
  }
}
