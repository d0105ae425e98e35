package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import dev.sublet.plan.Interval;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Builds a stage in which every variable has its own bytes. Each arena is filled from the bottom
 * up, in the order in which the variables become live, then by index.
 */
final class StackedBoxes {

  /**
   * A variable.
   *
   * @param variable the index of the variable
   * @param arena the index of the arena
   * @param bytes the number of bytes
   * @param pieces the times at which the bytes are live; not empty
   */
  record Item(int variable, int arena, long bytes, ImmutableList<Piece> pieces) {

    Item(int variable, int arena, long bytes, List<Interval> live) {
      this(variable, arena, bytes, PlanScene.pieces(variable, live, bytes));
    }

    /** Returns the variable with the live ranges and, if larger, the size of another web added. */
    Item with(Item other) {
      List<Interval> live = new ArrayList<>();
      for (Piece piece : pieces) {
        live.add(new Interval(piece.begin(), piece.end()));
      }
      for (Piece piece : other.pieces) {
        live.add(new Interval(piece.begin(), piece.end()));
      }
      return new Item(variable, arena, Math.max(bytes, other.bytes), Interval.union(live));
    }
  }

  private StackedBoxes() {}

  /** Builds the stage, with one arena for each arena of another stage. O(n log n). */
  static PictureStage stage(String meaning, List<ArenaBand> like, Collection<Item> items) {
    List<Item> ordered = new ArrayList<>(items);
    ordered.sort(
        Comparator.comparingInt((Item item) -> item.pieces().get(0).begin())
            .thenComparingInt(Item::variable));
    long[] used = new long[like.size()];
    List<Box> boxes = new ArrayList<>();
    for (Item item : ordered) {
      boxes.add(
          new Box(
              item.variable(),
              item.arena(),
              used[item.arena()],
              item.bytes(),
              item.pieces(),
              Optional.empty()));
      used[item.arena()] = Math.addExact(used[item.arena()], item.bytes());
    }
    ImmutableList.Builder<ArenaBand> arenas = ImmutableList.builder();
    for (int i = 0; i < used.length; i++) {
      arenas.add(
          new ArenaBand(like.get(i).label(), used[i], /* lowerBound= */ 0, like.get(i).isStep()));
    }
    return new PictureStage(meaning, arenas.build(), ImmutableList.copyOf(boxes), /* held= */ true);
  }
}
