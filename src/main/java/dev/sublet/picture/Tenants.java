package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables of an original program that have one name in the rewritten one, each for the time
 * for which it is live.
 */
final class Tenants {

  /** A time for which a variable is live. */
  private record Life(int variable, int begin, int end) {}

  /**
   * The lives of the variables with one name.
   *
   * @param lives the lives, ascending by begin and then by variable
   * @param latestEnds for each life, the latest end of it and of those before it
   */
  private record Lives(ImmutableList<Life> lives, ImmutableIntArray latestEnds) {

    static Lives of(List<Life> all) {
      List<Life> lives = new ArrayList<>(all);
      lives.sort(Comparator.comparingInt(Life::begin).thenComparingInt(Life::variable));
      ImmutableIntArray.Builder latestEnds = ImmutableIntArray.builder(lives.size());
      int latest = 0;
      for (Life life : lives) {
        latest = Math.max(latest, life.end());
        latestEnds.add(latest);
      }
      return new Lives(ImmutableList.copyOf(lives), latestEnds.build());
    }

    /** The index of the first life that ends after a point. */
    private int firstReaching(int point) {
      int low = 0;
      int high = latestEnds.length();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (latestEnds.get(middle) <= point) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  private final Map<Integer, Lives> byHolder = new HashMap<>();

  /**
   * Finds the lives of the variables of the original program.
   *
   * @param items the variables that have become others or kept their names
   * @param occupants all variables, with their holders
   */
  Tenants(List<StackedBoxes.Item> items, Occupants occupants) {
    ListMultimap<Integer, Life> lives = MultimapBuilder.hashKeys().arrayListValues().build();
    for (StackedBoxes.Item item : items) {
      for (Piece piece : item.pieces()) {
        Life life = new Life(item.variable(), piece.begin(), piece.end());
        lives.put(occupants.holder(item.variable()), life);
      }
    }
    for (int holder : lives.keySet()) {
      byHolder.put(holder, Lives.of(lives.get(holder)));
    }
  }

  /**
   * Returns a box whose pieces are divided where another variable moves in. At a time at which no
   * variable is live, the one before stays. O(pieces + lives of the name at the time of the box),
   * times the number of variables that are live at once.
   */
  Box divide(Box box) {
    Lives lives = byHolder.get(box.variable());
    if (lives == null) {
      return box;
    }
    ImmutableList.Builder<Piece> parts = ImmutableList.builder();
    Sweep sweep = new Sweep(lives, box);
    for (Piece piece : box.pieces()) {
      int begin = piece.begin();
      int variable = sweep.moveTo(begin);
      while (begin < piece.end()) {
        int end = begin;
        int next = variable;
        while (end < piece.end() && next == variable) {
          end = Math.min(piece.end(), sweep.until());
          next = sweep.moveTo(end);
        }
        parts.add(new Piece(variable, begin, end, piece.low(), piece.high()));
        begin = end;
        variable = next;
      }
    }
    return new Box(
        box.variable(), box.arena(), box.offset(), box.bytes(), parts.build(), box.views());
  }

  /** Goes through the time of a box, and knows which variable is live. */
  private static final class Sweep {

    private final ImmutableList<Life> lives;
    private final List<Life> active = new ArrayList<>();
    private int next;
    private int variable;

    Sweep(Lives all, Box box) {
      lives = all.lives();
      next = all.firstReaching(box.begin());
      int end = box.pieces().get(box.pieces().size() - 1).end();
      boolean isMet = next < lives.size() && lives.get(next).begin() < end;
      variable = isMet ? lives.get(next).variable() : box.variable();
    }

    /** The variable at a point that is not before the last one; of several, the first one. */
    int moveTo(int point) {
      while (next < lives.size() && lives.get(next).begin() <= point) {
        active.add(lives.get(next++));
      }
      active.removeIf(life -> life.end() <= point);
      if (!active.isEmpty()) {
        variable = active.stream().mapToInt(Life::variable).min().getAsInt();
      }
      return variable;
    }

    /** The next point at which the variable may be another one. */
    int until() {
      int until = next < lives.size() ? lives.get(next).begin() : Integer.MAX_VALUE;
      for (Life life : active) {
        until = Math.min(until, life.end());
      }
      return until;
    }
  }
}
