package dev.sublet.verify.plan;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Location;
import dev.sublet.plan.BufferTable;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violations;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks the offsets of a table of buffers: the alignment, the given offsets, the arena's size, and
 * that no byte is occupied by two rows at the same time. Gaps in a row's lifetime and the windows
 * of bytes that are in use during a gap are taken into account.
 *
 * <pre>
 *   row a: 64 bytes in [0, 4), row b: 64 bytes in [2, 6)
 *   both at offset 0: they overlap from time 2 on
 * </pre>
 *
 * <p>If a segment overlaps several others only one is reported, so that a wrong plan takes no more
 * time than a right one. O(n log n) for n rows and gaps.
 */
public final class BufferTableValidator {

  private final BufferTable table;
  private final long alignment;
  private final Violations violations = new Violations();

  private BufferTableValidator(BufferTable table, long alignment) {
    this.table = table;
    this.alignment = alignment;
  }

  /**
   * Checks offsets, given by row.
   *
   * @param alignment the alignment of rows without their own
   * @param arenaBytes the arena's size, within which every row must end
   */
  public static ValidationResult validate(
      BufferTable table, long alignment, ImmutableLongArray offsets, long arenaBytes) {
    BufferTableValidator validator = new BufferTableValidator(table, alignment);
    validator.checkRows(offsets, arenaBytes);
    return validator.violations.result();
  }

  /**
   * Checks a plan: the same rows in any order, each with an offset. The plan's gaps and alignments
   * are ignored; those of the table count.
   *
   * @param alignment the alignment of rows without their own
   */
  public static ValidationResult validate(BufferTable table, long alignment, BufferTable plan) {
    BufferTableValidator validator = new BufferTableValidator(table, alignment);
    validator.checkRows(validator.match(plan), Long.MAX_VALUE);
    return validator.violations.result();
  }

  /**
   * The plan's offsets, by row of the table; {@link BufferTable#NO_OFFSET} if the plan has none.
   */
  private ImmutableLongArray match(BufferTable plan) {
    Map<String, BufferTable.Row> planned = new HashMap<>();
    for (BufferTable.Row row : plan.rows()) {
      planned.put(row.id(), row);
    }
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder(table.rows().size());
    for (BufferTable.Row row : table.rows()) {
      BufferTable.Row found = planned.remove(row.id());
      offsets.add(found == null ? BufferTable.NO_OFFSET : found.offset());
      if (found == null) {
        add(row, "the plan has no such row");
      } else if (found.size() != row.size()
          || found.lower() != row.lower()
          || found.upper() != row.upper()) {
        add(row, "is " + describe(row) + ", but in the plan it is " + describe(found));
      }
    }
    for (BufferTable.Row row : plan.rows()) {
      if (planned.containsKey(row.id())) {
        violations.add(
            Location.nowhere(),
            "the plan has a row '"
                + row.id()
                + "' (its line "
                + row.line()
                + "), which is not in the table");
      }
    }
    return offsets.build();
  }

  private static String describe(BufferTable.Row row) {
    return ByteText.inWords(row.size()) + " in [" + row.lower() + ", " + row.upper() + ")";
  }

  private void checkRows(ImmutableLongArray offsets, long arenaBytes) {
    ImmutableList<BufferTable.Row> rows = table.rows();
    TableSegments segments = new TableSegments();
    for (int i = 0; i < rows.size(); i++) {
      BufferTable.Row row = rows.get(i);
      long offset = offsets.get(i);
      if (offset < 0) {
        add(row, "has no offset");
      } else {
        checkRow(row, offset, arenaBytes);
        segments.add(i, row, offset);
      }
    }
    sweep(segments);
  }

  private void checkRow(BufferTable.Row row, long offset, long arenaBytes) {
    long own = row.alignmentOr(alignment);
    if (offset % own != 0) {
      add(row, "offset " + offset + " is not a multiple of its alignment " + own);
    }
    if (row.hasOffset() && row.offset() != offset) {
      add(row, "is at offset " + offset + ", but must be at " + row.offset());
    }
    if (offset > arenaBytes - row.size()) {
      add(
          row,
          "at offset "
              + offset
              + " it does not end within the arena's "
              + ByteText.inWords(arenaBytes));
    }
  }

  private void sweep(TableSegments segments) {
    OccupiedRegions regions = segments.regions();
    for (long event : segments.events()) {
      int segment = (int) (event & (TableSegments.BEGINS - 1));
      int rank = segments.rank(segment);
      if ((event & TableSegments.BEGINS) == 0) {
        regions.release(rank);
        continue;
      }
      int other = regions.firstOverlapping(rank);
      if (other >= 0) {
        BufferTable.Row row = table.rows().get(segments.row(other));
        add(
            table.rows().get(segments.row(segment)),
            "overlaps " + name(row) + " from time " + segments.begin(segment) + " on");
      }
      regions.hold(rank);
    }
  }

  private void add(BufferTable.Row row, String message) {
    violations.add(Location.nowhere(), name(row) + ": " + message);
  }

  private static String name(BufferTable.Row row) {
    return "row '" + row.id() + "' (line " + row.line() + ")";
  }
}
