package dev.sublet.placement.problem;

/** A binary relation on the numbers 0 to n - 1, as a square matrix of bits. Takes n²/8 bytes. */
public final class BitMatrix {

  private final int size;
  private final int words;
  private final long[][] rows;

  /** Creates the empty relation on the numbers below {@code size}. */
  public BitMatrix(int size) {
    this.size = size;
    this.words = (size + 63) >>> 6;
    this.rows = new long[size][words];
  }

  /** The number of rows, which is also the number of columns. */
  public int size() {
    return size;
  }

  /** The number of 64-bit words per row. */
  public int words() {
    return words;
  }

  /** The 64 bits of a row that begin at column {@code 64 * word}. */
  public long word(int row, int word) {
    return rows[row][word];
  }

  /** Whether the bit of a row and a column is set. */
  public boolean get(int row, int column) {
    return (rows[row][column >>> 6] & 1L << column) != 0;
  }

  /** Sets the bit of a row and a column. */
  public void set(int row, int column) {
    rows[row][column >>> 6] |= 1L << column;
  }

  /** Sets all bits of a row from a column to the end. */
  public void setFrom(int row, int column) {
    for (int i = column; i < size && (i & 63) != 0; i++) {
      set(row, i);
    }
    for (int word = (column + 63) >>> 6; word < words; word++) {
      rows[row][word] = word == words - 1 && (size & 63) != 0 ? (1L << size) - 1 : -1;
    }
  }

  /** Clears the bit of a row and a column. */
  public void clear(int row, int column) {
    rows[row][column >>> 6] &= ~(1L << column);
  }

  /** Returns the first column from the given one on whose bit is set in a row, or -1. */
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

  /** Clears the bits of a row that are set in the given words. */
  public void removeAll(int row, long[] bits) {
    for (int word = 0; word < words; word++) {
      rows[row][word] &= ~bits[word];
    }
  }
}
