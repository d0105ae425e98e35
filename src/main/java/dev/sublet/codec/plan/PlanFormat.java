package dev.sublet.codec.plan;

import com.google.common.base.Ascii;
import com.google.common.io.Files;
import dev.sublet.codec.program.ProgramFormat;
import java.nio.file.Path;
import java.util.Optional;

/** The forms of a plan in a file. The first three represent the whole plan. */
public enum PlanFormat {
  /** The serialized message of {@code plan.proto}. */
  BINARY,
  /** Protobuf text format; fields that are zero or empty are left out. */
  TEXT,
  /**
   * JSON with the field names of {@code plan.proto}; every field is present, and integers are
   * numbers.
   */
  JSON,
  /** A table of live intervals. Written only: it contains neither arenas nor aliases. */
  CSV,
  /** One arena as buffers in the CSV of MiniMalloc, with offsets. Written only. */
  BUFFERS,
  /** The same buffers without offsets, as a problem for another planner. Written only. */
  PROBLEM,
  /** A trace in JSON for Perfetto and Chrome: addresses over program points. Written only. */
  TRACE,
  /** TFLite Micro's {@code OfflineMemoryAllocation}, see {@link OfflineAllocation}. */
  TFLM,
  /** The same offsets in JSON, with the tensors' names. */
  TFLM_JSON,
  /** Constants for C99 and C++. Written only. */
  HEADER;

  /**
   * Returns the form for a file of the given name: {@code .buffers.csv} and {@code .problem.csv}
   * are buffers with and without offsets, any other {@code .csv} is CSV, {@code .trace.json} is a
   * trace, {@code .tflm} and {@code .tflm.json} are offsets for TFLite Micro, {@code .h}, {@code
   * .hh} and {@code .hpp} are a C header. For all other names, {@link ProgramFormat#ofFileName}
   * decides.
   */
  public static PlanFormat ofFileName(Path file) {
    String name = Ascii.toLowerCase(file.toString());
    if (name.endsWith(".trace.json")) {
      return TRACE;
    }
    if (name.endsWith(".tflm.json")) {
      return TFLM_JSON;
    }
    if (name.endsWith(".buffers.csv")) {
      return BUFFERS;
    }
    if (name.endsWith(".problem.csv")) {
      return PROBLEM;
    }
    return switch (Files.getFileExtension(name)) {
      case "csv" -> CSV;
      case "tflm" -> TFLM;
      case "h", "hh", "hpp" -> HEADER;
      default -> of(ProgramFormat.ofFileName(file));
    };
  }

  private static PlanFormat of(ProgramFormat format) {
    return switch (format) {
      case BINARY -> BINARY;
      case TEXT -> TEXT;
      case JSON -> JSON;
    };
  }

  /** The corresponding form of programs, if there is one. */
  public Optional<ProgramFormat> ofProgram() {
    return switch (this) {
      case BINARY -> Optional.of(ProgramFormat.BINARY);
      case TEXT -> Optional.of(ProgramFormat.TEXT);
      case JSON -> Optional.of(ProgramFormat.JSON);
      case CSV, BUFFERS, PROBLEM, TRACE, TFLM, TFLM_JSON, HEADER -> Optional.empty();
    };
  }

  /** Whether a file of that form is CSV. */
  public boolean isCsv() {
    return this == CSV || this == BUFFERS || this == PROBLEM;
  }

  /** Whether the form represents the whole plan, so that it can be read back. */
  public boolean isComplete() {
    return ofProgram().isPresent();
  }
}
