package dev.sublet.codec;

import com.google.common.base.Ascii;
import com.google.common.io.Files;
import java.nio.file.Path;

/** The forms that a plan can have in a file. */
public enum PlanFormat {
  /** The serialized message of {@code plan.proto}. */
  BINARY,
  /** Protobuf text format; fields that are zero or empty are left out. */
  TEXT,
  /** JSON with the field names of {@code plan.proto}; every field is there, integers as numbers. */
  JSON,
  /** A table of live intervals. Written only: it holds neither arenas nor aliases. */
  CSV;

  /**
   * The form to write a file of that name in: {@code .csv} is CSV, everything else as {@link
   * ProgramFormat#ofFileName} has it.
   */
  public static PlanFormat ofFileName(Path file) {
    if (Ascii.equalsIgnoreCase(Files.getFileExtension(file.toString()), "csv")) {
      return CSV;
    }
    return switch (ProgramFormat.ofFileName(file)) {
      case BINARY -> BINARY;
      case TEXT -> TEXT;
      case JSON -> JSON;
    };
  }
}
