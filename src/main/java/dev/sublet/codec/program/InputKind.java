package dev.sublet.codec.program;

import com.google.common.collect.ImmutableSet;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.sublet.codec.file.InputFiles;
import dev.sublet.codec.table.BufferTableReader;
import dev.sublet.codec.table.PlanTable;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The probable kind of an input file, according to its content. In text and JSON, the name of the
 * first field decides, if only files of one kind have this field; in binary, the number of the
 * first field decides.
 *
 * <p>Whether the file is well formed is not checked: the reader of programs reports the errors of a
 * file of no known kind.
 */
public enum InputKind {
  /** A program, a model, a directory that may contain one, or a file of unknown kind. */
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
          "copies",
          "feeds");

  private static final ImmutableSet<String> PROGRAM_FIELDS =
      ImmutableSet.of("blocks", "version", "op_version_map", "opVersionMap");

  private static final ImmutableSet<String> MODEL_FIELDS =
      ImmutableSet.of(
          "ir_version",
          "irVersion",
          "opset_import",
          "opsetImport",
          "producer_name",
          "producerName",
          "producer_version",
          "producerVersion",
          "domain",
          "model_version",
          "modelVersion",
          "doc_string",
          "docString",
          "graph",
          "functions");

  /** The first word of protobuf's text format, after comments. */
  private static final Pattern FIRST_WORD = Pattern.compile("\\A(?:\\s|#[^\\n]*\\n)*+(\\w+)");

  /** The tag of field 1 as a number: the point numbering of a plan, or the version of a model. */
  private static final byte VERSION_TAG = 0x08;

  /** The only point numbering of plans. No released version of ONNX has this version number. */
  private static final byte PLAN_VERSION = 1;

  /** The tag of field 2 as bytes: a plan's hash, if its numbering is absent. */
  private static final byte HASH_TAG = 0x12;

  /**
   * The tags of a model's graph and operator imports, for models that do not begin with their
   * version.
   */
  private static final ImmutableSet<Byte> MODEL_TAGS = ImmutableSet.of((byte) 0x3A, (byte) 0x42);

  /** Returns the kind of a file. O(size). */
  public static InputKind of(Path file) {
    if (!Files.isRegularFile(file)) {
      return PROGRAM;
    }
    try {
      return of(InputFiles.read(file));
    } catch (ProgramException e) {
      return PROGRAM; // The reader of programs reports the error.
    }
  }

  /** Returns the kind of a file's content. O(size). */
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
      case BINARY -> beginsLikePlan(bytes) ? PLAN : PROGRAM;
      case TEXT, JSON -> isPlan(content) ? PLAN : PROGRAM;
    };
  }

  /** Whether binary content begins like a plan; programs begin with other fields. */
  private static boolean beginsLikePlan(byte[] bytes) {
    return bytes[0] == HASH_TAG
        || (bytes[0] == VERSION_TAG && bytes.length > 1 && bytes[1] == PLAN_VERSION);
  }

  /** Whether content begins like an ONNX model, be it well formed or not. */
  public static boolean isModel(Content content) {
    if (content.format() != ProgramFormat.BINARY) {
      return MODEL_FIELDS.contains(firstField(content));
    }
    byte[] bytes = content.bytes();
    boolean versioned = bytes[0] == VERSION_TAG && bytes.length > 1 && !beginsLikePlan(bytes);
    return versioned || MODEL_TAGS.contains(bytes[0]);
  }

  /** Whether text or JSON begins like a program, be it well formed or not. */
  public static boolean isProgram(Content content) {
    return content.format() != ProgramFormat.BINARY && PROGRAM_FIELDS.contains(firstField(content));
  }

  /** Whether text or JSON begins like a plan. */
  static boolean isPlan(Content content) {
    return content.format() != ProgramFormat.BINARY
        && (content.text().startsWith(PlanTable.HEADER)
            || PLAN_FIELDS.contains(firstField(content)));
  }

  /** The first word of a message in protobuf's text format; empty if there is none. */
  static String firstWord(String text) {
    Matcher matcher = FIRST_WORD.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** The first field name in text or JSON; empty if there is none. */
  private static String firstField(Content content) {
    if (content.format() == ProgramFormat.TEXT) {
      return firstWord(content.text());
    }
    try (JsonReader reader = new JsonReader(new StringReader(content.text()))) {
      if (reader.peek() != JsonToken.BEGIN_OBJECT) {
        return "";
      }
      reader.beginObject();
      return reader.hasNext() ? reader.nextName() : "";
    } catch (IOException | NumberFormatException e) { // the latter for a wrong escape
      return "";
    }
  }
}
