package dev.sublet.sharing;

import java.util.Arrays;

/**
 * The intervals of a group's members, by first point. Every method is O(log n), plus the move of at
 * most {@value #MOST} entries; a change also moves up to n / {@value #MOST} references.
 */
final class GroupIntervals {

  /** The maximum number of intervals in a chunk. */
  private static final int MOST = 128;

  /** A part of the intervals, in ascending order; never empty. */
  private static final class Chunk {
    int[] begins = new int[2];
    int[] ends = new int[2];
    int[] owners = new int[2];
    int size;

    void insert(int slot, int begin, int end, int owner) {
      if (size == begins.length) {
        begins = Arrays.copyOf(begins, 2 * size);
        ends = Arrays.copyOf(ends, 2 * size);
        owners = Arrays.copyOf(owners, 2 * size);
      }
      move(slot, slot + 1);
      size++;
      set(slot, begin, end, owner);
    }

    void set(int slot, int begin, int end, int owner) {
      begins[slot] = begin;
      ends[slot] = end;
      owners[slot] = owner;
    }

    void remove(int slot) {
      move(slot + 1, slot);
      size--;
    }

    private void move(int from, int to) {
      System.arraycopy(begins, from, begins, to, size - from);
      System.arraycopy(ends, from, ends, to, size - from);
      System.arraycopy(owners, from, owners, to, size - from);
    }

    /** Moves all entries from a slot on to a new chunk. */
    Chunk split(int slot) {
      Chunk tail = new Chunk();
      tail.begins = Arrays.copyOfRange(begins, slot, slot + begins.length);
      tail.ends = Arrays.copyOfRange(ends, slot, slot + ends.length);
      tail.owners = Arrays.copyOfRange(owners, slot, slot + owners.length);
      tail.size = size - slot;
      size = slot;
      return tail;
    }

    /** The last slot whose interval begins at or before a point, or -1. */
    int lastAt(int point) {
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (begins[middle] <= point) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low - 1;
    }
  }

  private Chunk[] chunks = new Chunk[1];
  private int count;

  /** The end of the last interval that begins at or before a point; 0 if there is none. */
  int lastEnd(int point) {
    int index = chunkAt(point);
    return index < 0 ? 0 : chunks[index].ends[chunks[index].lastAt(point)];
  }

  /**
   * Whether an interval from {@code begin} to {@code end} meets another one. The interval of {@code
   * source} may reach into its first points, and it may reach into those of {@code target}.
   */
  boolean meets(int begin, int end, int source, int target) {
    int index = chunkAt(begin - 1);
    int slot = 0;
    if (index < 0) {
      index = 0;
    } else {
      Chunk chunk = chunks[index];
      int before = chunk.lastAt(begin - 1);
      if (chunk.ends[before] > begin && chunk.owners[before] != source) {
        return true;
      }
      slot = before + 1;
      if (slot == chunk.size) {
        index++;
        slot = 0;
      }
    }
    if (index == count || chunks[index].begins[slot] >= end) {
      return false;
    }
    return chunks[index].owners[slot] != target || chunks[index].ends[slot] < end;
  }

  /** Adds an interval; one that begins at the same point is replaced. */
  void put(int begin, int end, int owner) {
    int index = chunkAt(begin);
    int slot = index < 0 ? -1 : chunks[index].lastAt(begin);
    if (slot >= 0 && chunks[index].begins[slot] == begin) {
      chunks[index].set(slot, begin, end, owner);
      return;
    }
    if (index < 0) {
      index = 0;
    }
    slot++;
    if (count == 0) {
      insert(0, new Chunk());
    } else if (chunks[index].size == MOST) {
      // What comes in order fills its chunks; elsewhere both halves get room.
      boolean isAtEnd = slot == MOST;
      int middle = isAtEnd ? MOST : MOST / 2;
      insert(index + 1, isAtEnd ? new Chunk() : chunks[index].split(middle));
      if (slot >= middle && (isAtEnd || slot > middle)) {
        index++;
        slot -= middle;
      }
    }
    chunks[index].insert(slot, begin, end, owner);
  }

  /** Removes the interval that begins at a point, if there is one. */
  void remove(int begin) {
    int index = chunkAt(begin);
    int slot = index < 0 ? -1 : chunks[index].lastAt(begin);
    if (slot < 0 || chunks[index].begins[slot] != begin) {
      return;
    }
    chunks[index].remove(slot);
    if (chunks[index].size == 0) {
      System.arraycopy(chunks, index + 1, chunks, index, count - index - 1);
      count--;
    }
  }

  private void insert(int index, Chunk chunk) {
    if (count == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * count);
    }
    System.arraycopy(chunks, index, chunks, index + 1, count - index);
    chunks[index] = chunk;
    count++;
  }

  /** The last chunk whose first interval begins at or before a point, or -1. */
  private int chunkAt(int point) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (chunks[middle].begins[0] <= point) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }
}
