package dev.sublet.verify.graph;

/**
 * The variables that changed since a mark in a log, each once, with what it held at the mark.
 * Original variables have keys from 0 up, rewritten ones the complements of their indices.
 */
public final class ChangedSince {

  private final ChangeLog log;
  private final int[] originalPosition;
  private final int[] rewrittenPosition;
  private final IntList keys = new IntList();
  private final IntList values = new IntList();

  /** Reads this log; the two numbers bound its keys. */
  public ChangedSince(ChangeLog log, int originals, int rewrittens) {
    this.log = log;
    this.originalPosition = new int[originals];
    this.rewrittenPosition = new int[rewrittens];
  }

  /** Reads the log from the mark on, in the order of the first changes. O(entries). */
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

  /** A position is trusted only if the list confirms it, so positions need no clearing. */
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

  /** Whether entry i is about one of the original's variables. */
  public boolean isOriginal(int i) {
    return keys.get(i) >= 0;
  }

  /** Returns the variable of entry i. */
  public int variable(int i) {
    return isOriginal(i) ? keys.get(i) : ~keys.get(i);
  }

  /** What the variable held at the mark. */
  public int previous(int i) {
    return values.get(i);
  }

  /** What an original variable held at the mark, given what it holds now. */
  public int originalBefore(int u, int now) {
    return contains(u) ? values.get(originalPosition[u]) : now;
  }

  /** What a rewritten variable held at the mark, given what it holds now. */
  public int rewrittenBefore(int v, int now) {
    return contains(~v) ? values.get(rewrittenPosition[v]) : now;
  }
}
