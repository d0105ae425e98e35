package dev.sublet.verify.rewrite;

import java.util.Arrays;

/**
 * A map from numbers of values to numbers, in primitive arrays that are used again after a
 * clearing.
 *
 * <pre>
 *   put(7, 12); get(7) = 12; get(8) = ABSENT; clear(); get(7) = ABSENT
 * </pre>
 *
 * <p>Open addressing with linear probing. O(1) per operation, also for {@link #clear}.
 */
final class NumberMap {

  /** The result for a key that the map lacks; it is never a value. */
  static final int ABSENT = Integer.MIN_VALUE;

  private static final int HASH_FACTOR = 0x9E3779B9;

  private int[] keys = new int[16];
  private int[] values = new int[16];

  /** By slot: {@link #serial} if the slot is in use, else a smaller number. */
  private int[] used = new int[16];

  private int serial = 1;
  private int size;

  /** Removes all keys. */
  void clear() {
    size = 0;
    serial++;
    if (serial == Integer.MAX_VALUE) {
      Arrays.fill(used, 0);
      serial = 1;
    }
  }

  /** Returns the value of a key, or {@link #ABSENT}. */
  int get(int key) {
    int slot = slot(key);
    return used[slot] == serial ? values[slot] : ABSENT;
  }

  /** Sets the value of a key. */
  void put(int key, int value) {
    int slot = slot(key);
    if (used[slot] != serial) {
      used[slot] = serial;
      keys[slot] = key;
      size++;
    }
    values[slot] = value;
    if (2 * size > keys.length) {
      grow();
    }
  }

  /** Returns the slot that has the key, or else the free slot where it belongs. */
  private int slot(int key) {
    int mask = keys.length - 1;
    int slot = (key * HASH_FACTOR) >>> Integer.numberOfLeadingZeros(mask);
    while (used[slot] == serial && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    int[] oldKeys = keys;
    int[] oldValues = values;
    int[] oldUsed = used;
    keys = new int[2 * oldKeys.length];
    values = new int[keys.length];
    used = new int[keys.length];
    size = 0;
    for (int slot = 0; slot < oldKeys.length; slot++) {
      if (oldUsed[slot] == serial) {
        put(oldKeys[slot], oldValues[slot]);
      }
    }
  }
}
