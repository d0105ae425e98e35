package dev.sublet.codec.program;

import com.google.common.base.Ascii;
import com.google.common.io.Files;
import java.nio.file.Path;

/** The forms of a program in a file. */
public enum ProgramFormat {
  /** The serialized message: {@code .pdmodel}, {@code __model__}. Represents the whole program. */
  BINARY,
  /** Protobuf text format. Cannot represent unknown fields and names that are not UTF-8. */
  TEXT,
  /**
   * Protobuf's JSON mapping, with the field names of the schema. Has the losses of {@link #TEXT}.
   */
  JSON;

  /**
   * Returns the form for a file of the given name: {@code .json} is JSON, {@code .textproto},
   * {@code .pbtxt}, {@code .prototxt} and {@code .txt} are text, everything else is binary.
   */
  public static ProgramFormat ofFileName(Path file) {
    return switch (Ascii.toLowerCase(Files.getFileExtension(file.toString()))) {
      case "json" -> JSON;
      case "textproto", "pbtxt", "prototxt", "txt" -> TEXT;
      default -> BINARY;
    };
  }
}
