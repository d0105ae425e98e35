package dev.sublet.verify.graph;

/**
 * The previous values of all keys that changed inside the open bodies, oldest first. With it the
 * effect of a body can be undone and compared with the state before the body.
 *
 * <pre>
 *   open() = 0; x: 3 → 5; x: 5 → 7        entries: (x, 3), (x, 5)
 * </pre>
 *
 * <p>Nothing is recorded while no body is open. O(1) per entry.
 */
public final class ChangeLog {

  private final IntList keys = new IntList();
  private final IntList values = new IntList();
  private int openBodies;

  /** Records the value of a key before it changes. */
  public void record(int key, int previous) {
    if (openBodies > 0) {
      keys.add(key);
      values.add(previous);
    }
  }

  /** Starts recording for a body; returns the index of the body's first entry. */
  public int open() {
    openBodies++;
    return keys.size();
  }

  /** Ends a body; its entries remain for the enclosing bodies. */
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

  /** Returns the key that an entry changed. */
  public int key(int entry) {
    return keys.get(entry);
  }

  /** Returns the value of the key before an entry. */
  public int previous(int entry) {
    return values.get(entry);
  }

  /** Drops all entries from the given index on. */
  public void truncate(int size) {
    keys.truncate(size);
    values.truncate(size);
  }
}
