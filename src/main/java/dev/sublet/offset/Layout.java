package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.offset.merge.CoalescingChoices;
import dev.sublet.offset.merge.MergedWebs;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.Arena;
import java.util.Arrays;

/** The offset and the arena of every web, before they are written down variable by variable. */
final class Layout {

  /**
   * The buffers of one memory space, in the order of their problem, and their offsets.
   *
   * @param place the memory space
   * @param buffers the indices of the buffers
   * @param homes the region of each
   * @param problem the buffers as a problem
   * @param traffic the traffic of each, if there are pools
   * @param placement the offset of each in its arena; the bytes are those of all arenas
   * @param pools the arena of each buffer, an index into {@code arenas}
   * @param arenas one, or one per pool
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(
      String place,
      int[] buffers,
      int[] homes,
      PlanningProblem problem,
      long[] traffic,
      Placement placement,
      int[] pools,
      ImmutableList<Arena> arenas) {}

  private final MergedWebs merged;
  private final Buffers buffers;
  private final ImmutableList<Part> parts;
  private final ImmutableList<Arena> arenas;
  private final int[] arenaOfBuffer;
  private final long[] offsetOfBuffer;

  private Layout(
      MergedWebs merged, Buffers buffers, ImmutableList<Part> parts, ImmutableList<Arena> arenas) {
    this.merged = merged;
    this.buffers = buffers;
    this.parts = parts;
    this.arenas = arenas;
    this.arenaOfBuffer = new int[buffers.count()];
    this.offsetOfBuffer = new long[buffers.count()];
    int firstArena = 0;
    for (Part part : parts) {
      for (int i = 0; i < part.buffers().length; i++) {
        arenaOfBuffer[part.buffers()[i]] = firstArena + part.pools()[i];
        offsetOfBuffer[part.buffers()[i]] = part.placement().offsets().get(i);
      }
      firstArena += part.arenas().size();
    }
  }

  /**
   * Makes a layout whose arenas have no lower bounds yet.
   *
   * @param merged the groups of webs that share bytes
   */
  static Layout of(MergedWebs merged, Buffers buffers, ImmutableList<Part> parts) {
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    for (Part part : parts) {
      arenas.addAll(part.arenas());
    }
    return new Layout(merged, buffers, parts, arenas.build());
  }

  /** Returns the same webs in the same buffers, placed otherwise. */
  Layout withParts(ImmutableList<Part> newParts) {
    return of(merged, buffers, newParts);
  }

  /**
   * Returns the same layout with lower bounds of its arenas.
   *
   * @param isOnlyWay whether webs can be merged in this way only: then the planner's lower bound
   *     holds for all plans, and every part has one arena
   * @param ways gives the bounds that hold for all ways
   */
  Layout withLowerBounds(boolean isOnlyWay, CoalescingChoices ways) {
    ImmutableList.Builder<Arena> bounded = ImmutableList.builder();
    for (int i = 0; i < arenas.size(); i++) {
      int arena = i;
      long bytes =
          arenas.size() == 1 ? ways.lowerBound() : ways.lowerBound(web -> arena(web) == arena);
      bytes = isOnlyWay ? Math.max(bytes, parts.get(i).placement().lowerBound()) : bytes;
      bounded.add(arenas.get(i).withLowerBound(bytes));
    }
    return new Layout(merged, buffers, parts, bounded.build());
  }

  /** Whether another layout has the same buffers, regardless of the webs in them. */
  boolean placesTheSame(Layout other) {
    boolean isSame = parts.size() == other.parts.size();
    for (int i = 0; isSame && i < parts.size(); i++) {
      Part own = parts.get(i);
      Part others = other.parts.get(i);
      isSame =
          own.problem().hasSameBuffers(others.problem())
              && Arrays.equals(own.homes(), others.homes());
    }
    return isSame;
  }

  /**
   * Returns the same webs in the same buffers, with the offsets of another layout of such buffers.
   */
  Layout placedLike(Layout other) {
    ImmutableList.Builder<Part> placed = ImmutableList.builder();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      placed.add(
          new Part(
              part.place(),
              part.buffers(),
              part.homes(),
              part.problem(),
              part.traffic(),
              other.parts.get(i).placement(),
              part.pools(),
              other.parts.get(i).arenas()));
    }
    return withParts(placed.build());
  }

  /** The groups of webs that share bytes. */
  MergedWebs merged() {
    return merged;
  }

  ImmutableList<Part> parts() {
    return parts;
  }

  ImmutableList<Arena> arenas() {
    return arenas;
  }

  /** The index of the arena of a web that is planned. */
  int arena(int web) {
    return arenaOfBuffer[buffers.buffer(web)];
  }

  /** The index of the first arena in a memory space that has one. */
  int firstArena(String place) {
    int arena = 0;
    while (!arenas.get(arena).place().equals(place)) {
      arena++;
    }
    return arena;
  }

  /** Whether a web is planned and has bytes. */
  boolean isPlaced(int web) {
    return buffers.buffer(web) >= 0;
  }

  /** The offset of a web; 0 if the web is not planned. */
  long offset(int web) {
    int buffer = buffers.buffer(web);
    return buffer < 0 ? 0 : offsetOfBuffer[buffer] + buffers.distance(web);
  }

  long arenaBytes() {
    return arenas.stream().mapToLong(Arena::bytes).sum();
  }

  /** The bytes that this way to merge webs needs at least. */
  long lowerBound() {
    return parts.stream().mapToLong(part -> part.placement().lowerBound()).sum();
  }

  /** The number of nodes that searches have visited for this layout. */
  long nodes() {
    return parts.stream().mapToLong(part -> part.placement().nodes()).sum();
  }

  /**
   * Returns the better of two layouts with the same arenas. It is, in this order: the one that
   * exceeds capacities by less; the one whose first pool serves more traffic, then whose second
   * pool does, and so on; the one with fewer bytes; on a tie, {@code other}.
   */
  Layout best(Layout other) {
    return Arena.compare(arenas, other.arenas) < 0 ? this : other;
  }
}
