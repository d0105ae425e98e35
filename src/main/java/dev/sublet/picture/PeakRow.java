package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Curve;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A variable that is live at the peak of the plan.
 *
 * @param variable the index of the variable; of several with one name, the one that is live
 * @param bytes its live bytes
 * @param first the first point of its life
 * @param last the last point of its life
 */
record PeakRow(int variable, long bytes, int first, int last) {

  /**
   * Returns the variables at the peak, the largest first, then by index; without those of arenas
   * that exist once per iteration, which the peak does not count. O(boxes × log).
   */
  static ImmutableList<PeakRow> of(Picture picture) {
    Curve live = picture.live();
    if (live.bytes().isEmpty() || live.bytes().get(live.peak()) == 0) {
      return ImmutableList.of();
    }
    int point = live.points().get(live.peak());
    Map<Integer, Box> lifeOfHolder = new HashMap<>();
    for (Box box : picture.before().boxes()) {
      if (liveBytes(box, point) > 0) {
        lifeOfHolder.putIfAbsent(picture.variables().get(box.variable()).holder(), box);
      }
    }
    List<PeakRow> rows = new ArrayList<>();
    PictureStage after = picture.after();
    for (Box box : after.boxes()) {
      long bytes = liveBytes(box, point);
      if (bytes > 0 && !after.arenas().get(box.arena()).isStep()) {
        Box life = lifeOfHolder.getOrDefault(box.variable(), box);
        int last = life.pieces().get(life.pieces().size() - 1).end() - 1;
        rows.add(new PeakRow(life.variable(), bytes, life.begin(), last));
      }
    }
    rows.sort(
        Comparator.comparingLong(PeakRow::bytes).reversed().thenComparingInt(PeakRow::variable));
    return ImmutableList.copyOf(rows);
  }

  private static long liveBytes(Box box, int point) {
    for (Piece piece : box.pieces()) {
      if (piece.begin() <= point && point < piece.end()) {
        return piece.high() - piece.low();
      }
    }
    return 0;
  }
}
