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
import java.util.Optional;

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
    Map<Integer, Box> lives = new HashMap<>();
    for (Box box : picture.before().boxes()) {
      if (pieceAt(box, point).isPresent()) {
        lives.put(box.variable(), box);
      }
    }
    List<PeakRow> rows = new ArrayList<>();
    PictureStage after = picture.after();
    for (Box box : after.boxes()) {
      Optional<Piece> piece = pieceAt(box, point);
      if (piece.isPresent() && !after.arenas().get(box.arena()).isStep()) {
        int variable = piece.get().variable();
        Box life = lives.getOrDefault(variable, box);
        int last = life.pieces().get(life.pieces().size() - 1).end() - 1;
        long bytes = piece.get().high() - piece.get().low();
        rows.add(new PeakRow(variable, bytes, life.begin(), last));
      }
    }
    rows.sort(
        Comparator.comparingLong(PeakRow::bytes).reversed().thenComparingInt(PeakRow::variable));
    return ImmutableList.copyOf(rows);
  }

  /** The piece of a box that has bytes at a point. */
  private static Optional<Piece> pieceAt(Box box, int point) {
    return box.pieces().stream()
        .filter(piece -> piece.begin() <= point && point < piece.end())
        .filter(piece -> piece.high() > piece.low())
        .findFirst();
  }
}
