package dev.sublet.verify.graph;

import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;

/** A growable list of ints. Indices are not checked against the size. */
public final class IntList {

  private int[] elements = new int[16];
  private int size;

  /** Appends a value. */
  public void add(int element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, 2 * size);
    }
    elements[size++] = element;
  }

  /** Returns the value at an index. */
  public int get(int i) {
    return elements[i];
  }

  /** Replaces the value at an index. */
  public void set(int i, int element) {
    elements[i] = element;
  }

  /** Returns the number of values. */
  public int size() {
    return size;
  }

  /** Drops all elements from the given index on. */
  public void truncate(int newSize) {
    size = newSize;
  }

  /** Returns a copy of the values. */
  public int[] toArray() {
    return Arrays.copyOf(elements, size);
  }

  ImmutableIntArray toImmutable() {
    return ImmutableIntArray.copyOf(toArray());
  }
}
