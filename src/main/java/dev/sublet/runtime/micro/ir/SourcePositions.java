package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import java.util.IdentityHashMap;

/** Where in a text the parts of a program were, each found by identity. */
final class SourcePositions {

  private final IdentityHashMap<Object, Integer> positions = new IdentityHashMap<>();

  /** Where a part was; the start of the text if nobody knows. */
  int of(Object part) {
    return positions.getOrDefault(part, 0);
  }

  /** Remembers a part and gives it back. */
  <T> T add(T part, int position) {
    positions.put(requireNonNull(part, "part"), position);
    return part;
  }
}
