package dev.sublet.liveness;

import java.util.Arrays;

/** The facts before and after each node. "Before" means earlier in the program. */
final class DataflowResult {

  private long[] before = new long[16];
  private long[] after = new long[16];

  /** Makes room for a problem and clears the facts of an earlier one. */
  void reset(int nodeCount) {
    if (before.length < nodeCount) {
      before = new long[2 * nodeCount];
      after = new long[2 * nodeCount];
    } else {
      Arrays.fill(before, 0, nodeCount, 0);
      Arrays.fill(after, 0, nodeCount, 0);
    }
  }

  long before(int node) {
    return before[node];
  }

  long after(int node) {
    return after[node];
  }

  void setBefore(int node, long facts) {
    before[node] = facts;
  }

  void setAfter(int node, long facts) {
    after[node] = facts;
  }
}
