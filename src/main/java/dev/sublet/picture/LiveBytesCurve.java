package dev.sublet.picture;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Curve;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import dev.sublet.plan.CoveredBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the bytes of a stage that are live at each point. Bytes that several variables share count
 * once. Arenas that exist once per iteration do not count. Variables that loops move count at their
 * location before any loop has iterated. O(n log n) for n pieces.
 */
final class LiveBytesCurve {

  /** The bytes of a piece, numbered consecutively through all arenas. */
  private record Occupied(int begin, int end, long low, long high) {}

  private LiveBytesCurve() {}

  /** Returns the curve of a stage's boxes. */
  static Curve of(PictureStage stage) {
    List<Occupied> all = occupied(stage.arenas(), stage.boxes());
    long[] ends = new long[2 * all.size()];
    Integer[] byBegin = new Integer[all.size()];
    Integer[] byEnd = new Integer[all.size()];
    for (int i = 0; i < all.size(); i++) {
      ends[2 * i] = all.get(i).low();
      ends[2 * i + 1] = all.get(i).high();
      byBegin[i] = i;
      byEnd[i] = i;
    }
    Arrays.sort(byBegin, (a, b) -> Integer.compare(all.get(a).begin(), all.get(b).begin()));
    Arrays.sort(byEnd, (a, b) -> Integer.compare(all.get(a).end(), all.get(b).end()));
    CoveredBytes covered = new CoveredBytes(ends);
    CurveBuilder curve = new CurveBuilder();
    int begun = 0;
    int ended = 0;
    while (ended < all.size()) {
      int point = all.get(byEnd[ended]).end();
      if (begun < all.size()) {
        point = Math.min(point, all.get(byBegin[begun]).begin());
      }
      for (; ended < all.size() && all.get(byEnd[ended]).end() == point; ended++) {
        covered.remove(all.get(byEnd[ended]).low(), all.get(byEnd[ended]).high());
      }
      for (; begun < all.size() && all.get(byBegin[begun]).begin() == point; begun++) {
        covered.add(all.get(byBegin[begun]).low(), all.get(byBegin[begun]).high());
      }
      curve.add(point, covered.covered());
    }
    return curve.build();
  }

  private static List<Occupied> occupied(List<ArenaBand> arenas, List<Box> boxes) {
    long[] base = new long[arenas.size()];
    for (int i = 1; i < base.length; i++) {
      base[i] = base[i - 1] + arenas.get(i - 1).bytes();
    }
    List<Occupied> all = new ArrayList<>();
    for (Box box : boxes) {
      if (!arenas.get(box.arena()).isStep()) {
        long first = base[box.arena()] + box.offset();
        for (Piece piece : box.pieces()) {
          all.add(
              new Occupied(piece.begin(), piece.end(), first + piece.low(), first + piece.high()));
        }
      }
    }
    return all;
  }

  /** Collects points and bytes, and drops points at which the bytes do not change. */
  private static final class CurveBuilder {

    private final ImmutableIntArray.Builder points = ImmutableIntArray.builder();
    private final ImmutableLongArray.Builder values = ImmutableLongArray.builder();
    private int lastPoint = 0;
    private long lastBytes = 0;
    private long bytes = 0;

    void add(int point, long newBytes) {
      if (point > lastPoint) {
        flush();
      }
      lastPoint = point;
      bytes = newBytes;
    }

    private void flush() {
      if (lastPoint == 0 || bytes != lastBytes) {
        points.add(lastPoint);
        values.add(bytes);
        lastBytes = bytes;
      }
    }

    Curve build() {
      flush();
      return new Curve(points.build(), values.build());
    }
  }
}
