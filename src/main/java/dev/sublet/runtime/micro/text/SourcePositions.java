package dev.sublet.runtime.micro.text;

import static java.util.Objects.requireNonNull;

import java.util.IdentityHashMap;

/**
 * The positions in the text at which the parts of a program were read. Parts are compared by
 * identity.
 */
final class SourcePositions {

  private final IdentityHashMap<Object, Integer> positions = new IdentityHashMap<>();

  /** Returns the position of a part; 0, the start of the text, if it is unknown. */
  int of(Object part) {
    return positions.getOrDefault(part, 0);
  }

  /** Records the position of a part and returns the part. */
  <T> T add(T part, int position) {
    positions.put(requireNonNull(part, "part"), position);
    return part;
  }
}
