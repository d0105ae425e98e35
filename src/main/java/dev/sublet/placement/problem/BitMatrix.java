package dev.sublet.placement.problem;

/** A relation between n things: a row of bits each. n²/8 bytes. */
public final class BitMatrix {

  private final int size;
  private final int words;
  private final long[][] rows;

  /** The empty relation. */
  public BitMatrix(int size) {
    this.size = size;
    this.words = (size + 63) >>> 6;
    this.rows = new long[size][words];
  }

  /** The number of things. */
  public int size() {
    return size;
  }

  /** How many words a row has. */
  public int words() {
    return words;
  }

  /** Bits {@code 64 * word} and up of a row. */
  public long word(int row, int word) {
    return rows[row][word];
  }

  /** Whether one thing is related to another. */
  public boolean get(int row, int column) {
    return (rows[row][column >>> 6] & 1L << column) != 0;
  }

  /** Relates one thing to another. */
  public void set(int row, int column) {
    rows[row][column >>> 6] |= 1L << column;
  }

  /** Sets the bits of a row from a column on. */
  public void setFrom(int row, int column) {
    for (int i = column; i < size && (i & 63) != 0; i++) {
      set(row, i);
    }
    for (int word = (column + 63) >>> 6; word < words; word++) {
      rows[row][word] = word == words - 1 && (size & 63) != 0 ? (1L << size) - 1 : -1;
    }
  }

  /** Takes a relation out. */
  public void clear(int row, int column) {
    rows[row][column >>> 6] &= ~(1L << column);
  }

  /** The first set bit of a row from a column on, or -1. */
  public int next(int row, int column) {
    int word = column >>> 6;
    if (word >= words) {
      return -1;
    }
    long bits = rows[row][word] & -1L << column;
    while (bits == 0) {
      if (++word == words) {
        return -1;
      }
      bits = rows[row][word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** Clears the bits of a row that are set here. */
  public void removeAll(int row, long[] bits) {
    for (int word = 0; word < words; word++) {
      rows[row][word] &= ~bits[word];
    }
  }
}
