package dev.sublet.verify.graph;

/**
 * The previous values of everything that changed inside the bodies that are being run, oldest
 * first, so that a body's effect can be undone and compared with the state before it.
 *
 * <p>Nothing is recorded outside of bodies. O(1) an entry.
 */
public final class ChangeLog {

  private final IntList keys = new IntList();
  private final IntList values = new IntList();
  private int openBodies;

  /** Records what a key was before it changes. */
  public void record(int key, int previous) {
    if (openBodies > 0) {
      keys.add(key);
      values.add(previous);
    }
  }

  /** Starts recording for a body; the result is where its entries begin. */
  public int open() {
    openBodies++;
    return keys.size();
  }

  /** Ends a body; its entries remain for the bodies around it. */
  public void close() {
    openBodies--;
    if (openBodies == 0) {
      truncate(0);
    }
  }

  /** Returns the number of entries. */
  public int size() {
    return keys.size();
  }

  /** Returns the variable that an entry changed. */
  public int key(int entry) {
    return keys.get(entry);
  }

  /** Returns the value before an entry. */
  public int previous(int entry) {
    return values.get(entry);
  }

  /** Drops the entries from a size on. */
  public void truncate(int size) {
    keys.truncate(size);
    values.truncate(size);
  }
}
