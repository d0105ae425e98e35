package dev.sublet.placement.search;

/** A set of indices below a bound, taken in last-in, first-out order. */
final class IndexSet {

  private final boolean[] contains;
  private final int[] indices;
  private int size;

  IndexSet(int bound) {
    contains = new boolean[bound];
    indices = new int[bound];
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(int index) {
    if (!contains[index]) {
      contains[index] = true;
      indices[size++] = index;
    }
  }

  int removeLast() {
    int index = indices[--size];
    contains[index] = false;
    return index;
  }

  void clear() {
    while (size > 0) {
      removeLast();
    }
  }
}
