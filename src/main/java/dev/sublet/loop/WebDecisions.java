package dev.sublet.loop;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableTable;
import org.jspecify.annotations.Nullable;

/** The decisions about the webs of a program. Nobody modifies the arrays. */
final class WebDecisions {

  /** By web: its position in the first rotation that moves it; null if the web is in none. */
  final @Nullable RotationPosition[] positions;

  /** By web: the web that it becomes part of; -1 if it is not coalesced. */
  final int[] mergedInto;

  /** By web: the webs that are computed in the slot of its value. */
  final ImmutableListMultimap<Integer, Integer> rootsTaking;

  /** By buffers and slot: the slot of an earlier loop that it is; nothing for any other slot. */
  final ImmutableTable<RotatingBuffers, Integer, EarlierSlot> earlierSlots;

  WebDecisions(
      @Nullable RotationPosition[] positions,
      int[] mergedInto,
      ImmutableListMultimap<Integer, Integer> rootsTaking,
      ImmutableTable<RotatingBuffers, Integer, EarlierSlot> earlierSlots) {
    this.positions = positions;
    this.mergedInto = mergedInto;
    this.rootsTaking = rootsTaking;
    this.earlierSlots = earlierSlots;
  }
}
