package dev.sublet.codec.table;

import com.google.common.base.Ascii;
import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import dev.sublet.codec.file.InputFiles;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads tables of buffers in the CSV of MiniMalloc: UTF-8, a header, one buffer per line, no
 * quotation. A blank line ends the table.
 *
 * <pre>
 *   id,lower,upper,size
 *   a,0,3,64
 *   b,2,5,32
 * </pre>
 *
 * <p>The columns are, in any order: {@code id} (or {@code buffer}, {@code buffer_id}), {@code
 * lower} (or {@code start}, {@code begin}), {@code upper} (or {@code end}, which is the last time
 * and not the first time after it), {@code size}, and optionally {@code alignment}, {@code offset}
 * and {@code gaps}. Gaps are separated by spaces. The gap {@code 3-5} means that the buffer
 * occupies nothing from time 3 on and before time 5 (through time 5 if the column is {@code end});
 * with {@code 3-5@0:64}, it occupies only its first 64 bytes. Other columns are kept but not used;
 * each of them causes a note.
 *
 * <p>A malformed table causes a {@link ProgramException} with exit code 3, placed in the file,
 * whose message begins with line and character. Whether rows with given offsets contradict each
 * other is not checked. O(size), apart from the map of ids.
 */
public final class BufferTableReader {

  private static final int LONGEST_HEADER = 1 << 16;
  private static final int LONGEST_QUOTATION = 40;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String text;
  private final Location place;
  private final DiagnosticLog log;
  private int next;

  private BufferTableReader(String text, Location place, DiagnosticLog log) {
    this.text = text;
    this.place = place;
    this.log = log;
  }

  /** Reads a file. The log gets a note about each part of the file that is not used. */
  public static BufferTable read(Path file, DiagnosticLog log) {
    return parse(InputFiles.read(file), file.toString(), log);
  }

  /** Reads a file's content; {@code sourceName} is the file's name in diagnostics. */
  public static BufferTable parse(byte[] bytes, String sourceName, DiagnosticLog log) {
    try {
      if (bytes.length == 0) {
        throw ProgramException.unreadable(Location.nowhere(), "the file is empty");
      }
      checkUtf8(bytes);
      String text = new String(bytes, StandardCharsets.UTF_8);
      text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
      return new BufferTableReader(text, Location.file(sourceName), log).table();
    } catch (ProgramException e) {
      throw e.in(sourceName);
    }
  }

  /**
   * Whether a file is a table of buffers, according to its first line; false if the file cannot be
   * read.
   */
  public static boolean isTable(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream stream = Files.newInputStream(file)) {
      return isTable(stream.readNBytes(LONGEST_HEADER));
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether some content is a table of buffers, according to its first line. */
  public static boolean isTable(byte[] bytes) {
    int length = Math.min(bytes.length, LONGEST_HEADER);
    int end = 0;
    while (end < length && bytes[end] != '\n') {
      end++;
    }
    String line = new String(bytes, 0, end, StandardCharsets.UTF_8);
    return BufferColumns.isHeader(line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line);
  }

  static ProgramException malformed(int line, int column, String message) {
    return ProgramException.unreadable(Location.nowhere(), line + ":" + column + ": " + message);
  }

  /** Returns a cell as messages quote it, cut off if it is long. */
  static String shorten(String cell) {
    return Ascii.truncate(cell, LONGEST_QUOTATION, "…");
  }

  private static void checkUtf8(byte[] bytes) {
    if (Utf8.isWellFormed(bytes)) {
      return;
    }
    int line = 1;
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        if (!Utf8.isWellFormed(bytes, start, i - start)) {
          break;
        }
        line++;
        start = i + 1;
      }
    }
    throw malformed(line, 1, "the line is not UTF-8 text");
  }

  private BufferTable table() {
    int headerEnd = text.indexOf('\n');
    String lineEnd = headerEnd > 0 && text.charAt(headerEnd - 1) == '\r' ? "\r\n" : "\n";
    String header = nextLine();
    if (header.isBlank()) {
      throw malformed(1, 1, "the header is missing; write id,lower,upper,size into the first line");
    }
    BufferColumns columns = BufferColumns.of(header, place, log);
    ImmutableList.Builder<BufferTable.Row> rows = ImmutableList.builder();
    Map<String, Integer> lines = new HashMap<>();
    BufferRowParser parser = new BufferRowParser(columns);
    int number = 1;
    while (next < text.length()) {
      String line = nextLine();
      number++;
      if (line.isBlank()) {
        checkRest(number);
        break;
      }
      BufferTable.Row row = parser.row(line, number);
      Integer earlier = lines.putIfAbsent(row.id(), number);
      if (earlier != null) {
        throw malformed(
            number,
            1,
            "the id '"
                + shorten(row.id())
                + "' is also that of line "
                + earlier
                + "; give every row an id of its own");
      }
      rows.add(row);
    }
    return new BufferTable(header, columns.names(), lineEnd, rows.build());
  }

  private void checkRest(int line) {
    if (!text.substring(next).isBlank()) {
      log.note(place, "the table ends with the blank line " + line + "; what follows is not used");
    }
  }

  /** Returns the next line without its line terminator. */
  private String nextLine() {
    int feed = text.indexOf('\n', next);
    int end = feed < 0 ? text.length() : feed;
    String line = text.substring(next, end);
    next = feed < 0 ? end : feed + 1;
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }
}
