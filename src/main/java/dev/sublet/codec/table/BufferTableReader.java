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
 * Reads tables of buffers in CSV, as MiniMalloc has them: UTF-8, a header, one buffer a line,
 * nothing quoted; a blank line is the end.
 *
 * <p>Columns, in any order: {@code id} (or {@code buffer}, {@code buffer_id}), {@code lower} (or
 * {@code start}, {@code begin}), {@code upper} (or {@code end}, which is the last time and not the
 * first one after), {@code size}, and perhaps {@code alignment}, {@code offset} and {@code gaps}.
 * Gaps are separated by spaces; {@code 3-5} occupies nothing from time 3 on and before 5 (through 5
 * if the column is {@code end}), {@code 3-5@0:64} only the first 64 bytes. Further columns are kept
 * and not used, which is a note.
 *
 * <p>What is malformed is a {@link ProgramException} with exit code 3, placed in the file, whose
 * message begins with line and character. Whether pins contradict each other is not checked.
 * O(size), apart from the map of ids.
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

  /** Reads a file. What is not used of it is a note in the log. */
  public static BufferTable read(Path file, DiagnosticLog log) {
    return parse(InputFiles.read(file), file.toString(), log);
  }

  /** Reads a file's content; diagnostics call the file by the given name. */
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

  /** Whether a file is one, going by its first line; a file that cannot be read is none. */
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

  /** Whether some content is one, going by its first line. */
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

  /** A cell as messages quote it. */
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

  /** The next line without its end. */
  private String nextLine() {
    int feed = text.indexOf('\n', next);
    int end = feed < 0 ? text.length() : feed;
    String line = text.substring(next, end);
    next = feed < 0 ? end : feed + 1;
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }
}
