package dev.sublet.testing.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What values are made of, as far as operators move bytes without computing: a value is an atom, or
 * pieces of atoms one behind the other. A value that is one whole atom is that atom, so splitting
 * what was joined gives the parts again. The same pieces have the same value in every run.
 */
final class Contents {

  /** Bytes of an atom: so many from one on. */
  record Piece(long atom, long from, long bytes) {}

  private final Map<Long, List<Piece>> compounds = new HashMap<>();
  private final Map<Long, Long> sizes = new HashMap<>();

  /** Notes how many bytes a value has, if nobody has before. */
  void setSize(long value, long bytes) {
    if (bytes > 0 && value != Values.UNDEFINED && !compounds.containsKey(value)) {
      sizes.putIfAbsent(value, bytes);
    }
  }

  /**
   * The pieces of a value that fills so many bytes; what is behind its end is a piece of it too.
   */
  List<Piece> pieces(long value, long bytes) {
    List<Piece> pieces = new ArrayList<>();
    long position = 0;
    for (Piece piece : compounds.getOrDefault(value, List.of())) {
      pieces.add(piece);
      position += piece.bytes();
    }
    if (position < bytes) {
      pieces.add(new Piece(value, position, bytes - position));
    }
    return pieces;
  }

  /** The bytes of a value from one on. */
  List<Piece> part(long value, long from, long bytes) {
    List<Piece> part = new ArrayList<>();
    long position = 0;
    for (Piece piece : pieces(value, from + bytes)) {
      long begin = Math.max(from, position);
      long end = Math.min(from + bytes, position + piece.bytes());
      if (begin < end) {
        part.add(new Piece(piece.atom(), piece.from() + begin - position, end - begin));
      }
      position += piece.bytes();
    }
    return part;
  }

  /** The first bytes of a value; the value itself if it is no longer. */
  long first(long value, long bytes) {
    long length = compounds.getOrDefault(value, List.of()).stream().mapToLong(Piece::bytes).sum();
    return length > bytes && bytes > 0 ? join(part(value, 0, bytes)) : value;
  }

  /** The value that these pieces are. */
  long join(List<Piece> pieces) {
    List<Piece> merged = merge(pieces);
    for (Piece piece : merged) {
      if (piece.atom() == Values.UNDEFINED) {
        return Values.UNDEFINED;
      }
    }
    if (merged.size() == 1 && isWhole(merged.get(0))) {
      return merged.get(0).atom();
    }
    Long filled = filledUp(merged);
    if (filled != null) {
      return filled;
    }
    long value = hash(merged);
    compounds.put(value, merged);
    return value;
  }

  private boolean isWhole(Piece piece) {
    return piece.from() == 0 && piece.bytes() >= sizes.getOrDefault(piece.atom(), 0L);
  }

  /** The compound that these pieces are if the last one only fills its bytes up; else null. */
  private @Nullable Long filledUp(List<Piece> pieces) {
    List<Piece> front = pieces.subList(0, pieces.size() - 1);
    long value = pieces.get(pieces.size() - 1).atom();
    return !front.isEmpty() && front.equals(compounds.get(value)) ? value : null;
  }

  private static long hash(List<Piece> pieces) {
    long hash = Values.of("pieces");
    for (Piece piece : pieces) {
      hash = Values.mix(Values.mix(Values.mix(hash, piece.atom()), piece.from()), piece.bytes());
    }
    return hash;
  }

  private static List<Piece> merge(List<Piece> pieces) {
    List<Piece> merged = new ArrayList<>();
    for (Piece piece : pieces) {
      int last = merged.size() - 1;
      Piece before = last < 0 ? null : merged.get(last);
      if (before != null
          && before.atom() == piece.atom()
          && before.from() + before.bytes() == piece.from()) {
        merged.set(last, new Piece(piece.atom(), before.from(), before.bytes() + piece.bytes()));
      } else {
        merged.add(piece);
      }
    }
    return merged;
  }
}
