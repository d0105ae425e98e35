package dev.sublet.codec.plan;

import com.google.common.base.Ascii;
import com.google.common.io.Files;
import dev.sublet.codec.program.ProgramFormat;
import java.nio.file.Path;
import java.util.Optional;

/** The forms that a plan can have in a file. The first three carry all of it. */
public enum PlanFormat {
  /** The serialized message of {@code plan.proto}. */
  BINARY,
  /** Protobuf text format; fields that are zero or empty are left out. */
  TEXT,
  /** JSON with the field names of {@code plan.proto}; every field is there, integers as numbers. */
  JSON,
  /** A table of live intervals. Written only: it holds neither arenas nor aliases. */
  CSV,
  /** One arena as buffers in the CSV of MiniMalloc, with offsets. Written only. */
  BUFFERS,
  /** The same without offsets, for another planner to find. Written only. */
  PROBLEM,
  /** A trace in JSON for Perfetto and Chrome, addresses over steps. Written only. */
  TRACE,
  /** TFLite Micro's {@code OfflineMemoryAllocation}, see {@link OfflineAllocation}. */
  TFLM,
  /** The same in JSON, with the tensors' names. */
  TFLM_JSON,
  /** Constants for C99 and C++. Written only. */
  HEADER;

  /**
   * The form to write a file of that name in: {@code .buffers.csv} and {@code .problem.csv} are
   * buffers with and without offsets, any other {@code .csv} is CSV, {@code .trace.json} a trace,
   * {@code .tflm} and {@code .tflm.json} offsets for TFLite Micro, {@code .h}, {@code .hh} and
   * {@code .hpp} a C header, everything else as {@link ProgramFormat#ofFileName} has it.
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

  /** The same form of programs, if they have it. */
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

  /** Whether the form carries all of a plan, so that it can be read back. */
  public boolean isComplete() {
    return ofProgram().isPresent();
  }
}
