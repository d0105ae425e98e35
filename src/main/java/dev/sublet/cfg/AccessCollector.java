package dev.sublet.cfg;

import java.util.Arrays;

/** Collects accesses in node order, then sorts them by variable. */
final class AccessCollector {

  private final int variableCount;
  private final int[] latest;
  private int[] variables = new int[1024];
  private int[] nodes = new int[1024];
  private byte[] flags = new byte[1024];
  private int size;

  AccessCollector(int variableCount) {
    this.variableCount = variableCount;
    this.latest = new int[variableCount];
    Arrays.fill(latest, -1);
  }

  /** Adds an access. Nodes must not descend. A second access at a node is merged into the first. */
  void add(int variable, int node, int newFlags) {
    int previous = latest[variable];
    if (previous >= 0 && nodes[previous] == node) {
      int joined = flags[previous] | newFlags;
      // Implicit only if both accesses are. A read with a write is an update, never a kill.
      if ((flags[previous] & newFlags & AccessTable.IMPLICIT) == 0) {
        joined &= ~AccessTable.IMPLICIT;
      }
      if ((joined & AccessTable.READ) != 0) {
        joined &= ~AccessTable.KILL;
      }
      if (readsElements(flags[previous]) || readsElements(newFlags)) {
        joined &= ~AccessTable.SHAPE_ONLY;
      }
      flags[previous] = (byte) joined;
      return;
    }
    if (size == nodes.length) {
      variables = Arrays.copyOf(variables, 2 * size);
      nodes = Arrays.copyOf(nodes, 2 * size);
      flags = Arrays.copyOf(flags, 2 * size);
    }
    latest[variable] = size;
    variables[size] = variable;
    nodes[size] = node;
    flags[size] = (byte) newFlags;
    size++;
  }

  private static boolean readsElements(int flags) {
    return (flags & (AccessTable.READ | AccessTable.SHAPE_ONLY)) == AccessTable.READ;
  }

  /** Returns the table (a counting sort). O(accesses + variables). */
  AccessTable build() {
    int[] starts = new int[variableCount + 1];
    for (int i = 0; i < size; i++) {
      starts[variables[i] + 1]++;
    }
    for (int i = 0; i < variableCount; i++) {
      starts[i + 1] += starts[i];
    }
    int[] next = Arrays.copyOf(starts, variableCount);
    int[] sortedNodes = new int[size];
    byte[] sortedFlags = new byte[size];
    for (int i = 0; i < size; i++) {
      int position = next[variables[i]]++;
      sortedNodes[position] = nodes[i];
      sortedFlags[position] = flags[i];
    }
    return new AccessTable(starts, sortedNodes, sortedFlags);
  }
}
