package dev.sublet.fusion;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

/**
 * A path of operators that graph passes replace together. Each operator reads a result of the one
 * before it.
 *
 * @param types the operator types at each place of the path
 * @param kept the number of operators at the start that stay as they are
 * @param inner the places whose results disappear with the replacement
 * @param isEarly whether the operator before the last one writes the results of the last one
 * @param weightAt the place of the operator whose {@code Y} must be a weight; -1 for none
 * @param readsFirst whether a pass reads the declared shape of the first {@code X}
 */
record Pattern(
    ImmutableList<ImmutableSet<String>> types,
    int kept,
    ImmutableSet<Integer> inner,
    boolean isEarly,
    int weightAt,
    boolean readsFirst) {

  /** Reads a path such as {@code mul|matmul elementwise_add}; all operators are replaced. */
  static Pattern of(String path, Integer... inner) {
    ImmutableList.Builder<ImmutableSet<String>> types = ImmutableList.builder();
    for (String place : Splitter.on(' ').split(path)) {
      types.add(ImmutableSet.copyOf(Splitter.on('|').split(place)));
    }
    return new Pattern(types.build(), 0, ImmutableSet.copyOf(inner), false, -1, false);
  }

  /** The same path, of which the first operators stay. */
  Pattern keeping(int count) {
    return new Pattern(types, count, inner, isEarly, weightAt, readsFirst);
  }

  /** The same path, in which the operator before the last one writes the result. */
  Pattern early() {
    return new Pattern(types, kept, inner, /* isEarly= */ true, weightAt, readsFirst);
  }

  /** The same path, if the second argument of an operator is a weight. */
  Pattern withWeightAt(int place) {
    return new Pattern(types, kept, inner, isEarly, place, readsFirst);
  }

  /** The same path, of whose first operator a pass reads the declared shape of {@code X}. */
  Pattern readingFirst() {
    return new Pattern(types, kept, inner, isEarly, weightAt, /* readsFirst= */ true);
  }

  int length() {
    return types.size();
  }
}
