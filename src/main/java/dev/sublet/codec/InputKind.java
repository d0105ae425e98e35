package dev.sublet.codec;

import com.google.common.collect.ImmutableSet;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file seems to be, going by its content: in text and JSON by the first field that only one
 * of them has, in binary by the number of the first field. Not whether it is well formed: of what
 * is neither, the reader of programs says what is wrong with it.
 */
public enum InputKind {
  /** A program, or a directory that may hold one, or nothing that can be told. */
  PROGRAM,
  /** An offset plan of a program. */
  PLAN,
  /** A table of buffers in CSV. */
  TABLE;

  private static final ImmutableSet<String> PLAN_FIELDS =
      ImmutableSet.of(
          "point_numbering",
          "pointNumbering",
          "program_sha256",
          "programSha256",
          "planner",
          "batch",
          "order",
          "arenas",
          "allocations",
          "unplanned",
          "aliases",
          "copies");

  /** The first word of protobuf's text format, behind comments. */
  private static final Pattern FIRST_WORD = Pattern.compile("\\A(?:\\s|#[^\\n]*\\n)*+(\\w+)");

  /** Field 1 as a number, and field 2 as bytes: programs have neither. */
  private static final ImmutableSet<Byte> PLAN_TAGS = ImmutableSet.of((byte) 0x08, (byte) 0x12);

  /** Looks at a file. O(size). */
  public static InputKind of(Path file) {
    if (!Files.isRegularFile(file)) {
      return PROGRAM;
    }
    try {
      return of(InputFiles.read(file));
    } catch (ProgramException e) {
      return PROGRAM; // Whoever reads it says what is wrong.
    }
  }

  /** Looks at a file's content. O(size). */
  public static InputKind of(byte[] bytes) {
    if (BufferTableReader.isTable(bytes)) {
      return TABLE;
    }
    Content content;
    try {
      content = Content.of(bytes);
    } catch (ProgramException e) {
      return PROGRAM;
    }
    return switch (content.format()) {
      case BINARY -> PLAN_TAGS.contains(bytes[0]) ? PLAN : PROGRAM;
      case TEXT -> isPlanText(content.text()) ? PLAN : PROGRAM;
      case JSON -> isPlanJson(content.text()) ? PLAN : PROGRAM;
    };
  }

  private static boolean isPlanText(String text) {
    Matcher matcher = FIRST_WORD.matcher(text);
    return text.startsWith(PlanTable.HEADER)
        || (matcher.find() && PLAN_FIELDS.contains(matcher.group(1)));
  }

  private static boolean isPlanJson(String text) {
    try (JsonReader reader = new JsonReader(new StringReader(text))) {
      if (reader.peek() != JsonToken.BEGIN_OBJECT) {
        return false;
      }
      reader.beginObject();
      return reader.hasNext() && PLAN_FIELDS.contains(reader.nextName());
    } catch (IOException e) {
      return false;
    }
  }
}
