package dev.sublet.verify.graph;

/**
 * The variables that changed since a mark in a log, each once, with its value at the mark.
 *
 * <p>Variables of the original program have their indices as keys; variables of the rewritten
 * program have the complements of their indices, which are negative.
 */
public final class ChangedSince {

  private final ChangeLog log;
  private final int[] originalPosition;
  private final int[] rewrittenPosition;
  private final IntList keys = new IntList();
  private final IntList values = new IntList();

  /**
   * Creates a reader of a log.
   *
   * @param originals the number of variables of the original program
   * @param rewrittens the number of variables of the rewritten program
   */
  public ChangedSince(ChangeLog log, int originals, int rewrittens) {
    this.log = log;
    this.originalPosition = new int[originals];
    this.rewrittenPosition = new int[rewrittens];
  }

  /**
   * Reads the log from the mark on; the variables are then in the order of their first changes.
   * O(entries).
   */
  public void collect(int mark) {
    keys.truncate(0);
    values.truncate(0);
    for (int entry = mark; entry < log.size(); entry++) {
      int key = log.key(entry);
      if (!contains(key)) {
        setPosition(key, keys.size());
        keys.add(key);
        values.add(log.previous(entry));
      }
    }
  }

  /**
   * Whether a key is in the list. A stored position counts only if the list has the key there, so
   * positions of earlier runs need no clearing.
   */
  private boolean contains(int key) {
    int position = key >= 0 ? originalPosition[key] : rewrittenPosition[~key];
    return position < keys.size() && keys.get(position) == key;
  }

  private void setPosition(int key, int position) {
    if (key >= 0) {
      originalPosition[key] = position;
    } else {
      rewrittenPosition[~key] = position;
    }
  }

  /** Returns the number of variables that changed. */
  public int size() {
    return keys.size();
  }

  /** Whether entry i is a variable of the original program. */
  public boolean isOriginal(int i) {
    return keys.get(i) >= 0;
  }

  /** Returns the variable of entry i. */
  public int variable(int i) {
    return isOriginal(i) ? keys.get(i) : ~keys.get(i);
  }

  /** Returns the value at the mark of the variable of entry i. */
  public int previous(int i) {
    return values.get(i);
  }

  /** Returns the value of an original variable at the mark, given its present value. */
  public int originalBefore(int u, int now) {
    return contains(u) ? values.get(originalPosition[u]) : now;
  }

  /** Returns the value of a rewritten variable at the mark, given its present value. */
  public int rewrittenBefore(int v, int now) {
    return contains(~v) ? values.get(rewrittenPosition[v]) : now;
  }
}
