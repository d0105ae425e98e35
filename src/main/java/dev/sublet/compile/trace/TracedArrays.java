package dev.sublet.compile.trace;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The elements of the arrays of a traced program: lists of values, which are no bytes. */
final class TracedArrays {

  private final Map<Integer, List<@Nullable TracedValue>> arrays = new HashMap<>();

  /** Returns arrays with the same elements. O(elements). */
  TracedArrays copy() {
    TracedArrays copy = new TracedArrays();
    arrays.forEach((variable, elements) -> copy.arrays.put(variable, new ArrayList<>(elements)));
    return copy;
  }

  boolean isArray(int variable) {
    return arrays.containsKey(variable);
  }

  /** Removes all elements. */
  void clear(int variable) {
    arrays.remove(variable);
  }

  /** Gives an array the elements of another one, if that is an array. */
  void copy(int from, int to) {
    List<@Nullable TracedValue> elements = arrays.get(from);
    if (elements != null) {
      arrays.put(to, new ArrayList<>(elements));
    }
  }

  /** Sets an element; the array grows as needed. */
  void set(int variable, int index, TracedValue value) {
    List<@Nullable TracedValue> elements = arrays.computeIfAbsent(variable, v -> new ArrayList<>());
    while (elements.size() <= index) {
      elements.add(null);
    }
    elements.set(index, value);
  }

  /** Returns an element; null if the array does not have it. */
  @Nullable TracedValue get(int variable, long index) {
    List<@Nullable TracedValue> elements = arrays.get(variable);
    return elements == null || index < 0 || index >= elements.size()
        ? null
        : elements.get((int) index);
  }

  int length(int variable) {
    List<@Nullable TracedValue> elements = arrays.get(variable);
    return elements == null ? 0 : elements.size();
  }

  /** Returns all elements; none if one of them has no value. */
  ImmutableList<TracedValue> elements(int variable) {
    ImmutableList.Builder<TracedValue> all = ImmutableList.builder();
    for (int i = 0; i < length(variable); i++) {
      TracedValue value = get(variable, i);
      if (value == null) {
        return ImmutableList.of();
      }
      all.add(value);
    }
    return all.build();
  }
}
