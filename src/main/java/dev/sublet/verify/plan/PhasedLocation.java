package dev.sublet.verify.plan;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;

/**
 * The bytes of a variable: one region, or one region for each combination of phases of loops. Equal
 * locations are the same bytes at any time, because a loop that makes no difference is not listed.
 *
 * <pre>
 *   loops [0, 1] with 2 and 3 phases: 6 offsets
 *   loop 0 in phase 1 and loop 1 in phase 2: offset number 1 * 3 + 2 = 5
 * </pre>
 *
 * @param variable the variable that may be there
 * @param arena the arena
 * @param bytes the number of bytes
 * @param loops the loops whose phases decide the offset, ascending
 * @param offsets by the combination of their phases, the last loop's fastest
 */
record PhasedLocation(
    int variable, int arena, long bytes, ImmutableIntArray loops, ImmutableLongArray offsets) {

  /** Returns a location that does not depend on loops. */
  static PhasedLocation fixed(int variable, int arena, long bytes, long offset) {
    return new PhasedLocation(
        variable, arena, bytes, ImmutableIntArray.of(), ImmutableLongArray.of(offset));
  }

  boolean isFixed() {
    return loops.isEmpty();
  }

  /** Returns the first byte for given phases. */
  long offset(LoopPhases counts, int[] phases) {
    int index = 0;
    for (int i = 0; i < loops.length(); i++) {
      index = index * counts.count(loops.get(i)) + phases[loops.get(i)];
    }
    return offsets.get(index);
  }

  /** Whether the two locations are the same bytes, whatever their variables. */
  boolean isSamePlace(PhasedLocation other) {
    return arena == other.arena
        && bytes == other.bytes
        && loops.equals(other.loops)
        && offsets.equals(other.offsets);
  }

  /** Returns the location while a loop is in a phase. */
  PhasedLocation inPhase(LoopPhases counts, int loop, int phase) {
    int position = loops.indexOf(loop);
    if (position < 0) {
      return this;
    }
    return new PhasedLocation(
        variable, arena, bytes, without(position), slice(counts, position, phase));
  }

  private ImmutableIntArray without(int position) {
    return ImmutableIntArray.builder()
        .addAll(loops.subArray(0, position))
        .addAll(loops.subArray(position + 1, loops.length()))
        .build();
  }

  private ImmutableLongArray slice(LoopPhases counts, int position, int phase) {
    int inner = 1;
    for (int i = position + 1; i < loops.length(); i++) {
      inner *= counts.count(loops.get(i));
    }
    int count = counts.count(loops.get(position));
    ImmutableLongArray.Builder slice = ImmutableLongArray.builder();
    for (int index = 0; index < offsets.length(); index++) {
      if (index / inner % count == phase) {
        slice.add(offsets.get(index));
      }
    }
    return slice.build();
  }

  /** Returns the same location without the loops that make no difference. */
  PhasedLocation minimal(LoopPhases counts) {
    for (int position = 0; position < loops.length(); position++) {
      ImmutableLongArray first = slice(counts, position, 0);
      boolean matters = false;
      for (int phase = 1; !matters && phase < counts.count(loops.get(position)); phase++) {
        matters = !slice(counts, position, phase).equals(first);
      }
      if (!matters) {
        return new PhasedLocation(variable, arena, bytes, without(position), first).minimal(counts);
      }
    }
    return this;
  }
}
