package dev.sublet.offset;

/** A relation between n things: a row of bits each. n²/8 bytes. */
final class BitMatrix {

  private final int size;
  private final int words;
  private final long[][] rows;

  /** The empty relation. */
  BitMatrix(int size) {
    this.size = size;
    this.words = (size + 63) >>> 6;
    this.rows = new long[size][words];
  }

  int size() {
    return size;
  }

  /** How many words a row has. */
  int words() {
    return words;
  }

  /** Bits {@code 64 * word} and up of a row. */
  long word(int row, int word) {
    return rows[row][word];
  }

  boolean get(int row, int column) {
    return (rows[row][column >>> 6] & 1L << column) != 0;
  }

  void set(int row, int column) {
    rows[row][column >>> 6] |= 1L << column;
  }

  /** Sets the bits of a row from a column on. */
  void setFrom(int row, int column) {
    for (int i = column; i < size && (i & 63) != 0; i++) {
      set(row, i);
    }
    for (int word = (column + 63) >>> 6; word < words; word++) {
      rows[row][word] = word == words - 1 && (size & 63) != 0 ? (1L << size) - 1 : -1;
    }
  }

  void clear(int row, int column) {
    rows[row][column >>> 6] &= ~(1L << column);
  }

  /** The first set bit of a row from a column on, or -1. */
  int next(int row, int column) {
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
  void removeAll(int row, long[] bits) {
    for (int word = 0; word < words; word++) {
      rows[row][word] &= ~bits[word];
    }
  }

  /** Adds what another row holds. */
  void addRow(int row, int other) {
    long[] target = rows[row];
    long[] source = rows[other];
    for (int word = 0; word < words; word++) {
      target[word] |= source[word];
    }
  }
}
