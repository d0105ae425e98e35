package dev.sublet.cfg;

import java.util.Arrays;

/**
 * The reads and writes of every variable, in node order. Compressed rows in primitive arrays; a
 * variable has at most one access per node. Every method is O(1) unless its comment gives another
 * cost.
 */
public final class AccessTable {

  /** The node reads the variable. */
  public static final int READ = 1;

  /** The node may write the variable. */
  public static final int WRITE = 2;

  /** The node always writes the whole variable and does not read it: no earlier value survives. */
  public static final int KILL = 4;

  /** The node reads only the shape of the variable, not its elements. */
  static final int SHAPE_ONLY = 16;

  /** The program does not name the access: the runtime derives it, or it repeats a later access. */
  static final int IMPLICIT = 8;

  private final int[] starts;
  private final int[] nodes;
  private final byte[] flags;

  AccessTable(int[] starts, int[] nodes, byte[] flags) {
    this.starts = starts;
    this.nodes = nodes;
    this.flags = flags;
  }

  /** The index of a variable's first access; {@code end(variable)} if it has none. */
  public int begin(int variable) {
    return starts[variable];
  }

  /** The index after a variable's last access. */
  public int end(int variable) {
    return starts[variable + 1];
  }

  /**
   * The index of a variable's first access at or after a node; {@code end(variable)} if there is
   * none. O(log accesses): a shared name has thousands of them.
   */
  public int firstFrom(int variable, int node) {
    int found = Arrays.binarySearch(nodes, begin(variable), end(variable), node);
    return found >= 0 ? found : -found - 1;
  }

  /** The node of an access. */
  public int node(int access) {
    return nodes[access];
  }

  /** Whether the access reads. */
  public boolean reads(int access) {
    return (flags[access] & READ) != 0;
  }

  /** Whether the access reads elements, not only the shape. */
  public boolean readsElements(int access) {
    return (flags[access] & (READ | SHAPE_ONLY)) == READ;
  }

  /** Whether the access may write. */
  public boolean writes(int access) {
    return (flags[access] & WRITE) != 0;
  }

  /** Whether the access always writes the whole variable and does not read it. */
  public boolean kills(int access) {
    return (flags[access] & KILL) != 0;
  }

  /**
   * Whether a node always writes the whole variable and does not read it. O(log accesses + accesses
   * of the node).
   */
  public boolean killsAt(int variable, int node) {
    boolean kills = false;
    for (int i = firstFrom(variable, node); i < end(variable) && nodes[i] == node; i++) {
      kills |= kills(i);
    }
    return kills;
  }

  /** Whether the access is implicit, so that it alone does not make the variable a feed. */
  public boolean isImplicit(int access) {
    return (flags[access] & IMPLICIT) != 0;
  }

  /** Whether the variable is read or written at all. */
  public boolean isAccessed(int variable) {
    return starts[variable] != starts[variable + 1];
  }

  /**
   * The last node up to a node that writes a variable; else the first writer; -1 if none does.
   * O(accesses of the variable).
   */
  public int writer(int variable, int node) {
    int found = -1;
    for (int access = begin(variable); access < end(variable); access++) {
      if (writes(access) && (found < 0 || node(access) <= node)) {
        found = node(access);
      }
    }
    return found;
  }

  /** Whether any access reads only a shape. O(accesses). */
  public boolean hasShapeReads() {
    for (byte access : flags) {
      if ((access & SHAPE_ONLY) != 0) {
        return true;
      }
    }
    return false;
  }
}
