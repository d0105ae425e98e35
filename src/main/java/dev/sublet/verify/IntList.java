package dev.sublet.verify;

import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;

/** A growing list of ints. */
final class IntList {

  private int[] elements = new int[16];
  private int size;

  void add(int element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, 2 * size);
    }
    elements[size++] = element;
  }

  int get(int i) {
    return elements[i];
  }

  void set(int i, int element) {
    elements[i] = element;
  }

  int size() {
    return size;
  }

  /** Drops all elements from the given index on. */
  void truncate(int newSize) {
    size = newSize;
  }

  int[] toArray() {
    return Arrays.copyOf(elements, size);
  }

  ImmutableIntArray toImmutable() {
    return ImmutableIntArray.copyOf(toArray());
  }
}
