package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import dev.sublet.picture.TimeAxis.AxisStep;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.BufferTable.Row;
import dev.sublet.plan.BufferTable.TimeGap;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Builds the picture of a table of buffers. Its steps are the times at which a buffer or a gap
 * begins or ends, in order and regardless of their distances.
 */
final class TableScene {

  private static final String BEFORE =
      "Every buffer has bytes of its own, from its first time until the end: what is held if nothing"
          + " is freed. Hatched bytes are held, but dead.";

  private static final String AFTER =
      "The offsets: bytes of dead buffers are given to others. A step is a time at which a buffer"
          + " begins or ends.";

  private TableScene() {}

  static Picture draw(
      String title,
      BufferTable table,
      ImmutableLongArray offsets,
      long arenaBytes,
      long lowerBound) {
    long[] times = times(table);
    ImmutableList.Builder<AxisStep> steps = ImmutableList.builder();
    for (int i = 0; i + 1 < times.length; i++) {
      steps.add(AxisStep.named(Long.toString(times[i])));
    }
    Occupants occupants = new Occupants(ImmutableMap.of());
    ImmutableList<ArenaBand> arenas =
        ImmutableList.of(new ArenaBand("arena", arenaBytes, lowerBound, /* isStep= */ false));
    List<Box> boxes = new ArrayList<>();
    List<StackedBoxes.Item> items = new ArrayList<>();
    for (int i = 0; i < table.rows().size(); i++) {
      Row row = table.rows().get(i);
      int variable = occupants.indexOf(new VariableId(-1, row.id()));
      ImmutableList<Piece> pieces = pieces(variable, row, times);
      boxes.add(new Box(variable, 0, offsets.get(i), row.size(), pieces, Optional.empty()));
      items.add(new StackedBoxes.Item(variable, 0, row.size(), pieces));
    }
    PictureStage after =
        new PictureStage(AFTER, arenas, ImmutableList.copyOf(boxes), /* held= */ false);
    return new Picture(
        Labels.printable(title),
        new TimeAxis(1, steps.build(), ImmutableList.of()),
        occupants.build(),
        StackedBoxes.stage(BEFORE, arenas, items),
        after,
        LiveBytesCurve.of(after),
        ImmutableList.of(),
        Optional.empty());
  }

  /** Returns the times at which a buffer or a gap begins or ends, ascending. */
  private static long[] times(BufferTable table) {
    List<Long> times = new ArrayList<>();
    for (Row row : table.rows()) {
      times.add(row.lower());
      times.add(row.upper());
      for (TimeGap gap : row.gaps()) {
        times.add(gap.lower());
        times.add(gap.upper());
      }
    }
    return times.stream().mapToLong(Long::longValue).sorted().distinct().toArray();
  }

  /**
   * Returns the live pieces of a row: all its bytes between gaps, and its window in gaps that have
   * one.
   */
  private static ImmutableList<Piece> pieces(int variable, Row row, long[] times) {
    ImmutableList.Builder<Piece> pieces = ImmutableList.builder();
    long from = row.lower();
    for (TimeGap gap : row.gaps()) {
      if (from < gap.lower()) {
        pieces.add(piece(variable, times, from, gap.lower(), 0, row.size()));
      }
      if (gap.hasWindow() && gap.lower() < gap.upper()) {
        pieces.add(piece(variable, times, gap.lower(), gap.upper(), gap.low(), gap.high()));
      }
      from = gap.upper();
    }
    if (from < row.upper()) {
      pieces.add(piece(variable, times, from, row.upper(), 0, row.size()));
    }
    return pieces.build();
  }

  private static Piece piece(int variable, long[] times, long from, long to, long low, long high) {
    int begin = Arrays.binarySearch(times, from);
    return new Piece(variable, begin, Arrays.binarySearch(times, to), low, high);
  }
}
