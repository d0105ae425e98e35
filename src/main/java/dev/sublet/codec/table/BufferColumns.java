package dev.sublet.codec.table;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The columns of a table of buffers.
 *
 * @param names the canonical name of each column; empty for an unknown column
 * @param indices the indices of the known columns, by canonical name
 * @param inclusive whether the end of a row or gap is its last time, and not the first time after
 *     it
 */
record BufferColumns(
    ImmutableList<String> names, ImmutableMap<String, Integer> indices, boolean inclusive) {

  private static final String INCLUSIVE_UPPER = "end";

  private static final ImmutableMap<String, String> CANONICAL =
      ImmutableMap.<String, String>builder()
          .put("id", BufferTable.ID)
          .put("buffer", BufferTable.ID)
          .put("buffer_id", BufferTable.ID)
          .put("lower", BufferTable.LOWER)
          .put("start", BufferTable.LOWER)
          .put("begin", BufferTable.LOWER)
          .put("upper", BufferTable.UPPER)
          .put(INCLUSIVE_UPPER, BufferTable.UPPER)
          .put("size", BufferTable.SIZE)
          .put("alignment", BufferTable.ALIGNMENT)
          .put("offset", BufferTable.OFFSET)
          .put("gaps", BufferTable.GAPS)
          .buildOrThrow();

  private static final ImmutableList<String> REQUIRED =
      ImmutableList.of(BufferTable.ID, BufferTable.LOWER, BufferTable.UPPER, BufferTable.SIZE);

  /**
   * Reads a header. An unknown column causes a note.
   *
   * @throws ProgramException if a column is missing or occurs twice
   */
  static BufferColumns of(String header, Location place, DiagnosticLog log) {
    List<String> names = new ArrayList<>();
    Map<String, Integer> known = new HashMap<>();
    boolean inclusive = false;
    int start = 0;
    for (String cell : Splitter.on(',').split(header)) {
      String word = cell.strip();
      String name = CANONICAL.getOrDefault(word, "");
      if (!name.isEmpty() && known.putIfAbsent(name, names.size()) != null) {
        throw BufferTableReader.malformed(
            1,
            header.codePointCount(0, start) + 1,
            "the column '" + word + "' is there twice (as " + name + "); leave one out");
      }
      if (name.isEmpty()) {
        log.note(place, "column '" + BufferTableReader.shorten(word) + "' is not used");
      }
      inclusive |= word.equals(INCLUSIVE_UPPER);
      names.add(name);
      start += cell.length() + 1;
    }
    for (String required : REQUIRED) {
      if (!known.containsKey(required)) {
        throw BufferTableReader.malformed(
            1,
            1,
            "no column '" + required + "'; a table of buffers begins with id,lower,upper,size");
      }
    }
    return new BufferColumns(ImmutableList.copyOf(names), ImmutableMap.copyOf(known), inclusive);
  }

  /** The index of a column, or -1 if the table does not have it. */
  int indexOf(String name) {
    Integer index = indices.get(name);
    return index == null ? -1 : index;
  }

  /**
   * Whether a line looks like a header, correct or not: it has columns for the ids and sizes of
   * buffers.
   */
  static boolean isHeader(String line) {
    boolean hasId = false;
    boolean hasSize = false;
    List<String> cells = Splitter.on(',').splitToList(line);
    for (String cell : cells) {
      String name = CANONICAL.getOrDefault(cell.strip(), "");
      hasId |= name.equals(BufferTable.ID);
      hasSize |= name.equals(BufferTable.SIZE);
    }
    return hasId && hasSize;
  }
}
